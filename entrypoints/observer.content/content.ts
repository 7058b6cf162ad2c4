import { observeContent, type ContentObserver } from '#lib/content/observe.ts';
import { doc } from './doc.ts';
import type { Life } from './life.ts';
import type { Teller } from './tell.ts';

function canonicalOf(): string | undefined {
  const link = doc.querySelector<HTMLLinkElement>('link[rel~="canonical"][href]');
  return link && /^https?:/.test(link.href) ? link.href : undefined;
}

/**
 * Returns a function to be called when a page (document or route) is shown: it reads this frame's text once it is quiet
 * and in front, and tells its digests. Pages that were left before, empty ones and error pages are not read.
 */
export function contentTeller(
  teller: Teller,
  life: Life,
  isRecorded: () => boolean,
): (status: number) => void {
  let reading: ContentObserver | undefined;
  const stop = () => {
    reading?.stop();
    reading = undefined;
  };
  life.signal.addEventListener('abort', stop);

  return (status) => {
    stop();
    if (status >= 400 || life.signal.aborted) return;
    const url = location.href;
    reading = observeContent(document, {
      onSnapshot({ digest, maskedDigest, blocks }) {
        stop();
        if (!isRecorded() || location.href !== url || blocks.length === 0) return;
        const canonical = canonicalOf();
        const about = { url, digest, maskedDigest, blocks: blocks.length };
        void teller.tell('content', { ...about, ...(canonical !== undefined && { canonical }) });
      },
    });
  };
}
