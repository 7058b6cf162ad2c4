import { describe, expect, test } from 'vitest';
import pages from '../../corpus/pages.json';
import { loadPage } from './capture.testing.ts';
import { captureSnapshot, compareSnapshots } from './index.ts';
import type { Rules } from './rules.ts';
import type { Change, ChangedBlock } from './snapshot.ts';

interface Sample {
  id: string;
  before: string;
  after: string;
  mutate?: string;
  acceptEither?: boolean;
  expect: { changed: boolean; changedBlocks: Pick<ChangedBlock, 'op' | 'before' | 'after'>[] };
  noise?: { rule: string; quietByDefault: boolean; changedWithRule: boolean };
}
const samples = pages as Sample[];

/** A counter that counts up from nothing can only be told from a real change by waiting; the text alone cannot say it. */
const QUIET_ONLY_BY_WAITING = 'animated-counter';

const includes = (text: string | undefined, part: string | undefined) =>
  part === undefined || text?.includes(part) === true;

function check(sample: Sample, change: Change): void {
  if (sample.acceptEither !== true) expect(change.changed).toBe(sample.expect.changed);
  for (const { op, before, after } of sample.expect.changedBlocks) {
    expect(
      change.blocks.filter(
        (block) => block.op === op && includes(block.before, before) && includes(block.after, after),
      ),
    ).not.toEqual([]);
  }
  if (sample.noise && sample.id !== QUIET_ONLY_BY_WAITING)
    expect(change.quiet).toBe(sample.noise.quietByDefault);
  if (sample.noise && change.changed && change.quiet) {
    for (const { noise } of change.blocks) expect(noise).toBe(sample.noise.rule);
  }
}

/** What is read only under a rule, by the rule's name in the corpus. */
const READ_UNDER: Record<string, Rules> = {
  'keep-pre-whitespace': { keepPreWhitespace: true },
  'watch-form-values': { formState: true },
  'watch-attributes:alt,title,aria-label': { attributeText: true },
  'watch-attributes:value': { attributeText: true },
  'watch-pseudo': { pseudoText: true },
};

describe('corpus/pages.json', () => {
  test.each(samples)('$id', async (sample) => {
    const before = captureSnapshot(await loadPage(sample.before));
    const after = captureSnapshot(await loadPage(sample.after));
    check(sample, compareSnapshots(before, after));
    expect(compareSnapshots(before, before)).toMatchObject({ changed: false, blocks: [] });
  });

  test.each(samples.filter(({ noise }) => noise && noise.rule in READ_UNDER))(
    '$id, under its rule',
    async (sample) => {
      const rules = READ_UNDER[sample.noise!.rule]!;
      const before = captureSnapshot(await loadPage(sample.before), rules);
      const document = await loadPage(sample.mutate === undefined ? sample.after : sample.before);
      if (sample.mutate !== undefined) document.defaultView!.eval(sample.mutate);
      const after = captureSnapshot(document, rules);
      expect(compareSnapshots(before, after, rules).changed).toBe(sample.noise!.changedWithRule);
    },
  );

  test.each(samples.filter(({ mutate }) => mutate !== undefined))(
    '$id, changed by script',
    async (sample) => {
      const document = await loadPage(sample.before);
      const before = captureSnapshot(document);
      document.defaultView!.eval(sample.mutate!);
      await new Promise((resolve) => setTimeout(resolve, 450));
      check(sample, compareSnapshots(before, captureSnapshot(document)));
    },
  );
});
