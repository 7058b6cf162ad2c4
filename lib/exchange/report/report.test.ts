import * as fc from 'fast-check';
import { Window } from 'happy-dom';
import { describe, expect, it } from 'vitest';
import type { ChangedBlock } from '#lib/content/snapshot.ts';
import type { Page, Round } from '#lib/rounds/types.ts';
import { LISTED, ReportBuilder, SLICES, type ReportFacts } from './facts.ts';
import { htmlReport } from './html.ts';
import { markdownReport } from './markdown.ts';
import type { ReportText, ReportWords } from './text.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
const HOUR = 3_600_000;

/** Says the key and the values, so that a test sees what stands where; the words themselves have tests of their own. */
const text: ReportText = Object.assign(
  (key: string, ...values: (string | number)[]) => [key, ...values].join(' '),
  {
    tag: 'en-GB',
    number: (value: number) => String(value),
    percent: (share: number) => `${Math.round(share * 100)}%`,
    day: (at: number) => new Date(at).toISOString().slice(0, 10),
    time: (at: number) => new Date(at).toISOString().slice(11, 16),
  },
);
const words: ReportWords = { text, describe: ({ state }) => `because ${state}` };

const round: Round = {
  id: 'r2',
  scope: 's',
  space: 'r2',
  number: 2,
  state: 'ended',
  startedAt: NOON,
  endedAt: NOON + 8 * HOUR,
  base: 'r1',
  baseSpace: 'r1',
  baseSize: 10,
  policy: {},
  policyVersion: 'v',
  counters: {} as Round['counters'],
};
const coverage = { visited: 6, retrying: 1, gone: 1, left: 2, total: 10, beside: 1, changed: 2 };

function page(path: string, more: Partial<Page> = {}): Page {
  const key = `https://shop.example.com${path}`;
  return {
    space: 'r2',
    key,
    scope: 's',
    host: 'shop.example.com',
    path,
    state: 'visited',
    seq: 1,
    url: key,
    firstSeenAt: NOON,
    visits: 1,
    addresses: 1,
    isNew: false,
    inBase: true,
    policyVersion: 'v',
    ...more,
  };
}

function report(
  pages: Page[],
  left: Page[] = [],
  about: Partial<{ name: string; round: Round }> = {},
): ReportFacts {
  const builder = new ReportBuilder({
    scope: { name: about.name ?? 'Shop' },
    round: about.round ?? round,
    base: { ...round, id: 'r1', number: 1 },
    coverage,
    rounds: [
      { number: 1, startedAt: NOON - 24 * HOUR, visited: 10, total: 10 },
      { number: 2, startedAt: NOON, visited: 6, total: 10 },
    ],
    madeAt: NOON + 9 * HOUR,
  });
  for (const each of pages) builder.add(each);
  for (const each of left) builder.addLeft(each);
  return builder.facts();
}

const parsed = (html: string) => {
  const window = new Window({ settings: { disableJavaScriptEvaluation: true } });
  window.document.write(html);
  return window.document;
};

describe('what a report collects', () => {
  it.each<[string, Partial<Page>, string[]]>([
    ['an ordinary page', {}, []],
    ['a changed one', { changed: true }, ['changed']],
    ['one that was changed and failed since', { changed: true, state: 'retrying' }, ['retrying']],
    ['one to try again', { state: 'retrying' }, ['retrying']],
    ['a gone one', { state: 'gone' }, ['gone']],
    ['a known one', { state: 'known' }, []],
    ['a problem', { verdict: 'problem', note: 'broken' }, ['problems']],
    ['a changed problem', { verdict: 'problem', changed: true }, ['problems', 'changed']],
    ['an OK one', { verdict: 'ok' }, []],
    ['an OK one with a note', { verdict: 'ok', note: 'slow' }, ['notes']],
    ['a skipped one', { verdict: 'skip' }, ['notes']],
    ['a note without a verdict', { note: 'ask Ann' }, ['notes']],
  ])('%s', (_, more, listed) => {
    const { sections } = report([page('/a', more)]);
    expect(Object.keys(sections).filter((name) => sections[name as keyof typeof sections].total > 0)).toEqual(
      listed,
    );
  });

  it('lists so many and counts all', () => {
    const { sections } = report(
      [],
      Array.from({ length: LISTED + 7 }, (_, index) => page(`/${index}`)),
    );
    expect(sections.left.total).toBe(LISTED + 7);
    expect(sections.left.pages).toHaveLength(LISTED);
    expect(
      htmlReport(
        report(
          [],
          Array.from({ length: LISTED + 7 }, (_, index) => page(`/${index}`)),
        ),
        words,
      ),
    ).toContain('reportMore 7');
  });

  it('puts every visited page of the base into its stretch of time, also those at the edges and beyond', () => {
    const at = (hours: number) => page(`/${hours}`, { firstVisitAt: NOON + hours * HOUR });
    const { progress } = report([
      at(0),
      at(1),
      at(8),
      at(-5),
      at(99),
      page('/beside', { inBase: false, firstVisitAt: NOON }),
    ]);
    expect(progress.visited).toHaveLength(SLICES);
    expect(progress.visited[0]).toBe(2);
    expect(progress.visited[6]).toBe(1);
    expect(progress.visited[SLICES - 1]).toBe(2);
    expect(progress.visited.reduce((sum, count) => sum + count)).toBe(5);
  });

  it('survives a round that began and ended in one moment', () => {
    const { progress } = report([page('/a', { firstVisitAt: NOON })], [], {
      round: { ...round, endedAt: NOON },
    });
    expect(progress.visited.reduce((sum, count) => sum + count)).toBe(1);
  });
});

describe('the HTML file', () => {
  const full = report(
    [
      page('/changed', { changed: true, title: 'Orders' }),
      page('/failing', { state: 'retrying' }),
      page('/old', { state: 'gone' }),
      page('/bad', { verdict: 'problem', note: 'first line\nsecond line' }),
    ],
    [page('/left')],
  );

  it('needs nothing else, runs nothing and sends nothing', () => {
    const html = htmlReport(full, words);
    const document = parsed(html);
    const csp = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content');
    expect(csp).toContain("default-src 'none'");
    expect(document.querySelectorAll('script,link,img,iframe,object,embed,form,base')).toHaveLength(0);
    // Patterns of the file itself are the only things that are referred to.
    const referred = [...html.matchAll(/url\(([^)]*)\)|@import/g)].map(([, what]) => what);
    expect(referred.every((what) => what?.startsWith('#'))).toBe(true);
    for (const link of document.querySelectorAll('a'))
      expect(link.getAttribute('rel')).toContain('noreferrer');
    expect(html).toContain('@media print');
    expect(document.documentElement.getAttribute('lang')).toBe('en-GB');
  });

  it('says each list with its number and reasons, and notes line by line', () => {
    const document = parsed(htmlReport(full, words));
    const headings = [...document.querySelectorAll('h2')].map((heading) => heading.textContent);
    expect(headings).toEqual([
      'reportProgress',
      'reportStates',
      'reportRounds',
      'reportProblems 1',
      'reportChanged 1',
      'reportRetrying 1',
      'reportLeft 1',
      'reportGone 1',
    ]);
    expect(document.querySelector('.note')?.textContent).toBe('first line\nsecond line');
    expect(document.body.textContent).toContain('because retrying');
    const left = parsed(htmlReport(report([]), words)).body.textContent;
    expect(left).toContain('nothingLeft');
  });

  it('says what changed, told apart by sign and word, without noise, and how much more there is', () => {
    const builder = new ReportBuilder({
      scope: { name: 'Shop' },
      round,
      base: undefined,
      coverage,
      rounds: [],
      madeAt: NOON,
    });
    const changed = page('/a', { changed: true });
    builder.add(changed);
    const place = {} as ChangedBlock['place'];
    builder.addChange(changed.key, [
      { op: 'edited', before: 'was <i>1</i>', after: 'is 2', place },
      { op: 'edited', before: '09:00', after: '09:01', place, noise: 'time' },
      { op: 'moved', before: 'up', after: 'up', place },
      ...Array.from({ length: 6 }, (): ChangedBlock => ({ op: 'added', after: 'x'.repeat(900), place })),
    ]);
    const document = parsed(htmlReport(builder.facts(), words));
    const items = [...document.querySelectorAll('.blocks li')].map((item) => item.textContent);
    expect(items).toHaveLength(6);
    expect(items[0]).toBe('opEdited − was <i>1</i> + is 2');
    expect(items[1]).toBe('opMoved + up');
    expect(items[2]).toBe(`opAdded + ${'x'.repeat(300)}…`);
    expect(items[5]).toBe('moreAddresses 3');
    expect(document.querySelector('.blocks i')).toBeNull();
  });

  it('has for every picture a title, a description and a table with the same numbers', () => {
    const document = parsed(htmlReport(full, words));
    const charts = [...document.querySelectorAll('svg.chart')];
    expect(charts).toHaveLength(3);
    for (const chart of charts) {
      const ids = (chart.getAttribute('aria-labelledby') ?? '').split(' ');
      expect(ids.map((id) => document.getElementById(id)?.tagName.toLowerCase())).toEqual(['title', 'desc']);
      expect(chart.closest('section')?.querySelectorAll('details table tbody tr').length).toBeGreaterThan(0);
    }
    const states = charts[1]?.closest('section');
    const cells = [...(states?.querySelectorAll('tbody tr') ?? [])].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(cells).toEqual([
      ['visited', '6', '60%'],
      ['retry', '1', '10%'],
      ['gone', '1', '10%'],
      ['left', '2', '20%'],
    ]);
    // Told apart by pattern too: solid, slanted, upright, outline.
    const bars = [...(states?.querySelectorAll('rect.bar') ?? [])].map((bar) => bar.getAttribute('class'));
    expect(bars).toEqual(['bar visited', 'bar retrying', 'bar gone', 'bar left']);
  });

  it.each([
    ['<script>alert(1)</script>'],
    ['"><img src=x onerror=alert(1)>'],
    ["' onmouseover='alert(1)"],
    ['</title><script>1</script>'],
    ['</style><script>1</script>'],
    ['<!--'],
    [']]><svg onload=alert(1)>'],
    ['&lt;b&gt; &amp;'],
    ['\u202Eevil\u2066'],
    ['\u0000\u0008\uD800'],
  ])('%j stays text in titles, notes, names, reasons and addresses', (evil) => {
    const hostile = page('/x', { title: evil, note: evil, verdict: 'problem', url: `javascript:${evil}` });
    const facts = report([hostile], [page(`/${evil}`)], { name: evil });
    const document = parsed(htmlReport(facts, { text, describe: () => evil }));
    expect(document.querySelectorAll('script,img,[onerror],[onload],[onmouseover]')).toHaveLength(0);
    for (const link of document.querySelectorAll('a'))
      expect(link.getAttribute('href')).toMatch(/^https?:\/\//);
    expect(document.body.textContent).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
  });

  it('has the same elements whatever is written in it', () => {
    const shapeOf = (evil: string) =>
      [
        ...parsed(
          htmlReport(report([page('/x', { title: `t${evil}`, note: `n${evil}`, changed: true })]), words),
        ).querySelectorAll('*'),
      ]
        .map((element) => element.tagName)
        .join();
    const plain = shapeOf('');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (evil) => {
        expect(shapeOf(evil)).toBe(plain);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the Markdown', () => {
  it('has the numbers and the first pages of each list, links with their reasons', () => {
    const pages = Array.from({ length: 13 }, (_, index) =>
      page(`/${index}`, { changed: true, title: `T*${index}*` }),
    );
    const markdown = markdownReport(report(pages, [page('/left', { note: 'x'.repeat(500) })]), words);
    expect(markdown).toContain('coverageVisited 6 10');
    expect(markdown).toContain('- [T\\*0\\*](<https://shop.example.com/0>): because visited');
    expect(markdown).toContain('reportMore 3');
    expect(markdown).not.toContain('/11>');
    expect(markdown).toContain(`${'x'.repeat(280)}…`);
    expect(markdown).not.toContain('reportGone');
  });

  it('is as many lines whatever is written in it, and no list or heading of a page begins one', () => {
    const linesOf = (evil: string) =>
      markdownReport(
        report([page('/x', { title: `t${evil}`, note: `n${evil}`, verdict: 'problem' })]),
        words,
      ).split('\n');
    const plain = linesOf('').length;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('\n# x', '\r- x', '](<javascript:1>)', '`', '@here'),
        ),
        (evil) => {
          const lines = linesOf(evil);
          expect(lines).toHaveLength(plain);
          for (const line of lines) expect(line).toMatch(/^($|\*\*|- |[^#>|`])/);
        },
      ),
      { numRuns: 60 },
    );
    const [hostile] = linesOf('](<javascript:1>)').filter((line) => line.startsWith('- '));
    expect(hostile).toMatch(/^- \[t\\\]\\\(\\<javascript\\:1\\>\\\)\]\(<https:/);
  });
});
