/** A piece of two addresses laid side by side. */
export interface Piece {
  kind: 'same' | 'cut' | 'put';
  text: string;
}

/** Above this many tokens the middle is taken as one change: a picture of more is no help. */
const MAX_TOKENS = 400;

/**
 * What a rule did to an address: the pieces of `before` that went, of `after` that came, and what stayed.
 * `same` + `cut` in order spell `before`, `same` + `put` spell `after`. Longest common subsequence over tokens
 * (runs of letters and digits, escapes, single delimiters), after common ends are set aside.
 */
export function urlDiff(before: string, after: string): Piece[] {
  const a = tokens(before);
  const b = tokens(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end++;
  const pieces: Piece[] = [];
  const add = (kind: Piece['kind'], text: string): void => {
    const last = pieces.at(-1);
    if (text === '') return;
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  add('same', a.slice(0, start).join(''));
  for (const [kind, text] of middle(a.slice(start, a.length - end), b.slice(start, b.length - end)))
    add(kind, text);
  add('same', a.slice(a.length - end).join(''));
  return pieces;
}

function tokens(address: string): string[] {
  return address.match(/%[0-9A-Fa-f]{2}|[\p{L}\p{N}]+|[\s\S]/gu) ?? [];
}

function* middle(a: string[], b: string[]): Generator<[Piece['kind'], string]> {
  if (a.length > MAX_TOKENS || b.length > MAX_TOKENS) {
    yield ['cut', a.join('')];
    yield ['put', b.join('')];
    return;
  }
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      yield ['same', a[i] ?? ''];
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      yield ['cut', a[i++] ?? ''];
    } else {
      yield ['put', b[j++] ?? ''];
    }
  }
}

/** Shortens the unchanged stretches of a comparison to what stands next to a change. */
export function nearby(pieces: Piece[], around = 24): Piece[] {
  return pieces.map((piece, index) => {
    if (piece.kind !== 'same' || piece.text.length <= 2 * around + 1) return piece;
    const head = index === 0 ? '' : piece.text.slice(0, around);
    const tail = index === pieces.length - 1 ? '' : piece.text.slice(-around);
    return { kind: 'same', text: `${head}…${tail}` };
  });
}
