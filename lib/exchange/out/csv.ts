import { COLUMNS, type ExportContext, type ExportFormat, type OpenFile, type SafeRecord } from '../format.ts';
import { plainText } from '../text.ts';

export const csv: ExportFormat = {
  name: 'csv',
  extension: '.csv',
  mime: 'text/csv',
  purpose: {
    en: 'CSV for programs: no BOM, LF, quotes only where needed',
    zh: '供程序使用的 CSV：无 BOM，LF 换行，仅在需要时加引号',
  },
  proof: 'tool',
  fragment: 'keep',
  options: ['columns'],
  limitation: {
    en: 'Not for spreadsheets: texts that look like formulas stay as they are',
    zh: '不要用电子表格打开：形似公式的文本保持原样',
  },
  open: (context) => table(context, '\n', (text) => (/[",;\t]/.test(text) ? quote(text) : text)),
};

/** A table with a header line; texts become cells by `cell`, numbers and yes/no stay bare in programs' files and quoted in Excel's. */
export function table(
  { columns = COLUMNS }: ExportContext,
  lineEnd: string,
  textCell: (text: string) => string,
  valueCell: (text: string) => string = (text) => text,
): OpenFile {
  const cell = (value: SafeRecord[keyof SafeRecord]) => {
    if (value === undefined) return valueCell('');
    return typeof value === 'string' ? textCell(plainText(value)) : valueCell(String(value));
  };
  return {
    head: columns.map((column) => valueCell(column)).join(',') + lineEnd,
    entry: (record) =>
      columns.map((column) => timeOrValue(column, record, cell, valueCell)).join(',') + lineEnd,
  };
}

function timeOrValue(
  column: keyof SafeRecord,
  record: SafeRecord,
  cell: (value: SafeRecord[keyof SafeRecord]) => string,
  valueCell: (text: string) => string,
): string {
  const value = record[column];
  if ((column === 'firstVisitAt' || column === 'lastVisitAt') && typeof value === 'number') {
    return valueCell(new Date(value).toISOString());
  }
  return cell(value);
}

export function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
