import type { ExportFormat } from '../format.ts';
import { escapeXml } from '../text.ts';

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Limits of sitemaps.org: 50,000 addresses and 50 MB (52,428,800 bytes) a file, 12 to 2,048 characters an address. */
export const sitemap: ExportFormat = {
  name: 'sitemap',
  extension: '.xml',
  mime: 'application/xml',
  purpose: {
    en: 'Sitemap of each site, with an index where it needs more files',
    zh: '各站点的站点地图，文件较多时附索引',
  },
  proof: 'tool',
  fragment: 'drop',
  options: [],
  limits: { entries: 50_000, bytes: 52_428_800, oneOrigin: true },
  limitation: {
    en: 'Addresses of 12 to 2,048 characters; one file for each site',
    zh: '地址长度 12 到 2048 个字符；每个站点一个文件',
  },
  open: () => ({
    head: `${DECLARATION}<urlset xmlns="${NAMESPACE}">\n`,
    entry({ url }) {
      const location = escapeXml(url);
      return url.length < 12 || url.length > 2048 ? null : `<url><loc>${location}</loc></url>\n`;
    },
    tail: () => '</urlset>\n',
  }),
  index(urls) {
    const entries = urls.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>\n`);
    return `${DECLARATION}<sitemapindex xmlns="${NAMESPACE}">\n${entries.join('')}</sitemapindex>\n`;
  },
};
