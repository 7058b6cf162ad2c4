/**
 * The address as far as it may be kept: without userinfo and without a text directive (`:~:text=`), which `location`
 * does not show either. `undefined` for anything that is not a page of the web.
 */
export function webAddress(raw: string): string | undefined {
  if (!/^https?:/i.test(raw)) return undefined;
  const url = URL.parse(raw);
  if (!url) return undefined;
  url.username = '';
  url.password = '';
  const directive = url.hash.search(/:(~|%7E):/i);
  if (directive >= 0) url.hash = url.hash.slice(1, directive);
  return url.href;
}
