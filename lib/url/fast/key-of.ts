import { isFailure } from '../failure.ts';
import { DEFAULT_POLICY, normalizeUrl } from '../normalize.ts';
import type { Key, Refused } from '../normalize.ts';
import type { Policy } from '../policy.ts';
import type { RuleId } from '../rule-names.ts';
import { parse } from '../rules/parse.ts';
import { dropPathSessions } from '../rules/path-session.ts';
import { trim, trimAndResolve } from '../rules/trim.ts';
import { redirectTarget } from '../rules/unwrap.ts';
import { decodeWhole } from '../rules/whole.ts';
import { CLASSES, IN_HOST, IN_USERINFO, spellPart } from './characters.ts';
import { spellFragment } from './fragment.ts';
import { pathEnd, scanPath, spellPath } from './path.ts';
import { scanFront } from './front.ts';
import { makePlan } from './plan.ts';
import type { Plan } from './plan.ts';
import { isLastQueryClean, scanQuery, spellQuery, writeQuery } from './query.ts';

export interface Keyed {
  readonly ok: true;
  readonly key: Key;
}

type KeyOf = (input: string, policy?: Policy, base?: string) => Keyed | Refused;

/**
 * What `normalizeUrl` answers, without the steps and many times faster: an address that is its own key is read once, and one
 * that only looks untidy never sees the browser's parser.
 */
export const keyOf: KeyOf = createKeyOf();

/** `keyOf` with one rule switched off, which the differential test must notice. */
export function createKeyOf(off?: RuleId): KeyOf {
  const plans = new WeakMap<Policy, Plan>();
  let lastPolicy: Policy | undefined;
  let lastPlan: Plan | undefined;

  function planOf(policy: Policy): Plan {
    if (lastPlan !== undefined && lastPolicy === policy) return lastPlan;
    const plan = plans.get(policy) ?? makePlan(policy, off);
    plans.set(policy, plan);
    lastPolicy = policy;
    return (lastPlan = plan);
  }

  return (input, policy = DEFAULT_POLICY, base) => {
    const plan = planOf(policy);
    if (plan.hasImports) {
      const slow = normalizeUrl(input, plan.policy, base);
      return slow.ok ? { ok: true, key: slow.key } : slow;
    }
    const key = plainKey(input, plan);
    const result =
      key === undefined
        ? parsedKey(input, plan, base, base === undefined)
        : { ok: true as const, key: key as Key };
    return plan.does.unwrap && result.ok ? follow(result, plan) : result;
  };
}

const MOST_REDIRECTORS = 5;

/** Rule 9. */
function follow(start: Keyed, plan: Plan): Keyed {
  let last = start;
  for (let level = 0; ; level++) {
    const target = redirectTarget(last.key, plan.policy);
    if (target === undefined) return last;
    const key = plainKey(target, plan);
    const next =
      key === undefined ? parsedKey(target, plan, undefined, false) : { ok: true as const, key: key as Key };
    if (!next.ok) return last;
    if (level === MOST_REDIRECTORS) return start;
    last = next;
  }
}

/** Read by the browser's parser, then as a plain address. */
function parsedKey(input: string, plan: Plan, base: string | undefined, pasted: boolean): Keyed | Refused {
  const { does, policy } = plan;
  const context = { policy, base, pasted };
  const resolved = does.trim ? trimAndResolve(input, context) : input;
  if (isFailure(resolved)) return { ok: false, ...resolved };
  const decoded = does.whole ? decodeWhole(resolved, context) : resolved;
  const href = parse(does['path-session'] ? dropPathSessions(decoded) : decoded);
  if (isFailure(href)) return { ok: false, ...href };
  const pathStart = href.indexOf('/', 'https://'.length);
  const origin = spellOrigin(href, pathStart, plan);
  return {
    ok: true,
    key: finish(href, pathStart, scanPath(href, pathStart, plan), origin, plan, true) as Key,
  };
}

/** Rule 4 for what stands before the path of an address as the parser wrote it. */
function spellOrigin(href: string, pathStart: number, plan: Plan): string {
  const scheme = href.charCodeAt(4) === COLON ? 'http' : 'https';
  const start = scheme.length + '://'.length;
  const at = href.lastIndexOf('@', pathStart);
  const user =
    at < start
      ? ''
      : plan.does.percent
        ? `${spellPart(href, start, at, IN_USERINFO, false)}@`
        : href.slice(start, at + 1);
  const host = href.slice(Math.max(start, at + 1), pathStart);
  const colon = /:\d+$/.exec(host)?.index ?? host.length;
  return writeOrigin(scheme, user, host.slice(0, colon), host.slice(colon + 1) || undefined, plan);
}

const HASH = 35;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const QUESTION = 63;

/** Tab and line breaks vanish anywhere, and a backslash is a slash in a path: all rare, and left to the parser. */
const FOR_THE_PARSER = /[\t\n\r\\]/;

/** The key of an absolute address with a plain host, or undefined when the parser has to read it. */
function plainKey(input: string, plan: Plan): string | undefined {
  if (input.charCodeAt(input.length - 1) <= 0x20 || input.charCodeAt(0) <= 0x20)
    return plan.does.trim ? plainTrimmedKey(trim(input), plan) : undefined;
  return plainTrimmedKey(input, plan);
}

function plainTrimmedKey(input: string, plan: Plan): string | undefined {
  const stop = plan.changesFront ? 0 : scanFront(input);
  const next = stop < input.length ? input.charCodeAt(stop) : HASH;
  if (stop === 0 || (next !== QUESTION && next !== HASH)) return readPlain(input, plan);
  return finish(input, input.indexOf('/', 8), stop, undefined, plan, false);
}

function readPlain(text: string, plan: Plan): string | undefined {
  const { does } = plan;
  const scheme = schemeOf(text);
  if (scheme === '') return undefined;
  const hostStart = scheme.length + 3;
  const { length } = text;
  let isClean = text.startsWith(scheme);
  let i = hostStart;
  let labelStart = i;
  for (; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128 && (CLASSES[code]! & IN_HOST) !== 0) continue;
    if (code === DOT) {
      if (i === labelStart || isPunycode(text, labelStart)) return undefined;
      labelStart = i + 1;
    } else if (code >= 65 && code <= 90) isClean = false;
    else break;
  }
  const hostEnd = i;
  const first = text.charCodeAt(labelStart);
  // An empty label at the end, or what may be a number and with it an IPv4 address.
  if (labelStart === hostEnd || (first >= 48 && first <= 57) || isPunycode(text, labelStart))
    return undefined;
  let port = -1;
  if (text.charCodeAt(i) === COLON) {
    for (i++; i < length; i++) {
      const digit = text.charCodeAt(i) - 48;
      if (digit < 0 || digit > 9) break;
      if (port === 0) isClean = false;
      port = (port < 0 ? 0 : port * 10) + digit;
      if (port > 65535) return undefined;
    }
    if (port < 0 || port === (scheme === 'http' ? 80 : 443)) {
      port = -1;
      isClean = false;
    }
  }
  const next = i < length ? text.charCodeAt(i) : SLASH;
  if (next !== SLASH && next !== QUESTION && next !== HASH) return undefined;
  if (does['merge-schemes'] && port < 0 && scheme === 'http') isClean = false;
  if (does['strip-www'] && text.startsWith('www.', hostStart)) isClean = false;
  let origin: string | undefined;
  if (!isClean) {
    const host = text.slice(hostStart, hostEnd).toLowerCase();
    origin = does.parse
      ? writeOrigin(scheme, '', host, port < 0 ? undefined : `${port}`, plan)
      : text.slice(0, i);
  }
  return finish(text, i, next === SLASH && i < length ? scanPath(text, i, plan) : -1, origin, plan, false);
}

/** `http` or `https` when the text begins so, in any case, and goes on with `://`; otherwise nothing. */
function schemeOf(text: string): '' | 'http' | 'https' {
  if (
    (text.charCodeAt(0) | 32) !== 104 ||
    (text.charCodeAt(1) | 32) !== 116 ||
    (text.charCodeAt(2) | 32) !== 116 ||
    (text.charCodeAt(3) | 32) !== 112
  )
    return '';
  const isSecure = (text.charCodeAt(4) | 32) === 115;
  const at = isSecure ? 5 : 4;
  if (text.charCodeAt(at) !== COLON || text.charCodeAt(at + 1) !== SLASH || text.charCodeAt(at + 2) !== SLASH)
    return '';
  return isSecure ? 'https' : 'http';
}

/** Whether the label at this place begins with `xn--`: only the parser knows what it may hold. */
function isPunycode(text: string, at: number): boolean {
  return (
    (text.charCodeAt(at) | 32) === 120 &&
    (text.charCodeAt(at + 1) | 32) === 110 &&
    text.charCodeAt(at + 2) === 45 &&
    text.charCodeAt(at + 3) === 45
  );
}

function writeOrigin(
  scheme: string,
  user: string,
  host: string,
  port: string | undefined,
  { does }: Plan,
): string {
  const spelled = does['merge-schemes'] && port === undefined ? 'https' : scheme;
  let name = host;
  if (does['strip-www']) while (name.startsWith('www.')) name = name.slice(4);
  return `${spelled}://${user}${name}${port === undefined ? '' : `:${port}`}`;
}

/**
 * The key, once the path was scanned: it ends at `pathStop`, or is not as in a key (-1). `origin` is what stands before the
 * path in the key; undefined = as in the text. Undefined for a text that the parser has to read and has not read yet.
 */
function finish(
  text: string,
  pathStart: number,
  pathStop: number,
  origin: string | undefined,
  plan: Plan,
  isParsed: boolean,
): string | undefined {
  const { length } = text;
  const pathTo = pathStop >= 0 ? pathStop : pathEnd(text, pathStart);
  const queryStart = pathTo + 1;
  const hasQuery = pathTo < length && text.charCodeAt(pathTo) === QUESTION;
  let end = hasQuery ? scanQuery(text, queryStart, plan) : pathTo;
  const isQuerySpelled = end >= 0;
  const isQueryClean = isQuerySpelled && (!hasQuery || isLastQueryClean());
  if (isQueryClean && pathStop >= 0 && end === length && origin === undefined) return text;
  if (!isQuerySpelled) {
    end = text.indexOf('#', queryStart);
    if (end < 0) end = length;
  }
  const isRead = isParsed || (pathStop >= 0 && isQuerySpelled && end === length);
  if (!isRead && FOR_THE_PARSER.test(text)) return undefined;

  let key: string;
  if (pathStop >= 0)
    key = origin === undefined ? text.slice(0, pathStop) : origin + text.slice(pathStart, pathStop);
  else {
    key = origin ?? text.slice(0, pathStart);
    key += pathTo === pathStart ? '/' : spellPath(text, pathStart, pathTo, plan);
  }
  const isRoot = key.length === (origin === undefined ? pathStart : origin.length) + 1;
  const front = { text: key, isRoot };
  if (isQueryClean) key += text.slice(pathTo, end);
  else {
    const query = isQuerySpelled
      ? writeQuery(text, plan, front)
      : spellQuery(text, queryStart, end, plan, front);
    if (query !== '') key += `?${query}`;
  }
  return end < length ? key + spellFragment(text, end + 1, plan, front) : key;
}
