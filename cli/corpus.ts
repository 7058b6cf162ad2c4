import { compilePolicy, normalizeUrl, type Policy } from '#lib/url/index.ts';

/** A file of samples: `corpus/urls.json`, or one of a person's own in the same shape. */
export interface Corpus {
  /** `expected`: the key; `reject`: `scheme`, or `invalid` (which covers empty). */
  cases?: {
    id: string;
    input: string;
    base?: string;
    options?: unknown;
    expected?: string | null;
    reject?: string;
  }[];
  /** Pairs that are two pages. */
  mustDiffer?: { id: string; a: string; b: string; why?: string }[];
  /** Addresses that are one page. */
  mustEqual?: { id: string; urls: string[]; why?: string }[];
}

/** What a person has accepted: for each sample its key, or `!` and the reason why it has none. */
export type Accepted = Record<string, string>;

export interface Verdict {
  /** What the rules say now. */
  keys: Accepted;
  /** Samples whose key is another than accepted; `after: null`: the sample is gone, `before: null`: it is new. */
  changes: { id: string; input: string; before: string | null; after: string | null }[];
  /** Samples whose right answer is written beside them and is not what comes out. */
  faults: { id: string; problem: string }[];
}

/** Runs a corpus. @throws {PolicyError} for the `options` of a sample */
export function checkCorpus(corpus: Corpus, accepted: Accepted, policy: Policy): Verdict {
  const keys: Accepted = {};
  const inputs: Record<string, string> = {};
  const faults: Verdict['faults'] = [];
  const keyOf = (id: string, input: string, of: Policy = policy, base?: string): string => {
    const result = normalizeUrl(input, of, base);
    const key = result.ok ? result.key : `!${result.reason}`;
    keys[id] = key;
    inputs[id] = input;
    return key;
  };

  for (const { id, input, base, options, expected, reject } of corpus.cases ?? []) {
    const key = keyOf(id, input, options === undefined ? policy : compilePolicy(options), base);
    const wanted =
      typeof expected === 'string'
        ? [expected]
        : reject === 'scheme'
          ? ['!unsupported-scheme']
          : ['!invalid', '!empty'];
    const isTold = typeof expected === 'string' || reject !== undefined;
    if (isTold && !wanted.includes(key))
      faults.push({ id, problem: `${input}\n    must be ${wanted[0]}\n    and is   ${key}` });
  }
  for (const { id, a, b, why } of corpus.mustDiffer ?? []) {
    if (keyOf(`${id}/a`, a) === keyOf(`${id}/b`, b)) {
      faults.push({
        id,
        problem: `two pages under one key (${why ?? 'no reason given'})\n    ${a}\n    ${b}`,
      });
    }
  }
  for (const { id, urls, why } of corpus.mustEqual ?? []) {
    const found = new Set(urls.map((url, index) => keyOf(`${id}/${index + 1}`, url)));
    if (found.size > 1) {
      faults.push({
        id,
        problem: `one page under ${found.size} keys (${why ?? 'no reason given'})\n    ${[...found].join('\n    ')}`,
      });
    }
  }

  const changes: Verdict['changes'] = [];
  for (const id of new Set([...Object.keys(keys), ...Object.keys(accepted)])) {
    const [before = null, after = null] = [accepted[id], keys[id]];
    if (before !== after) changes.push({ id, input: inputs[id] ?? '', before, after });
  }
  return { keys, changes, faults };
}

/** A plain list as a corpus: each line is a sample that is called after its number. */
export function corpusOfLines(lines: readonly string[]): Corpus {
  const cases = lines.map((input, index) => ({ id: `line ${index + 1}`, input }));
  return { cases: cases.filter(({ input }) => input.trim() !== '') };
}
