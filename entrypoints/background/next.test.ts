import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nextUnvisited } from './next.ts';

const world = vi.hoisted(() => ({
  session: {} as Record<string, unknown>,
  opened: [] as string[],
  tabs: [] as { url: string }[],
  left: ['a', 'b', 'c'],
  retrying: [] as string[],
}));

vi.mock('wxt/browser', () => ({
  browser: {
    storage: {
      session: {
        get: (name: string) => Promise.resolve({ [name]: world.session[name] }),
        set: (values: object) => Promise.resolve(void Object.assign(world.session, values)),
      },
    },
    tabs: {
      create: ({ url }: { url: string }) => {
        world.opened.push(url);
        world.tabs.push({ url });
        return Promise.resolve();
      },
      update: (_: number, { url }: { url: string }) => Promise.resolve(void world.opened.push(url)),
      query: () => Promise.resolve(world.tabs),
    },
  },
}));
vi.mock('./recorder.ts', () => ({
  recorder: {
    commands: {
      nextUnvisited: ({ retry, except = [] }: { retry?: boolean; except?: string[] }) => {
        const rows = retry ? world.retrying : world.left;
        const key = rows.find((each) => !except.includes(each));
        return Promise.resolve({ page: key === undefined ? null : page(key) });
      },
    },
  },
}));

const page = (key: string) => ({ key, url: `https://a.example.com/${key}` }) as never;
const fields = { round: 'r', open: true };
const press = (more: object = {}, message?: string, leased?: never) =>
  nextUnvisited({ ...fields, ...more }, { ...(message !== undefined && { message }), leased });
const opened = () => world.opened.map((url) => url.at(-1));

beforeEach(() => {
  Object.assign(world, { session: {}, opened: [], tabs: [], left: ['a', 'b', 'c'], retrying: [] });
  vi.useFakeTimers({ now: 1_000_000 });
  return () => vi.useRealTimers();
});

describe('next unvisited', () => {
  it('opens one tab for one message, however often it is told, also by a worker that lives again', async () => {
    for (let times = 0; times < 3; times++) await press({}, 'm1');
    vi.advanceTimersByTime(60_000);
    world.left = ['b', 'c'];
    await press({}, 'm1');
    expect(opened()).toEqual(['a']);
  });

  it('goes on to the next page while the one before is not recorded yet', async () => {
    await press({ tab: 1 });
    await press({ tab: 1 }, 'm2');
    await press({ tab: 1 });
    expect(opened()).toEqual(['a', 'b', 'c']);
  });

  it('opens nothing twice where nothing else is left', async () => {
    world.left = ['a'];
    expect((await press({ tab: 1 })).page?.key).toBe('a');
    expect((await press({ tab: 1 })).page?.key).toBe('a');
    expect(opened()).toEqual(['a']);
    world.left = [];
    expect((await press()).page).toBeNull();
  });

  it('takes a page up again that did not come within some seconds', async () => {
    await press();
    vi.advanceTimersByTime(10_000);
    await press();
    expect(opened()).toEqual(['a', 'a']);
  });

  it('is of one round only, and passes over nothing after the clock was set back', async () => {
    await press();
    await press({ round: 'other' });
    vi.setSystemTime(500_000);
    await press();
    expect(opened()).toEqual(['a', 'a', 'a']);
  });

  it('tries the only page that is due as often as it is asked to', async () => {
    world.retrying = ['x'];
    await press({ retry: true });
    await press({ retry: true });
    expect(opened()).toEqual(['x', 'x']);
  });

  it('passes over what the service gave when it was just opened', async () => {
    await press({}, 'm1', page('c'));
    await press({}, 'm2', page('c'));
    expect(opened()).toEqual(['c', 'a']);
  });

  it('notes nothing where it only looks', async () => {
    await press({ open: false });
    expect(world.session).toEqual({});
    expect(opened()).toEqual([]);
  });
});
