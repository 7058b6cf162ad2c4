import type { Clock } from './clock.ts';
import type { KeyMaker } from './items.ts';
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
  /** Version of Onceover. */
  readonly version: string;
  isDraining: boolean;
}
