// The same key, `ok` and reason in Node and inside the extension.
import { readFileSync } from 'node:fs';
import { build, type Rollup } from 'vite';
import { answersTo, answersToFuzz } from '../lib/url/fuzz/answers.ts';
import { expect, test } from './harness/test.ts';

interface Corpus {
  cases: { id: string; input: string; base?: string; options?: unknown }[];
  mustDiffer: { a: string; b: string }[];
  mustEqual: { urls: string[] }[];
}

const INPUTS = 100_000;
const CHUNK = 10_000;

const corpus = JSON.parse(readFileSync(new URL('../corpus/urls.json', import.meta.url), 'utf8')) as Corpus;

async function bundle(): Promise<string> {
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry: 'lib/url/fuzz/answers.ts', formats: ['iife'], name: 'keys' } },
  })) as Rollup.RollupOutput[];
  return output[0]!.output[0].code;
}

test('keys are the same in Node and in the extension', async ({ onceover }) => {
  test.setTimeout(150_000);
  const page = onceover.backstage;
  const code = await bundle();
  const inExtension = (call: string) => page.evaluate<string[]>(`(() => { ${code}; return ${call}; })()`);

  const questions = [
    ...corpus.cases.map(({ input, base, options }) => ({ input, base, options })),
    ...corpus.mustDiffer.flatMap(({ a, b }) => [{ input: a }, { input: b }]),
    ...corpus.mustEqual.flatMap(({ urls }) => urls.map((input) => ({ input }))),
  ];
  expect(await inExtension(`keys.answersTo(${JSON.stringify(questions)})`)).toEqual(answersTo(questions));

  for (let seed = 1; seed <= INPUTS / CHUNK; seed++) {
    const there = await inExtension(`keys.answersToFuzz(${seed}, ${CHUNK})`);
    const here = answersToFuzz(seed, CHUNK);
    const different = here.flatMap((line, index) =>
      line === there[index] ? [] : [{ here: line, there: there[index] }],
    );
    expect(different).toEqual([]);
  }
});
