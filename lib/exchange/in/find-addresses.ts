import { decodeEntities } from './tags.ts';

/** http(s), also where the whole address is encoded (`https%3A%2F%2F`). */
const START = /https?(?::\/\/|%(?:25)*3A%(?:25)*2F%(?:25)*2F)/gi;
/** White space, quotes, angle brackets, and the punctuation of Chinese, which no address ends or goes on with unescaped. */
const END =
  /[\s"<>`\u3000-\u3002\u3008-\u3011\u3014-\u301B\uFF01\uFF08\uFF09\uFF0C\uFF1A\uFF1B\uFF1F\u2018-\u201F\u2026]/g;
const QUOTED = ['""', '``'];
const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/**
 * Addresses in running text. A full stop, comma or closing bracket at the end belongs to the sentence, unless its opening bracket
 * is part of the address or the address stands in `""`, backquotes or
 * `<>` (where Markdown decodes entities). One pass, so no text makes it slow.
 */
export function* findAddresses(text: string): Generator<{ url: string; column: number }> {
  START.lastIndex = 0;
  for (let start = START.exec(text); start !== null; start = START.exec(text)) {
    END.lastIndex = START.lastIndex;
    const end = END.exec(text)?.index ?? text.length;
    const address = text.slice(start.index, end);
    const around = text.charAt(start.index - 1) + text.charAt(end);
    const url =
      around === '<>'
        ? decodeEntities(address)
        : QUOTED.includes(around)
          ? address
          : withoutPunctuation(address);
    if (url.length > start[0].length) yield { url, column: start.index + 1 };
    START.lastIndex = end;
  }
}

function withoutPunctuation(url: string): string {
  const depth: Record<string, number> = {};
  for (const character of url) {
    if ('([{'.includes(character)) depth[character] = (depth[character] ?? 0) + 1;
    const opening = CLOSING[character];
    if (opening !== undefined) depth[opening] = (depth[opening] ?? 0) - 1;
  }
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    const opening = CLOSING[last];
    if (opening !== undefined) {
      if ((depth[opening] ?? 0) >= 0) break;
      depth[opening] = (depth[opening] ?? 0) + 1;
    } else if (!".,;:!?'*_".includes(last)) break;
  }
  return url.slice(0, end);
}
