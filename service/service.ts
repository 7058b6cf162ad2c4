import type { Clock } from './clock.ts';
import type { KeyMaker } from './items.ts';
import type { LocalJournal } from './local-journal.ts';
import type { Metrics } from './metrics.ts';
import type { Pairing } from './pairing.ts';
import type { Store } from './store.ts';

/** What every route works with. */
export interface Service {
  readonly store: Store;
  readonly keys: KeyMaker;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly pairing: Pairing;
  /** Where marks of namespaces that chose it wait while the store is away. */
  readonly journal?: LocalJournal | undefined;
  /** Version of Onceover. */
  readonly version: string;
  isDraining: boolean;
}
