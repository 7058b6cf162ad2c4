/**
 * Addresses that things are measured on, each once. They are kept as one text, so that the strings of a structure whose memory is
 * measured are its own: engines share equal strings.
 */
export interface List {
  readonly name: string;
  readonly size: number;
  /** A JSON array. */
  readonly text: string;
}

export function listOf(name: string, urls: readonly string[]): List {
  return { name, size: urls.length, text: JSON.stringify(urls) };
}

/** The addresses in new strings, whose hash no engine has computed yet: made as those of a message are, that the worker gets. */
export function urlsOf({ text }: List): string[] {
  return JSON.parse(text) as string[];
}

/** The same text in new strings. */
export function fresh(urls: readonly string[]): string[] {
  return JSON.parse(JSON.stringify(urls)) as string[];
}

export type Random = () => number;

/** Numbers in [0, 1) from a seed (mulberry32, Tommy Ettinger). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES = 'ba co di fu ge ha in ja ko lu ma ne or pa qui ro sa te un vi wo xe yo za'.split(' ');

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

/** Small numbers often, large ones seldom, as popularity falls in the web. */
function skewed(random: Random, most: number): number {
  return Math.floor(most ** random()) - 1;
}

function vocabulary(random: Random, size: number): string[] {
  const all = new Set<string>();
  while (all.size < size)
    all.add(Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(random, SYLLABLES)).join(''));
  return [...all];
}

type Maker = (random: Random) => (index: number) => string;

/** Each kind is another way in which addresses share prefixes. */
const KINDS: Record<string, Maker> = {
  /** A numbered catalogue: nearly everything is shared. */
  numbered: () => (index) => `https://shop.example.com/item/${100_000 + index}`,
  /** One shop as an inspector walks it: sections, products with words in their names, lists with parameters. */
  shop: (random) => {
    const words = vocabulary(random, 2000);
    const sections = words.slice(0, 40);
    return () => {
      const section = pick(random, sections);
      if (random() < 0.3)
        return `https://shop.example.com/${section}/list?color=${pick(random, sections)}&page=${Math.floor(random() * 400)}`;
      return `https://shop.example.com/${section}/${pick(random, words)}-${pick(random, words)}-${Math.floor(random() * 1e6)}`;
    };
  },
  /** Pages of the whole web: many hosts, a few pages each. */
  web: (random) => {
    const words = vocabulary(random, 9000);
    const endings = ['com', 'org', 'net', 'example', 'co.uk', 'edu', 'de'];
    return () => {
      const host = skewed(random, 30_000);
      const name = `${words[host % words.length]}${words[(host * 7) % words.length]}`;
      const depth = Math.floor(random() * 4);
      const path = Array.from({ length: depth }, () => `/${pick(random, words)}`).join('');
      return `https://www.${name}.${endings[host % endings.length]}${path}/${pick(random, words)}${random() < 0.6 ? '.html' : ''}`;
    };
  },
  /** A tree of files: long shared prefixes. */
  files: (random) => {
    const words = vocabulary(random, 1500);
    const folders = Array.from({ length: 2500 }, () =>
      Array.from({ length: 2 + Math.floor(random() * 5) }, () => words[skewed(random, 600)]).join('/'),
    );
    return () =>
      `https://files.example.com/${pick(random, folders)}/${pick(random, words)}-${pick(random, words)}.${pick(random, ['js', 'ts', 'html', 'md'])}`;
  },
  /** Random tokens: nothing is shared. */
  tokens: (random) => () =>
    `https://go.example.com/s/${Array.from({ length: 4 }, () =>
      Math.floor(random() * 2 ** 40)
        .toString(36)
        .padStart(8, '0'),
    ).join('')}`,
};

/** Addresses of a kind one by one, some of them again and again. */
export function addressesOf(name: string, seed = 1): (index: number) => string {
  const maker = KINDS[name];
  if (maker === undefined) {
    throw new Error(`there is no kind of list named ${name}, only ${Object.keys(KINDS).join(', ')}`);
  }
  return maker(seeded(seed));
}

/** `size` different addresses of a kind. */
export function makeList(name: string, size: number, seed = 1): List {
  const next = addressesOf(name, seed);
  const urls = new Set<string>();
  for (let index = 0; urls.size < size; index++) urls.add(next(index));
  return listOf(name, shuffled([...urls], seeded(seed + 1)));
}

/** Addresses come in no order. */
export function shuffled(urls: string[], random: Random): string[] {
  for (let i = urls.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [urls[i], urls[j]] = [urls[j]!, urls[i]!];
  }
  return urls;
}
