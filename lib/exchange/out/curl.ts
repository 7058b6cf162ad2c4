import type { ExportFormat } from '../format.ts';

export const curl: ExportFormat = {
  name: 'curl',
  extension: '.curl',
  mime: 'text/plain',
  purpose: {
    en: 'curl: config file, answers saved as page-1, page-2 …',
    zh: 'curl：配置文件，响应保存为 page-1、page-2 …',
  },
  proof: 'tool',
  use: 'curl -q -g -K FILE',
  fragment: 'drop',
  options: [],
  open() {
    let number = 0;
    return {
      // Without globoff `[::1]` would be taken for a range.
      head: 'globoff\n',
      entry: ({ url }) => `url = "${url}"\noutput = "page-${++number}"\n`,
    };
  },
};
