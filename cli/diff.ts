import { parseHTML } from 'linkedom';
import { captureSnapshot, compareSnapshots } from '#lib/content/index.ts';
import type { Rules } from '#lib/content/rules.ts';
import type { Change, ChangedBlock, Coverage } from '#lib/content/snapshot.ts';
import { wordDiff } from '#lib/content/words.ts';

/** The difference of two saved pages, and what reading them without a browser leaves unknown. */
export interface FileDifference extends Change {
  /** One sentence each; there is always one about layout. */
  unknown: string[];
}

/**
 * Compares two saved pages as texts of HTML.
 * @throws TypeError for unknown rules.
 */
export function diffFiles(before: string, after: string, rules?: Rules): FileDifference {
  const [older, newer] = [before, after].map((html) => captureSnapshot(parsePage(html), rules));
  const change = compareSnapshots(older!, newer!, rules);
  return { ...change, unknown: unknown(change.coverage) };
}

/** Parses a saved page; scripts are not run. Shadow roots that it declares are attached. */
function parsePage(html: string): Document {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  for (const template of document.querySelectorAll<HTMLTemplateElement>('template[shadowrootmode]')) {
    const host = template.parentElement;
    if (!host || host.shadowRoot) continue;
    host.attachShadow({ mode: 'open' }).append(...template.content.childNodes);
    template.remove();
  }
  return document;
}

function unknown({ canvases, frames, lists, cut }: Coverage): string[] {
  const sentences = [
    'Read without a browser: layout and style sheets are unknown, so text that only they hide is read, and spans that only they draw as blocks join their line.',
  ];
  if (canvases > 0)
    sentences.push(`${canvases} ${canvases === 1 ? 'canvas' : 'canvases'} not read: drawn without text.`);
  if (frames > 0)
    sentences.push(`${frames} ${frames === 1 ? 'frame' : 'frames'} not read: their pages are other files.`);
  for (const { shown, of } of lists)
    sentences.push(`A list shows ${shown} of ${of} rows; the others are unknown.`);
  if (cut) sentences.push('The page has more blocks than are read.');
  return sentences;
}

/** The bytes of a saved page as text: by byte order mark, else by the charset it declares, else UTF-8. */
export function decodePage(bytes: Uint8Array): string {
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : '';
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const declared = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(marked || declared).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The difference as lines for people: what is news first, then the noise, counted by its rule. */
export function describe({ blocks, coarse, unknown }: FileDifference): string {
  const news = blocks.filter(({ noise }) => noise === undefined);
  const noise = Map.groupBy(
    blocks.filter(({ noise }) => noise !== undefined),
    ({ noise }) => noise!,
  );
  const lines = [
    blocks.length === 0
      ? 'No text changed.'
      : `${counted(news.length, 'change')}${noise.size > 0 ? `, and ${counted(blocks.length - news.length, 'change')} that ${blocks.length - news.length === 1 ? 'is' : 'are'} noise` : ''}.`,
    ...news.flatMap(describeBlock),
    ...[...noise].map(([rule, { length }]) => `noise  ${rule}: ${length}`),
    ...(coarse ? ['The pages are too large for the shortest list of changes; every change is listed.'] : []),
    '',
    ...unknown,
  ];
  return `${lines.join('\n')}\n`;
}

function describeBlock(block: ChangedBlock): string[] {
  const { op, before, after, place } = block;
  const where = [
    place.row !== undefined && `row ${place.row}`,
    place.column !== undefined && `column ${place.column}`,
    place.heading !== undefined && `under ${place.heading}`,
    place.collapsed && 'collapsed',
  ].filter((part) => typeof part === 'string');
  const title = `${op}${where.length > 0 ? `  (${where.join(', ')})` : ''}`;
  if (op !== 'edited')
    return [title, `    ${op === 'removed' ? '-' : op === 'added' ? '+' : '='} ${before ?? after}`];
  const words = wordDiff(before!, after!).map(({ op, text }) =>
    op === 'same' ? text : op === 'removed' ? `[-${text}-]` : `{+${text}+}`,
  );
  return [title, `    ${words.join('')}`];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
