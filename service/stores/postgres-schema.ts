/** Everything is in a schema of its own. */
export const SCHEMA_NAME = 'onceover';

/**
 * Steps from an empty database to the layout of this version, each run once and noted in `migrations`: append, never change. Beside
 * these, each round has a table `f<id>` (see `tableFor`).
 */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE onceover.settings (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE onceover.namespaces (ns text PRIMARY KEY, policy text NOT NULL, form text NOT NULL, addresses boolean NOT NULL);
-- Numbers of rounds are never given again.
CREATE TABLE onceover.spaces (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ns text NOT NULL, round text NOT NULL, ends bigint, UNIQUE (ns, round)
);
-- A round's count is the sum of its slots: transactions that run side by side seldom meet in one.
CREATE TABLE onceover.counts (space integer, slot integer, count bigint NOT NULL, PRIMARY KEY (space, slot)) WITH (fillfactor = 50);
CREATE TABLE onceover.leases (
  space integer, fp bytea, token bigint NOT NULL, until bigint NOT NULL, retry_at bigint NOT NULL, PRIMARY KEY (space, fp)
);
CREATE SEQUENCE onceover.fence;
CREATE TABLE onceover.addresses (space integer, fp bytea, url text NOT NULL, PRIMARY KEY (space, fp));
CREATE TABLE onceover.redirects (ns text, fp bytea, target bytea NOT NULL, PRIMARY KEY (ns, fp));
CREATE TABLE onceover.journal (key bytea PRIMARY KEY, digest bytea NOT NULL, answers bytea, at bigint NOT NULL);
CREATE INDEX journal_at ON onceover.journal (at);
`,
];

/** The fingerprints of one round: `uuid` holds 16 bytes without a length; longer forms are `bytea`. */
export function tableFor(id: number, width: number, partitions: number): string {
  const table = `onceover.f${id}`;
  const parts = Array.from(
    { length: partitions },
    (_, n) =>
      `CREATE TABLE ${table}_${n} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${n})`,
  );
  const key = width === 16 ? 'uuid' : 'bytea';
  return [
    `CREATE TABLE ${table} (fp ${key} PRIMARY KEY, mark bigint NOT NULL) PARTITION BY HASH (fp)`,
    ...parts,
  ].join(';\n');
}
