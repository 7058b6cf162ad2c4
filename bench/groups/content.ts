import { captureSnapshot } from '../../lib/content/index.ts';
import { liveBoxes } from '../../lib/content/capture-live.ts';
import { observeContent } from '../../lib/content/observe.ts';
import { fullRules } from '../../lib/content/rules.ts';
import { exactRow, timedRow, type Context, type Group } from '../context.ts';
import { interleave, type Work } from '../measure.ts';
import type { Row } from '../row.ts';

/** Text nodes of the page: three in each block. */
const TEXT_NODES = 9000;
const SET = `${TEXT_NODES} text nodes`;
/** Time between two frames of a screen, in ms. */
const FRAME = 1000 / 60;
const IN_A_FRAME = 100;

/** What reading a page costs the page. */
export const content: Group = {
  name: 'content',
  engines: ['chromium'],
  async *run(context) {
    yield await firstScan(context);
    yield* await changedBlocks(context);
    document.body.replaceChildren();
  },
};

/** Each scan is of nodes that no script has met before, as after a page was loaded; they are drawn already. */
function firstScan(context: Context): Promise<Row> {
  const first = (name: string, run: () => unknown): Work => ({
    name,
    operations: 1,
    prepare: () => {
      fill();
      return run;
    },
  });
  return timedRow(
    context,
    {
      name: 'first block scan',
      set: SET,
      unit: 'ms',
      target: { most: 10 },
      ratioOf: 'ours ÷ a bare walk over the text nodes',
    },
    {
      ours: first('captureSnapshot', () => captureSnapshot(document)),
      peers: [first('innerText lines', () => document.body.innerText.split('\n').length)],
      base: first('bare walk', bareWalk),
    },
  );
}

async function changedBlocks(context: Context): Promise<Row[]> {
  fill();
  const texts = [...document.querySelectorAll('b')].map((element) => element.firstChild!);
  const boxes = liveBoxes(document, fullRules({ frames: false }), () => undefined);
  while (boxes.step());
  const records = new MutationObserver(() => undefined);
  records.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  let writes = 0;
  const change = () => {
    for (let i = 0; i < IN_A_FRAME; i++) texts[(writes * 37) % texts.length]!.nodeValue = `now ${writes++}`;
    document.body.getBoundingClientRect();
  };
  /** Blocks are changed by the hundred, as in a frame; the time of one is a hundredth. */
  const pass: Work = {
    name: 'marked, read and hashed again',
    operations: IN_A_FRAME,
    prepare: () => {
      records.takeRecords();
      change();
      const list = records.takeRecords();
      return () => {
        boxes.note(list);
        while (boxes.step());
        return boxes.takeChanged();
      };
    },
  };
  const rescan: Work = {
    name: 'full rescan',
    operations: 1,
    prepare: () => {
      change();
      return () => captureSnapshot(document);
    },
  };

  const times = await interleave([pass, rescan], context.rounds);
  const ours = times.get(pass.name)!.median;
  const peer = times.get(rescan.name)!.median;
  const one = exactRow(
    context,
    {
      name: 'one changed block',
      set: SET,
      unit: 'µs',
      target: { least: 500 },
      ratioOf: 'full rescan ÷ ours',
    },
    { ours: ours / 1e3, peer: peer / 1e3, peerName: rescan.name, ratio: peer / ours },
  );
  const hundred = (ours * IN_A_FRAME) / 1e6;
  const frame = exactRow(
    context,
    {
      name: `${IN_A_FRAME} changed nodes in a frame`,
      set: SET,
      unit: 'ms',
      target: { most: 0.05 },
      ratioOf: 'ours ÷ 16.7 ms',
    },
    { ours: hundred, peer: peer / 1e6, peerName: rescan.name, ratio: hundred / FRAME },
  );
  records.disconnect();

  const observer = observeContent(document, { onSnapshot: () => undefined });
  observer.read();
  const told = await timedRow(
    context,
    {
      name: `${IN_A_FRAME} changed nodes, told as a snapshot`,
      set: SET,
      unit: 'µs',
      ratioOf: 'full rescan ÷ ours',
    },
    {
      ours: {
        name: 'read',
        operations: 1,
        prepare: () => {
          change();
          return () => observer.read();
        },
      },
      peers: [rescan],
    },
  );
  observer.stop();
  return [one, frame, told];
}

function fill(): void {
  const parts: string[] = [];
  for (let i = 0; i < TEXT_NODES / 3; i++) {
    if (i % 20 === 0) parts.push(`<h2>Section ${i / 20}</h2>`);
    parts.push(`<p>Item ${i} of the list costs <b>${(i * 37) % 1000}</b> and is in stock</p>`);
  }
  document.body.innerHTML = parts.join('');
  document.body.getBoundingClientRect();
}

function bareWalk(): number {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let length = 0;
  while (walker.nextNode()) length += walker.currentNode.nodeValue?.length ?? 0;
  return length;
}
