import { expect, test } from 'vitest';
import { captureSnapshot } from './index.ts';
import { page } from './capture.testing.ts';

const texts = async (body: string, head?: string) =>
  captureSnapshot(await page(body, head)).blocks.map(({ text }) => text);

test('joins inline tags and splits at blocks and line breaks', async () => {
  expect(await texts('<p><b>7</b>0 <i>kg</i></p>')).toEqual(['70 kg']);
  expect(await texts('<div>a<br>b<p>c</p>d</div>')).toEqual(['a', 'b', 'c', 'd']);
  expect(await texts('<table><tr><td>1</td><td>2</td></tr></table>')).toEqual(['1', '2']);
  expect(await texts('<pre>a\n  b\n<b>c</b>\nd</pre>')).toEqual(['a', 'b', 'c', 'd']);
});
