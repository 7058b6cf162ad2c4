import { fresh } from './lists.ts';

/** Work to be timed. */
export interface Work {
  readonly name: string;
  /** How many operations one run is. */
  readonly operations: number;
  /** Makes ready for one run, untimed, and gives the run; what that answers keeps the work from being dropped. */
  readonly prepare: () => () => unknown;
}

/** Work over a list of addresses: the sum of what each one gives. */
export function over(name: string, urls: readonly string[], work: (url: string) => number): Work {
  const run = (): number => {
    let sum = 0;
    for (const url of urls) sum += work(url);
    return sum;
  };
  return { name, operations: urls.length, prepare: () => run };
}

/** A question asked about each address of a list, in strings that are new in every round. */
export function ask(name: string, urls: readonly string[], has: (url: string) => boolean): Work {
  const prepare = () => {
    const keys = fresh(urls);
    return () => {
      let found = 0;
      for (const key of keys) if (has(key)) found++;
      return found;
    };
  };
  return { name, operations: urls.length, prepare };
}

/** Nanoseconds an operation, over all rounds. */
export interface Timing {
  readonly median: number;
  readonly best: number;
}

/** A work is run again within a round until it was timed for so long: shorter times are those of the clock and the scheduler. */
const LEAST_MS = 25;

let sink: unknown;

/**
 * Times several works against each other: in each round every work has its turn, and the order moves on by one, so that whatever else
 * the machine does meets all of them. Two rounds before are not counted: the engine compiles in them.
 */
export async function interleave(works: readonly Work[], rounds: number): Promise<Map<string, Timing>> {
  const times = works.map((): number[] => []);
  for (let round = -2; round < rounds; round++) {
    for (let i = 0; i < works.length; i++) {
      const index = (i + Math.max(0, round)) % works.length;
      const time = await timeOf(works[index]!);
      if (round >= 0) times[index]!.push(time);
    }
  }
  void sink;
  return new Map(works.map(({ name }, i) => [name, timing(times[i]!)]));
}

/** Nanoseconds an operation in one turn. */
async function timeOf({ prepare, operations }: Work): Promise<number> {
  let took = 0;
  let runs = 0;
  while (took < LEAST_MS) {
    const run = prepare();
    const start = performance.now();
    const result = run();
    sink = result instanceof Promise ? await result : result;
    took += performance.now() - start;
    runs++;
  }
  return (took / (runs * operations)) * 1e6;
}

function timing(times: number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, best: sorted[0]! };
}
