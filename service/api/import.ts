import { detailAt, FRESH, INVALID, REASONS, resultAt, SEEN } from '../answers.ts';
import { parseText } from '../bodies.ts';
import { isForm } from '../forms.ts';
import { badRequest, json, TEXT_TYPE, type Call, type Reply } from '../http.ts';
import { Items } from '../items.ts';
import type { Service } from '../service.ts';
import { addLine, applyItems, linesOf, MOST_ITEMS, readPlace } from './batch.ts';
import { OWN_FORMAT } from './export.ts';

/** Lines whose problem is told. */
const MOST_PROBLEMS = 100;

interface Head {
  readonly onceover: string;
  readonly version: number;
  readonly policy: string;
  readonly form: string;
}

/**
 * `POST /v1/ns/{ns}/import?round=`: what `export?format=fingerprints` gave, or items one a line (`{ url | url_fp, first_at?, state? }`),
 * or as `text/plain` an address a line. Pages that are there already keep the earlier sighting, so an import may be sent again.
 */
export async function importRound(call: Call, service: Service): Promise<Reply> {
  const isList = call.type === TEXT_TYPE;
  const lines = linesOf(parseText(call.body));
  const head = isList ? undefined : readHead(lines[0]);
  const bound = head === undefined ? {} : { policy: head.policy, form: head.form };
  const place = readPlace(call, bound, service);
  const first = head === undefined ? 0 : 1;
  const end = isList ? undefined : readEnd(lines.at(-1));
  if (end !== undefined) lines.pop();
  if (end !== undefined && head !== undefined && end.count !== lines.length - first)
    throw badRequest(`The import says it has ${end.count} pages, but ${lines.length - first} are here.`);
  const told = { imported: 0, seen: 0, invalid: 0 };
  const problems: { line: number; reason: string }[] = [];
  for (let from = first; from < lines.length; from += MOST_ITEMS) {
    const piece = lines.slice(from, from + MOST_ITEMS);
    const items = new Items(piece.length, place.form, place.policy, service.keys);
    for (const line of piece) {
      if (isList) items.add({ url: line.replace(/\r$/, '') });
      else addLine(items, line);
    }
    const { answers } = await applyItems('import', items, place, service, undefined);
    service.metrics.countAnswers('import', answers, false);
    for (let index = 0; index < piece.length; index++) {
      const result = resultAt(answers, index);
      if (result === FRESH) told.imported++;
      else if (result === SEEN) told.seen++;
      else if (result === INVALID) {
        told.invalid++;
        if (problems.length < MOST_PROBLEMS)
          problems.push({ line: from + index + 1, reason: REASONS[detailAt(answers, index)]! });
      }
    }
  }
  return json({ ...told, problems }, { told: { ns: place.ns, round: place.round, ...told } });
}

/** The head of the service's own format; undefined where the first line is an item. @throws {HttpError} where it cannot be read */
function readHead(line: string | undefined): Head | undefined {
  const head = readLine(line);
  if (head?.['onceover'] === undefined) return undefined;
  const { onceover, version, policy, form } = head;
  if (onceover !== OWN_FORMAT || version !== 1 || typeof policy !== 'string' || !isForm(form))
    throw badRequest('The first line is a head that this version cannot read.');
  return { onceover, version, policy, form };
}

function readEnd(line: string | undefined): { count: number } | undefined {
  const end = readLine(line);
  return end?.['end'] === true && typeof end['count'] === 'number' ? { count: end['count'] } : undefined;
}

function readLine(line: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
