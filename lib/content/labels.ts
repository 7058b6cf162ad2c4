import { IGNORED_PLACE, masker, type Masker } from './noise.ts';
import { rulesHash, type FullRules, type IgnoredPlace } from './rules.ts';
import { hashText } from './hash.ts';
import { digestsOf, type Block, type Snapshot } from './snapshot.ts';

type Standing = Pick<Block, 'place' | 'text'>;

/** What the rules say of a block, from its text and place alone. */
export interface Labeller {
  /** The masks that hold for a block. */
  maskerAt: (block: Standing) => Masker;
  /** `IGNORED_PLACE` where every change of a block is noise. */
  ignoredAt: (block: Standing) => string | undefined;
}

export function labeller(rules: FullRules): Labeller {
  const everywhere = masker(rules.masks);
  const withNumbers = masker([...rules.masks, 'mask-numbers']);
  const places = rules.ignore.filter((entry) => typeof entry !== 'string');
  const numbers = places.filter((entry) => entry.numbersOnly === true);
  const whole = places.filter((entry) => entry.numbersOnly !== true);
  return {
    maskerAt: (block) => (numbers.some((entry) => isAt(entry, block)) ? withNumbers : everywhere),
    ignoredAt: (block) => (whole.some((entry) => isAt(entry, block)) ? IGNORED_PLACE : undefined),
  };
}

/** Whether an ignored place means this block. */
export function isAt(entry: IgnoredPlace, { place, text }: Standing): boolean {
  const { begins = '', ends = '' } = entry;
  return (
    (['id', 'row', 'column', 'heading'] as const).every(
      (name) => entry[name] === undefined || entry[name] === place[name],
    ) &&
    text.length >= begins.length + ends.length &&
    text.startsWith(begins) &&
    text.endsWith(ends)
  );
}

/**
 * A stored snapshot under other rules: masks, ignored places and digests are made again from its texts. What was read or not read
 * (attribute text, selectors) stays as it was.
 */
export function relabel(snapshot: Snapshot, rules: FullRules): Snapshot {
  const hash = rulesHash(rules);
  if (hash === snapshot.rulesHash) return snapshot;
  const { maskerAt, ignoredAt } = labeller(rules);
  const blocks = snapshot.blocks.map((block): Block => {
    const { text, exact, place } = block;
    const noise = ignoredAt(block) ?? (block.noise === IGNORED_PLACE ? undefined : block.noise);
    const mask = maskerAt(block).mask(text);
    const masked = mask === text ? exact : hashText(mask);
    return noise === undefined ? { text, exact, masked, place } : { text, exact, masked, place, noise };
  });
  return { ...snapshot, blocks, ...digestsOf(blocks), rulesHash: hash };
}
