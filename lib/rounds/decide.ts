import { compilePolicy } from '#lib/url/index.ts';
import { hostOf, type Addressed } from './address.ts';
import { Decision } from './decision.ts';
import type {
  CaptureEvent,
  Clicked,
  ContentRead,
  Failed,
  Shown,
  StatusLearned,
  TitleSettled,
  Unshown,
} from './events.ts';
import { Draft, type Loaded, type Writes } from './rows.ts';
import { showingsOf, type Telling } from './showings.ts';
import type { Alias, Hop, Page, Round, Scope, Signal, Visit } from './types.ts';
import { bringBack, flag, propose as proposeAlias, remove, rule, say, type Removed } from './words.ts';

/** What a decision starts from: the round the event belongs to, and every row that was loaded for it so far. */
export interface State {
  scope: Scope;
  round: Round;
  loaded: Loaded;
  /** Number that the next entry of the log gets. */
  nextSeq: number;
}

export interface Decided {
  writes: Writes;
  /** Something was written, or known already. */
  recorded: boolean;
  /** The address was refused (no key can be made of it). */
  refused?: boolean;
  /** What a page says differs from the base round. */
  changed?: boolean;
}

/**
 * What an event means for a round: rows to write and delete, the counters' change and the log, all at once. Pure: the same state and
 * event give the same writes. Rows that it turns out to need are asked for by throwing {@link NotLoaded}; load them and call again.
 * Events of links are another matter (see links.ts).
 */
export function decide(state: State, event: CaptureEvent): Decided {
  const decision = begin(state);
  const handled = handle(decision, event);
  decision.pages.finish();
  const writes = decision.draft.writes();
  const decided: Decided = { writes, recorded: handled === true };
  if (handled === 'refused') decided.refused = true;
  if (event.type === 'content') {
    decided.changed = writes.puts.some(({ table, row }) => table === 'pages' && row.changed === true);
  }
  return decided;
}

/** The page that an address belongs to, if it has a row. */
export function pageAt(state: State, url: string): Page | undefined {
  const decision = begin(state);
  const address = decision.address(url);
  return address && decision.page(decision.homeOf(address.key));
}

/** A person says something of a page, which may have no row yet, or one in the base round only. */
export function decideWord(
  state: State,
  key: string,
  word: (page: Page) => Page,
): { writes: Writes; page: Page | undefined } {
  const decision = begin(state);
  const said = say(decision, key, word);
  decision.pages.finish();
  return { writes: decision.draft.writes(), page: decision.page(said) };
}

/** A person takes an alias back, makes a proposal one, or takes that word back (`null`). */
export function decideAlias(
  state: State,
  from: string,
  { accept, at }: { accept: boolean | null; at: number },
): { writes: Writes; alias: Alias | undefined } {
  const decision = begin(state);
  rule(decision, from, accept, at);
  decision.pages.finish();
  return { writes: decision.draft.writes(), alias: decision.alias(from) };
}

/** A page leaves its space with its visits and the aliases to it. Answers what was there, for the trash. */
export function decideRemoval(state: State, key: string): { writes: Writes; removed: Removed | undefined } {
  const decision = begin(state);
  const removed = remove(decision, key);
  decision.pages.finish();
  return { writes: decision.draft.writes(), removed };
}

/** What was removed comes back, united with what came since. */
export function decideReturn(state: State, removed: Removed): { writes: Writes } {
  const decision = begin(state);
  bringBack(decision, removed);
  decision.pages.finish();
  return { writes: decision.draft.writes() };
}

function begin({ loaded, nextSeq, round, scope }: State): Decision {
  return new Decision(new Draft(loaded, nextSeq, round.id), scope, round, policyOf(round));
}

type Handled = boolean | 'refused';

function handle(decision: Decision, event: CaptureEvent): Handled {
  if (event.type === 'shown') return shown(decision, event);
  if (event.type === 'failed') return failed(decision, event);
  if (event.type === 'unshown') return unshown(decision, event);
  if (event.type === 'status') return statusLearned(decision, event);
  if (event.type === 'title') return titleSettled(decision, event);
  if (event.type === 'click') return clicked(decision, event);
  if (event.type === 'content') return contentRead(decision, event);
  return false;
}

let compiled: { version: string; policy: ReturnType<typeof compilePolicy> } | undefined;

function policyOf({ policy, policyVersion }: Round): ReturnType<typeof compilePolicy> {
  if (compiled?.version !== policyVersion)
    compiled = { version: policyVersion, policy: compilePolicy(policy) };
  return compiled.policy;
}

/** Both tellings of a showing end here, in any order; every showing of its document is looked at again. */
function shown(decision: Decision, event: Shown): Handled {
  const address = decision.address(event.url);
  if (!address) return 'refused';
  const { document } = event;
  decision.prepare(address, document);
  const before = decision.visitsOfDocument(document);
  const chain = chainWithKeys(decision, event.chain ?? []);
  if (!decision.covers(address.url)) return leadsOutside(decision, chain);

  const { by, moment, at, how, title } = event;
  const about = { ...(how && { how }), ...(title && { title }) };
  const signal: Telling<Visit> = { by, moment, at, key: address.key, url: address.url, ...about };
  const known = before.flatMap((row) =>
    row.signals.map((each): Telling<Visit> => ({ url: row.url, ...each, key: row.shown ?? row.key, row })),
  );
  const claimed = new Set<Visit>();
  for (const showing of showingsOf([...known, signal])) {
    const row = showing.map((telling) => telling.row).find((each) => each && !claimed.has(each));
    if (row) claimed.add(row);
    const isTold = showing.includes(signal);
    if (!isTold && row && row.signals.length === showing.length) continue;
    const begun = decision.address(showing[0]?.url ?? '') ?? address;
    const start = row ?? decision.newVisit(begun, { event: event.id, url: begun.url, at, document });
    const visit = withSignals(start, showing);
    const isFirst = isTold && showing.find((each) => each.by === by) === signal;
    decision.putVisit(row, isTold ? withEvent(visit, event, isFirst, chain, decision) : visit);
  }
  for (const row of before) if (!claimed.has(row)) decision.dropVisit(row);
  for (const hop of chain) if (hop.document !== undefined) decision.judgeDocument(hop.document);
  decision.judgeDocument(document);
  return true;
}

const MOST_SIGNALS = 32;

function withSignals(visit: Visit, showing: Telling<Visit>[]): Visit {
  const { url = visit.url } = showing[0] ?? visit;
  const signals = showing.map(({ key: _1, row: _2, url: told, ...signal }): Signal => {
    return told === undefined || told === url ? signal : { ...signal, url: told };
  });
  // A page that replaces its own address for hours: the latest are enough to tell what belongs to it.
  if (signals.length > MOST_SIGNALS) signals.splice(1, signals.length - MOST_SIGNALS);
  const told = [...new Set(signals.map(({ by }) => by))].sort();
  // The browser knows better than the observer, a click better than both. What came later in a showing only spelled it anew.
  const hows = told
    .map((teller) => signals.find(({ by }) => by === teller)?.how)
    .filter((how) => how !== undefined);
  const how = visit.linkText === undefined ? (hows[0] ?? 'other') : visit.how;
  return { ...visit, url, how, signals, told, at: Math.min(...signals.map(({ at }) => at)) };
}

/** What this teller knows about the showing, beside the other's word. `isFirst`: it is the teller's first signal of it. */
function withEvent(visit: Visit, event: Shown, isFirst: boolean, chain: Hop[], decision: Decision): Visit {
  const next: Visit = { ...visit };
  const byBrowser = event.by === 'browser';
  const isClick = event.linkText !== undefined;
  if (isClick && event.how !== undefined) next.how = event.how;
  if (event.source !== undefined && (isClick || (isFirst && visit.linkText === undefined))) {
    if (byBrowser || next.source === undefined) next.source = event.source;
  }
  if (event.linkText !== undefined) next.linkText = event.linkText.slice(0, 200);
  if (event.status && (!byBrowser || next.status === undefined)) next.status = event.status;
  if (event.tab !== undefined) next.tab = event.tab;
  if (chain.length > 0 && (next.chain?.length ?? 0) <= chain.length) {
    next.chain = chain.map((hop) => withStatus(hop, decision));
    const through = chain.flatMap(({ document }) => (document === undefined ? [] : [document]));
    if (through.length > 0) next.through = through;
  }
  return next;
}

function chainWithKeys(decision: Decision, chain: Hop[]): Hop[] {
  return chain.flatMap((hop) => {
    const address = decision.address(hop.url);
    return address ? [{ ...hop, ...address }] : [];
  });
}

/** What is known of the document that led on: an error page is no stub. */
function withStatus(hop: Hop, decision: Decision): Hop {
  if (hop.document === undefined || hop.status !== undefined) return hop;
  const status = decision.visitsOfDocument(hop.document).find((visit) => visit.status !== undefined)?.status;
  return status === undefined ? hop : { ...hop, status };
}

/** A page of the scope that leads out of it: it is no visit, and it need not stay on the list of what is left. */
function leadsOutside(decision: Decision, chain: Hop[]): boolean {
  const first = chain[0];
  if (!first?.key || !decision.covers(first.url)) return false;
  return flag(decision, first as Addressed, 'outside');
}

function failed(decision: Decision, event: Failed): Handled {
  const address = decision.address(event.url);
  if (!address) return 'refused';
  // The browser kept the page it had, or an extension forbade the address: neither says anything of the page.
  if (event.error === 'net::ERR_ABORTED' || event.error === 'net::ERR_BLOCKED_BY_CLIENT') return false;
  if (!decision.covers(address.url)) return false;
  const { id, at, how, source, linkText, tab, error } = event;
  const visit = decision.newVisit(address, { event: id, url: address.url, at });
  decision.putVisit(undefined, {
    ...visit,
    kind: 'failed',
    error,
    signals: [{ by: 'browser', moment: 'start', at }],
    told: ['browser'],
    ...(how !== undefined && { how }),
    ...(source !== undefined && { source }),
    ...(linkText !== undefined && { linkText: linkText.slice(0, 200) }),
    ...(tab !== undefined && { tab }),
  });
  return true;
}

function unshown(decision: Decision, event: Unshown): Handled {
  const address = decision.address(event.url);
  if (!address) return 'refused';
  if (!decision.covers(address.url)) return false;
  decision.draft.log({ change: 'download', space: decision.space, key: address.key, url: address.url });
  flag(decision, address, 'download');
  return true;
}

function statusLearned(decision: Decision, event: StatusLearned): Handled {
  const visits = decision.visitsOfDocument(event.document);
  const start = visits.find(({ signals }) => signals.some(({ moment }) => moment !== 'route'));
  if (start && start.status !== event.status) decision.putVisit(start, { ...start, status: event.status });
  decision.judgeDocument(event.document, event.status);
  return start !== undefined;
}

function titleSettled(decision: Decision, event: TitleSettled): Handled {
  const key = decision.address(event.url)?.key;
  const visit = decision
    .visitsOfDocument(event.document)
    .filter(({ shown, key: own }) => (shown ?? own) === key)
    .reduce<Visit | undefined>((a, b) => (a && a.at > b.at ? a : b), undefined);
  if (!visit) return false;
  const { title } = event;
  const last = visit.signals.at(-1);
  if (last && title && title !== last.title) {
    decision.putVisit(visit, { ...visit, signals: [...visit.signals.slice(0, -1), { ...last, title }] });
  }
  return true;
}

/** A click is told before its navigation or after; here it completes a visit that is recorded already. */
const CLICK_BEFORE = 1_000;
const CLICK_AFTER = 30_000;

function clicked(decision: Decision, event: Clicked): Handled {
  const address = decision.address(event.href);
  if (!address) return false;
  const target = decision.alias(address.key)?.to;
  const keys = target === undefined ? [address.key] : [address.key, target];
  const candidates = keys
    .flatMap((key) => decision.visitsOf(decision.homeOf(key)))
    .filter(({ kind, how, linkText, at }) => {
      const isOpen = kind !== 'stub' && how !== 'back' && how !== 'reload' && linkText === undefined;
      return isOpen && at >= event.at - CLICK_BEFORE && at <= event.at + CLICK_AFTER;
    })
    .filter(
      ({ key, shown, chain }) =>
        (shown ?? key) === address.key || chain?.some((hop) => hop.key === address.key),
    )
    .sort((a, b) => Math.abs(a.at - event.at) - Math.abs(b.at - event.at));
  const visit = candidates[0];
  const source = decision.address(event.url);
  if (!visit) return false;
  decision.putVisit(visit, {
    ...visit,
    how: event.how,
    linkText: event.text.slice(0, 200),
    ...(source && { source: source.url }),
  });
  return true;
}

/** Fewer blocks than this are a shell or a notice that many pages share. */
const FEWEST_BLOCKS = 5;

function contentRead(decision: Decision, event: ContentRead): Handled {
  const address = decision.address(event.url);
  if (!address) return 'refused';
  const page = decision.page(decision.homeOf(address.key));
  if (!page || page.visits === 0) return false;
  if (event.at < (page.digestAt ?? -Infinity)) return true;
  const base = decision.basePage(page.key)?.maskedDigest;
  const earlier = base ?? page.maskedDigest;
  const compared = event.changed?.[page.space];
  const isChanged = earlier !== undefined && earlier !== event.maskedDigest;
  // Without a base round the looks of this round are compared, and a page that changed once has changed.
  const changed = compared ?? (isChanged || (base === undefined && page.changed === true));
  const { digest, maskedDigest, at } = event;
  decision.draft.put('pages', {
    ...page,
    digest,
    maskedDigest,
    digestAt: at,
    ...(changed || page.changed ? { changed } : {}),
  });
  propose(decision, address, page, event);
  return true;
}

/** A canonical link on the same host and equal content are evidence for a proposal, never a merge by itself. */
function propose(decision: Decision, address: Addressed, page: Page, event: ContentRead): void {
  const canonical = event.canonical === undefined ? undefined : decision.address(event.canonical);
  if (canonical && hostOf(canonical.key) === page.host)
    proposeAlias(decision, address, canonical, 'canonical', event.at);
  if (event.blocks < FEWEST_BLOCKS) return;
  const others = decision.draft
    .list('pagesSaying', decision.space, event.maskedDigest)
    .filter(({ key, host }) => key !== page.key && host === page.host);
  // Many pages that say the same are a template, not one page.
  const [other] = others;
  if (!other || others.length > 1) return;
  const [first, second] = other.seq < page.seq ? [other, page] : [page, other];
  proposeAlias(decision, second, first, 'same-content', event.at);
}
