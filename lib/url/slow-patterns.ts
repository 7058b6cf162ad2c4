import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';
import { LONGEST_MATCHED } from './imported.ts';

/** More than this for one address is too slow: a page has thousands of links. */
const MOST_MS = 10;
/** A busy machine makes one measurement long, hardly this many in a row. */
const ATTEMPTS = 3;

/** Counts of repetition: small steps first, so that an exponential expression is caught before it takes minutes. */
const COUNTS = [
  4,
  8,
  12,
  16,
  18,
  20,
  22,
  24,
  26,
  28,
  30,
  32,
  36,
  40,
  48,
  60,
  80,
  120,
  200,
  400,
  800,
  1600,
  LONGEST_MATCHED,
];

/**
 * Whether an imported expression takes too long on some address. It is timed on texts made from itself: for every repetition
 * in it, what leads there, then many of what it repeats, then something that makes the match fail, so that all other ways to
 * read the repeated part are tried. Such texts are what makes backtracking explode (Davis et al., "The Impact of Regular
 * Expression Denial of Service in Practice", ESEC/FSE 2018).
 */
export function isSlow(pattern: RegExp, now: () => number): boolean {
  for (const { before, repeated } of repetitions(pattern.source))
    for (const after of ['\n', '&'])
      for (const count of COUNTS) {
        const text = before + repeated.repeat(count) + after;
        if (text.length > LONGEST_MATCHED + after.length) break;
        if (takesTooLong(pattern, text, now)) return true;
      }
  return false;
}

function takesTooLong(pattern: RegExp, text: string, now: () => number): boolean {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const start = now();
    pattern.lastIndex = 0;
    pattern.test(text);
    const took = now() - start;
    if (took <= MOST_MS) return false;
    // Nothing but the expression itself takes so long, and twice more would be too long to wait for.
    if (took > 20 * MOST_MS) return true;
  }
  return true;
}

interface Repetition {
  readonly before: string;
  readonly repeated: string;
}

/** Characters to fill classes with: one of each kind that expressions for addresses tell apart. */
const FAVOURITES = 'a0-./=&_%A~#'.split('');
/** With those that only this expression tells apart. */
const MOST_FAVOURITES = 64;

/** For each repetition of the expression, and for the expression itself, texts that it repeats. */
function repetitions(source: string): Repetition[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length);
  const quantifiers: AST.Quantifier[] = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter: (node) => {
      if (node.max > 1) quantifiers.push(node);
    },
  });
  if (quantifiers.length === 0) return [];
  const found = new Map<string, Repetition>();
  const add = (before: string, repeated: string) => {
    if (repeated !== '') found.set(`${before}\0${repeated}`, { before, repeated });
  };
  for (const [turn, favourite] of favourites(quantifiers).entries()) {
    for (const quantifier of quantifiers)
      add(textBefore(quantifier, favourite, turn), example(quantifier.element, favourite, turn));
    add('', pattern.alternatives.map((alternative) => example(alternative, favourite, turn))[0] ?? '');
  }
  return [...found.values()];
}

/**
 * With the characters of every group that is repeated: where its alternatives have a character in common, a range of one of them
 * begins with one that they have.
 */
function favourites(quantifiers: readonly AST.Quantifier[]): string[] {
  const found = new Set(FAVOURITES);
  for (const { element } of quantifiers)
    if (element.type === 'Group' || element.type === 'CapturingGroup')
      visitRegExpAST(element, {
        onCharacterEnter: ({ value }) => void found.add(String.fromCodePoint(value)),
      });
  return [...found].slice(0, MOST_FAVOURITES);
}

/** What an address needs before a node is reached. */
function textBefore(node: AST.Node, favourite: string, turn: number): string {
  let text = '';
  for (let at: AST.Node = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (parent.type !== 'Alternative') continue;
    const place = parent.elements.indexOf(at as AST.Element);
    text =
      parent.elements
        .slice(0, place)
        .map((element) => example(element, favourite, turn))
        .join('') + text;
  }
  return text;
}

/** A text that the node matches; `turn` chooses among alternatives. Assertions are taken as empty. */
function example(node: AST.Node, favourite: string, turn: number): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterClass':
    case 'CharacterSet':
      return (
        [favourite, ...FAVOURITES, ' '].find((character) =>
          new RegExp(`^${node.raw}$`, 'i').test(character),
        ) ?? ''
      );
    case 'Quantifier':
      return example(node.element, favourite, turn).repeat(Math.min(Math.max(node.min, 1), 64));
    case 'Alternative':
      return node.elements.map((element) => example(element, favourite, turn)).join('');
    case 'Group':
    case 'CapturingGroup':
      return example(node.alternatives[turn % node.alternatives.length]!, favourite, turn);
    default:
      return '';
  }
}
