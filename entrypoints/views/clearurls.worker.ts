// Reads a file of imported rules beside the page: timing hundreds of expressions takes a while, and a hostile one may take long.
import { importClearUrls } from '#lib/url/clearurls.ts';

addEventListener('message', ({ data }: MessageEvent<string>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no target
  postMessage(importClearUrls(data, () => performance.now()));
});
