import { beforeEach, describe, expect, test } from 'vitest';
import { regionOf } from './baseline.ts';
import { captureInside, captureSnapshot } from './capture.ts';
import { describeRegion } from './region.ts';

const rules = { frames: false };
const texts = (selector: string, html: string, redrawn: string): string[] | undefined => {
  document.body.innerHTML = html;
  const { snapshot, inside } = captureInside(document, document.querySelector(selector)!, rules);
  const region = describeRegion(snapshot.blocks, inside)!;
  document.body.innerHTML = redrawn;
  return regionOf(captureSnapshot(document, rules), region)?.blocks.map(({ text }) => text);
};
const table = (rows: [string, string, string][]) =>
  `<table><tr><th>Service</th><th>State</th><th>Load</th></tr>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</table>`;

beforeEach(() => {
  document.body.innerHTML = '';
});

describe('a region is found again', () => {
  test('a cell, in another order, with other values and rows above', () => {
    const before = `<h2>Services</h2>${table([
      ['mail', 'UP', '3'],
      ['shop', 'UP', '4'],
    ])}`;
    const after = `<p>new</p><div><h2>Services</h2>${table([
      ['db', 'UP', '1'],
      ['shop', 'UP', '9'],
      ['mail', 'DOWN', '7'],
    ])}</div>`;
    expect(texts('tr:nth-child(2) td:nth-child(2)', before, after)).toEqual(['DOWN']);
  });

  test('a row', () => {
    const before = `<h2>Services</h2>${table([
      ['mail', 'UP', '3'],
      ['shop', 'UP', '4'],
    ])}`;
    const after = `<h2>Services</h2>${table([
      ['db', 'UP', '1'],
      ['mail', 'DOWN', '7'],
    ])}`;
    expect(texts('tr:nth-child(2)', before, after)?.slice(-2)).toEqual(['DOWN', '7']);
  });

  test('a section by its own heading, wherever it stands and whatever wraps it', () => {
    const section = (name: string, text: string) =>
      `<section><h2>${name}</h2><p>${text}</p><p>end of ${name}</p></section>`;
    const before = section('Alerts', 'none') + section('Load', '12 %');
    const after = `<main class="css-1x2y">${section('News', 'x')}<div>${section('Load', '80 %')}</div>${section('Alerts', 'fire')}</main>`;
    expect(texts('section:first-child', before, after)).toEqual(['fire', 'end of Alerts']);
    expect(texts('section:nth-child(2)', before, after)).toEqual(['80 %', 'end of Load']);
  });

  test('by an id, but not by one that was made up', () => {
    const box = (id: string, text: string) => `<div id="${id}"><p>${text}</p></div>`;
    expect(texts('#total', `<p>a</p>${box('total', '1')}`, `<p>a</p><p>b</p>${box('total', '2')}`)).toEqual([
      '2',
    ]);
    expect(texts('[id=":r1:"]', `<p>a</p>${box(':r1:', '1')}`, `<p>a</p>${box(':r7:', '2')}`)).toEqual(['2']);
  });

  test('in a shadow root', () => {
    document.body.innerHTML = '<h2>Board</h2><div id="host"></div><p>outside</p>';
    const root = document.querySelector('#host')!.attachShadow({ mode: 'open' });
    root.innerHTML = '<h3>Queue</h3><dl><dt>waiting</dt><dd>3</dd><dt>done</dt><dd>5</dd></dl>';
    const { snapshot, inside } = captureInside(document, root.querySelector('dd')!, rules);
    const region = describeRegion(snapshot.blocks, inside)!;
    expect(region).toMatchObject({ row: 'waiting' });
    root.innerHTML = '<h3>Queue</h3><dl><dt>done</dt><dd>6</dd><dt>waiting</dt><dd>44</dd></dl>';
    expect(regionOf(captureSnapshot(document, rules), region)?.blocks.map(({ text }) => text)).toContain(
      '44',
    );
  });

  test('not where it is gone', () => {
    const before = `<h2>Services</h2>${table([
      ['mail', 'UP', '3'],
      ['shop', 'UP', '4'],
    ])}`;
    expect(texts('tr:nth-child(2) td:nth-child(2)', before, '<h2>Services</h2><p>none</p>')).toBeUndefined();
  });
});

test('part of a line is no region of its own', () => {
  document.body.innerHTML = '<p>a <b>bold</b> word</p>';
  expect(captureInside(document, document.querySelector('b')!, rules).inside).toEqual([]);
  expect(describeRegion(captureSnapshot(document, rules).blocks, [])).toBeUndefined();
});
