import { decodeText } from './decode.ts';
import { LONGEST_TEXT, type Bytes } from './reader.ts';

/** A piece of markup in the order of the file. */
export interface Tag {
  /** Lower case, without a namespace prefix's meaning: `image:loc` stays `image:loc`. Closing tags begin with `/`. */
  name: string;
  /** The raw text between the name and the end of the tag. */
  attributes: string;
  /** Text since the tag before, not yet decoded of entities; CDATA is encoded into it. */
  text: string;
  line: number;
  column: number;
}

/**
 * The tags of an XML or HTML file with the text before each, however broken it is. Comments, declarations and instructions are
 * passed over, so a DOCTYPE defines no entities. One pass; tags and texts above 64 Ki characters are cut. HTML's script and style
 * are passed over as a whole.
 */
export async function* readTags(bytes: Bytes): AsyncGenerator<Tag> {
  let buffer = '';
  let line = 1;
  let column = 1;
  let text = '';
  /** What ends the thing that is being passed over. */
  let skipTo: { end: string; keep: boolean } | null = null;
  let rawEnd: string | null = null;

  const advance = (length: number): string => {
    const passed = buffer.slice(0, length);
    buffer = buffer.slice(length);
    let from = 0;
    for (let feed = passed.indexOf('\n'); feed >= 0; feed = passed.indexOf('\n', from)) {
      line++;
      column = 1;
      from = feed + 1;
    }
    column += passed.length - from;
    return passed;
  };
  const addText = (more: string) => {
    if (text.length < LONGEST_TEXT) text = (text + more).slice(0, LONGEST_TEXT);
  };

  for await (const piece of decodeText(bytes)) {
    buffer += piece;
    for (;;) {
      if (skipTo !== null) {
        const end = buffer.indexOf(skipTo.end);
        if (end < 0) {
          // All but what may be the beginning of the end.
          const passed = advance(Math.max(0, buffer.length - skipTo.end.length + 1));
          if (skipTo.keep) addText(encode(passed));
          break;
        }
        const passed = advance(end);
        if (skipTo.keep) addText(encode(passed));
        advance(skipTo.end.length);
        skipTo = null;
      }
      const open = buffer.indexOf('<');
      if (open < 0) {
        addText(advance(buffer.length));
        break;
      }
      addText(advance(open));
      if (buffer.length < 9 && piece !== '') break;
      if (rawEnd !== null && !buffer.slice(0, rawEnd.length).toLowerCase().startsWith(rawEnd)) {
        advance(1);
        continue;
      }
      if (buffer.startsWith('<!--')) skipTo = { end: '-->', keep: false };
      else if (buffer.startsWith('<![CDATA[')) {
        advance(9);
        skipTo = { end: ']]>', keep: true };
      } else if (buffer.startsWith('<!DOCTYPE') && /^<!DOCTYPE[^>[]*\[/i.test(buffer))
        skipTo = { end: ']>', keep: false };
      else if (buffer.startsWith('<?')) skipTo = { end: '?>', keep: false };
      if (skipTo !== null) continue;
      if (!/^<[/!A-Za-z]/.test(buffer)) {
        addText(advance(1));
        continue;
      }
      const end = tagEnd(buffer);
      if (end < 0) {
        if (buffer.length <= LONGEST_TEXT) break;
        advance(LONGEST_TEXT);
        continue;
      }
      const at = { line, column };
      const body = advance(end + 1).slice(1, -1);
      const name = /^\/?[^\s/>]*/.exec(body)?.[0].toLowerCase() ?? '';
      rawEnd = name === 'script' || name === 'style' ? `</${name}` : null;
      if (!name.startsWith('!')) yield { name, attributes: body.slice(name.length), text, ...at };
      text = '';
    }
  }
}

/** Index of the `>` that ends the tag at the start, outside of quoted values; -1 where it is not there yet. */
function tagEnd(buffer: string): number {
  let quote = '';
  for (let at = 1; at < buffer.length && at <= LONGEST_TEXT; at++) {
    const character = buffer.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at;
    else if ((character === '"' || character === "'") && /[=\s]/.test(buffer.charAt(at - 1)))
      quote = character;
  }
  return -1;
}

/** The value of an attribute, entities decoded; `null` where the tag has none of that name. */
export function attribute(attributes: string, name: string): string | null {
  for (const [, key = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    if (key.toLowerCase() === name) return decodeEntities(double ?? single ?? bare ?? '');
  }
  return null;
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** The five entities of XML, the space of HTML, and numbers. Others stay: nothing a file declares is ever expanded. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (all, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? all;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
    },
  );
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' };

function encode(text: string): string {
  return text.replaceAll('&', '&amp;');
}
