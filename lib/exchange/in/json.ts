import { ADDRESS_FIELDS } from './json-link.ts';
import { JsonError, jsonStrings, type JsonString } from './json-strings.ts';
import type { Bytes, Found, ImportFormat, ReaderItem } from './reader.ts';

/**
 * Addresses of a JSON file: a list of texts, or a list of objects with an address field, at the top or one level below
 * (`{"urls": […]}`), and browsers' bookmark files (`children` in `children`).
 */
export const json: ImportFormat = {
  name: 'json',
  extensions: ['.json'],
  purpose: { en: 'JSON: list of addresses or of objects with one', zh: 'JSON：地址列表或含地址的对象列表' },
  read: (bytes) => readJson(bytes, placeOf),
};

/** What a text at a path is to the object around it. `path` is e.g. `urls[].href`. */
export type Role = 'url' | 'title' | 'item' | null;

/** @param roleOf says which texts are addresses; objects answer once they are closed, so a title may follow. */
export async function* readJson(bytes: Bytes, roleOf: (path: string) => Role): AsyncGenerator<ReaderItem> {
  let open = null as OpenObject | null;
  const strings = jsonStrings(bytes);
  for (;;) {
    const next = await nextString(strings);
    if (next === null || next instanceof JsonError) {
      if (open !== null) yield* close(open);
      if (next !== null) yield { line: next.line, column: next.column, problem: next.message };
      return;
    }
    const { path, value, line, column } = next;
    if (value === null) {
      if (open !== null && open.owner === path) {
        yield* close(open);
        open = null;
      }
      continue;
    }
    const role = roleOf(path);
    if (role === 'item') yield { line, column, url: value };
    if (role !== 'url' && role !== 'title') continue;
    const owner = path.slice(0, path.lastIndexOf('.'));
    if (open?.owner !== owner) {
      if (open !== null) yield* close(open);
      open = { owner, found: null, title: undefined };
    }
    if (role === 'title') open.title ??= value;
    else open.found ??= { line, column, url: value };
  }
}

/** An object whose end has not come yet. */
interface OpenObject {
  owner: string;
  found: Found | null;
  title: string | undefined;
}

function* close({ found, title }: OpenObject): Generator<Found> {
  if (found !== null) yield title === undefined ? found : { ...found, title };
}

async function nextString(strings: AsyncGenerator<JsonString>): Promise<JsonString | JsonError | null> {
  try {
    const next = await strings.next();
    return next.done ? null : next.value;
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
}

function placeOf(path: string): Role {
  const place = path.replace(/^(?:roots\.[^.[]+|[^.[]+)?(?:\.?children\[\]|\[\])+/, '[]');
  if (place === '[]') return 'item';
  if (!place.startsWith('[].')) return null;
  const field = place
    .slice(3)
    .replace(/^request\./, '')
    .toLowerCase();
  if (ADDRESS_FIELDS.includes(field)) return 'url';
  return field === 'title' || field === 'name' ? 'title' : null;
}
