import { decodeText } from './decode.ts';
import { LONGEST_TEXT, type Bytes } from './reader.ts';

/** A text of a JSON document, or (`value: null`) the end of the object at `path`. */
export interface JsonString {
  /** Names and `[]` from the top, e.g. `log.entries[].request.url`. */
  path: string;
  value: string | null;
  line: number;
  column: number;
}

/** The document is no JSON from here on. */
export class JsonError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(problem: string, line: number, column: number) {
    super(problem);
    this.line = line;
    this.column = column;
  }
}

const DEEPEST = 200;

interface Level {
  isArray: boolean;
  path: string;
  /** Next in an object: a name, its `:`, its value, or `,`. Arrays know only the last two. */
  expects: 'name' | 'colon' | 'value' | 'comma';
}

/**
 * The texts of a JSON document with their places, however large it is: one pass over its characters, nothing kept but the path and
 * the current text. Texts above 64 Ki characters (bodies in HAR files) are passed over. @throws {JsonError} where it is no JSON.
 */
export async function* jsonStrings(bytes: Bytes): AsyncGenerator<JsonString> {
  const levels: Level[] = [{ isArray: true, path: '', expects: 'value' }];
  let line = 1;
  let column = 0;
  let mode: 'plain' | 'text' | 'escape' | 'unicode' | 'word' = 'plain';
  let text = '';
  let digits = '';
  let tooLong = false;
  let start = { line: 1, column: 1 };
  let name = '';

  const top = () => {
    const level = levels.at(-1);
    if (level === undefined) throw new JsonError('The JSON goes on after its end.', line, column);
    return level;
  };
  const fail = (what: string) => new JsonError(`This is no JSON: ${what}.`, line, column);
  const valuePath = (level: Level) =>
    level.isArray ? level.path : level.path === '' ? name : `${level.path}.${name}`;
  const beginValue = (level: Level) => {
    if (level.expects !== 'value')
      throw fail(level.expects === 'comma' ? 'a comma is missing' : 'a value where none may stand');
    level.expects = 'comma';
    return valuePath(level);
  };

  for await (const piece of decodeText(bytes)) {
    for (let at = 0; at < piece.length; at++) {
      const character = piece.charAt(at);
      if (character === '\n') {
        line++;
        column = 0;
      } else column++;

      if (mode === 'text') {
        if (character === '\\') mode = 'escape';
        else if (character !== '"') {
          if (text.length < LONGEST_TEXT) text += character;
          else tooLong = true;
        } else {
          mode = 'plain';
          const level = top();
          if (level.expects === 'name') {
            name = text;
            level.expects = 'colon';
          } else {
            const path = beginValue(level);
            if (!tooLong) yield { path, value: text, ...start };
          }
        }
        continue;
      }
      if (mode === 'escape') {
        mode = 'text';
        if (character === 'u') {
          mode = 'unicode';
          digits = '';
          continue;
        }
        const meant = ESCAPES[character];
        if (meant === undefined) throw fail(`\\${character} is no escape`);
        text += meant;
        continue;
      }
      if (mode === 'unicode') {
        digits += character;
        if (!/^[0-9A-Fa-f]+$/.test(digits)) throw fail('\\u needs four hex digits');
        if (digits.length === 4) {
          text += String.fromCharCode(Number.parseInt(digits, 16));
          mode = 'text';
        }
        continue;
      }
      if (mode === 'word') {
        if (/[-+.0-9A-Za-z]/.test(character)) continue;
        mode = 'plain';
      }
      if (character === '"') {
        const level = top();
        if (level.expects !== 'name' && level.expects !== 'value') throw fail('a text where none may stand');
        mode = 'text';
        text = '';
        tooLong = false;
        start = { line, column };
      } else if (character === '{' || character === '[') {
        const path = beginValue(top());
        const isArray = character === '[';
        if (levels.length > DEEPEST) throw fail(`it is nested deeper than ${DEEPEST} levels`);
        levels.push({ isArray, path: isArray ? `${path}[]` : path, expects: isArray ? 'value' : 'name' });
      } else if (character === '}' || character === ']') {
        const level = levels.length > 1 ? levels.pop() : undefined;
        if (level === undefined || level.isArray !== (character === ']'))
          throw fail(`${character} closes nothing`);
        if (level.expects === 'colon' || (!level.isArray && level.expects === 'value'))
          throw fail('a value is missing');
        if (!level.isArray) yield { path: level.path, value: null, line, column };
      } else if (character === ',') {
        const level = top();
        if (level.expects !== 'comma' || levels.length === 1) throw fail('a comma where none may stand');
        level.expects = level.isArray ? 'value' : 'name';
      } else if (character === ':') {
        const level = top();
        if (level.expects !== 'colon') throw fail('a colon where none may stand');
        level.expects = 'value';
      } else if (/[-+.0-9A-Za-z]/.test(character)) {
        beginValue(top());
        mode = 'word';
      } else if (!/\s/.test(character)) throw fail(`${JSON.stringify(character)} where none may stand`);
    }
  }
  if (levels.length > 1 || (mode !== 'plain' && mode !== 'word'))
    throw new JsonError('The file is cut off: the JSON has no end.', line, column);
}

const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
