import { escapeAlso } from '../address.ts';
import type { ExportFormat } from '../format.ts';
import { lines } from './lines.ts';

export const katana: ExportFormat = {
  name: 'katana',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'katana: list of addresses', zh: 'katana：地址列表' },
  proof: 'documentation',
  use: 'katana -list FILE',
  fragment: 'drop',
  options: [],
  limitation: {
    en: 'katana cuts addresses at commas: they are escaped',
    zh: 'katana 会在逗号处截断地址，因此逗号被转义',
  },
  open: lines(({ url }) => escapeAlso(url, /,/g)),
};
