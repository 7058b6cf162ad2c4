import { IGNORED_PLACE, masker, type Masker } from './noise.ts';
import { rulesHash, type FullRules, type IgnoredPlace } from './rules.ts';
import { hashText } from './hash.ts';
import { digestsOf, type Block, type Place, type Snapshot } from './snapshot.ts';

/** What the rules say of a block, from its text and place alone. */
export interface Labeller {
  /** The masks that hold at a place. */
  maskerAt: (place: Place) => Masker;
  /** `IGNORED_PLACE` where every change at a place is noise. */
  ignoredAt: (place: Place) => string | undefined;
}

export function labeller(rules: FullRules): Labeller {
  const everywhere = masker(rules.masks);
  const withNumbers = masker([...rules.masks, 'mask-numbers']);
  const places = rules.ignore.filter((entry) => typeof entry !== 'string');
  const numbers = places.filter((entry) => entry.numbersOnly === true);
  const whole = places.filter((entry) => entry.numbersOnly !== true);
  return {
    maskerAt: (place) => (numbers.some((entry) => isAt(entry, place)) ? withNumbers : everywhere),
    ignoredAt: (place) => (whole.some((entry) => isAt(entry, place)) ? IGNORED_PLACE : undefined),
  };
}

function isAt(entry: IgnoredPlace, place: Place): boolean {
  return (['id', 'row', 'column', 'heading'] as const).every(
    (name) => entry[name] === undefined || entry[name] === place[name],
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
    const noise = ignoredAt(place) ?? (block.noise === IGNORED_PLACE ? undefined : block.noise);
    const mask = maskerAt(place).mask(text);
    const masked = mask === text ? exact : hashText(mask);
    return noise === undefined ? { text, exact, masked, place } : { text, exact, masked, place, noise };
  });
  return { ...snapshot, blocks, ...digestsOf(blocks), rulesHash: hash };
}
