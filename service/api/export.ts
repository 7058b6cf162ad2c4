import { createHash } from 'node:crypto';
import { findFormat, FORMATS, writeExport, type ExportFormat, type PageRecord } from '#lib/exchange/index.ts';
import { badRequest, HttpError, NDJSON_TYPE, type Call, type Reply } from '../http.ts';
import type { Service } from '../service.ts';
import { FINGERPRINT_STATES } from '../states.ts';
import type { Namespace, Store, StoredPage } from '../store.ts';
import { roundKey } from '../windows.ts';
import { knownNamespace } from './namespaces.ts';
import { readPlace } from './batch.ts';

/** The service's own format: what `import` reads. */
export const OWN_FORMAT = 'fingerprints';

/**
 * `GET /v1/ns/{ns}/export?format=&round=`. `fingerprints` is one JSON object a line: a head with what the namespace is bound to, the
 * pages, and an end with count and SHA-256 of the lines of the pages. The other formats are lists of addresses for crawlers
 * (docs/formats.md), which need the address table: every tool hashes another key, so a bare fingerprint is of no use to it.
 */
export async function exportRound(call: Call, service: Service): Promise<Reply> {
  const { store, clock } = service;
  const place = readPlace(call, {}, service);
  const namespace = await knownNamespace(store, place.ns);
  const round = roundKey(place.round, clock.wall())?.key;
  if (round === undefined) throw badRequest('There is no such round.');
  const name = call.query.get('format') ?? OWN_FORMAT;
  const told = { ns: place.ns, round, format: name.slice(0, 20) };
  if (name === OWN_FORMAT && store.bits !== undefined)
    throw new HttpError(
      409,
      'part',
      `The store keeps ${store.bits} bits of each fingerprint, which no other store can read. Export addresses, or use the plain layout.`,
    );
  if (name === OWN_FORMAT) return { type: NDJSON_TYPE, body: ownLines(store, namespace, round), told };
  const format = findFormat(name);
  if (format === undefined)
    throw badRequest(
      `"format" must be one of ${[OWN_FORMAT, ...FORMATS.map(({ name }) => name)].join(', ')}.`,
    );
  if (!namespace.addresses)
    throw new HttpError(
      409,
      'no-addresses',
      'This namespace keeps no addresses; turn them on with PUT {"addresses": true}, then mark with "url".',
    );
  const manifest: Record<string, string> = {};
  const bytes = oneFile(format, records(store, namespace.ns, round), { namespace, round, service, manifest });
  if (format.limits?.oneOrigin !== true)
    return {
      type: format.mime,
      body: bytes,
      headers: { Trailer: MANIFEST },
      trailers: () => manifest,
      told,
    };
  // Whether one file is enough is only known at its end; that is 50 MB at most.
  const held: Uint8Array[] = [];
  for await (const piece of bytes) held.push(piece);
  return { type: format.mime, body: Buffer.concat(held), headers: manifest, told };
}

/** Count, SHA-256, round and policy version of the file as JSON: a trailer, since they are known at the end. */
const MANIFEST = 'Onceover-Manifest';

async function* oneFile(
  format: ExportFormat,
  pages: AsyncIterable<PageRecord>,
  about: { namespace: Namespace; round: string; service: Service; manifest: Record<string, string> },
): AsyncGenerator<Uint8Array> {
  const { namespace, round, service, manifest } = about;
  const options = {
    name: `${namespace.ns}-${round}`,
    scope: namespace.ns,
    round,
    policyVersion: namespace.policy,
    createdAt: service.clock.wall(),
    app: service.version,
    id: crypto.randomUUID(),
  };
  let file: string | undefined;
  for await (const event of writeExport(format, pages, options)) {
    if (event.type === 'end') return;
    file ??= event.file;
    if (event.file !== file)
      throw new HttpError(
        409,
        'several-files',
        `${format.name} has a file for each site: export jsonl and convert it with onceover dedupe --format ${format.name}.`,
      );
    if (event.type === 'bytes') yield event.bytes;
    else manifest[MANIFEST] = JSON.stringify(event.manifest);
  }
}

/** The pages of a round whose address is kept. */
async function* records(store: Store, ns: string, round: string): AsyncGenerator<PageRecord> {
  for await (const pages of store.pages(ns, round)) {
    for (const { url, at, state } of pages)
      if (url !== undefined)
        yield { url, state: FINGERPRINT_STATES[state]!, ...(at === 0 ? {} : { firstVisitAt: at }) };
  }
}

async function* ownLines(
  store: Store,
  { ns, policy, form }: Namespace,
  round: string,
): AsyncGenerator<Buffer> {
  const line = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);
  const hash = createHash('sha256');
  let count = 0;
  yield line({ onceover: OWN_FORMAT, version: 1, ns, round, policy, form });
  for await (const pages of store.pages(ns, round)) {
    const lines = Buffer.concat(pages.map((page) => line(pageLine(page))));
    hash.update(lines);
    count += pages.length;
    yield lines;
  }
  yield line({ end: true, count, sha256: hash.digest('hex') });
}

const pageLine = ({ fingerprint, at, state, url }: StoredPage) => ({
  url_fp: fingerprint.toString('hex'),
  ...(at === 0 ? {} : { first_at: at }),
  state: FINGERPRINT_STATES[state],
  ...(url === undefined ? {} : { url }),
});
