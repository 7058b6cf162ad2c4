import type { ExportFormat } from '../format.ts';
import { quote, table } from './csv.ts';

/** What a spreadsheet takes for the start of a formula, in the full width forms of Chinese and Japanese input too. */
const FORMULA = /^[\s'"]*[=+\-@＝＋－＠]/;

export const csvExcel: ExportFormat = {
  name: 'csv-excel',
  extension: '.csv',
  mime: 'text/csv',
  purpose: {
    en: 'CSV for Excel: BOM, CRLF, every field quoted, no formulas',
    zh: '供 Excel 使用的 CSV：带 BOM，CRLF 换行，全部加引号，不含公式',
  },
  proof: 'tool',
  fragment: 'keep',
  options: ['columns'],
  limitation: {
    en: 'Excel shows at most 32,767 characters of a cell',
    zh: 'Excel 单元格最多显示 32767 个字符',
  },
  open(context) {
    const file = table(context, '\r\n', (text) => quote(FORMULA.test(text) ? `'${text}` : text), quote);
    return { ...file, head: `\uFEFF${file.head ?? ''}` };
  },
};
