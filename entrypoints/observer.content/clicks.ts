import { browser } from 'wxt/browser';
import { CLICK_NOTE } from '#lib/observed.ts';
import type { Messages } from '#lib/protocol.ts';
import { attributeOf, doc } from './doc.ts';
import type { Teller } from './tell.ts';

const TEXT_LIMIT = 200;

/** The address a link leads to, absolute; SVG links carry an object instead of a string. */
export function linkAddress(element: Element): string | undefined {
  const { href } = element as { href?: string | { baseVal: string } };
  if (typeof href === 'string') return href;
  if (href === undefined || href === null || href.baseVal === '') return undefined;
  return URL.parse(href.baseVal, doc.baseURI)?.href;
}

/** Whether it is a link a person can follow: `a`, `area` and the `a` of SVG, with an address. */
export function isLink(node: EventTarget | null): node is Element {
  if (!(node instanceof Element)) return false;
  const { localName } = node;
  return (localName === 'a' || localName === 'area') && linkAddress(node) !== undefined;
}

const isWeb = (url: string) => url.startsWith('http:') || url.startsWith('https:');

function linkText(link: Element): string {
  const text = link.localName === 'area' ? (attributeOf(link, 'alt') ?? '') : (link.textContent ?? '');
  return text.replace(/\s+/g, ' ').trim().slice(0, TEXT_LIMIT);
}

/** Tells the worker, and leaves a note for it where the page may be gone before it is awake. */
async function tell(teller: Teller, click: Omit<Messages['click']['fields'], 'event'>): Promise<void> {
  const event = teller.newEvent();
  if (click.newTab) {
    await teller.tell('click', click, event);
    return;
  }
  const note = CLICK_NOTE + event;
  const noted = browser.storage.local.set({ [note]: click });
  await teller.tell('click', click, event);
  await noted;
  await browser.storage.local.remove(note);
}

/**
 * Tells which link or form a person used, so that the visit it leads to knows how and from where. Whether it leads
 * anywhere is the browser's to say: a click alone is never a visit. Nothing is cancelled or stopped.
 */
export function tellClicks(teller: Teller, isRecorded: () => boolean, signal: AbortSignal): void {
  function click(event: MouseEvent): void {
    // Alt+click saves the target; what scripts make up was no person.
    if (!event.isTrusted || event.altKey || !isRecorded()) return;
    const link = event.composedPath().find(isLink);
    const href = link && linkAddress(link);
    if (!link || !href || !isWeb(href)) return;
    void tell(teller, {
      url: location.href,
      href,
      text: linkText(link),
      how: 'link',
      newTab: event.type === 'auxclick' || event.ctrlKey || event.metaKey || event.shiftKey || opensTab(link),
      at: Date.now(),
    });
  }

  function submit(event: SubmitEvent): void {
    const form = event.target;
    if (!event.isTrusted || !(form instanceof HTMLFormElement) || !isRecorded()) return;
    const action =
      (event.submitter && attributeOf(event.submitter, 'formaction')) ?? attributeOf(form, 'action') ?? '';
    const href = URL.parse(action, action === '' ? location.href : doc.baseURI)?.href;
    if (!href || !isWeb(href)) return;
    void tell(teller, {
      url: location.href,
      href,
      text: (event.submitter?.textContent ?? '').trim().slice(0, TEXT_LIMIT),
      how: 'form',
      newTab: opensTab(form),
      at: Date.now(),
    });
  }

  // On the window while capturing: no page can stop an event before it comes here.
  const options = { capture: true, passive: true, signal };
  addEventListener('click', click, options);
  addEventListener('auxclick', (event) => event.button === 1 && click(event), options);
  addEventListener('submit', submit, options);
}

const opensTab = (element: Element) => /^_blank$/i.test(attributeOf(element, 'target') ?? '');
