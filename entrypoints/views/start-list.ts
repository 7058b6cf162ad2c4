import { importLinks } from '#lib/exchange/import.ts';
import type { Round } from '#lib/rounds/types.ts';
import { getScope } from '#lib/store/read.ts';
import { compilePolicy } from '#lib/url/index.ts';
import { chunksOf, runImport, type Going, type Imported, type ImportSource } from './import-links.ts';

/** What a pasted list would be a round of. */
export interface ListSites {
  /** Pages, each once by the built-in rules. */
  pages: number;
  hosts: string[];
  /** Match patterns to ask for. */
  origins: string[];
}

/** The sites that a list names. */
export async function sitesOf(source: ImportSource): Promise<ListSites> {
  const policy = compilePolicy({ htmlEntities: true });
  const format = source.format ?? 'text';
  const keys = new Set<string>();
  const origins = new Map<string, string>();
  for await (const link of importLinks(chunksOf(source.blob), { policy, format })) {
    if (!link.ok) continue;
    const { protocol, hostname } = new URL(link.url);
    keys.add(link.key);
    origins.set(`${protocol}//${hostname}/*`, hostname);
  }
  return { pages: keys.size, hosts: [...new Set(origins.values())], origins: [...origins.keys()] };
}

/** Writes a list into a round that has just begun: these are the pages to visit. */
export async function fillRound(round: Round, source: ImportSource, going: Going): Promise<Imported> {
  const scope = await getScope(round.scope);
  if (!scope) throw new Error('The project does not exist any more.');
  return runImport(source, round, scope, going);
}
