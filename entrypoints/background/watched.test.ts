import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Watch } from '#lib/content/watch.ts';

const fake = vi.hoisted(() => {
  const shown: Record<string, { title: string; message: string }> = {};
  const clicks: ((id: string) => void)[] = [];
  const opened: string[] = [];
  const state = { isAllowed: true, refuses: false, tab: { active: true, focused: false } };
  const notifications = {
    create: (id: string, note: { title: string; message: string }) => {
      if (state.refuses) return Promise.reject(new Error('Unable to download all specified images.'));
      shown[id] = note;
      return Promise.resolve(id);
    },
    clear: (id: string) => Promise.resolve(delete shown[id]),
    onClicked: { addListener: (listener: (id: string) => void) => clicks.push(listener) },
  };
  const browser = {
    permissions: { contains: () => Promise.resolve(state.isAllowed) },
    // As in Chromium: without the permission there is no such thing.
    get notifications() {
      return state.isAllowed ? notifications : undefined;
    },
    runtime: { getURL: (path: string) => `chrome-extension://id${path}` },
    tabs: {
      get: () => Promise.resolve({ active: state.tab.active, windowId: 1 }),
      create: ({ url }: { url: string }) => Promise.resolve(opened.push(url)),
    },
    windows: { get: () => Promise.resolve({ focused: state.tab.focused }) },
  };
  return { shown, clicks, opened, state, browser };
});
vi.mock('wxt/browser', () => ({ browser: fake.browser }));
vi.mock('./words.ts', () => ({ say: async (_: string, label: string) => `${label} changed` }));
const { listenToNotifications, tellNews } = await import('./watched.ts');

const watch = (more: Partial<Watch> = {}): Watch => ({
  id: 'w1',
  scope: 's',
  key: 'k',
  url: 'https://board.example.com/a',
  label: 'mail · State',
  notify: true,
  createdAt: 0,
  state: 'changed',
  unseen: true,
  ...more,
});
const shown = () => Object.keys(fake.shown);

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 0, 5, 23, 30), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  for (const id of shown()) delete fake.shown[id];
  Object.assign(fake.state, { isAllowed: true, refuses: false, tab: { active: true, focused: false } });
});

test('without the permission nothing is shown and nothing fails', async () => {
  fake.state.isAllowed = false;
  listenToNotifications();
  await tellNews([watch()], 1);
  expect(shown()).toEqual([]);
  expect(fake.clicks).toEqual([]);
});

test('news of a watch that wants it is shown with its name and page; a click opens the watch', async () => {
  await tellNews([watch({ id: 'a&b' }), watch({ id: 'silent', notify: false })], 1);
  expect(fake.shown).toEqual({
    'watch:a&b': expect.objectContaining({
      title: 'mail · State changed',
      message: 'https://board.example.com/a',
    }),
  });
  // However often it is asked, it listens once.
  listenToNotifications();
  expect(fake.clicks).toHaveLength(1);
  fake.clicks[0]!('another extension’s');
  fake.clicks[0]!('watch:a&b');
  expect(fake.opened).toEqual(['chrome-extension://id/dashboard.html#/watches?watch=a%26b']);
  await vi.waitFor(() => expect(shown()).toEqual([]));
});

test.each([
  ['over midnight', { from: 22 * 60, to: 7 * 60 }, []],
  ['that begin later', { from: 23 * 60 + 31, to: 7 * 60 }, ['watch:w1']],
  ['that begin now', { from: 23 * 60 + 30, to: 23 * 60 + 31 }, []],
  ['that end now', { from: 60, to: 23 * 60 + 30 }, ['watch:w1']],
  ['of no length', { from: 0, to: 0 }, ['watch:w1']],
])('quiet hours %s', async (_, quietHours, expected) => {
  await tellNews([watch({ quietHours })], 1);
  expect(shown()).toEqual(expected);
});

test('nothing is shown of a page that the person looks at, but of one in a window behind', async () => {
  fake.state.tab = { active: true, focused: true };
  await tellNews([watch()], 1);
  expect(shown()).toEqual([]);
  fake.state.tab = { active: false, focused: true };
  await tellNews([watch()], 1);
  expect(shown()).toEqual(['watch:w1']);
});

test('a system that takes no notification does not keep what was read from being written', async () => {
  fake.state.refuses = true;
  await expect(tellNews([watch()], 1)).resolves.toBeUndefined();
});
