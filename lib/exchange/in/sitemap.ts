import { attribute, decodeEntities, readTags } from './tags.ts';
import type { ImportFormat } from './reader.ts';

/** Sitemaps and their indexes (whose entries come out as `sitemap`), and the links of RSS and Atom feeds, which may stand in for one. */
export const sitemap: ImportFormat = {
  name: 'sitemap',
  extensions: ['.xml', '.rss', '.atom'],
  purpose: { en: 'Sitemap, sitemap index or feed', zh: '站点地图、站点地图索引或订阅源' },
  async *read(bytes) {
    let parent = '';
    let open: { name: string; line: number; column: number } | null = null;
    let isOpenParent = false;
    for await (const { name, attributes, text, line, column } of readTags(bytes)) {
      const local = withoutPrefix(name);
      if (open !== null && local === `/${open.name}`) {
        const url = decodeEntities(text).trim();
        const found = { line: open.line, column: open.column, url };
        yield parent === 'sitemap' ? { ...found, sitemap: true } : found;
        open = null;
        continue;
      }
      if (open !== null) {
        yield {
          line: open.line,
          column: open.column,
          problem: `<${open.name}> is not closed before <${name}>.`,
        };
        open = null;
      }
      if (PARENTS.includes(local)) {
        parent = local;
        isOpenParent = true;
      } else if (local === `/${parent}`) {
        isOpenParent = false;
      } else if (
        isOpenParent &&
        local === 'loc' &&
        parent !== 'item' &&
        parent !== 'entry' &&
        !isForeign(name)
      ) {
        open = { name: 'loc', line, column };
      } else if (isOpenParent && name === 'link' && parent === 'item') open = { name: 'link', line, column };
      else if (isOpenParent && local === 'link' && parent === 'entry') {
        const relation = attribute(attributes, 'rel');
        const url = attribute(attributes, 'href');
        if (url !== null && (relation === null || relation === 'alternate')) yield { line, column, url };
      }
    }
    if (open !== null)
      yield {
        line: open.line,
        column: open.column,
        problem: `The file is cut off: <${open.name}> has no end.`,
      };
  },
};

const PARENTS = ['url', 'sitemap', 'item', 'entry'];

function withoutPrefix(name: string): string {
  return name.replace(/^(\/?)[^:]*:/, '$1');
}

/** `image:loc` and `video:…` are parts of a page. */
function isForeign(name: string): boolean {
  return /^(?:image|video|news|xhtml):/.test(name);
}
