import { ANSWER_BYTES, RESULTS } from './answers.ts';
import type { Store, Verb } from './store.ts';

/** Upper bounds of the latency histogram, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts of the process, and their text for Prometheus (exposition format 0.0.4). */
export class Metrics {
  /** By verb and result. */
  readonly #answers = new Map<string, number>();
  /** By route and status. */
  readonly #requests = new Map<string, number>();
  readonly #latency = new Map<string, { buckets: number[]; sum: number }>();
  #replays = 0;
  /** Requests that are being answered, and connections, as the server sees them. */
  inFlight = 0;
  connections = () => 0;

  countAnswers(verb: Verb, answers: Buffer, replayed: boolean): Record<string, number> {
    const counts = [0, 0, 0, 0, 0];
    for (let at = 0; at < answers.length; at += ANSWER_BYTES) counts[answers[at]!]!++;
    const told: Record<string, number> = {};
    for (const [number, count] of counts.entries()) {
      if (count === 0) continue;
      const result = RESULTS[number]!;
      told[result] = count;
      const name = `verb="${verb}",result="${result}"`;
      // The answers of a replay were counted before.
      if (!replayed) this.#answers.set(name, (this.#answers.get(name) ?? 0) + count);
    }
    if (replayed) this.#replays++;
    return told;
  }

  countRequest(route: string, status: number, seconds: number): void {
    const name = `route="${route}",status="${status}"`;
    this.#requests.set(name, (this.#requests.get(name) ?? 0) + 1);
    const latency = this.#latency.get(route) ?? { buckets: BOUNDS.map(() => 0), sum: 0 };
    this.#latency.set(route, latency);
    const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) latency.buckets[bucket]!++;
    else latency.buckets[BOUNDS.length] = (latency.buckets[BOUNDS.length] ?? 0) + 1;
    latency.sum += seconds;
  }

  text(store: Store): string {
    const { fingerprints, leases, queue, filter, expectedCollisions, fullestSet, setLimit, layers } =
      store.figures();
    const lines: string[] = [];
    const metric = (name: string, type: string, help: string, values: Iterable<[string, number]>) => {
      lines.push(`# HELP onceover_${name} ${help}`, `# TYPE onceover_${name} ${type}`);
      for (const [labels, value] of values)
        lines.push(`onceover_${name}${labels === '' ? '' : `{${labels}}`} ${value}`);
    };
    metric('answers_total', 'counter', 'Items answered, by verb and result.', this.#answers);
    metric('replays_total', 'counter', 'Requests answered from the journal.', [['', this.#replays]]);
    metric('requests_total', 'counter', 'Requests, by route and status.', this.#requests);
    this.#histogram(lines);
    const { user, system } = process.cpuUsage();
    metric('cpu_seconds_total', 'counter', 'CPU time of the process.', [['', (user + system) / 1e6]]);
    metric('memory_bytes', 'gauge', 'Resident memory of the process.', [['', process.memoryUsage.rss()]]);
    metric('fingerprints', 'gauge', 'Fingerprints in the store.', [['', fingerprints]]);
    metric('leases', 'gauge', 'Leases held or waiting for a retry.', [['', leases]]);
    metric('queue', 'gauge', 'Requests that wait for a transaction.', [['', queue]]);
    metric('in_flight', 'gauge', 'Requests being answered.', [['', this.inFlight]]);
    metric('connections', 'gauge', 'Open connections.', [['', this.connections()]]);
    if (expectedCollisions !== undefined)
      metric('collisions_expected', 'gauge', 'Pairs of pages to be expected under one fingerprint.', [
        ['', expectedCollisions],
      ]);
    if (fullestSet !== undefined && setLimit !== undefined) {
      metric('set_members_most', 'gauge', 'Members of the fullest set met.', [['', fullestSet]]);
      metric('set_members_limit', 'gauge', 'Members from which a set takes much more memory.', [
        ['', setLimit],
      ]);
    }
    const byLayer =
      layers ?? (filter === undefined ? undefined : { filter: filter.negatives, store: filter.positives });
    if (byLayer !== undefined)
      metric(
        'layer_hits_total',
        'counter',
        'Look-ups by the layer that decided.',
        Object.entries(byLayer).map(([layer, count]) => [`layer="${layer}"`, count]),
      );
    if (filter !== undefined) {
      metric('filter_false_positives_total', 'counter', 'Look-ups the filter sent to the store in vain.', [
        ['', filter.falsePositives],
      ]);
      metric('filter_estimated_error_ratio', 'gauge', 'False positives to be expected, by the bits set.', [
        ['', filter.estimatedErrorRate],
      ]);
      metric('filter_bytes', 'gauge', 'Memory of the filter.', [['', filter.bytes]]);
      metric('filter_ready', 'gauge', '1 when the filter is built from the store.', [
        ['', Number(filter.ready)],
      ]);
    }
    return `${lines.join('\n')}\n`;
  }

  #histogram(lines: string[]): void {
    const name = 'onceover_request_seconds';
    lines.push(`# HELP ${name} Time from the head of a request to its answer.`, `# TYPE ${name} histogram`);
    for (const [route, { buckets, sum }] of this.#latency) {
      let count = 0;
      for (const [index, bound] of [...BOUNDS, '+Inf'].entries()) {
        count += buckets[index] ?? 0;
        lines.push(`${name}_bucket{route="${route}",le="${bound}"} ${count}`);
      }
      lines.push(`${name}_sum{route="${route}"} ${sum}`, `${name}_count{route="${route}"} ${count}`);
    }
  }
}
