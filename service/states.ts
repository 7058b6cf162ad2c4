/** What the service knows of a page that somebody saw; the numbers are stored: append, never renumber. At most four. */
export const FINGERPRINT_STATES = ['visited', 'gone'] as const;
export type PageState = (typeof FINGERPRINT_STATES)[number];

/** When a page was first seen and how it is, in one number, so that a store keeps 6 bytes for both. Never 0. */
export const packMark = (at: number, state: number): number => at * 4 + state;
export const markTime = (mark: number): number => Math.floor(mark / 4);
export const markState = (mark: number): number => mark % 4;
/** Times beyond do not fit in 6 bytes: the year 4199. */
export const LATEST = 2 ** 46 - 1;
