/** A number as it stands in a text: digits of any script, grouped or not, with a sign that belongs to it. */
const NUMBER = /(?:(?<=^|[\s(:：=~])[+−-])?\p{Nd}+(?:[.,'’]\p{Nd}+)*/gu;

/** Longer texts are prose; their numbers are not followed. */
const MOST_NUMBERS = 20;

export interface NumberedText {
  /** The text with a mark in place of each number: equal templates differ in numbers only. */
  template: string;
  values: number[];
}

/** Takes a text apart into its words and its numbers; undefined where it has none, or too many. */
export function numbersIn(text: string): NumberedText | undefined {
  const values: number[] = [];
  const template = text.replace(NUMBER, (digits) => {
    values.push(valueOf(digits));
    return '\u0000';
  });
  return values.length === 0 || values.length > MOST_NUMBERS ? undefined : { template, values };
}

/**
 * The value of digits with separators. The last separator is the decimal one where there are two kinds; a single kind groups
 * thousands if it occurs twice, or is a comma before exactly three digits.
 */
function valueOf(written: string): number {
  const digits = written
    .normalize('NFKC')
    .replace('−', '-')
    .replace(/\p{Nd}/gu, asciiDigit);
  const separators = [...digits.matchAll(/[.,'’]/g)];
  const last = separators.at(-1);
  if (last === undefined) return Number(digits);
  const kinds = new Set(separators.map(([separator]) => separator));
  const after = digits.length - last.index - 1;
  const grouped =
    kinds.size === 1 && (separators.length > 1 || !/[.,]/.test(last[0]) || (last[0] === ',' && after === 3));
  const whole = (grouped ? digits : digits.slice(0, last.index)).replace(/[.,'’]/g, '');
  return Number(grouped ? whole : `${whole}.${digits.slice(last.index + 1)}`);
}

/** Digits of every script stand in runs of ten, 0 to 9. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0)!;
  if (point < 0x80) return digit;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++;
  return String(value);
}
