import type { ExportContext, ExportFormat, SafeRecord } from '../format.ts';
import { jsonLine } from '../text.ts';
import { lines } from './lines.ts';

export const cdxj: ExportFormat = {
  name: 'cdxj',
  extension: '.cdxj',
  mime: 'text/plain',
  purpose: { en: 'CDXJ: index lines for web archive tools', zh: 'CDXJ：网页存档工具的索引行' },
  proof: 'documentation',
  use: 'LC_ALL=C sort -o FILE FILE',
  fragment: 'drop',
  options: [],
  limitation: { en: 'In the order of the export: sort before use', zh: '按导出顺序排列：使用前请先排序' },
  open: (context) => lines((record) => indexLine(record, context))(),
};

/** `com,example)/path 20260102030405 {"url": …}`: host turned round (SURT), time of the last visit in UTC, fields. */
function indexLine({ url, host, status, lastVisitAt }: SafeRecord, { createdAt }: ExportContext): string {
  const [name = '', port] = host.startsWith('[') ? [host] : host.split(':');
  const turned = name.startsWith('[') || /^[\d.]+$/.test(name) ? name : name.split('.').reverse().join(',');
  const rest = url.slice(url.indexOf('/', url.indexOf('://') + 3)).toLowerCase();
  const time = new Date(lastVisitAt ?? createdAt).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  const fields = status === undefined ? { url } : { url, status: String(status) };
  return `${turned}${port === undefined ? '' : `:${port}`})${rest} ${time} ${jsonLine(fields)}`;
}
