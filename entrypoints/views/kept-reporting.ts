import type { ChangedBlock } from '#lib/content/snapshot.ts';

/** Offers to ignore a block that the person declined, in this browser; the oldest go first. */
const NAME = 'keptReporting';
const MOST = 500;

const nameOf = (
  scope: string,
  key: string,
  { place: { id, row, column, heading, order } }: ChangedBlock,
): string => JSON.stringify([scope, key, id, row, column, heading, row === undefined ? order : undefined]);

function declined(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether the person said to go on reporting this block. */
export function isKept(scope: string, key: string, block: ChangedBlock): boolean {
  return declined().includes(nameOf(scope, key, block));
}

export function keepReporting(scope: string, key: string, block: ChangedBlock): void {
  localStorage.setItem(NAME, JSON.stringify([...declined(), nameOf(scope, key, block)].slice(-MOST)));
}
