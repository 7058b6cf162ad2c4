import type { ExportFormat } from '../format.ts';
import { escapeEntities } from '../text.ts';
import { lines } from './lines.ts';

/** HTTrack keeps addresses in buffers of 1,024 bytes and passes over longer ones without a word. */
const LONGEST = 1023;

export const httrack: ExportFormat = {
  name: 'httrack',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'HTTrack: list of addresses', zh: 'HTTrack：地址列表' },
  proof: 'tool',
  use: 'httrack --list FILE --depth=1 -O mirror',
  fragment: 'drop',
  options: [],
  limitation: { en: 'Addresses of at most 1,023 characters', zh: '地址最长 1023 个字符' },
  // HTTrack reads the list as HTML text.
  open: lines(({ url }) => (url.length > LONGEST ? null : escapeEntities(url))),
};
