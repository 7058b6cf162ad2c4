import { afterEach, describe, expect, test } from 'vitest';
import { page } from './capture.testing.ts';
import { captureSnapshot } from './index.ts';
import { observeContent, type ContentObserver, type ObserveOptions, type Timing } from './observe.ts';
import type { Snapshot } from './snapshot.ts';

/** A clock that a test turns. Idle work runs when it is turned, each piece taking no time unless the page says so. */
class TestTime implements Timing {
  time = 0;
  #work: { at: number; work: () => void }[] = [];
  now = () => this.time;
  idle = (work: () => void) => this.later(work, 0);
  later = (work: () => void, delay: number) => {
    const entry = { at: this.time + delay, work };
    this.#work.push(entry);
    return () => {
      this.#work = this.#work.filter((other) => other !== entry);
    };
  };

  /** Lets time pass, and gives records of mutations their microtasks. */
  async pass(duration: number): Promise<void> {
    const end = this.time + duration;
    for (;;) {
      await Promise.resolve();
      const next = this.#work.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#work = this.#work.filter((entry) => entry !== next);
      this.time = Math.max(this.time, next.at);
      next.work();
    }
    this.time = end;
  }
}

let observer: ContentObserver | undefined;
afterEach(() => observer?.stop());

interface Seen {
  texts: string[];
  first: boolean;
  busy: boolean;
}

function observe(document: Document, timing: TestTime, options: Partial<ObserveOptions> = {}): Seen[] {
  const seen: Seen[] = [];
  const onSnapshot = ({ blocks }: Snapshot, { first, busy }: { first: boolean; busy: boolean }) =>
    seen.push({ texts: blocks.map(({ text }) => text), first, busy });
  observer = observeContent(document, { ...options, onSnapshot, timing });
  return seen;
}

/** Reproducible numbers (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const TAGS = [
  'div',
  'p',
  'span',
  'b',
  'li',
  'ul',
  'td',
  'details',
  'summary',
  'button',
  'x-card',
  'br',
  'pre',
  'h2',
  'slot',
  'section',
  'i',
  'select',
  'option',
  'canvas',
  'dl',
  'dt',
  'dd',
];
const STYLES = [
  '',
  'display:none',
  'display:block',
  'display:contents',
  'visibility:hidden',
  'visibility:visible',
  'opacity:0',
  'white-space:pre',
  'display:flex',
  'content-visibility:hidden',
  'transform:none',
];
const SEED = `<main><p>one <b>two</b></p><ul>${'<li>a</li>'.repeat(5)}</ul><details><summary>s</summary>b</details>
  <table>${'<tr><td>x</td><td>y</td></tr>'.repeat(4)}</table></main>`;
const CLASSES = ['', 'gone', 'ghost', 'row', 'advert'];
const SHEET = '<style>.gone{display:none}.ghost b{opacity:0}.row>*{display:flex}.row{display:flex}</style>';

/** One change of a tree with shadow roots and slots, as a page might make it. */
function mutate(document: Document, roots: ShadowRoot[], random: (below: number) => number): void {
  const pick = <T>(list: ArrayLike<T>): T => list[random(list.length)]!;
  const scope: ParentNode & Node = random(3) === 0 && roots.length > 0 ? pick(roots) : document.body;
  const elements = [scope, ...scope.querySelectorAll('*')].slice(0, 400);
  if (elements.length < 30 && scope === document.body) {
    document.body.insertAdjacentHTML('beforeend', SEED);
    return;
  }
  const target = pick(elements);
  const element = target instanceof document.defaultView!.Element ? (target as HTMLElement) : undefined;
  const word = () => pick(['UP', 'DOWN', 'load', ' ', '\n', 'a b', '3', '巡检', 'x\ny']);
  switch (random(14)) {
    case 0:
    case 1:
    case 2: {
      const texts = [...target.childNodes].filter((node) => node.nodeType === 3) as Text[];
      if (texts.length > 0) pick(texts).data = word();
      else target.appendChild(document.createTextNode(word()));
      break;
    }
    case 3:
    case 4:
    case 5: {
      const child = document.createElement(pick(TAGS));
      child.append(word());
      if (random(4) === 0) child.append(document.createElement(pick(TAGS)), word());
      if (random(4) === 0) child.slot = pick(['', 'a']);
      if (child.localName === 'slot' && random(2)) (child as HTMLSlotElement).name = 'a';
      target.insertBefore(child, pick([null, target.firstChild, target.lastChild]));
      if (child.localName === 'x-card' && roots.length < 12) {
        const root = child.attachShadow({ mode: 'open' });
        root.innerHTML = '<p>in <slot></slot></p><slot name=a>none</slot>';
        roots.push(root);
      }
      break;
    }
    case 6:
      if (element && element !== document.body) element.remove();
      break;
    case 7:
      if (target.childNodes.length > 0) pick(target.childNodes).remove();
      break;
    case 8: {
      const moved = pick(elements);
      if (moved !== scope && !moved.contains(target)) target.appendChild(moved);
      break;
    }
    case 9:
      if (element && element !== document.body) element.style.cssText = pick(STYLES);
      break;
    case 10:
      if (element && element !== document.body) element.className = pick(CLASSES);
      break;
    case 11:
      if (element !== document.body) element?.toggleAttribute(pick(['hidden', 'open']));
      break;
    case 12:
      if (element) element.setAttribute(pick(['slot', 'name', 'aria-hidden', 'id']), pick(['', 'a', 'true']));
      break;
    default:
      target.replaceChildren(...[...target.childNodes].reverse().slice(0, 40));
  }
}

describe('the digest equals that of a whole reading', () => {
  test.each([1, 2, 3, 4])('after 2,500 random mutations, seed %i', async (seed) => {
    const document = await page(
      `<main><p>one</p><ul><li>a<li>b</ul><table><tr><td>x<td>y</table></main>`,
      SHEET,
    );
    const timing = new TestTime();
    observe(document, timing);
    await timing.pass(1_000);
    const random = randomFrom(seed);
    const roots: ShadowRoot[] = [];
    let compared = 0;
    for (let count = 1; count <= 2_500; count++) {
      mutate(document, roots, random);
      if (count % 10 !== 0) continue;
      if (random(2) === 0) await timing.pass(300);
      if (count % 50 !== 0) continue;
      const now = observer!.read();
      const whole = captureSnapshot(document, { frames: false });
      expect(
        now.blocks.map(({ text }) => text),
        `after ${count} mutations`,
      ).toEqual(whole.blocks.map(({ text }) => text));
      expect(now).toMatchObject({
        digest: whole.digest,
        maskedDigest: whole.maskedDigest,
        coverage: whole.coverage,
      });
      compared += whole.blocks.length;
    }
    expect(compared).toBeGreaterThan(300);
  });
});

describe('settling', () => {
  test('the first snapshot waits until the text is quiet for a second', async () => {
    const document = await page('<p>Sites: <span id=n>0</span></p>');
    const timing = new TestTime();
    const seen = observe(document, timing);
    for (let count = 1; count <= 10; count++) {
      document.getElementById('n')!.textContent = String(count * 25);
      await timing.pass(300);
    }
    expect(seen).toEqual([]);
    await timing.pass(2_000);
    expect(seen).toEqual([{ texts: ['Sites: 250'], first: true, busy: false }]);
  });

  test('but not longer than ten seconds', async () => {
    const document = await page('<p>0</p>');
    const timing = new TestTime();
    const seen = observe(document, timing);
    for (let count = 1; count <= 24; count++) {
      document.querySelector('p')!.textContent = String(count);
      await timing.pass(500);
    }
    expect(seen[0]).toMatchObject({ first: true });
    expect(timing.time).toBe(12_000);
    expect(seen.length).toBeGreaterThan(1);
  });

  test('another route settles anew, without what is left of the old one', async () => {
    const document = await page('<main><ul><li>a<li>b</ul></main>');
    const timing = new TestTime();
    const seen = observe(document, timing);
    await timing.pass(3_000);
    observer!.restart();
    document.querySelector('main')!.insertAdjacentHTML('beforeend', '<h1>Detail</h1>');
    await timing.pass(200);
    document.querySelector('ul')!.remove();
    await timing.pass(3_000);
    expect(seen).toEqual([
      { texts: ['a', 'b'], first: true, busy: false },
      { texts: ['Detail'], first: true, busy: false },
    ]);
  });
});

describe('changes', () => {
  const settled = async (body: string, options?: Partial<ObserveOptions>) => {
    const document = await page(body);
    const timing = new TestTime();
    const seen = observe(document, timing, options);
    await timing.pass(3_000);
    seen.length = 0;
    return { document, timing, seen, texts: () => seen.map(({ texts }) => texts.join('|')) };
  };

  test('at most two a second, and none without another text', async () => {
    const { document, timing, texts } = await settled('<ul><li>a<li>b</ul>');
    const list = document.querySelector('ul')!;
    for (let count = 0; count < 20; count++) {
      list.firstElementChild!.textContent = String(count);
      await timing.pass(100);
    }
    expect(texts().length).toBeLessThanOrEqual(5);
    await timing.pass(1_000);
    expect(texts().at(-1)).toBe('19|b');
    const count = texts().length;
    const { innerHTML } = list;
    list.innerHTML = innerHTML;
    list.className = 'x';
    await timing.pass(20_000);
    expect(texts()).toHaveLength(count);
  });

  test('in shadow roots, also those attached later', async () => {
    const { document, timing, texts } = await settled(
      '<x-a><template shadowrootmode=open><p>in</p></template></x-a><div id=late></div>',
    );
    document.querySelector('x-a')!.shadowRoot!.querySelector('p')!.firstChild!.nodeValue = 'IN';
    await timing.pass(600);
    expect(texts()).toEqual(['IN']);
    const root = document.getElementById('late')!.attachShadow({ mode: 'open' });
    root.innerHTML = '<p>late</p>';
    await timing.pass(12_000);
    expect(texts()).toEqual(['IN', 'IN|late']);
    root.querySelector('p')!.textContent = 'later';
    await timing.pass(600);
    expect(texts().at(-1)).toBe('IN|later');
  });

  test('in slots of closed roots', async () => {
    const scope = globalThis as { chrome?: unknown };
    const { chrome } = scope;
    const closed = new WeakMap<Element, ShadowRoot>();
    scope.chrome = { dom: { openOrClosedShadowRoot: (element: Element) => closed.get(element) ?? null } };
    try {
      const document = await page('<x-a><b>light</b></x-a>');
      const host = document.querySelector('x-a')!;
      const root = host.attachShadow({ mode: 'closed' });
      root.innerHTML = '<p>in <slot></slot></p>';
      closed.set(host, root);
      const timing = new TestTime();
      const seen = observe(document, timing);
      await timing.pass(2_000);
      host.querySelector('b')!.firstChild!.nodeValue = 'LIGHT';
      await timing.pass(1_000);
      root.querySelector('p')!.firstChild!.nodeValue = 'IN ';
      await timing.pass(1_000);
      expect(seen.map(({ texts }) => texts)).toEqual([['in light'], ['in LIGHT'], ['IN LIGHT']]);
    } finally {
      scope.chrome = chrome;
    }
  });

  test('that only a style sheet makes are found within ten seconds', async () => {
    const { document, timing, texts } = await settled(
      '<style>.open + p { display: none }</style><div></div><p>after</p>',
    );
    document.querySelector('div')!.className = 'open';
    await timing.pass(12_000);
    expect(texts()).toEqual(['']);
    document.querySelector('style')!.sheet!.deleteRule(0);
    document.querySelector('div')!.className = 'shut';
    await timing.pass(12_000);
    expect(texts()).toEqual(['', 'after']);
  });

  test('by a style element, at once', async () => {
    const { document, timing, texts } = await settled('<p>a</p><p class=b>b</p>');
    document.head.insertAdjacentHTML('beforeend', '<style>.b{display:none}</style>');
    await timing.pass(12_000);
    expect(texts()).toEqual(['a']);
  });

  test('typed values are polled under their rule', async () => {
    const { document, timing, texts } = await settled('<input id=i><p>x</p>', { rules: { formState: true } });
    document.querySelector('input')!.value = 'typed';
    await timing.pass(3_000);
    expect(texts()).toEqual(['typed|x']);
  });

  test('another document element', async () => {
    const { document, timing, texts } = await settled('<p>a</p>');
    const root = document.createElement('html');
    root.innerHTML = '<body><p>new</p></body>';
    document.documentElement.replaceWith(root);
    await timing.pass(2_000);
    expect(texts()).toEqual(['new']);
  });

  test('a page that never gives way is busy, and still seen', async () => {
    const { document, timing, seen } = await settled('<p>a</p>');
    const body = document.body;
    const { now } = timing;
    let calls = 0;
    timing.now = () => now() + calls++ * 3;
    for (let count = 0; count < 40; count++) {
      body.innerHTML = `<div>${'<p>x</p>'.repeat(4_000)}</div><p>${count}</p>`;
      await timing.pass(600);
    }
    expect(seen.some(({ busy }) => busy)).toBe(true);
  });
});

describe('when the page is left', () => {
  test('nothing is observed after stop, pagehide or in a hidden tab', async () => {
    const document = await page('<p>a</p>');
    const timing = new TestTime();
    const seen = observe(document, timing);
    await timing.pass(3_000);
    const change = async (text: string) => {
      document.querySelector('p')!.textContent = text;
      await timing.pass(3_000);
    };
    document.defaultView!.dispatchEvent(new Event('pagehide'));
    await change('b');
    expect(seen).toHaveLength(1);
    document.defaultView!.dispatchEvent(new Event('pageshow'));
    await timing.pass(3_000);
    expect(seen.map(({ texts }) => texts[0])).toEqual(['a', 'b']);

    let state = 'hidden';
    Object.defineProperty(document, 'visibilityState', { get: () => state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    await change('c');
    expect(seen).toHaveLength(2);
    state = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    await timing.pass(3_000);
    expect(seen.at(-1)!.texts).toEqual(['c']);

    observer!.stop();
    await change('d');
    expect(seen).toHaveLength(3);
  });

  test('one observer, however much changes', async () => {
    const document = await page('<p>a</p>');
    const made: MutationObserver[] = [];
    const Original = globalThis.MutationObserver;
    globalThis.MutationObserver = class extends Original {
      constructor(callback: MutationCallback) {
        super(callback);
        made.push(this);
      }
    };
    try {
      const timing = new TestTime();
      observe(document, timing);
      for (let count = 0; count < 100; count++) {
        document.body.append(document.createElement('p'));
        await timing.pass(600);
      }
      expect(made).toHaveLength(1);
    } finally {
      globalThis.MutationObserver = Original;
    }
  });
});

test('with the real clock', async () => {
  const document = await page('<p>a</p>');
  const seen: string[] = [];
  observer = observeContent(document, { onSnapshot: ({ blocks }) => seen.push(blocks[0]!.text) });
  await new Promise((resolve) => setTimeout(resolve, 1_700));
  document.querySelector('p')!.textContent = 'b';
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(seen).toEqual(['a', 'b']);
});
