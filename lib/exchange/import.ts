import { normalizeUrl, type Key, type Policy } from '#lib/url/index.ts';
import { splitAddress, writeAddress } from '#lib/url/address.ts';
import { gunzip } from './gzip.ts';
import { decodeText } from './in/decode.ts';
import { detectFormat, HEAD } from './in/detect.ts';
import { findImport } from './in/index.ts';
import type { Bytes, Found, ImportFormat, ImportName, ReadOptions } from './in/reader.ts';
import { plainText } from './text.ts';

export interface ImportOptions extends ReadOptions {
  /** Which format; found from the file where absent. */
  format?: ImportName;
  fileName?: string;
  /**
   * The policy of the scope that takes the links. Compile it with `htmlEntities: true`: lists often come out of HTML.
   */
  policy: Policy;
  /** What relative addresses are relative to. */
  base?: string;
}

/** A good link: `url` is absolute http(s) without userinfo and may be stored. */
export interface ImportedLink {
  ok: true;
  line: number;
  column: number;
  url: string;
  key: Key;
  title?: string;
  at?: number;
  status?: number;
}

/** A place that was not imported, with the reason, in words that say what to do. */
export interface BadLink {
  ok: false;
  line: number;
  column: number;
  reason: 'empty' | 'unsupported-scheme' | 'invalid' | 'unreadable' | 'sitemap';
  detail: string;
  /** The text in question, cut at 200 characters. */
  text: string;
}

const LONGEST_SHOWN = 200;

/**
 * The links of a file, in its order, repeats included. Good ones come with their key, bad ones with line and column; one bad line
 * never stops the rest. gzip is undone. Memory does not grow with the file. @throws {Error} where gzip data is damaged or an
 * encoding is unknown: what came before is good.
 */
export async function* importLinks(
  bytes: Bytes,
  options: ImportOptions,
): AsyncGenerator<ImportedLink | BadLink> {
  const { format, rest } = await chooseFormat(gunzip(bytes), options);
  for await (const item of format.read(rest, options)) {
    const { line, column } = item;
    if ('problem' in item)
      yield { ok: false, line, column, reason: 'unreadable', detail: item.problem, text: '' };
    else yield judge(item, options);
  }
}

/** Which format the file is in, and all of its bytes again. @throws {Error} for an unknown name. */
async function chooseFormat(
  bytes: Bytes,
  { format, fileName }: Pick<ImportOptions, 'format' | 'fileName'>,
): Promise<{ format: ImportFormat; rest: Bytes }> {
  const source = iterate(bytes);
  const head: Uint8Array[] = [];
  let name = format;
  if (name === undefined) {
    for (let length = 0; length < HEAD;) {
      const next = await source.next();
      if (next.done) break;
      head.push(next.value);
      length += next.value.length;
    }
    let text = '';
    for await (const piece of decodeText(head)) text += piece;
    name = detectFormat(text.slice(0, HEAD), fileName);
  }
  const found = findImport(name);
  if (found === undefined) throw new Error(`Unknown import format "${name}".`);
  return { format: found, rest: again(head, source) };
}

async function* iterate(bytes: Bytes): AsyncGenerator<Uint8Array> {
  yield* bytes;
}

async function* again(head: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head;
  yield* rest;
}

function judge(item: Found, { policy, base }: ImportOptions): ImportedLink | BadLink {
  const { line, column, url: text, title, at, status } = item;
  const refuse = (reason: BadLink['reason'], detail: string): BadLink => {
    return { ok: false, line, column, reason, detail, text: plainText(text.slice(0, LONGEST_SHOWN)) };
  };
  if (item.sitemap) return refuse('sitemap', 'This is the address of another sitemap: import that file too.');
  if (text.includes('\uFFFD'))
    return refuse('unreadable', 'The address has unreadable characters. Save the file as UTF-8.');
  const result = normalizeUrl(text, policy, base);
  if (!result.ok) return refuse(result.reason, result.detail);
  // The address as it was found, for it is what will be opened; only what was not an address by itself is taken as the rules read it.
  const found = URL.parse(text, base);
  const original = found !== null && /^https?:$/.test(found.protocol) ? found.href : result.url;
  const url = writeAddress({ ...splitAddress(original), userinfo: undefined });
  const clean = url === result.url ? result : normalizeUrl(url, policy);
  if (!clean.ok) return refuse(clean.reason, clean.detail);
  const link: ImportedLink = { ok: true, line, column, url, key: clean.key };
  if (title !== undefined && title !== '') link.title = plainText(title);
  if (at !== undefined) link.at = at;
  if (status !== undefined) link.status = status;
  return link;
}
