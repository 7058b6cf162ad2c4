import { escapeAlso } from '../address.ts';
import type { ExportFormat } from '../format.ts';
import { lines } from './lines.ts';

/** The addresses that Crawlee's own expression finds whole: a name with a top-level domain of letters. */
const FOUND = /^https?:\/\/(?:[a-z0-9]|[a-z0-9][-a-z0-9._]*[a-z0-9])\.[a-z]{2,63}(?::\d{1,5})?\//;

export const crawleeList: ExportFormat = {
  name: 'crawlee-list',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'Crawlee: list for requestsFromUrl', zh: 'Crawlee：requestsFromUrl 的列表' },
  proof: 'tool',
  use: "RequestList.open(null, [{ requestsFromUrl: 'https://…/FILE' }])",
  fragment: 'drop',
  options: [],
  limitation: {
    en: 'Crawlee cuts addresses at , ; ! and $: they are escaped; IP addresses, bare names and punycode endings are left out',
    zh: 'Crawlee 会在 , ; ! $ 处截断地址，因此这些字符被转义；IP 地址、单标签主机和 punycode 后缀不写入',
  },
  open: lines(({ url }) => (FOUND.test(url) ? escapeAlso(url, /[^-A-Za-z0-9@:%_+.~#?&/=()'*]/g) : null)),
};
