import { keyOf, storeKey } from '#lib/url/index.ts';
import type { Key } from '#lib/url/index.ts';
import type { Page, Scope } from '#lib/rounds/types.ts';
import { splitAddress } from '#lib/url/address.ts';
import { backupText, type Row } from '../backup.ts';
import type { ExportContext, ExportFormat, SafeRecord } from '../format.ts';
import { plainText } from '../text.ts';

/** The pages as known links of one new collecting scope, in a file that the dashboard restores. */
export const backup: ExportFormat = {
  name: 'backup',
  extension: '.onceover',
  mime: 'application/jsonl',
  purpose: { en: "Onceover's own backup", zh: 'Onceover 自身的备份' },
  proof: 'tool',
  use: 'onceover convert FILE --to list',
  fragment: 'keep',
  options: [],
  limits: { whole: true },
  open(context) {
    const file = backupText(context.createdAt, context.app ?? '0');
    const scope = scopeOf(context);
    let seq = 0;
    return {
      head: file.head + file.row('scopes', { ...scope }),
      entry: (record) => file.row('pages', knownPage(record, scope, seq++)),
      tail: () => file.tail(),
    };
  },
};

function scopeOf({ id = 'scope', scope = 'Imported', createdAt, policyVersion = '' }: ExportContext): Scope {
  return {
    id,
    name: plainText(scope),
    origins: [],
    paths: [],
    mode: 'collecting',
    policy: {},
    policyVersion,
    createdAt,
  };
}

function knownPage(record: SafeRecord, scope: Scope, seq: number): Row {
  const normal = record.key === undefined ? keyOf(record.url) : null;
  const key = (normal?.ok ? normal.key : (record.key ?? record.url)) as Key;
  const { host, path, query, fragment } = splitAddress(key);
  const stored = storeKey(key);
  const page: Page = {
    space: scope.id,
    key: stored,
    scope: scope.id,
    host,
    path: (
      path +
      (query === undefined ? '' : `?${query}`) +
      (fragment === undefined ? '' : `#${fragment}`)
    ).slice(0, 2048),
    state: 'known',
    seq,
    url: record.url,
    firstSeenAt: scope.createdAt,
    visits: 0,
    addresses: 1,
    isNew: true,
    inBase: false,
    policyVersion: scope.policyVersion,
  };
  if (stored !== key) page.fullKey = key;
  if (record.title !== undefined) page.title = plainText(record.title);
  return { ...page };
}
