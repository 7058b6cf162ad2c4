import { FINGERPRINT_STATES, type PageState } from './states.ts';

/** What an item is answered. Their numbers are part of the binary encoding and of the journal: append, never renumber. */
export const RESULTS = ['fresh', 'seen', 'leased', 'retry_at', 'invalid'] as const;
export const FRESH = 0;
export const SEEN = 1;
export const LEASED = 2;
export const RETRY_AT = 3;
export const INVALID = 4;

/** Why an item is `invalid`; 0 stands for an item that is not. Numbered as above. */
export const REASONS = [
  '',
  /** Its policy version, form or length is not that of the namespace. */
  'form',
  /** Not `{ "url" }` or `{ "url_fp" }`, or a field of it has the wrong type. */
  'item',
  /** The line is not JSON. */
  'json',
  /** The address has no key, for the reasons of `normalizeUrl`. */
  'empty',
  'unsupported-scheme',
  'invalid',
  /** `commit`, `release` and `extend` without a lease, and with the token of an earlier one. */
  'not_leased',
  'fenced',
  /** A redirect that is not permanent says nothing of the page. */
  'temporary',
] as const;
export type Reason = Exclude<(typeof REASONS)[number], ''>;

export const reasonNumber = (reason: Reason): number => REASONS.indexOf(reason);

/** One answer as JSON. Times are milliseconds since the epoch; `first_at` is absent where the store does not keep it. */
export type Answer =
  | { result: 'fresh'; token?: number; until?: number }
  | { result: 'seen'; first_at?: number; state: PageState }
  | { result: 'leased'; until: number; token?: number }
  | { result: 'retry_at'; retry_at: number }
  | { result: 'invalid'; reason: Reason };

/**
 * Answers in the order of their items, 16 bytes each, big-endian: result (1), state or reason (1), time in milliseconds (6), token (8).
 * The form of binary answers and of the journal, and what the store fills without an allocation per item.
 */
export const ANSWER_BYTES = 16;

export function writeAnswer(
  answers: Buffer,
  index: number,
  result: number,
  detail: number,
  time: number,
  token: number,
): void {
  const at = index * ANSWER_BYTES;
  answers[at] = result;
  answers[at + 1] = detail;
  if (time !== 0) answers.writeUIntBE(time, at + 2, 6);
  if (token !== 0) answers.writeUIntBE(token, at + 10, 6);
}

export const resultAt = (answers: Buffer, index: number): number => answers[index * ANSWER_BYTES]!;

/** State or reason. */
export const detailAt = (answers: Buffer, index: number): number => answers[index * ANSWER_BYTES + 1]!;

export function answerAt(answers: Buffer, index: number): Answer {
  const at = index * ANSWER_BYTES;
  const detail = answers[at + 1]!;
  const time = answers.readUIntBE(at + 2, 6);
  const token = answers.readUIntBE(at + 10, 6);
  switch (RESULTS[answers[at]!]) {
    case 'fresh':
      return token === 0 ? { result: 'fresh' } : { result: 'fresh', token, until: time };
    case 'seen':
      return {
        result: 'seen',
        ...(time === 0 ? {} : { first_at: time }),
        state: FINGERPRINT_STATES[detail]!,
      };
    case 'leased':
      return token === 0 ? { result: 'leased', until: time } : { result: 'leased', until: time, token };
    case 'retry_at':
      return { result: 'retry_at', retry_at: time };
    default:
      return { result: 'invalid', reason: REASONS[detail] as Reason };
  }
}

const PLAIN_FRESH = '{"result":"fresh"}';

/** The JSON of every answer, with a separator between. It is ASCII. */
export function answersJson(answers: Buffer, separator: string): string {
  let text = '';
  for (let index = 0; index < answers.length / ANSWER_BYTES; index++) {
    const at = index * ANSWER_BYTES;
    const isPlain = answers[at] === FRESH && answers.readUIntBE(at + 10, 6) === 0;
    if (index > 0) text += separator;
    text += isPlain ? PLAIN_FRESH : JSON.stringify(answerAt(answers, index));
  }
  return text;
}
