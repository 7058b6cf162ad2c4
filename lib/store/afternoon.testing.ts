// What happens to a person in an afternoon, by chance: for properties of the store.
import fc from 'fast-check';
import type { CaptureEvent } from '#lib/rounds/events.ts';
import type { Round } from '#lib/rounds/types.ts';
import { Recorder } from './recorder.ts';

export const SITE = 'https://shop.example.com';

let ids = 0;

export type Act =
  | { do: 'show' | 'fail' | 'link' | 'mark' | 'delete' | 'gone' | 'text'; path: string }
  | { do: 'redirect'; from: string; path: string; status: number }
  | { do: 'round' | 'save' };

const path = fc.constantFrom('/a', '/b', '/c?x=1', '/c?x=2', '/d#t', '/e?utm_source=q', '/e');
export const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('show', 'fail', 'link', 'mark', 'delete', 'gone', 'text'),
      path,
    }) as fc.Arbitrary<Act>,
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('redirect' as const),
      from: path,
      path,
      status: fc.constantFrom(301, 302),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('round' as const, 'save' as const) }) },
);

/** A recorder with a clock of its own. */
export class Afternoon {
  at = 1_700_000_000_000;
  readonly recorder = new Recorder({ now: () => this.at, randomId: () => `id-${(ids += 1)}` });

  async start(scope?: Round['scope'], mode: 'inspecting' | 'collecting' = 'inspecting'): Promise<Round> {
    const about = scope === undefined ? { name: 'Shop', origins: [`${SITE}/*`], mode } : { id: scope };
    return (await this.recorder.commands.startRound({ scope: about, base: 'last' })).round;
  }

  /** Does what happens to people; what cannot be done at that moment is refused and changes nothing. */
  async happen(act: Act, round: Round): Promise<Round> {
    this.at += 1_000;
    ids += 1;
    const about = { id: `e${ids}`, at: this.at };
    const showing = { ...about, type: 'shown', by: 'browser', document: `d${ids}`, moment: 'start' } as const;
    const url = 'path' in act ? SITE + act.path : SITE;
    const key = url.replace(/[?&]utm_source=q|#t$/, '');
    const record = (event: CaptureEvent) => this.recorder.record(event);
    switch (act.do) {
      case 'show':
        await record({ ...showing, url });
        break;
      case 'gone':
        await record({ ...showing, url, status: 404 });
        break;
      case 'redirect':
        await record({
          ...showing,
          url,
          chain: [{ url: SITE + act.from, kind: 'server', status: act.status }],
        });
        break;
      case 'fail':
        await record({ ...about, type: 'failed', url, error: 'net::ERR_TIMED_OUT' });
        break;
      case 'link':
        await record({ ...about, type: 'links', url: `${SITE}/a`, links: [url] });
        break;
      case 'text':
        await record({
          ...about,
          type: 'content',
          url,
          digest: `${ids % 3}`,
          maskedDigest: `${ids % 3}`,
          blocks: 9,
        });
        break;
      case 'mark':
        await this.recorder.commands
          .markPage({ space: round.space, key, state: 'visited' })
          .catch(() => undefined);
        break;
      case 'delete':
        await this.recorder.commands.deletePage({ space: round.space, key }).catch(() => undefined);
        break;
      case 'save':
        await this.recorder.saveSets();
        break;
      case 'round':
        await this.recorder.commands.endRound({ round: round.id });
        return this.start(round.scope);
    }
    return round;
  }
}
