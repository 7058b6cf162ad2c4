import { defineContentScript } from 'wxt/utils/define-content-script';
import { followAsked } from './asked.ts';
import { tellClicks } from './clicks.ts';
import { ContentTeller } from './content.ts';
import { doc } from './doc.ts';
import { KnownLinks } from './known.ts';
import { beginLife, type Life } from './life.ts';
import { watchLinks, type LinkWatch } from './links.ts';
import { Marks } from './marks.ts';
import { activated, tellShowings, visible, wasPrerendered } from './showing.ts';
import { Targets } from './targets.ts';
import { createTeller } from './tell.ts';
import { followWanted, type Wanted } from './wanted.ts';

/** A page that streams for longer than this is walked before it is complete, in ms. */
const STREAMING = 2000;

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

function observe(life: Life, isTop: boolean): void {
  const teller = createTeller(life);
  let wanted: Wanted | undefined;
  let tellAgain: (() => void) | undefined;
  let linksAgain: ((now: Wanted) => void) | undefined;
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
    if (linksAgain) return linksAgain(now);
    const known = new KnownLinks(teller, now);
    let watch: LinkWatch | undefined;
    const targets = new Targets(
      (href) => wanted?.covers(href) ?? false,
      (target) => {
        known.add(target);
        marks.add(target);
      },
      () => known.refuse(),
    );
    const marks = new Marks(targets, teller, life, () => watch?.again());
    linksAgain = (then) => {
      known.want(then);
      targets.clear();
      marks.clear();
      watch?.again();
    };
    await parsed(life);
    watch = watchLinks(life, {
      begin: () => targets.begin(),
      link: (element) => marks.visit(element, targets.of(element)),
      end() {
        known.flush();
        marks.flush();
      },
    });
  }

  followAsked(teller, life, isRecorded, () => texts.again());
  tellClicks(teller, isRecorded, life.signal);
  followWanted(life, (now) => {
    wanted = now;
    if (!isRecorded()) return;
    if (isTop) void tellPage();
    else tellContent(0);
    void tellLinks(now);
  });
}
