import type { IDBPObjectStore } from 'idb';
import { addressOf, withoutSecrets, type Addressed } from '#lib/rounds/address.ts';
import { addCount, countPage } from '#lib/rounds/counters.ts';
import { covers, isPausedAt, roundAt } from '#lib/rounds/coverage.ts';
import type { LinksFound } from '#lib/rounds/events.ts';
import { knownPage } from '#lib/rounds/links.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { compilePolicy } from '#lib/url/index.ts';
import type { Tick } from '#lib/protocol.ts';
import { withStore } from './open.ts';
import { openRounds } from './read.ts';
import type { Db, LogEntry, OnceoverDb, StoreName } from './schema.ts';
import type { Sets } from './sets.ts';
import type { Surroundings } from './surroundings.ts';
import { send, write } from './transaction.ts';
import { countUp } from './writes.ts';

/** Links of one transaction: others get their turn in between. */
const CHUNK = 2000;

/**
 * Links of a page become known rows: within the scope, each once. What the set has already costs no transaction at all. Told again
 * (the worker died in between), what is there is passed over.
 */
export async function recordLinks(
  event: LinksFound,
  sets: Sets,
  around: Pick<Surroundings, 'now' | 'alone' | 'faults'>,
  afterChunk: () => Promise<void>,
): Promise<{ added: number; tick?: Tick }> {
  const alone = around.alone ?? ((work) => work());
  let added = 0;
  let tick: Tick | undefined;
  let refused = 0;
  const targets = await targetsOf(event, around.now());
  for (const { scope, round } of targets) {
    const policy = compilePolicy(round.policy);
    const from = addressOf(event.url, policy);
    const found = inScope(event.links, scope, (url) => addressOf(url, policy));
    refused += found.refused;
    const fresh = await withStore((db) => sets.unknown(db, round, found.addresses));
    for (let at = 0; at < fresh.length; at += CHUNK) {
      const chunk = fresh.slice(at, at + CHUNK);
      const written = await alone(() =>
        withStore((db) => addKnown(db, round.id, chunk, { at: event.at, from: from?.key, sets, around })),
      );
      if (written) sets.note(written.before, written.entries);
      await afterChunk();
      if (!written) break;
      added += written.added;
      tick = { log: written.log, rounds: [round.id] };
    }
  }
  const collapsed = targets.length > 0 ? (event.collapsed ?? 0) : 0;
  if (targets.length > 0) refused += event.refused ?? 0;
  if (refused + collapsed > 0) await alone(() => countLinks(event.id, { refused, collapsed }, around.now()));
  return tick ? { added, tick } : { added };
}

async function targetsOf(event: LinksFound, now: number): Promise<{ scope: Scope; round: Round }[]> {
  const page = withoutSecrets(event.url);
  const rounds = page === undefined ? [] : await openRounds();
  const targets: { scope: Scope; round: Round }[] = [];
  for (const round of rounds) {
    const scope = await withStore((db) => db.get('scopes', round.scope));
    if (!scope || !covers(scope, page ?? '') || isPausedAt(round, event.url)) continue;
    if (roundAt([round], event.at, now)) targets.push({ scope, round });
  }
  return targets;
}

/** Addresses of the scope, each key once; what is no page of the web (mail, scripts) is passed over. */
function inScope(
  links: string[],
  scope: Scope,
  addressOfLink: (url: string) => Addressed | undefined,
): { addresses: Addressed[]; refused: number } {
  const byKey = new Map<string, Addressed>();
  let refused = 0;
  for (const link of links) {
    const url = withoutSecrets(link);
    if (url === undefined || !covers(scope, url)) continue;
    const address = addressOfLink(url);
    if (!address) refused += 1;
    else if (!byKey.has(address.key)) byKey.set(address.key, address);
  }
  return { addresses: [...byKey.values()], refused };
}

interface Chunk {
  at: number;
  from: string | undefined;
  sets: Sets;
  around: Pick<Surroundings, 'now' | 'faults'>;
}

/** Makes known rows of those that have none, in one transaction. Answers nothing where the round no longer takes links. */
export function addKnown(
  db: Db,
  id: string,
  chunk: (Addressed & { title?: string })[],
  { at, from, sets, around }: Chunk,
): Promise<{ added: number; log: number; before: number; entries: LogEntry[] } | undefined> {
  return write(
    db,
    async (transaction) => {
      const pages = transaction.objectStore('pages');
      const round = await transaction.objectStore('rounds').get(id);
      const log = await transaction.objectStore('meta').get('log');
      if (!round || round.state === 'ended') return undefined;
      const first = log?.id === 'log' ? log.first : 1;
      const before = log?.id === 'log' ? log.number : 0;
      let number = before;
      const { space, scope, baseSpace } = round;
      const keys = chunk.map(({ key }) => key);
      const [here, base, seen] = await Promise.all([
        present(pages, space, keys),
        baseSpace === undefined ? undefined : present(pages, baseSpace, keys),
        Promise.all(keys.map((key) => sets.seen(transaction, { scope, key, space }, before))),
      ]);
      let { counters } = round;
      const added: string[] = [];
      for (const [index, address] of chunk.entries()) {
        if (here.has(address.key)) continue;
        number += 1;
        const page = knownPage(address, round, {
          seq: number,
          at,
          inBase: base?.has(address.key) ?? false,
          isNew: seen[index] !== true,
          ...(from !== undefined && { from }),
        });
        if (address.title !== undefined) page.title = address.title;
        counters = addCount(counters, countPage(page));
        added.push(page.key);
        send(pages.add(page));
      }
      if (added.length === 0) return { added: 0, log: number, before, entries: [] };
      // One entry for all; the rows have the numbers up to it.
      const entry: LogEntry = { seq: number, at: around.now(), scope, change: 'known', space, keys: added };
      send(transaction.objectStore('log').add(entry));
      send(transaction.objectStore('meta').put({ id: 'log', number, first }));
      send(transaction.objectStore('rounds').put({ ...round, counters }));
      return { added: added.length, log: number, before, entries: [entry] };
    },
    { faults: around.faults },
  );
}

/**
 * Those keys that have a row in a space. Links of a page are neighbours more often than not: one request for all keys between the first
 * and the last of them answers, where it does not answer very many others.
 */
async function present(
  pages: IDBPObjectStore<OnceoverDb, StoreName[], 'pages', 'readwrite'>,
  space: string,
  keys: string[],
): Promise<Set<string>> {
  const sorted = keys.toSorted();
  const range = IDBKeyRange.bound([space, sorted[0] ?? ''], [space, sorted.at(-1) ?? '']);
  const most = 4 * keys.length + 1;
  const between = await pages.getAllKeys(range, most);
  if (between.length < most) return new Set(between.map(([, key]) => key));
  const found = await Promise.all(keys.map((key) => pages.getKey([space, key])));
  return new Set(found.flatMap((row) => row?.[1] ?? []));
}

/** Counts for Diagnostics what did not become a row, once for the message. */
function countLinks(
  id: string,
  { refused, collapsed }: { refused: number; collapsed: number },
  at: number,
): Promise<void> {
  return withStore((db) =>
    write(db, async (transaction) => {
      if (await transaction.objectStore('events').get(id)) return;
      send(transaction.objectStore('events').add({ id, at }));
      await countUp(transaction.objectStore('meta'), (counts) => {
        counts.refused.page += refused;
        counts.collapsed += collapsed;
      });
    }),
  );
}
