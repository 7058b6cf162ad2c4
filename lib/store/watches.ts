import { fullRules, type Rules } from '#lib/content/rules.ts';
import type { ContentRule, Watch } from '#lib/content/watch.ts';
import type { CommandMessages, WatchSettings } from '#lib/protocol.ts';
import { addressOf, withoutSecrets } from '#lib/rounds/address.ts';
import { covers } from '#lib/rounds/coverage.ts';
import { compilePolicy } from '#lib/url/index.ts';
import { below } from './ranges.ts';
import type { WriteTransaction } from './schema.ts';
import { CommandError } from './surroundings.ts';
import { send } from './transaction.ts';
import { TRASH_MS } from './trash.ts';
import { appendLog } from './writes.ts';

type Fields<T extends keyof CommandMessages> = CommandMessages[T]['fields'];

/** Key of a page as the scope's latest round makes it. */
async function keyIn(transaction: WriteTransaction, scope: string, url: string): Promise<string> {
  const found = await transaction.objectStore('scopes').get(scope);
  if (!found) throw new CommandError('not-found', 'The project does not exist any more.');
  const plain = withoutSecrets(url);
  if (plain === undefined || !covers(found, plain))
    throw new CommandError('bad-request', 'The page is not of a site of this project.');
  const rounds = await transaction
    .objectStore('rounds')
    .index('scope')
    .getAll(below([scope]));
  const address = addressOf(plain, compilePolicy(rounds.at(-1)?.policy ?? found.policy));
  if (!address) throw new CommandError('bad-request', 'This address cannot be watched.');
  return address.key;
}

function withSettings(watch: Watch, { thresholds, notify, quietHours }: WatchSettings): Watch {
  const { quietHours: hours, ...rest } = watch;
  const quiet = quietHours === undefined ? hours : quietHours;
  return {
    ...rest,
    ...(notify !== undefined && { notify }),
    ...(thresholds && { thresholds }),
    ...(quiet && { quietHours: quiet }),
  };
}

async function watchIn(transaction: WriteTransaction, id: string): Promise<Watch> {
  const watch = await transaction.objectStore('watches').get(id);
  if (!watch) throw new CommandError('not-found', 'This is not watched any more.');
  return watch;
}

export async function addWatch(
  transaction: WriteTransaction,
  { scope, url, label, region, ...settings }: Fields<'addWatch'>,
  { id, now }: { id: string; now: number },
): Promise<{ watch: Watch }> {
  const key = await keyIn(transaction, scope, url);
  const plain = withoutSecrets(url) ?? url;
  const bare: Watch = {
    id,
    scope,
    key,
    url: plain,
    label: label ?? region?.heading ?? region?.row ?? plain,
    ...(region && { region }),
    notify: false,
    createdAt: now,
    state: 'waiting',
    unseen: false,
  };
  return putWatch(transaction, withSettings(bare, settings), now);
}

async function putWatch(transaction: WriteTransaction, watch: Watch, at: number): Promise<{ watch: Watch }> {
  send(transaction.objectStore('watches').put(watch));
  await appendLog(transaction, [{ at, scope: watch.scope, change: 'scope' }]);
  return { watch };
}

export async function changeWatch(
  transaction: WriteTransaction,
  { watch: id, label, ...settings }: Fields<'changeWatch'>,
  now: number,
): Promise<{ watch: Watch }> {
  const before = await watchIn(transaction, id);
  return putWatch(transaction, withSettings({ ...before, label: label ?? before.label }, settings), now);
}

export async function seenWatch(
  transaction: WriteTransaction,
  { watch: id, seen }: Fields<'seenWatch'>,
  now: number,
): Promise<{ watch: Watch }> {
  const { seen: _before, ...before } = await watchIn(transaction, id);
  const upTo = seen === undefined ? before.latest : (seen ?? undefined);
  const unseen = upTo !== before.latest;
  const looked = before.state === 'changed' || before.state === 'same';
  const watch: Watch = {
    ...before,
    ...(upTo !== undefined && { seen: upTo }),
    ...(looked && { state: unseen ? 'changed' : 'same' }),
    unseen,
  };
  return putWatch(transaction, watch, now);
}

/** Its versions stay until the trash is emptied. */
export async function removeWatch(
  transaction: WriteTransaction,
  id: string,
  { id: undo, now }: { id: string; now: number },
): Promise<{ undo: string }> {
  const watch = await watchIn(transaction, id);
  send(transaction.objectStore('watches').delete(id));
  const trash = { id: undo, until: now + TRASH_MS, what: 'watch' as const, label: watch.label, watch };
  send(transaction.objectStore('trash').put(trash));
  await appendLog(transaction, [{ at: now, scope: watch.scope, change: 'scope' }]);
  return { undo };
}

/** @throws {CommandError} where the rules are not as lib/content/rules.ts has them */
function checked(rules: Rules): Rules {
  try {
    fullRules(rules);
    return rules;
  } catch (error) {
    throw new CommandError('bad-request', error instanceof Error ? error.message : String(error));
  }
}

export async function setContentRule(
  transaction: WriteTransaction,
  { scope, key, rules, rule }: Fields<'setContentRule'>,
  { id, now }: { id: string; now: number },
): Promise<{ rule: string }> {
  const row: ContentRule = {
    id: rule ?? id,
    scope,
    ...(key !== undefined && { key }),
    at: now,
    rules: checked(rules),
  };
  if (!(await transaction.objectStore('scopes').get(scope)))
    throw new CommandError('not-found', 'The project does not exist any more.');
  send(transaction.objectStore('contentRules').put(row));
  await appendLog(transaction, [{ at: now, scope, change: 'scope' }]);
  return { rule: row.id };
}

export async function removeContentRule(
  transaction: WriteTransaction,
  id: string,
  { id: undo, now }: { id: string; now: number },
): Promise<{ undo: string; scope: string; key: string | undefined }> {
  const rule = await transaction.objectStore('contentRules').get(id);
  if (!rule) throw new CommandError('not-found', 'This rule does not exist any more.');
  send(transaction.objectStore('contentRules').delete(id));
  const label = JSON.stringify(rule.rules).slice(0, 200);
  const trash = { id: undo, until: now + TRASH_MS, what: 'rule' as const, label, rule };
  send(transaction.objectStore('trash').put(trash));
  await appendLog(transaction, [{ at: now, scope: rule.scope, change: 'scope' }]);
  return { undo, scope: rule.scope, key: rule.key };
}
