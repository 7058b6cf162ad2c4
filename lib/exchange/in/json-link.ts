import type { Found } from './reader.ts';

/** Field names that hold the address of the thing itself, first the surest. Letter case does not matter. */
export const ADDRESS_FIELDS = ['url', 'uri', 'href', 'link', 'loc', 'address', 'page'];
/** Objects in which crawlers put what was asked: Scrapy and Crawlee `request`, URLFrontier `discovered.info`. */
const NESTED = ['request', 'discovered', 'known', 'info', 'response'];

export type Link = Pick<Found, 'url' | 'title' | 'status'>;

/** The address of a JSON object; `null` where it has none. */
export function linkOf(value: unknown, depth = 0): Link | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = new Map(
    Object.entries(value).map(([name, field]) => [name.toLowerCase(), field as unknown]),
  );
  for (const name of ADDRESS_FIELDS) {
    const url = fields.get(name);
    if (typeof url !== 'string') continue;
    const link: Link = { url };
    const title = fields.get('title') ?? fields.get('name');
    const status = fields.get('status') ?? fields.get('statuscode') ?? fields.get('status_code');
    if (typeof title === 'string') link.title = title;
    if (typeof status === 'number' && Number.isInteger(status)) link.status = status;
    return link;
  }
  if (depth > 2) return null;
  for (const name of NESTED) {
    const link = linkOf(fields.get(name), depth + 1);
    if (link !== null) return link;
  }
  return null;
}
