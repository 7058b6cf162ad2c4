import type { ExportFormat } from '../format.ts';
import { lines } from './lines.ts';

export const httrack: ExportFormat = {
  name: 'httrack',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'HTTrack: list of addresses', zh: 'HTTrack：地址列表' },
  proof: 'tool',
  use: 'httrack --list FILE --depth=1 -O mirror',
  fragment: 'drop',
  options: [],
  open: lines(({ url }) => url),
};
