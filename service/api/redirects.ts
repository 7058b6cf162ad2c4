import { badRequest, JSON_TYPE, type Call, type Reply } from '../http.ts';
import { Items } from '../items.ts';
import type { Service } from '../service.ts';
import { bindNamespace, encode, linesOf, MOST_ITEMS, readObject, readPlace } from './batch.ts';
import { HttpError } from '../http.ts';
import { parseText } from '../bodies.ts';

interface Redirect {
  readonly from?: unknown;
  readonly from_fp?: unknown;
  readonly to?: unknown;
  readonly to_fp?: unknown;
  readonly permanent?: unknown;
  readonly status?: unknown;
}

/** The statuses of HTTP that say so themselves. */
const PERMANENT = new Set<unknown>([301, 308]);

/**
 * `POST /v1/ns/{ns}/redirects`: items `{ from | from_fp, to | to_fp, status: 301 | 308 }` (or `permanent: true`). From then on `is_seen` and `lease` answer `seen` for
 * a page that leads to a seen one. Only permanent redirects (301, 308) are taken: any other (a log-in page to which everything leads)
 * would hide pages. Marks are never moved.
 */
export async function redirects(call: Call, service: Service): Promise<Reply> {
  const body = call.type === JSON_TYPE ? readObject(call, ['items', 'policy', 'form']) : {};
  const place = readPlace(call, body, service);
  const list = call.type === JSON_TYPE ? body['items'] : linesOf(parseText(call.body)).map(parseLine);
  if (!Array.isArray(list)) throw badRequest('"items" must be a list.');
  if (list.length > MOST_ITEMS)
    throw new HttpError(413, 'too-many', `A batch has at most ${MOST_ITEMS} items, not ${list.length}.`);
  const make = () => new Items(list.length, place.form, place.policy, service.keys);
  const [from, to] = [make(), make()];
  for (const item of list as (Redirect | null | undefined)[]) addRedirect(item, from, to);
  const namespace = await bindNamespace(service.store, place, from, true);
  const answers = await service.store.addRedirects(
    namespace,
    from.fingerprints,
    to.fingerprints,
    from.refused,
  );
  return { ...encode(answers, call), told: { ns: place.ns, items: list.length } };
}

function addRedirect(item: Redirect | null | undefined, from: Items, to: Items): void {
  const index = from.count;
  from.add(itemOf(item?.from, item?.from_fp));
  to.add(itemOf(item?.to, item?.to_fp));
  from.refused[index] ||= to.refused[index]!;
  if (from.refused[index] !== 0) return;
  if (item?.permanent !== true && !PERMANENT.has(item?.status)) from.refuseAt(index, 'temporary');
  else if (from.isSame(to, index)) from.refuseAt(index, 'item');
}

const itemOf = (url: unknown, hex: unknown) => ({
  ...(url === undefined ? {} : { url }),
  ...(hex === undefined ? {} : { url_fp: hex }),
});

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
