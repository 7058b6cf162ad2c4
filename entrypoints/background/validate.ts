import { LONGEST_BLOCK, MAX_BLOCKS } from '#lib/content/bound.ts';
import {
  PROTOCOL_VERSION,
  type CommandMessages,
  type MessageType,
  type ObserverMessages,
  type Request,
} from '#lib/protocol.ts';

type Check = (value: unknown) => boolean;
type Shape = Record<string, Check>;
/** A check for every field of every message: the compiler says when one is forgotten. */
type Shapes<M> = { [T in keyof M]: M[T] extends { fields: infer F } ? { [N in keyof F]-?: Check } : never };

const LONGEST_ADDRESS = 2_097_152;
const MOST_LINKS = 2000;

const text =
  (longest: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= longest;
const id: Check = (value) => typeof value === 'string' && /^[\w:.@-]{1,200}$/.test(value);
const word =
  (...words: string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const address: Check = (value) => text(LONGEST_ADDRESS)(value) && /^https?:/i.test(value as string);
const time: Check = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const count: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const within =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
const flag: Check = (value) => typeof value === 'boolean';
const list =
  (each: Check, most: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(each);
const either =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const nothing: Check = (value) => value === null;
const optional = (check: Check): Check => either((value) => value === undefined, check);
const record: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const shaped =
  (shape: Shape): Check =>
  (value) =>
    record(value) && complaint(value as Record<string, unknown>, shape) === undefined;

const hash: Check = (value) => typeof value === 'string' && /^[0-9a-f]{16}$/.test(value);
const key = text(LONGEST_ADDRESS);
const how = word('link', 'typed', 'form', 'reload', 'script', 'back', 'bookmark', 'other');
const mode = word('inspecting', 'collecting');
const origins = list((value) => text(300)(value) && /^(https?|\*):\/\/[^/]+\/\*$/.test(value as string), 200);
const paths = list(text(2000), 200);
const schedules = [
  shaped({ every: word('day'), hour: within(0, 23) }),
  shaped({ every: word('hours'), hours: within(1, 24) }),
];
const start = {
  scope: either(
    shaped({ id }),
    shaped({
      name: text(200),
      origins,
      paths: optional(paths),
      mode: optional(mode),
      policy: optional(record),
    }),
  ),
  base: id,
};
const page = { space: id, key };
/** Short names of places: ids, headings, labels of rows and columns. */
const name = text(1000);
const names = { id: optional(name), heading: optional(name), row: optional(name), column: optional(name) };
const region = {
  ...names,
  part: optional(shaped({ from: within(0, 200_000), count: within(1, 200_000) })),
};
const place = {
  ...names,
  order: count,
  collapsed: optional(flag),
  list: optional(count),
  item: optional(count),
};
const blocks = list(
  shaped({
    text: text(LONGEST_BLOCK),
    exact: hash,
    masked: hash,
    place: shaped(place),
    noise: optional(name),
  }),
  MAX_BLOCKS,
);
const run: Check = (value) =>
  Array.isArray(value) &&
  value.length === 2 &&
  within(0, MAX_BLOCKS)(value[0]) &&
  within(1, MAX_BLOCKS)(value[1]);
const coverage = shaped({
  canvases: count,
  frames: count,
  lists: list(shaped({ shown: count, of: count }), 10_000),
  cut: optional(flag),
});
const snapshot = { digest: hash, rulesHash: hash, coverage };
const finite: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const minute = within(0, 24 * 60 - 1);
const settings = {
  thresholds: optional(
    list(shaped({ value: text(4000), above: optional(finite), below: optional(finite) }), 1000),
  ),
  notify: optional(flag),
  quietHours: optional(either(nothing, shaped({ from: minute, to: minute }))),
};

const OBSERVER: Shapes<ObserverMessages> = {
  document: {
    event: id,
    url: address,
    title: text(1000),
    at: time,
    status: count,
    restored: flag,
    navigation: text(20),
    referrer: text(LONGEST_ADDRESS),
  },
  route: { event: id, url: address, title: text(1000), at: time },
  title: { event: id, url: address, title: text(1000) },
  click: {
    event: id,
    url: text(LONGEST_ADDRESS),
    href: address,
    text: text(200),
    how,
    newTab: flag,
    at: time,
  },
  links: {
    event: id,
    url: text(LONGEST_ADDRESS),
    links: list(address, MOST_LINKS),
    collapsed: count,
    refused: count,
  },
  content: {
    event: id,
    url: text(LONGEST_ADDRESS),
    frame: (value) => typeof value === 'string' && /^0(?:\.\d{1,4}){0,20}$/.test(value),
    text: either(
      shaped({ ...snapshot, blocks }),
      shaped({
        ...snapshot,
        since: hash,
        delta: list(either(run, blocks), MAX_BLOCKS),
      }),
    ),
    isFirst: flag,
    busy: flag,
    canonical: optional(address),
  },
  picked: {
    event: id,
    url: text(LONGEST_ADDRESS),
    region: either(nothing, shaped(region)),
    label: text(200),
  },
};

const COMMANDS: Shapes<CommandMessages> = {
  startRound: start,
  wishRound: start,
  pauseRound: { round: id, until: either(time, nothing) },
  pauseSite: { round: id, host: text(300), paused: flag },
  resumeRound: { round: id },
  endRound: { round: id },
  nextUnvisited: {
    round: id,
    open: flag,
    tab: optional(count),
    retry: optional(flag),
    host: optional(text(300)),
    prefix: optional(text(2048)),
  },
  setVerdict: {
    ...page,
    verdict: either(word('ok', 'problem', 'skip'), nothing),
    note: optional(text(10_000)),
  },
  markPage: {
    ...page,
    state: either(word('visited', 'known', 'retrying'), nothing),
    reason: optional(word('captcha', 'login')),
    at: optional(time),
  },
  updateScope: {
    scope: id,
    name: optional(text(200)),
    origins: optional(origins),
    paths: optional(paths),
    mode: optional(mode),
    policy: optional(record),
    schedule: optional(either(nothing, ...schedules)),
  },
  setAlias: { scope: id, from: key, accept: either(flag, nothing) },
  addWatch: {
    scope: id,
    url: address,
    label: optional(text(200)),
    region: optional(shaped(region)),
    ...settings,
  },
  changeWatch: { watch: id, label: optional(text(200)), ...settings },
  removeWatch: { watch: id },
  seenWatch: { watch: id, seen: optional(either(count, nothing)) },
  seenPage: { ...page, seen: optional(flag) },
  acceptVersion: { ...page, seq: count },
  ignoreBlock: {
    scope: id,
    key: optional(key),
    place: shaped({ ...names, begins: optional(name), ends: optional(name), numbersOnly: optional(flag) }),
  },
  setContentRule: { scope: id, key: optional(key), rules: record, rule: optional(id) },
  removeContentRule: { rule: id },
  pickRegion: { tab: count },
  jumpToBlock: { tab: count, place: shaped(place), text: text(LONGEST_ADDRESS) },
  deletePage: page,
  deleteRound: { round: id },
  undo: { undo: id },
  lookup: { url: text(LONGEST_ADDRESS), links: list(text(LONGEST_ADDRESS), MOST_LINKS) },
  tip: { shape: word('visited', 'changed', 'retrying', 'gone', 'team') },
  syncTeam: {},
  queueRound: { round: id },
  deleteAll: {},
  useDatabase: { name: id },
  health: {},
};

const SHAPES: Record<MessageType, Shape> = { ...OBSERVER, ...COMMANDS };

/** What is wrong with the fields, in words, or nothing. */
function complaint(fields: Record<string, unknown>, shape: Shape): string | undefined {
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) return `unknown field ${JSON.stringify(unknown.slice(0, 40))}`;
  const wrong = Object.keys(shape).find((name) => !shape[name]?.(fields[name]));
  return wrong === undefined ? undefined : `field ${JSON.stringify(wrong)} is missing or wrong`;
}

/** Whether only the observer sends this; the rest comes from the extension's own pages (`lookup` and `tip` from both). */
export function isObserverMessage(
  request: Request,
): request is Request<Extract<MessageType, keyof ObserverMessages>> {
  return Object.hasOwn(OBSERVER, request.type);
}

/** A message as the protocol has it, or what is wrong with it. Nothing is trusted: not its shape, not its sizes. */
export function readRequest(message: unknown): { request: Request } | { wrong: string } {
  if (!record(message)) return { wrong: 'not a message' };
  const { v, id: given, type, ...fields } = message as Record<string, unknown>;
  if (v !== PROTOCOL_VERSION) return { wrong: `protocol version ${PROTOCOL_VERSION} is spoken here` };
  if (!id(given)) return { wrong: 'field "id" is missing or wrong' };
  if (typeof type !== 'string' || !Object.hasOwn(SHAPES, type)) return { wrong: 'unknown type' };
  const wrong = complaint(fields, SHAPES[type as MessageType]);
  return wrong === undefined ? { request: message as Request } : { wrong };
}
