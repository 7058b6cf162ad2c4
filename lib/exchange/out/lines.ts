import type { OpenFile, SafeRecord } from '../format.ts';

/** A file of one line a record: ASCII, LF, no BOM, no comments, no header. */
export function lines(entry: (record: SafeRecord) => string | null): () => OpenFile {
  return () => ({
    entry(record) {
      const line = entry(record);
      return line === null ? null : `${line}\n`;
    },
  });
}
