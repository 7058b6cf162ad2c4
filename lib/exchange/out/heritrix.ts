import type { ExportFormat } from '../format.ts';

export const heritrix: ExportFormat = {
  name: 'heritrix',
  extension: '.seeds',
  mime: 'text/plain',
  purpose: {
    en: 'Heritrix: seeds, or with --include pages not to fetch again',
    zh: 'Heritrix：种子；加 --include 则为不再抓取的页面',
  },
  proof: 'documentation',
  use: 'cp FILE JOB/action/',
  fragment: 'drop',
  options: ['include'],
  open: ({ include = false }) => ({
    extension: include ? '.include' : '.seeds',
    entry: ({ url }) => `${include ? 'Fi ' : ''}${url}\n`,
  }),
};
