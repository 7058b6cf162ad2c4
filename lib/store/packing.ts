import { labeller } from '#lib/content/labels.ts';
import { hashText } from '#lib/content/hash.ts';
import { IGNORED_PLACE } from '#lib/content/noise.ts';
import { fullRules, rulesHash, type Rules } from '#lib/content/rules.ts';
import { digestsOf, type Block, type Place, type Snapshot } from '#lib/content/snapshot.ts';
import type { StoredSnapshot, StoredText } from './schema.ts';

/** Texts shorter than this, in characters, are not worth a deflate stream of their own. */
const WORTH = 512;

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Response(bytes).body!.pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

const deflate = (text: string) =>
  through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
const inflate = async (bytes: Uint8Array<ArrayBuffer>) =>
  new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));

/** A text as it is stored: deflated where that pays. */
export async function packText(hash: string, text: string): Promise<StoredText> {
  if (text.length < WORTH) return { hash, text };
  const bytes = await deflate(text);
  return bytes.length < text.length ? { hash, bytes } : { hash, text };
}

export async function unpackText(row: StoredText): Promise<string> {
  return 'text' in row ? row.text : inflate(row.bytes);
}

/** What a snapshot knows of its blocks beside their texts. */
interface Places {
  places: Omit<Place, 'order'>[];
  /** Noise that was found when the page was read (a selector), by block. */
  noise?: Record<number, string>;
  /** Texts by block whose hash stands for another text. */
  own?: Record<number, string>;
}

type Packed = Pick<StoredSnapshot, 'count' | 'hashes' | 'places' | 'size'>;

/** The blocks of a snapshot without their texts; `own`: by block, texts to be kept with it. */
export async function packBlocks(blocks: readonly Block[], own: Record<number, string>): Promise<Packed> {
  const hashes = new Uint8Array(blocks.length * 8);
  const view = new DataView(hashes.buffer);
  const noise: Record<number, string> = {};
  let size = 0;
  for (const [index, { exact, text, noise: rule }] of blocks.entries()) {
    view.setBigUint64(index * 8, BigInt(`0x${exact}`));
    size += text.length;
    // Ignored places are asked of the rules each time.
    if (rule !== undefined && rule !== IGNORED_PLACE) noise[index] = rule;
  }
  const about: Places = {
    places: blocks.map(({ place: { order: _order, ...place } }) => place),
    ...(Object.keys(noise).length > 0 && { noise }),
    ...(Object.keys(own).length > 0 && { own }),
  };
  return { count: blocks.length, hashes, size, places: await deflate(JSON.stringify(about)) };
}

/** Hashes of the texts of a stored snapshot, in their order. */
export function hashesOf({ hashes }: Pick<StoredSnapshot, 'hashes'>): string[] {
  const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength);
  return Array.from({ length: Math.floor(hashes.byteLength / 8) }, (_, index) =>
    view
      .getBigUint64(index * 8)
      .toString(16)
      .padStart(16, '0'),
  );
}

/**
 * The snapshot again, labelled by the rules that hold now. A text that is missing (a damaged store) reads as `?`, so that the rest can
 * still be compared.
 */
export async function unpackSnapshot(
  row: Pick<StoredSnapshot, 'hashes' | 'places' | 'coverage' | 'digest'>,
  texts: ReadonlyMap<string, string>,
  rules: Rules,
): Promise<Snapshot> {
  const { places, noise = {}, own = {} } = JSON.parse(await inflate(row.places)) as Places;
  const full = fullRules(rules);
  const { maskerAt, ignoredAt } = labeller(full);
  const blocks = hashesOf(row).map((hash, order): Block => {
    const text = own[order] ?? texts.get(hash) ?? '?';
    const place: Place = { ...places[order], order };
    const exact = text === '?' ? hashText(`${hash}?`) : hash;
    const mask = maskerAt({ place, text }).mask(text);
    const masked = mask === text ? exact : hashText(mask);
    const rule = ignoredAt({ place, text }) ?? noise[order];
    return { text, exact, masked, place, ...(rule !== undefined && { noise: rule }) };
  });
  const { digest } = row;
  const { maskedDigest } = digestsOf(blocks);
  return { blocks, digest, maskedDigest, coverage: row.coverage, rulesHash: rulesHash(full) };
}
