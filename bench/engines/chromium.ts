import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from '@playwright/test';
import { build } from 'vite';
import { findChromium } from '../../scripts/browser.mjs';
import type { List } from '../lists.ts';
import type { Row } from '../row.ts';

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>bench</title><script type="module" src="/bench.js"></script>';
/** A page that may use precise clocks. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** A browser with the measurements loaded; `run` opens a page of its own for each group. */
export interface Chromium {
  readonly version: string;
  run(group: string, rounds: number, given: readonly List[], onRow: (row: Row) => void): Promise<void>;
  close(): Promise<void>;
}

export async function startChromium(): Promise<Chromium> {
  const script = await bundle();
  const server = createServer((request, response) => {
    const isScript = request.url === '/bench.js';
    response.writeHead(200, { ...HEADERS, 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const browser: Browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-quic', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  });
  return {
    version: browser.version(),
    async run(group, rounds, given, onRow) {
      const page = await browser.newPage();
      page.on('pageerror', (error) => console.error(error));
      page.setDefaultTimeout(0);
      await page.exposeFunction('report', onRow);
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.waitForFunction(() => 'measure' in window);
      await page.evaluate(async ([name, count, lists]) => window.measure(name, count, lists), [
        group,
        rounds,
        given,
      ] as const);
      await page.close();
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** The measurements and what they measure as one script. */
async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'error',
    define: { global: 'globalThis' },
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input: fileURLToPath(new URL('browser.ts', import.meta.url)),
        output: { codeSplitting: false },
      },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  for (const output of outputs) {
    if (!('output' in output)) continue;
    const [chunk] = output.output;
    return chunk.code;
  }
  throw new Error('the measurements were not built');
}
