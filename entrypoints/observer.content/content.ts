import { captureSnapshot } from '#lib/content/index.ts';
import type { Life } from './life.ts';
import { visible } from './showing.ts';
import type { Teller } from './tell.ts';

/** A page is read once its text was quiet this long … */
const QUIET = 1000;
/** … or after this long, whatever it does. */
const PATIENCE = 10_000;

/** Resolves when nothing on the page changed for a while; `false` when the signal came first. */
async function quiet(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  return new Promise((done) => {
    const end = (isQuiet: boolean) => {
      observer.disconnect();
      clearTimeout(patience);
      clearTimeout(timer);
      done(isQuiet);
    };
    const wait = () => setTimeout(end, QUIET, true);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = wait();
    });
    let timer = wait();
    const patience = setTimeout(end, PATIENCE, true);
    observer.observe(document, { childList: true, subtree: true, characterData: true });
    signal.addEventListener('abort', () => end(false), { once: true });
  });
}

/**
 * Returns a function to be called when a page (document or route) is shown: it reads the page once it is quiet and in
 * front, and tells its digests. Pages that were left before, empty ones and error pages are not read.
 */
export function contentTeller(
  teller: Teller,
  life: Life,
  isRecorded: () => boolean,
): (status: number) => void {
  let showing = new AbortController();
  life.signal.addEventListener('abort', () => showing.abort());

  return async (status) => {
    showing.abort();
    showing = new AbortController();
    const { signal } = showing;
    if (status >= 400) return;
    const url = location.href;
    await visible(signal);
    if (!(await quiet(signal)) || !isRecorded() || location.href !== url) return;
    const { digest, maskedDigest, blocks } = captureSnapshot(document);
    if (blocks.length === 0) return;
    const link = document.querySelector<HTMLLinkElement>('link[rel~="canonical"][href]');
    const canonical = link && /^https?:/.test(link.href) ? link.href : undefined;
    void teller.tell('content', {
      url,
      digest,
      maskedDigest,
      blocks: blocks.length,
      ...(canonical !== undefined && { canonical }),
    });
  };
}
