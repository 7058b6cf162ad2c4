import { withoutSecrets } from '#lib/rounds/address.ts';
import { covers, isPausedAt, LATE, roundAt } from '#lib/rounds/coverage.ts';
import { decide } from '#lib/rounds/decide.ts';
import type { CaptureEvent, LinksFound } from '#lib/rounds/events.ts';
import { Loaded } from '#lib/rounds/rows.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { dueWindow } from '#lib/rounds/windows.ts';
import { teamPlace, type Pairing } from '#lib/team/pairing.ts';
import type { Tick } from '#lib/protocol.ts';
import { decideWith, type seenInRows } from './answers.ts';
import { createCommands, type Commands } from './commands.ts';
import type { RecorderStep } from './faults.ts';
import { recordLinks } from './links.ts';
import { logNumber } from './backup.ts';
import { judgeAgain } from './judge.ts';
import { openNextWindow } from './lifecycle.ts';
import { Looks } from './looks.ts';
import { withStore } from './open.ts';
import { queueDecision } from './outbox.ts';
import { lookAtPage, type PageLook, type PageLookedAt } from './page-looks.ts';
import { pruneTexts } from './prune.ts';
import { below } from './ranges.ts';
import type { Db, WriteTransaction } from './schema.ts';
import { Sets } from './sets.ts';
import type { Surroundings } from './surroundings.ts';
import { holdOpen, send, write } from './transaction.ts';
import { tidy } from './trash.ts';
import { apply, openBook, type Book } from './writes.ts';

export interface Recorded {
  /** It has an effect, now or since it was told before. */
  recorded: boolean;
  /** Links that became known. */
  added: number;
  /** The content differs from the base round's. */
  changed: boolean;
  /** What views must be told; absent where nothing was written. */
  tick?: Tick;
}

/** Events of pages that are judged again in one transaction. */
const JUDGED = 200;

const NOTHING: Recorded = { recorded: false, added: 0, changed: false };

/**
 * The one writer. Each event is one readwrite transaction over everything it changes, and its answer comes after that transaction is
 * complete. Where the disk is full `record` throws `StoreError('not-saved')` and has written nothing: the caller keeps the event (in
 * `storage.local`, since this store is what fails) and records it again later, with the same id.
 */
export class Recorder {
  readonly commands: Commands;
  readonly sets: Sets;
  readonly #looks = new Looks();
  readonly #around: Required<Omit<Surroundings, 'faults'>> & Pick<Surroundings, 'faults'>;

  constructor(surroundings: Surroundings) {
    this.#around = {
      offset: () => 0,
      step: () => undefined,
      alone: (work) => work(),
      pairing: async () => undefined,
      ...surroundings,
    };
    this.sets = new Sets();
    this.commands = createCommands(this.#around, this.sets, (scope, key) => this.#judgeAgain(scope, key));
  }

  /** @throws {StoreError} */
  async record(event: CaptureEvent): Promise<Recorded> {
    const [recorded = NOTHING] = await this.recordAll([event]);
    return recorded;
  }

  /**
   * Records several events in their order, in one transaction: all or none. Links take theirs apart.
   * @throws {StoreError}
   */
  async recordAll(events: CaptureEvent[]): Promise<Recorded[]> {
    await this.#step('event:received');
    const plain = events.filter((event) => event.type !== 'links');
    const recorded = plain.length > 0 ? await this.#events(plain) : [];
    const byEvent = new Map(plain.map((event, index) => [event as CaptureEvent, recorded[index] ?? NOTHING]));
    for (const event of events) if (event.type === 'links') byEvent.set(event, await this.#links(event));
    await this.#step('event:committed');
    return events.map((event) => byEvent.get(event) ?? NOTHING);
  }

  /**
   * Looks at what a page says: keeps its version, judges the change, and looks at what is watched on it. Told again with the same id it
   * has one effect.
   * @throws {StoreError}
   */
  async look(look: PageLook): Promise<Recorded & Pick<PageLookedAt, 'news'>> {
    const work = () =>
      this.#around.alone(() =>
        withStore((db) =>
          lookAtPage(db, look, this.#looks, (transaction, event, scopes) =>
            this.#roundsOf(transaction, event, scopes),
          ),
        ),
      );
    const { event, rounds, news, changed } = await this.#inWindow(work);
    const recorded = event ? await this.record(event) : { ...NOTHING, changed };
    if (rounds.length === 0) return { ...recorded, news };
    const log = recorded.tick?.log ?? (await logNumber());
    return { ...recorded, news, tick: { log, rounds: [...(recorded.tick?.rounds ?? []), ...rounds] } };
  }

  /** Another database is in use: what is remembered of the one before is of no use. */
  forget(): void {
    this.sets.forget();
    this.#looks.forget();
  }

  /** Keeps the texts of the latest rounds only. To be called once a day. */
  async pruneTexts(keep: number): Promise<void> {
    await withStore((db) => pruneTexts(db, keep, this.#around.alone));
  }

  async #judgeAgain(scope: string, key: string | undefined): Promise<void> {
    const { randomId } = this.#around;
    const events = await this.#around.alone(() =>
      withStore((db) => judgeAgain(db, { scope, key, randomId })),
    );
    for (let at = 0; at < events.length; at += JUDGED) await this.recordAll(events.slice(at, at + JUDGED));
  }

  /** Opens the rounds whose window has begun; answers what changed. To be called by an alarm; events do it by themselves. */
  async openDue(): Promise<Tick | undefined> {
    const scopes = await withStore((db) => db.getAll('scopes'));
    let tick: Tick | undefined;
    for (const { id } of scopes) tick = (await this.#openWindow(id)) ?? tick;
    return tick;
  }

  /** Saves the sets that changed since; they are brought up to date from the log when they are loaded again. */
  async saveSets(): Promise<void> {
    await this.#around.alone(() => withStore((db) => this.sets.save(db)));
    await this.#step('sets:saved');
  }

  /** Removes what nobody can ask for any more: old trash, event ids, entries of the log. To be called once a day. */
  async tidy(): Promise<void> {
    await this.#around.alone(() => withStore((db) => tidy(db, this.#around.now())));
  }

  async #events(events: CaptureEvent[]): Promise<Recorded[]> {
    return this.#inWindow(() => this.#around.alone(() => withStore((db) => this.#transact(db, events))));
  }

  /** Does work again after the round of the next window was opened, where that is due. */
  async #inWindow<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WindowDue)) throw error;
      for (const scope of error.scopes) await this.#openWindow(scope);
      return work();
    }
  }

  /** @throws {WindowDue} where the next window of a scope must be opened first; then nothing is written */
  async #transact(db: Db, events: CaptureEvent[]): Promise<Recorded[]> {
    const pairing = await this.#around.pairing();
    const { results, book } = await write(
      db,
      async (transaction) => {
        const book = await openBook(transaction);
        await this.#hold(transaction, 'event:begun');
        const results: Recorded[] = [];
        for (const event of events) {
          // Read again for each: the one before may have learned something of the scope.
          const [scopes, told] = await Promise.all([
            transaction.objectStore('scopes').getAll(),
            transaction.objectStore('events').get(event.id),
          ]);
          const targets = await this.#roundsOf(transaction, event, scopes);
          if (told) {
            book.count((counts) => (counts.repeated += 1));
            results.push({ ...NOTHING, recorded: true, changed: told.changed ?? false });
          } else {
            results.push(await this.#decide(transaction, event, targets, book, pairing));
          }
        }
        book.close();
        await this.#hold(transaction, 'event:written');
        return { results, book };
      },
      { faults: this.#around.faults },
    );
    this.sets.note(book.before, book.logged);
    return results;
  }

  async #decide(
    transaction: WriteTransaction,
    event: CaptureEvent,
    targets: { scope: Scope; round: Round }[],
    book: Book,
    pairing: Pairing | undefined,
  ): Promise<Recorded> {
    const { now } = this.#around;
    const begun = performance.now();
    const result: Recorded = { ...NOTHING };
    const rounds = new Set<string>();
    for (const { scope, round } of targets) {
      const loaded = new Loaded();
      loaded.set({ get: 'scopes', key: scope.id }, scope);
      loaded.set({ get: 'rounds', key: round.id }, round);
      const state = { scope, round, loaded, nextSeq: book.number + 1 };
      const seen: typeof seenInRows = (_, asked) => this.sets.seen(transaction, asked, book.before);
      const decided = await decideWith(transaction, () => decide(state, event), loaded, seen);
      await this.#hold(transaction, 'event:loaded');
      book.logged.push(
        ...apply(transaction, decided.writes, { scope: scope.id, at: now(), number: book.number }),
      );
      const place = teamPlace(pairing, round);
      if (place) await queueDecision(transaction, decided.writes, loaded, place, now());
      if (decided.writes.puts.length > 0) rounds.add(round.id);
      for (const id of decided.writes.rounds) rounds.add(id);
      result.recorded ||= decided.recorded;
      result.changed ||= decided.changed === true;
      if (decided.refused) book.count((counts) => (counts.refused.page += 1));
    }
    if (result.recorded) {
      const { changed } = result;
      send(transaction.objectStore('events').add({ id: event.id, at: now(), ...(changed && { changed }) }));
    }
    if (rounds.size > 0) result.tick = { log: book.number, rounds: [...rounds] };
    if (targets.length > 0) {
      book.count((counts) => {
        counts.events += 1;
        counts.decisions += targets.length;
        counts.decisionMs += performance.now() - begun;
        if (event.type === 'unshown' && result.recorded) counts.downloads += 1;
      });
    }
    return result;
  }

  /** The rounds that take the event. */
  async #roundsOf(
    transaction: WriteTransaction,
    event: CaptureEvent,
    scopes: Scope[],
  ): Promise<{ scope: Scope; round: Round }[]> {
    const { now, offset } = this.#around;
    const due: string[] = [];
    const targets: { scope: Scope; round: Round }[] = [];
    for (const scope of scopes) {
      if (!concerns(scope, event)) continue;
      const rounds = await latestRounds(transaction, scope.id, event.at, now());
      if (scope.schedule && dueWindow(scope.schedule, rounds[0], now(), offset, scope.scheduledAt))
        due.push(scope.id);
      const round = roundAt(rounds, event.at, now());
      if (round && !isPausedAt(round, event.url)) targets.push({ scope, round });
    }
    if (due.length > 0) throw new WindowDue(due);
    return targets;
  }

  async #openWindow(scope: string): Promise<Tick | undefined> {
    const tick = await this.#around.alone(() => withStore((db) => openNextWindow(db, scope, this.#around)));
    if (tick) await this.#step('window:rolled');
    return tick;
  }

  async #links(event: LinksFound): Promise<Recorded> {
    const { added, tick } = await recordLinks(event, this.sets, this.#around, () =>
      this.#step('links:chunk'),
    );
    return { ...NOTHING, recorded: added > 0, added, ...(tick && { tick }) };
  }

  async #step(step: RecorderStep): Promise<void> {
    await this.#around.step(step);
  }

  async #hold(transaction: WriteTransaction, step: RecorderStep): Promise<void> {
    await holdOpen(transaction, this.#around.step(step));
  }
}

/** Rounds must be opened before an event can be recorded. */
class WindowDue extends Error {
  readonly scopes: string[];
  constructor(scopes: string[]) {
    super('a window has begun');
    this.scopes = scopes;
  }
}

/** Whether an event may belong to a scope: its page, or the address that led there. */
function concerns(scope: Scope, event: CaptureEvent): boolean {
  const addresses = [event.url];
  if (event.type === 'shown' && event.chain?.[0]) addresses.push(event.chain[0].url);
  if (event.type === 'click') addresses.push(event.href);
  return addresses.some((address) => covers(scope, withoutSecrets(address) ?? ''));
}

/** The rounds of a scope that may take what happened then, the newest first. */
async function latestRounds(
  transaction: WriteTransaction,
  scope: string,
  at: number,
  now: number,
): Promise<Round[]> {
  const rounds: Round[] = [];
  let cursor = await transaction
    .objectStore('rounds')
    .index('scope')
    .openCursor(below([scope]), 'prev');
  while (cursor) {
    rounds.push(cursor.value);
    const { startedAt, endedAt = now } = cursor.value;
    if (startedAt <= at || endedAt + LATE < now) break;
    cursor = await cursor.continue();
  }
  return rounds;
}
