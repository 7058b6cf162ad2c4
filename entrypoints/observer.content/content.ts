import { bounded } from '#lib/content/bound.ts';
import { pack } from '#lib/content/delta.ts';
import { isOnlyNumbersApart } from '#lib/content/live.ts';
import { observeContent, type ContentObserver, type SnapshotState } from '#lib/content/observe.ts';
import { fullRules, rulesHash, type Rules } from '#lib/content/rules.ts';
import type { Snapshot } from '#lib/content/snapshot.ts';
import { doc } from './doc.ts';
import type { Life } from './life.ts';
import type { Teller } from './tell.ts';

/** While a page stays open its text is told at most this often, in ms. */
const PAUSE = 5_000;
/** So long a text must stand at its address: a page may draw another route before it says its address. */
const STEADY = 1_000;
/** So long a route is waited for whose page still shows the text of the one before, in ms. */
const OLD_TEXT = 5_000;

function canonicalOf(): string | undefined {
  const link = doc.querySelector<HTMLLinkElement>('link[rel~="canonical"][href]');
  return link && /^https?:/.test(link.href) ? link.href : undefined;
}

/** Which frame of the page this is: `0` for the page itself, `0.2` for its third frame, and so on. */
function framePlace(): string {
  const path: number[] = [];
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) {
    const { parent } = frame;
    let index = 0;
    while (index < parent.length && parent[index] !== frame) index += 1;
    path.unshift(index);
  }
  return ['0', ...path].join('.');
}

/** Follows what this frame says, and tells it: once it is quiet after a page was shown, and when it changes while the page is open. */
export class ContentTeller {
  private readonly teller: Teller;
  private readonly life: Life;
  private readonly isRecorded: () => boolean;
  private observer: ContentObserver | undefined;
  private rules: Rules = {};
  private url = '';
  /** What the worker has of this frame; the last text of the route before. */
  private told: Snapshot | undefined;
  private old: { text: Snapshot; since: number } | undefined;
  /** To be told; `at`: since when there is something to tell. */
  private latest: { text: Snapshot; state: SnapshotState; at: number } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isTelling = false;
  private toldAt = -Infinity;
  private isFirst = true;

  constructor(teller: Teller, life: Life, isRecorded: () => boolean) {
    this.teller = teller;
    this.life = life;
    this.isRecorded = isRecorded;
    life.signal.addEventListener('abort', () => this.stop());
  }

  /** A page (document or route) is shown, with this HTTP status; error pages are not read. */
  shown(status: number): void {
    if (status >= 400 || this.life.signal.aborted) return this.stop();
    const isRoute = this.url !== '' && this.url !== location.href;
    if (isRoute && this.told) this.old = { text: this.told, since: performance.now() };
    this.url = location.href;
    this.isFirst = true;
    this.latest = undefined;
    clearTimeout(this.timer);
    if (this.observer) this.observer.restart();
    else this.observe();
  }

  private observe(): void {
    this.observer?.stop();
    this.observer = observeContent(document, {
      rules: this.rules,
      onSnapshot: (text, state) => this.read(bounded(text), state),
      rest: () => (this.isFirst ? 0 : this.toldAt + PAUSE - STEADY - performance.now()),
    });
  }

  /** Tells the text again, whole. */
  again(): void {
    if (!this.observer) return;
    const state = { first: false, busy: false };
    this.told = undefined;
    this.toldAt = -Infinity;
    this.read(bounded(this.observer.read()), state);
  }

  stop(): void {
    this.observer?.stop();
    this.observer = undefined;
    this.told = undefined;
    this.latest = undefined;
    clearTimeout(this.timer);
  }

  private read(text: Snapshot, state: SnapshotState): void {
    if (!this.isRecorded()) return this.stop();
    // The address is another one already; the route is told when it is settled.
    if (location.href !== this.url) return;
    // A frame without text is nothing to tell, unless it had some.
    if (window !== window.top && text.blocks.length === 0 && !this.told) return;
    this.latest = { text, state, at: this.latest?.at ?? performance.now() };
    this.tellLater();
  }

  private tellLater(): void {
    if (!this.latest || this.isTelling) return;
    clearTimeout(this.timer);
    const now = performance.now();
    const due = this.isFirst
      ? this.firstDue(this.latest.text, now)
      : Math.max(this.latest.at + STEADY, this.toldAt + PAUSE);
    if (due > now) this.timer = setTimeout(() => this.tellLater(), due - now);
    else void this.tell();
  }

  /** A page that shows the text of the route before, but for numbers, has not drawn the new one yet. */
  private firstDue(text: Snapshot, now: number): number {
    if (!this.old || !isOnlyNumbersApart(this.old.text, text)) return now;
    return this.old.since + OLD_TEXT;
  }

  private async tell(): Promise<void> {
    const { latest } = this;
    if (!latest || location.href !== this.url) return;
    const { text, state } = latest;
    const canonical = canonicalOf();
    const { isFirst, told, url } = this;
    this.latest = undefined;
    this.old = undefined;
    this.isFirst = false;
    this.isTelling = true;
    this.toldAt = performance.now();
    // Whole first; afterwards what changed.
    const travelling = isFirst || !told ? pack(text) : pack(text, told);
    this.told = text;
    const answer = await this.teller.tell('content', {
      url,
      frame: framePlace(),
      text: travelling,
      isFirst,
      busy: state.busy,
      ...(canonical !== undefined && { canonical }),
    });
    this.isTelling = false;
    if (answer?.rules && this.observer && hashOf(answer.rules) !== hashOf(this.rules))
      return this.readBy(answer.rules, this.url === url && isFirst);
    this.told = answer?.again ? undefined : this.told;
    if (answer?.again && 'since' in travelling && this.url === url && this.observer) {
      this.isFirst ||= isFirst;
      this.latest ??= { text, state, at: performance.now() };
      this.toldAt = -Infinity;
    }
    this.tellLater();
  }

  /** Begins anew by other rules. */
  private readBy(rules: Rules, isFirst: boolean): void {
    this.rules = rules;
    this.isFirst ||= isFirst;
    this.told = undefined;
    this.latest = undefined;
    this.toldAt = -Infinity;
    this.observe();
  }
}

const hashOf = (rules: Rules): string => rulesHash(fullRules(rules));
