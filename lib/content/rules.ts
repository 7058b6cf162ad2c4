import { NOISE_RULES, DEFAULT_NOISE } from './noise.ts';
import { hashText } from './hash.ts';

/** Blocks to ignore: every property given must equal that of the block's place, and its text begin and end so. */
export interface IgnoredPlace {
  id?: string;
  row?: string;
  column?: string;
  heading?: string;
  /** Which of the blocks there: an id or a heading alone names everything below it. */
  begins?: string;
  ends?: string;
  /** Only changes of numbers are noise there. */
  numbersOnly?: boolean;
}

/** What is read and what is called noise. All of it is optional; names that are not here are refused. */
export interface Rules {
  /** Read `alt`, `title`, `aria-label`, placeholders, progress and meter values. */
  attributeText?: boolean;
  /** Read what was typed or chosen in forms; never passwords. */
  formState?: boolean;
  /** Read the text of `::before` and `::after`. */
  pseudoText?: boolean;
  /** Keep runs of spaces in `pre`. */
  keepPreWhitespace?: boolean;
  /** Do not read text that only screen readers get (clipped to a pixel). */
  skipScreenReaderText?: boolean;
  /** Read frames of the same origin in place (default). An observer that runs in every frame says `false`. */
  frames?: boolean;
  /** Names of the noise rules that hold, in place of the default ones. */
  masks?: readonly string[];
  /** Changes in these places are noise: CSS selectors (asked when the page is read) or places. Added to the known ad containers. */
  ignore?: readonly (string | IgnoredPlace)[];
}

/** Rules with every name filled in. */
export type FullRules = Required<Rules>;

const DEFAULTS: FullRules = {
  attributeText: false,
  formState: false,
  pseudoText: false,
  keepPreWhitespace: false,
  skipScreenReaderText: false,
  frames: true,
  masks: DEFAULT_NOISE,
  ignore: [],
};
const PLACE_NAMES = ['id', 'row', 'column', 'heading', 'begins', 'ends'];

/**
 * Fills in the defaults.
 * @throws TypeError that says which name or value is wrong, and which are known.
 */
export function fullRules(rules: Rules = {}): FullRules {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) {
    throw new TypeError('Content rules must be an object');
  }
  const full: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(rules)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new TypeError(`Unknown content rule "${name}". Known: ${Object.keys(DEFAULTS).join(', ')}`);
    }
    if (value === undefined) continue;
    if (name === 'masks') full[name] = checkMasks(value);
    else if (name === 'ignore') full[name] = checkIgnore(value);
    else if (typeof value === 'boolean') full[name] = value;
    else throw new TypeError(`Content rule "${name}" must be true or false`);
  }
  return full as unknown as FullRules;
}

function checkMasks(value: unknown): string[] {
  if (!Array.isArray(value)) throw new TypeError('Content rule "masks" must be a list of names');
  for (const name of value) {
    if (typeof name !== 'string' || !NOISE_RULES.includes(name)) {
      throw new TypeError(`Unknown mask "${String(name)}". Known: ${NOISE_RULES.join(', ')}`);
    }
  }
  return NOISE_RULES.filter((name) => value.includes(name));
}

function checkIgnore(value: unknown): (string | IgnoredPlace)[] {
  if (!Array.isArray(value))
    throw new TypeError('Content rule "ignore" must be a list of selectors and places');
  return value.map((entry: unknown) => {
    if (typeof entry === 'string' && entry.trim() !== '') return entry;
    if (typeof entry !== 'object' || entry === null) {
      throw new TypeError('An entry of "ignore" must be a CSS selector or a place');
    }
    const names = Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, value] of names) {
      const right =
        name === 'numbersOnly'
          ? typeof value === 'boolean'
          : PLACE_NAMES.includes(name) && typeof value === 'string' && value !== '';
      if (!right)
        throw new TypeError(
          `"${name}" of an ignored place must be one of ${PLACE_NAMES.join(', ')} (text) or numbersOnly (true or false)`,
        );
    }
    if (!names.some(([name]) => PLACE_NAMES.includes(name))) {
      throw new TypeError(`An ignored place needs one of ${PLACE_NAMES.join(', ')}`);
    }
    return Object.fromEntries(names) as IgnoredPlace;
  });
}

/** Rules that decide what is read in the page. The others are asked again whenever a version is read (see `relabel`). */
const READ = [
  'attributeText',
  'formState',
  'pseudoText',
  'keepPreWhitespace',
  'skipScreenReaderText',
] as const satisfies (keyof Rules)[];

/** The part of rules by which an observer reads a frame: without what is asked of stored texts, too. */
export function readingRules(rules: Rules): Rules {
  const on = Object.fromEntries(READ.filter((name) => rules[name]).map((name) => [name, true]));
  const ignore = rules.ignore?.filter((entry) => typeof entry === 'string') ?? [];
  return { ...on, frames: false, ...(ignore.length > 0 && { ignore }) };
}

/** Hash of rules: equal for equal rules, however they are written. */
export function rulesHash(rules: FullRules): string {
  const entries = Object.keys(DEFAULTS)
    .sort()
    .map((name) => [name, rules[name as keyof FullRules]]);
  return hashText(JSON.stringify(entries));
}
