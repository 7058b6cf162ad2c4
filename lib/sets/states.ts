/** State of a key in a set, as stored; the words are those of a page in its round. */
export const ABSENT = 0;
export const KNOWN = 1;
export const VISITED = 2;
export const RETRYING = 3;
export const GONE = 4;

export type State = typeof ABSENT | typeof KNOWN | typeof VISITED | typeof RETRYING | typeof GONE;
/** State of a key that is in the set. */
export type PresentState = Exclude<State, typeof ABSENT>;

/** The words of the states in their order, `absent` for a key that is not in the set. */
export const STATE_WORDS = ['absent', 'known', 'visited', 'retrying', 'gone'] as const;

/** Keys below a prefix, by state; `retrying` and `gone` ones are in neither. */
export interface Counts {
  readonly visited: number;
  readonly known: number;
}

/** The counts of one key. */
export function countsOf(state: State): Counts {
  return { visited: state === VISITED ? 1 : 0, known: state === KNOWN ? 1 : 0 };
}
