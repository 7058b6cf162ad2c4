/** All index keys that begin with these parts. */
export function below(parts: string[]): IDBKeyRange {
  return IDBKeyRange.bound(parts, [...parts, []]);
}
