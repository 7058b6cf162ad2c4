export interface Count {
  passed: number;
  failed: number;
  skipped: number;
}
type Counter = (report: unknown) => Count;
export const countVitest: Counter;
export const countPlaywright: Counter;
export function countTests(counter: Counter, file: string, status: number | null): Count;
