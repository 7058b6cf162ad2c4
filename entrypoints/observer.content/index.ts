import { defineContentScript } from 'wxt/utils/define-content-script';
import { tellClicks } from './clicks.ts';
import { ContentTeller } from './content.ts';
import { doc } from './doc.ts';
import { KnownLinks } from './known.ts';
import { beginLife, type Life } from './life.ts';
import { watchLinks, type Link } from './links.ts';
import { Marks } from './marks.ts';
import { activated, tellShowings, visible, wasPrerendered } from './showing.ts';
import { createTeller } from './tell.ts';
import { followWanted, type Wanted } from './wanted.ts';

/** A page that streams for longer than this is walked before it is complete, in ms. */
const STREAMING = 2000;
/** A page that makes up addresses without end is believed up to here. */
const MOST_LINKS = 200_000;

/** Resolves when the document is parsed, or is taking too long. */
async function parsed(life: Life): Promise<void> {
  if (doc.readyState !== 'loading') return;
  await new Promise<void>((done) => {
    doc.addEventListener('DOMContentLoaded', () => done(), { once: true, signal: life.signal });
    setTimeout(done, STREAMING);
  });
}

export default defineContentScript({
  registration: 'runtime',
  matches: [],
  noScriptStartedPostMessage: true,
  main(ctx) {
    // The PDF viewer breaks when anything is added to its document; the browser tells of PDFs.
    if (doc.contentType === 'application/pdf') return;
    const isTop = window === window.top;
    const isWeb = location.protocol === 'http:' || location.protocol === 'https:';
    // A window that began blank is no page, also when its opener writes into it and lends it an address.
    if (isTop && !isWeb) return;
    const life = beginLife(ctx);
    // Nobody sees a prerendered page until it is activated.
    if (life) void activated(life.signal).then(() => observe(life, isTop));
  },
});

/** Adds an element; of a page that draws the same link again and again, only those still there are kept. */
function remember(elements: WeakRef<Element>[], element: Element): void {
  if (elements.length % 64 === 0) {
    const living = elements.filter((ref) => ref.deref()?.isConnected);
    elements.splice(0, elements.length, ...living);
  }
  elements.push(new WeakRef(element));
}

function observe(life: Life, isTop: boolean): void {
  const teller = createTeller(life);
  let wanted: Wanted | undefined;
  /** The page's links that are recorded. */
  const byAddress = new Map<string, WeakRef<Element>[]>();
  let links: KnownLinks | undefined;
  let tellAgain: (() => void) | undefined;
  let findAgain: (() => void) | undefined;
  // A page that was open before its round counts only once it is looked at.
  let early = doc.readyState === 'loading' || wasPrerendered();

  const isRecorded = () => life.alive() && (wanted?.covers(isTop ? location.href : doc.baseURI) ?? false);

  async function tellPage(): Promise<void> {
    if (!early) await visible(life.signal);
    early = false;
    if (!isRecorded()) return;
    if (tellAgain) tellAgain();
    else tellAgain = tellShowings(teller, life, isRecorded, tellContent);
  }

  // The worker makes one page of what all frames say.
  const texts = new ContentTeller(teller, life, isRecorded);
  const tellContent = (status: number) => {
    if (wanted?.texts) void parsed(life).then(() => texts.shown(status));
  };

  async function tellLinks(now: Wanted): Promise<void> {
    if (links) {
      links.want(now);
      byAddress.clear();
      return findAgain?.();
    }
    const known = new KnownLinks(teller, now);
    links = known;
    await parsed(life);
    const marks = new Marks(byAddress, teller, life);
    const found = ({ element, href }: Link) => {
      if (!wanted?.covers(href)) return;
      const elements = byAddress.get(href);
      if (elements) remember(elements, element);
      else if (byAddress.size < MOST_LINKS) byAddress.set(href, [new WeakRef(element)]);
      else return;
      if (!elements) known.add(href);
      marks.add(href);
    };
    findAgain = watchLinks(life, found, () => {
      known.flush();
      marks.flush();
    });
  }

  tellClicks(teller, isRecorded, life.signal);
  followWanted(life, (now) => {
    wanted = now;
    if (!isRecorded()) return;
    if (isTop) void tellPage();
    else tellContent(0);
    void tellLinks(now);
  });
}
