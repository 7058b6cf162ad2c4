import type { ClearUrlsImport } from '#lib/url/clearurls.ts';

/** In bytes. The reader itself counts characters; what is larger than this cannot pass it. */
const LARGEST = 8_000_000;

/**
 * Reads a ClearURLs rule file.
 * @throws what `signal` was aborted with
 */
export async function readClearUrls(file: File, signal: AbortSignal): Promise<ClearUrlsImport> {
  if (file.size > LARGEST) {
    return { providers: {}, problems: [{ provider: '', field: '', problem: 'too-large', detail: '' }] };
  }
  const text = await file.text();
  signal.throwIfAborted();
  const worker = new Worker(new URL('./clearurls.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise<ClearUrlsImport>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<ClearUrlsImport>) => resolve(data));
      worker.addEventListener('error', (event) => reject(new Error(event.message)));
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
      worker.postMessage(text);
    });
  } finally {
    worker.terminate();
  }
}
