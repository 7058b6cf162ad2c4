// Marks on links, read from the overlay's closed shadow root through the debugger, which pages cannot do.
import type { Page } from '@playwright/test';
import { expect, test } from './round.ts';

interface Node {
  nodeName: string;
  backendNodeId: number;
  nodeValue?: string;
  attributes?: string[];
  children?: Node[];
  shadowRoots?: Node[];
  contentDocument?: Node;
}

function* all(node: Node): Generator<Node> {
  yield node;
  for (const child of [...(node.children ?? []), ...(node.shadowRoots ?? [])]) yield* all(child);
}

/** Every mark that is drawn: its shape, and where its middle is on the screen. */
async function marks(page: Page): Promise<{ shape: string; x: number; y: number }[]> {
  const session = await page.context().newCDPSession(page);
  const { root } = (await session.send('DOM.getDocument', { depth: -1, pierce: true })) as { root: Node };
  const host = [...all(root)].find(({ nodeName }) => nodeName === 'ONCEOVER-MARKS');
  const found: { shape: string; x: number; y: number }[] = [];
  for (const node of host ? all(host) : []) {
    if (node.nodeName.toLowerCase() !== 'svg') continue;
    const attributes = node.attributes ?? [];
    const shape = attributes[attributes.indexOf('class') + 1] ?? '';
    const box = await session
      .send('DOM.getBoxModel', { backendNodeId: node.backendNodeId })
      .catch(() => undefined);
    if (!box) continue;
    const [left = 0, top = 0] = box.model.border;
    found.push({ shape, x: left + box.model.width / 2, y: top + box.model.height / 2 });
  }
  await session.detach();
  return found;
}

/** Shapes of the marks at the end of the link with that address. */
async function marksAt(page: Page, path: string): Promise<string[]> {
  const link = page.locator(`a[href="${path}"]`).last();
  const box = await link.boundingBox();
  if (!box) throw new Error(`${path} is not on the screen.`);
  const near = (await marks(page)).filter(
    ({ x, y }) => Math.abs(x - (box.x + box.width)) < 12 && Math.abs(y - box.y) < 14,
  );
  return near.map(({ shape }) => shape);
}

/** What the overlay says in words: why the mark that is hovered or focused is there. */
async function tips(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { root } = (await session.send('DOM.getDocument', { depth: -1, pierce: true })) as { root: Node };
  const host = [...all(root)].find(({ nodeName }) => nodeName === 'ONCEOVER-MARKS');
  await session.detach();
  return [...(host ? all(host) : [])]
    .filter(({ attributes }) => attributes?.includes('tip'))
    .map(({ children = [] }) => children.map(({ nodeValue }) => nodeValue).join(''));
}

/** Where every element of the page is. */
const layout = (page: Page) =>
  page.evaluate(() =>
    [...document.body.querySelectorAll('*')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.tagName} ${x} ${y} ${width} ${height}`;
    }),
  );

test('each state has its shape, within a second, and nothing on the page moves', async ({
  tab,
  round,
  demo,
  browserOf,
}) => {
  await tab.goto(`${demo.url}/troubles`);
  await expect.poll(() => round.known()).toContain('/missing');
  expect(await marksAt(tab, '/missing')).toEqual([]);
  const before = await layout(tab);
  const other = await browserOf.context.newPage();
  for (const path of ['/missing', '/busy', '/files/manual.pdf', '/slow/2']) {
    await other.goto(demo.url + path).catch(() => undefined);
  }
  await expect.poll(() => round.pages()).toContain('visited /slow/2');
  await tab.bringToFront();
  const shapes = async () =>
    Object.fromEntries(
      await Promise.all(
        ['/missing', '/busy', '/files/manual.pdf', '/slow/2', '/too-many'].map(async (path) => [
          path,
          await marksAt(tab, path),
        ]),
      ),
    );
  await expect.poll(shapes).toEqual({
    '/missing': ['gone'],
    '/busy': ['retrying'],
    '/files/manual.pdf': ['visited'],
    '/slow/2': ['visited'],
    '/too-many': [],
  });
  await tab.locator('a[href="/missing"]').last().hover();
  await expect.poll(() => tips(tab)).toEqual(['No longer there']);
  await tab.mouse.move(0, 0);
  await expect.poll(() => tips(tab)).toEqual([]);
  await tab.locator('a[href="/busy"]').last().focus();
  await tab.keyboard.press('Shift+Tab');
  await tab.keyboard.press('Tab');
  await expect.poll(() => tips(tab)).toEqual(['Tried and failed, to be tried again']);
  expect(await layout(tab)).toEqual(before);
  // Nothing but the overlay was added to the page.
  expect(
    await tab.evaluate(() => [...document.documentElement.children].map(({ localName }) => localName)),
  ).toEqual(['head', 'body', 'onceover-marks']);
  expect(await tab.evaluate(() => document.querySelector('onceover-marks')?.shadowRoot)).toBeNull();
});

test('marks follow what scrolls and what comes later, and none stands in editable text', async ({
  tab,
  round,
  demo,
}) => {
  for (const path of ['/shop/item/124', '/shop/item/110', '/shop/item/123']) await tab.goto(demo.url + path);
  await expect.poll(() => round.pages()).toHaveLength(3);
  await tab.goto(`${demo.url}/doors`);
  await tab.click('#more');
  await tab.locator('#later a').scrollIntoViewIfNeeded();
  await expect.poll(() => marksAt(tab, '/shop/item/124')).toEqual(['visited']);
  await tab.locator('[contenteditable]').scrollIntoViewIfNeeded();
  await tab.waitForTimeout(600);
  expect(await marksAt(tab, '/shop/item/110')).toEqual([]);
  await tab.mouse.wheel(0, -150);
  await expect.poll(() => marksAt(tab, '/shop/item/124')).toEqual(['visited']);
});

test('the switch turns them off and on at once; print has none', async ({ tab, round, demo, browserOf }) => {
  await tab.goto(`${demo.url}/missing`);
  await expect.poll(() => round.pages()).toEqual(['gone /missing']);
  await tab.goto(`${demo.url}/troubles`);
  await expect.poll(() => marksAt(tab, '/missing')).toEqual(['gone']);
  const set = (marks: boolean) =>
    browserOf.backstage.evaluate((marks) => chrome.storage.local.set({ marks }), marks);
  await set(false);
  await expect.poll(() => marks(tab)).toEqual([]);
  await set(true);
  await expect.poll(() => marksAt(tab, '/missing')).toEqual(['gone']);
  await tab.emulateMedia({ media: 'print' });
  await expect.poll(() => marks(tab)).toEqual([]);
});
