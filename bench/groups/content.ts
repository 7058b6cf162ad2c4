import { captureSnapshot } from '../../lib/content/index.ts';
import { observeContent } from '../../lib/content/observe.ts';
import { timedRow, type Group } from '../context.ts';
import type { Work } from '../measure.ts';

/** Text nodes of the page: three in each block. */
const TEXT_NODES = 9000;

/** What reading a page costs the page. */
export const content: Group = {
  name: 'content',
  engines: ['chromium'],
  async *run(context) {
    fill(document.body);
    const set = `${TEXT_NODES} text nodes`;
    const scan = once('captureSnapshot', () => captureSnapshot(document));
    yield await timedRow(
      context,
      {
        name: 'first block scan',
        set,
        unit: 'ms',
        target: { most: 10 },
        ratioOf: 'ours ÷ a bare walk over the text nodes',
      },
      {
        ours: scan,
        peers: [once('innerText lines', () => document.body.innerText.split('\n').length)],
        base: once('bare walk', bareWalk),
      },
    );

    const observer = observeContent(document, { onSnapshot: () => undefined });
    observer.read();
    const texts = [...document.querySelectorAll('b')];
    let changes = 0;
    const changed: Work = {
      name: 'one changed block',
      operations: 1,
      prepare: () => {
        texts[changes % texts.length]!.firstChild!.nodeValue = `changed ${changes++}`;
        return () => observer.read().blocks.length;
      },
    };
    yield await timedRow(
      context,
      { name: 'one changed block', set, unit: 'µs', target: { least: 500 }, ratioOf: 'full rescan ÷ ours' },
      { ours: changed, peers: [once('full rescan', () => captureSnapshot(document))] },
    );
    observer.stop();
    document.body.replaceChildren();
  },
};

function fill(body: HTMLElement): void {
  const parts: string[] = [];
  for (let i = 0; i < TEXT_NODES / 3; i++) {
    if (i % 20 === 0) parts.push(`<h2>Section ${i / 20}</h2>`);
    parts.push(`<p>Item ${i} of the list costs <b>${(i * 37) % 1000}</b> and is in stock</p>`);
  }
  body.innerHTML = parts.join('');
}

function once(name: string, run: () => unknown): Work {
  return { name, operations: 1, prepare: () => run };
}

function bareWalk(): number {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let length = 0;
  while (walker.nextNode()) length += walker.currentNode.nodeValue?.length ?? 0;
  return length;
}
