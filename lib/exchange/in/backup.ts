import { BackupError, readBackup } from '../backup.ts';
import type { Page } from '#lib/rounds/types.ts';
import type { Found, ImportFormat } from './reader.ts';

/** The pages of a backup as links. (Restoring a backup is another thing.) */
export const backup: ImportFormat = {
  name: 'backup',
  extensions: ['.onceover'],
  purpose: { en: 'Backup of Onceover: only its addresses', zh: 'Onceover 备份：仅读取地址' },
  async *read(bytes) {
    try {
      for await (const { store, row, line } of readBackup(bytes)) {
        if (store !== 'pages') continue;
        const page = row as unknown as Page;
        const found: Found = { line, column: 1, url: page.url };
        if (page.title !== undefined) found.title = page.title;
        yield found;
      }
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      yield { line: Math.max(1, error.line), column: 1, problem: error.message };
    }
  },
};
