/** "Ovr1": says whose file it is. */
export const APPLICATION = 0x4f767231;
export const SCHEMA_VERSION = 1;

/** Beside these, each round has a table `f<id>`: fingerprint and mark (see `packMark`). */
export const SCHEMA = `
PRAGMA application_id = ${APPLICATION};
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE namespaces (ns TEXT PRIMARY KEY, policy TEXT NOT NULL, form TEXT NOT NULL, addresses INTEGER NOT NULL) WITHOUT ROWID;
-- Numbers of rounds are never given again: the filter remembers dropped ones.
CREATE TABLE spaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT, ns TEXT NOT NULL, round TEXT NOT NULL, ends INTEGER, count INTEGER NOT NULL,
  UNIQUE (ns, round)
);
CREATE TABLE leases (
  space INTEGER, fp BLOB, token INTEGER NOT NULL, until INTEGER NOT NULL, retry_at INTEGER NOT NULL,
  PRIMARY KEY (space, fp)
) WITHOUT ROWID;
CREATE TABLE addresses (space INTEGER, fp BLOB, url TEXT NOT NULL, PRIMARY KEY (space, fp)) WITHOUT ROWID;
CREATE TABLE redirects (ns TEXT, fp BLOB, target BLOB NOT NULL, PRIMARY KEY (ns, fp)) WITHOUT ROWID;
CREATE TABLE journal (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, digest BLOB NOT NULL, answers BLOB NOT NULL, at INTEGER NOT NULL);
CREATE INDEX journal_at ON journal (at);
`;
