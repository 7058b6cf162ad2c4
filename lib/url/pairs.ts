/** One `name=value` of a query, as it stands there; `value` is undefined where there is no `=`. */
export interface Pair {
  readonly name: string;
  readonly value: string | undefined;
}

/** Splits by hand on `&` and the first `=`: `URLSearchParams` would destroy bytes that are not UTF-8. */
export function splitPairs(query: string): Pair[] {
  return query.split('&').map((text) => {
    const at = text.indexOf('=');
    return at < 0 ? { name: text, value: undefined } : { name: text.slice(0, at), value: text.slice(at + 1) };
  });
}

export function writePairs(pairs: readonly Pair[]): string {
  return pairs.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)).join('&');
}

/** The query of a pair list: none at all when nothing is left. */
export function queryOf(pairs: readonly Pair[]): string | undefined {
  return pairs.length === 0 ? undefined : writePairs(pairs);
}
