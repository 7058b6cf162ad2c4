import { afterEach, expect, test } from 'vitest';
import { Moves } from './moves.ts';

let moves: Moves | undefined;

afterEach(() => {
  moves?.stop();
  document.body.replaceChildren();
  document.body.removeAttribute('style');
});

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Watches these elements; answers how often it was told that something moved, and forgets that. */
function watching(...elements: Element[]): () => number {
  let count = 0;
  const all = new Map(elements.map((element) => [element, true]));
  const made = new Moves(() => {
    count += 1;
    made.watch(all);
  });
  made.watch(all);
  moves = made;
  return () => {
    const was = count;
    count = 0;
    return was;
  };
}

function draw(html: string): void {
  document.body.innerHTML = html;
}

const at = (id: string) => document.getElementById(id)!;

test('tells nothing where nothing moves, though other things change', async () => {
  draw('<div style="height:20px"><b id=other>1</b></div><a id=link href=/>a link</a>');
  const moved = watching(at('link'));
  for (let i = 0; i < 8; i += 1) {
    await pause(60);
    at('other').textContent = `${i}`;
  }
  expect(moved()).toBe(0);
});

test.each([
  ['what stands above it grows', () => (at('above').style.height = '60px')],
  ['it gets longer', () => (at('text').textContent = 'a longer link')],
  ['it gets shorter', () => (at('text').firstChild!.nodeValue = 'a')],
  ['what it is in scrolls', () => (at('box').scrollTop = 15)],
  ['an animation moves it', () => at('link').animate([{ translate: '0' }, { translate: '90px' }], 300)],
  ['it vanishes', () => (at('link').style.display = 'none')],
])('tells when %s', async (_, change) => {
  draw(`<div id=above style="height:20px"></div><div id=box style="height:90px;overflow:auto">
    <a id=link href=/ style="display:inline-block"><span id=text>some link</span></a><div style="height:900px"></div></div>`);
  const moved = watching(at('link'));
  await pause(350);
  expect(moved()).toBe(0);
  change();
  await expect.poll(moved).toBeGreaterThan(0);
  // And comes to rest.
  await pause(700);
  moved();
  await pause(300);
  expect(moved()).toBe(0);
});

test('of very many it watches some, so that a shift of all is told', async () => {
  draw(
    `<div id=above></div>${Array.from({ length: 1000 }, (_, i) => `<a href=/${i}>link ${i}</a> `).join('')}`,
  );
  const moved = watching(...document.querySelectorAll('a'));
  await pause(350);
  at('above').style.height = '30px';
  await expect.poll(moved).toBeGreaterThan(0);
});
