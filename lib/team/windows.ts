/** A round as the store knows it; `ends` is set where it is a window of time. */
export interface RoundKey {
  readonly key: string;
  /** Exclusive, ms since the epoch. */
  readonly ends: number | null;
}

const HOUR = 3_600_000;
const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const WINDOW = /^(day|hour|(\d+)h)(?:@(\d{4}-\d\d-\d\dT\d\d)Z)?$/;

/**
 * The round that a name means now. `day`, `hour` and `6h` (any whole number of hours that divides a day) are tumbling windows in UTC:
 * `6h` is `6h@2025-06-01T12Z` from noon to six. A window can be named in full too. Every other name is the id of a round.
 * Undefined for a name that is neither.
 */
export function roundKey(name: string, now: number): RoundKey | undefined {
  const window = WINDOW.exec(name);
  if (window === null) return ID.test(name) ? { key: name, ends: null } : undefined;
  const [, word = '', hours, from] = window;
  const length = (word === 'day' ? 24 : word === 'hour' ? 1 : Number(hours)) * HOUR;
  if ((24 * HOUR) % length !== 0) return undefined;
  const asked = from === undefined ? now : Date.parse(`${from}:00:00Z`);
  if (Number.isNaN(asked)) return undefined;
  const start = Math.floor(asked / length) * length;
  if (from !== undefined && start !== asked) return undefined;
  return { key: `${word}@${new Date(start).toISOString().slice(0, 13)}Z`, ends: start + length };
}
