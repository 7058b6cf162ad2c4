import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLines } from './index.ts';

async function linesOf(bytes: Uint8Array, cuts: number[] = [], longest?: number): Promise<(string | null)[]> {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks = [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
  const all: (string | null)[] = [];
  for await (const { first, lines } of readLines(chunks, longest)) {
    expect(first).toBe(all.length + 1);
    all.push(...lines);
  }
  return all;
}

/** What Python's universal newlines and a person would call lines. */
function expectedLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/^\uFEFF+/, ''));
  if (lines.at(-1) === '' && (text === '' || /[\r\n]$/.test(text))) lines.pop();
  return lines;
}

const text = fc
  .array(fc.constantFrom('a', 'é', '中', '😀', '\r', '\n', '\r\n', '\uFEFF', ' ', '\u2028', '\u0085'), {
    maxLength: 30,
  })
  .map((parts) => parts.join(''));
const cuts = fc.array(fc.nat(200), { maxLength: 8 });

describe('readLines', () => {
  test.each([
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['UTF-8 with BOM', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 BE', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('%s: the same lines however the bytes are cut', async (_, encode) => {
    await fc.assert(
      fc.asyncProperty(text, cuts, async (text, cuts) => {
        // A file of nothing but a mark has no line.
        fc.pre(text.replaceAll('\uFEFF', '') !== '');
        expect(await linesOf(encode(text), cuts)).toEqual(expectedLines(text));
      }),
      { numRuns: 200 },
    );
  });

  test('bytes that are no UTF-8 stay apart', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 4, maxLength: 40 }), cuts, async (bytes, cuts) => {
        const safe = bytes.map((byte) =>
          byte === 0 || byte === 10 || byte === 13 || byte === 0x25 ? 97 : byte,
        );
        fc.pre(safe[0] !== 0xff && safe[0] !== 0xfe && safe[0] !== 0xef);
        const [line] = await linesOf(safe, cuts);
        const back = Buffer.from(
          (line ?? '').replace(/%([0-9A-F]{2})/g, (_, hex: string) => `\uDC00${hex}`),
          'utf8',
        );
        expect(line).not.toContain(
          '\uFFFD'.repeat(
            1 +
              (
                Buffer.from(safe)
                  .toString('utf8')
                  .match(/\uFFFD/g) ?? []
              ).length,
          ),
        );
        expect(back.length).toBeGreaterThan(0);
        const bytesAgain = (line ?? '')
          .split(/(%[0-9A-F]{2})/)
          .map((part) => (part.startsWith('%') ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part)));
        expect(Buffer.concat(bytesAgain).equals(Buffer.from(safe))).toBe(true);
      }),
    );
  });

  test('a line above the limit is passed over and counted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('', 'a', 'bb', 'x'.repeat(50)), { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        async (lines, end) => {
          const bytes = Buffer.from(lines.map((line) => line + end).join(''));
          // Every byte its own chunk: nothing above the limit is ever held.
          const found = await linesOf(bytes, Array.from(bytes.keys()), 10);
          expect(found).toEqual(lines.map((line) => (line.length > 10 ? null : line)));
        },
      ),
    );
  });

  test('a long line is read in linear time', async () => {
    const piece = Buffer.alloc(1 << 16, 'x');
    const chunks = Array.from({ length: 200 }, () => piece);
    let length = 0;
    for await (const { lines } of readLines(chunks)) for (const line of lines) length += line?.length ?? 0;
    expect(length).toBe(200 * piece.length);
  });

  test('UTF-32 is refused with advice', async () => {
    await expect(linesOf(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))).rejects.toThrow('Save it as UTF-8');
  });
});
