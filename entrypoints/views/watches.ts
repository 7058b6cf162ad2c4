import { browser } from 'wxt/browser';
import type { ChangedBlock } from '#lib/content/snapshot.ts';
import type { Watch } from '#lib/content/watch.ts';
import { covers } from '#lib/rounds/coverage.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { compilePolicy, normalizeUrl, storeKey } from '#lib/url/index.ts';
import { ask } from './worker.ts';

/** Which watches a list shows. */
export const WATCH_FILTERS = ['changed', 'same', 'not-found', 'busy'] as const;
export type WatchFilter = (typeof WATCH_FILTERS)[number];

/** What a watch is listed as: that it changed since the person looked comes before how it is now. */
export function listedAs({ unseen, state }: Watch): Watch['state'] {
  return unseen ? 'changed' : state;
}

export function isListed(watch: Watch, only: WatchFilter | undefined): boolean {
  return only === undefined || listedAs(watch) === only;
}

/** An open tab that shows a page of a scope. */
export interface WatchableTab {
  id: number;
  url: string;
  title: string;
  scope: Scope;
}

/** The scope a page is watched in. Of several, one that is recorded now: in the others nobody would look. */
export function watchingScope(
  url: string,
  scopes: readonly Scope[],
  rounds: readonly Round[],
): Scope | undefined {
  const covering = scopes.filter((scope) => covers(scope, url));
  const isRecorded = ({ id }: Scope) => rounds.some(({ scope, state }) => scope === id && state !== 'ended');
  return covering.find(isRecorded) ?? covering[0];
}

/** Open tabs whose pages can be watched, the one looked at last first. */
export async function watchableTabs(
  scopes: readonly Scope[],
  rounds: readonly Round[],
): Promise<WatchableTab[]> {
  const tabs = await browser.tabs.query({});
  return tabs
    .toSorted((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))
    .flatMap(({ id, title = '', url = '' }) => {
      const scope = watchingScope(url, scopes, rounds);
      return id !== undefined && scope ? [{ id, title, url, scope }] : [];
    });
}

/** The policy that makes the keys of a scope now. */
function policyOf(scope: Scope, rounds: readonly Round[]) {
  const latest = rounds.find((round) => round.scope === scope.id);
  return compilePolicy(latest?.policy ?? scope.policy);
}

/** The open tab that shows a page, by its key: the address may be another of the same page. */
export async function tabOf(
  { key, url }: { key: string; url: string },
  scope: Scope,
  rounds: readonly Round[],
): Promise<WatchableTab | undefined> {
  const policy = policyOf(scope, rounds);
  const tabs = await watchableTabs([scope], rounds);
  const keyOf = (address: string) => {
    const result = normalizeUrl(address, policy, address);
    return result.ok ? storeKey(result.key) : undefined;
  };
  return tabs.find((tab) => tab.url === url) ?? tabs.find((tab) => keyOf(tab.url) === key);
}

/** Brings a tab to the front. */
async function raise(tab: number): Promise<void> {
  const { windowId } = await browser.tabs
    .update(tab, { active: true })
    .then((raised) => raised ?? browser.tabs.get(tab));
  await browser.windows?.update(windowId, { focused: true });
}

/** Lets the person pick a part of the page in a tab; false where the page does not answer. */
export async function pickRegion(tab: number): Promise<boolean> {
  const { picking } = await ask('pickRegion', { tab });
  if (picking) await raise(tab);
  return picking;
}

const LOADING_MS = 15_000;
const PAUSE_MS = 500;

/** Shows a block on its page: in the tab that has it, or in a new one once it is there. Answers whether the block was found. */
export async function showBlock(
  page: { key: string; url: string },
  { place, after, before }: ChangedBlock,
  scope: Scope,
  rounds: readonly Round[],
): Promise<boolean> {
  const text = after ?? before ?? '';
  const open = await tabOf(page, scope, rounds);
  if (open) {
    const { found } = await ask('jumpToBlock', { tab: open.id, place, text });
    await raise(open.id);
    return found;
  }
  const { id } = await browser.tabs.create({ url: page.url });
  if (id === undefined) return false;
  for (const end = Date.now() + LOADING_MS; Date.now() < end;) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    const { found } = await ask('jumpToBlock', { tab: id, place, text });
    if (found) return true;
  }
  return false;
}

/** Opens the page of a watch in a tab, or brings the one that shows it to the front. */
export async function openPage(
  page: { key: string; url: string },
  scope: Scope,
  rounds: readonly Round[],
): Promise<number | undefined> {
  const open = await tabOf(page, scope, rounds);
  if (!open) return (await browser.tabs.create({ url: page.url })).id;
  await raise(open.id);
  return open.id;
}

/** Whether the system may show notifications; asks the person, so only a click may call it. */
export function mayNotify(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['notifications'] });
}
