// Watches as a working day leaves them: texts, versions, live numbers and rules, for tests and pictures of the views.
import { followNumbers, type Tracks } from '../lib/content/live.ts';
import { snapshotOf } from '../lib/content/snapshot.testing.ts';
import type { Coverage, Snapshot } from '../lib/content/snapshot.ts';
import { watchSpace, type ContentRule, type Watch } from '../lib/content/watch.ts';
import { packBlocks, packText } from '../lib/store/packing.ts';
import type { LiveNumbers, StoredSnapshot, StoredText } from '../lib/store/schema.ts';

interface WatchSeed {
  watches: Watch[];
  snapshots: StoredSnapshot[];
  texts: StoredText[];
  live: LiveNumbers[];
  contentRules: ContentRule[];
}

type Entries = Parameters<typeof snapshotOf>[0];

const MINUTE = 60_000;
const BOARD = 'https://status.example.com/boards/overview';
/** A changed page of the working day, in both rounds. */
export const CHANGED_PAGE = 'https://shop.example.com/orders/list';
/** A watch with everything to read. */
export const WATCH = 'watch-overview';

const cells = (name: string, state: string, note: string): Entries =>
  (['Service', 'State', 'Note'] as const).map((column, at) => ({
    text: [name, state, note][at]!,
    row: name,
    column,
    heading: 'Services',
  }));
const number = (row: string, text: string): Entries[number] => ({
  text,
  row,
  column: 'Now',
  heading: 'Load',
});

const LOOKS = [12, 14, 30, 90, 180, 260, 300, 410, 470, 512, 480];

function board(look: number): Entries {
  const last = look === LOOKS.length - 1;
  return [
    'Operations overview',
    ...cells('checkout', 'UP', 'All checks pass'),
    ...(last ? cells('search', 'UP', 'eu-west') : []),
    ...(last
      ? cells('billing-worker', 'DOWN', 'Restarted by M. Chen at 09:27, 2 of 5 checks fail')
      : cells('billing-worker', 'UP', 'Restarted by M. Chen at 08:12, all checks pass')),
    ...cells('支付网关', 'UP', last ? '所有检查失败，已通知值班人员' : '所有检查通过，无需通知值班人员'),
    ...(last ? cells('mail-relay-3', 'UP', 'eu-west') : []),
    ...(last ? [] : cells('search', 'UP', 'eu-west')),
    { text: `Updated ${look + 1} minutes ago`, heading: 'Notices' },
    { text: `Request id 7f3a9c04e1b${look}d852`, heading: 'Notices' },
    { text: 'Release notes are on the wiki', heading: 'Notices' },
    ...(last ? [] : [{ text: 'Maintenance window on Saturday, 22:00 to 23:00', heading: 'Notices' }]),
    { text: `Last refreshed by worker ${'abcdefghijk'[look]!.repeat(3)}`, heading: 'Notices' },
    number('Queue depth', String(LOOKS[look]!)),
    number('Requests per second', (1_102 + ((look * 97) % 288)).toLocaleString('en')),
    number('CPU, web-1', `${36 + ((look * 7) % 22)} %`),
  ];
}

const COVERED: Coverage = { canvases: 2, frames: 1, lists: [{ shown: 20, of: 2_400 }] };

/** Six watches, one of each state, and the texts of one changed page of the two rounds of the working day. */
export async function watchedDay(now: number): Promise<WatchSeed> {
  const seed: WatchSeed = { watches: [], snapshots: [], texts: [], live: [], contentRules: [] };
  const texts = new Map<string, string>();
  const keep = async (
    space: string,
    key: string,
    seq: number,
    at: number,
    snapshot: Snapshot,
    more: Partial<StoredSnapshot> = {},
  ) => {
    const { blocks, digest, coverage } = snapshot;
    for (const { exact, text } of blocks) texts.set(exact, text);
    seed.snapshots.push({
      space,
      key,
      frame: '0',
      seq,
      at,
      until: at,
      looks: 1,
      showing: 'seed',
      digest,
      coverage,
      ...(await packBlocks(blocks, {})),
      ...more,
    });
  };

  const looks = LOOKS.map((_, look) => snapshotOf(board(look), {}, COVERED));
  let tracks: Tracks = {};
  for (const [look, snapshot] of looks.entries()) {
    tracks = followNumbers(tracks, snapshot, now - (LOOKS.length - look) * 3 * MINUTE);
  }
  const space = watchSpace(WATCH);
  seed.live.push({ scope: space, key: BOARD, at: now, tracks });
  const first = now - 3 * 24 * 60 * MINUTE;
  await keep(space, BOARD, 1, first, looks[7]!, { looks: 12, until: first + 60 * MINUTE });
  await keep(space, BOARD, 2, now - 50 * MINUTE, looks[8]!, { looks: 4, until: now - 40 * MINUTE });
  await keep(space, BOARD, 3, now - 35 * MINUTE, snapshotOf(['502 Bad Gateway']), { doubt: 'error' });
  await keep(space, BOARD, 4, now - 20 * MINUTE, looks[9]!);
  await keep(space, BOARD, 5, now - 12 * MINUTE, looks[8]!);
  await keep(space, BOARD, 6, now - 3 * MINUTE, looks[10]!);

  const watch = (id: string, label: string, path: string, more: Partial<Watch>): Watch => ({
    id,
    scope: 'scope-shop',
    key: `https://status.example.com${path}`,
    url: `https://status.example.com${path}`,
    label,
    notify: false,
    createdAt: first,
    state: 'same',
    lookedAt: now - 5 * MINUTE,
    unseen: false,
    ...more,
  });
  const queue = Object.entries(tracks).find(([, { place }]) => place.row === 'Queue depth')![0];
  seed.watches.push(
    watch(WATCH, 'Operations overview', '/boards/overview', {
      state: 'changed',
      unseen: true,
      lookedAt: now - 3 * MINUTE,
      changedAt: now - 3 * MINUTE,
      seen: 1,
      latest: 6,
      notify: true,
      quietHours: { from: 1_320, to: 420 },
      thresholds: [{ value: queue, above: 450 }],
    }),
    watch('watch-queue', 'Queue board', '/boards/queue', {
      unseen: true,
      changedAt: now - 30 * MINUTE,
    }),
    watch('watch-latency', '延迟看板 · Latency board', '/boards/latency', { changedAt: now - 90 * MINUTE }),
    watch('watch-mail', 'Mail gateway', '/mail', { state: 'busy' }),
    watch('watch-alerts', 'Region “Alerts”', '/boards/overview', {
      state: 'not-found',
      region: { heading: 'Alerts' },
    }),
    watch('watch-new', 'Payments', '/payments', { state: 'waiting' }),
  );
  delete seed.watches.at(-1)!.lookedAt;

  const orders = (state: string): Entries => [
    { text: 'Orders' },
    { text: `Order 1042 is ${state}`, heading: 'Today' },
    { text: 'Order 1043 is paid', heading: 'Today' },
    { text: `© ${state === 'open' ? 2026 : 2027} Shop`, heading: 'Today' },
  ];
  await keep('round-1', CHANGED_PAGE, 1, first, snapshotOf(orders('open')));
  await keep('round-2', CHANGED_PAGE, 2, now - 60 * MINUTE, snapshotOf(orders('on its way to the customer')));
  for (const key of ['https://status.example.com/boards/queue', 'https://wiki.example.com/ops/on-call']) {
    const page = (hours: string) => snapshotOf([key, `The desk is open from ${hours}`, '© 2026 Shop']);
    await keep('round-1', key, 1, first, page('8 to 17'));
    await keep('round-2', key, 2, now - 60 * MINUTE, page('9 to 18'));
  }
  seed.contentRules.push({
    id: 'rule-1',
    scope: 'scope-shop',
    key: BOARD,
    at: now,
    rules: { ignore: [{ heading: 'Notices', begins: 'Visitors ', ends: ' online' }] },
  });
  for (const [hash, text] of texts) seed.texts.push(await packText(hash, text));
  return seed;
}
