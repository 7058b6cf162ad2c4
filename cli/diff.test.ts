import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import pages from '../corpus/pages.json' with { type: 'json' };
import { decodePage, diffFiles } from './diff.ts';
import { onceover } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'onceover-diff-'));
const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe('corpus/pages.json, without a browser', () => {
  test.each(pages)('$id', ({ before, after, expect: expected, ...sample }) => {
    const { changed, blocks } = diffFiles(before, after);
    if (!('acceptEither' in sample)) expect(changed).toBe(expected.changed);
    for (const wanted of expected.changedBlocks as { op: string; before?: string; after?: string }[]) {
      const found = blocks.some(
        (block) =>
          block.op === wanted.op &&
          (wanted.before === undefined || block.before?.includes(wanted.before)) &&
          (wanted.after === undefined || block.after?.includes(wanted.after)),
      );
      expect(found, JSON.stringify(wanted)).toBe(true);
    }
  });
});

test('shadow roots, slots, hidden parts and lines of pre of a saved page', () => {
  const page = (load: string) =>
    `<x-card><template shadowrootmode="open"><p>Load <slot></slot></p></template>${load}<b slot="zz">lost</b></x-card>
     <p hidden>1${load}</p><div style="visibility:hidden">2${load}</div><pre>a\nb</pre><dialog>${load}</dialog>`;
  expect(diffFiles(page('0.4'), page('3.9')).blocks).toMatchObject([
    { op: 'edited', before: 'Load 0.4', after: 'Load 3.9' },
  ]);
});

test('says what it cannot know', () => {
  const { unknown } = diffFiles(
    '',
    '<canvas></canvas><iframe src="a.html"></iframe><iframe src="b.html"></iframe>',
  );
  expect(unknown).toEqual([
    expect.stringContaining('layout and style sheets are unknown'),
    '1 canvas not read: drawn without text.',
    '2 frames not read: their pages are other files.',
  ]);
});

test.each([
  ['<meta charset="gb2312"><p>', [0xd1, 0xb2, 0xbc, 0xec], '巡检'],
  ['<meta http-equiv="Content-Type" content="text/html; charset=big5"><p>', [0xa8, 0xb5], '巡'],
  ['<p>', [0xe5, 0xb7, 0xa1], '巡'],
  ['<meta charset="no-such"><p>', [0xe5, 0xb7, 0xa1], '巡'],
])('decodes %s', (head, bytes, text) => {
  expect(decodePage(Buffer.concat([Buffer.from(head), Buffer.from(bytes)]))).toBe(head + text);
});

test('decodes UTF-16 by its mark', () => {
  expect(decodePage(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<p>巡', 'utf16le')]))).toBe(
    '<p>巡',
  );
});

describe('onceover diff', () => {
  const table = (state: string, ago: number) =>
    `<h1>Hosts</h1><table><tr><th>Host<th>State<tr><td>delta-4<td>${state}</table><p>${ago} minutes ago</p>`;
  const before = file('before.html', table('UP', 3));
  const after = file('after.html', table('DOWN', 4));
  const later = file('later.html', table('UP', 5));

  test('for people', async () => {
    const { code, stdout } = await onceover(['diff', before, after]);
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      '1 change, and 1 change that is noise.',
      'edited  (row delta-4, column State, under Hosts)',
      '    [-UP-]{+DOWN+}',
      'noise  mask-relative-time: 1',
    ]);
    expect(stdout).toContain('layout and style sheets are unknown');
  });

  test('as JSON', async () => {
    const { stdout } = await onceover(['diff', before, after, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      changed: true,
      quiet: false,
      blocks: [
        { op: 'edited', before: 'UP', after: 'DOWN', place: { row: 'delta-4' } },
        { noise: 'mask-relative-time' },
      ],
      unknown: [expect.any(String)],
    });
  });

  test('its exit codes', async () => {
    expect((await onceover(['diff', before, before])).code).toBe(0);
    expect((await onceover(['diff', before, later])).code).toBe(0);
    expect(await onceover(['diff', before])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Two saved pages') as string,
    });
    expect(await onceover(['diff', before, join(folder, 'none.html')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no file') as string,
    });
  });
});
