import { readJson } from './json.ts';
import type { ImportFormat } from './reader.ts';

/** Addresses of a HAR file; its headers, cookies and bodies are not even kept for a moment. */
export const har: ImportFormat = {
  name: 'har',
  extensions: ['.har'],
  purpose: {
    en: 'HAR of the browser’s network panel (addresses only)',
    zh: '浏览器网络面板的 HAR（仅读取地址）',
  },
  read: (bytes) => readJson(bytes, (path) => (path === 'log.entries[].request.url' ? 'url' : null)),
};
