// Compares the two paths of URL keys on as many addresses as it takes to trust them: npm run fuzz [-- --seed N] [FILE…]
// Files are lists of addresses, one a line, plain or .gz; each line is also edited twice.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { differences, fuzzed, mutated, ordinary } from '../lib/url/fuzz/differential.ts';
import { seeded } from '../lib/url/fuzz/inputs.ts';

const ORDINARY = 300_000;
const FUZZED = 1_000_000;
const MOST_SHOWN = 20;

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const seed = Number(values.seed);
let checked = 0;
let found = 0;

run('ordinary list and edits', (random) => mutated(random, ordinary(random, ORDINARY)), Infinity);
for (const file of positionals) {
  const lines = await linesOf(file);
  run(`${file} and edits`, (random) => mutated(random, lines), Infinity);
}
run('hostile inputs', fuzzed, FUZZED);
console.log(`${checked} compared, ${found} different (seed ${seed})`);
process.exitCode = found === 0 ? 0 : 1;

function run(name, samples, most) {
  const started = Date.now();
  const random = seeded(seed);
  const all = differences(random, samples(random), most);
  let next = all.next();
  for (; !next.done; next = all.next()) if (found++ < MOST_SHOWN) console.error(JSON.stringify(next.value));
  checked += next.value;
  console.log(`${name}: ${next.value} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

async function linesOf(file) {
  const stream = createReadStream(file);
  const text = file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream;
  const lines = [];
  for await (const line of createInterface({ input: text })) lines.push(line);
  return lines;
}
