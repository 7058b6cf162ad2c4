export { safeAddress } from './address.ts';
export type { Refusal, SafeAddress } from './address.ts';
export {
  BACKUP_STORES,
  BACKUP_VERSION,
  BackupError,
  readBackup,
  verifyBackup,
  writeBackup,
} from './backup.ts';
export type { BackupHeader, BackupRow, BackupStore, BackupSummary } from './backup.ts';
export { compareWithRound } from './compare.ts';
export type { Compared } from './compare.ts';
export { COLUMNS } from './format.ts';
export type { Column, ExportContext, ExportFormat, FormatName } from './format.ts';
export { FORMATS, findFormat } from './formats.ts';
export { gzip } from './gzip.ts';
export { LONGEST_LINE, readLines } from './lines.ts';
export { otherAddresses, pageRecord } from './record.ts';
export type { AddressChoice, PageRecord } from './record.ts';
export { writeExport } from './write.ts';
export type { ExportEvent, ExportOptions, ExportSummary, Manifest } from './write.ts';
export { importLinks } from './import.ts';
export type { BadLink, ImportedLink, ImportOptions } from './import.ts';
export { findImport, IMPORTS } from './in/index.ts';
export type { ImportFormat, ImportName } from './in/reader.ts';
