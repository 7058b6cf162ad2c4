// Runs one group in a process of its own, so that no group meets code that another has made the engine optimise or give up.
// Arguments: group, rounds, files with addresses. Each row is a line of JSON, on a
// descriptor of its own, since peers may write to the console.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import type { DedupeMark, Tools } from '../context.ts';
import { readList } from '../files.ts';
import { readKeysWith } from '../../lib/sets/index.ts';
import { GROUPS } from '../groups/index.ts';

// As any program in Node should that uses the sets.
readKeysWith(new TextEncoder());
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'major'; execution: 'async' }) => Promise<void>;

/** From an empty stack, since what a stack may still point to stays alive. */
async function heap(): Promise<number> {
  for (let i = 0; i < 3; i++) await collect({ type: 'major', execution: 'async' });
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const tools: Tools = {
  xz(lines) {
    const { status, stdout } = spawnSync('xz', ['-9', '-c'], { input: lines, maxBuffer: 2 ** 30 });
    return status === 0 ? stdout.length : undefined;
  },
  marisa(lines) {
    const folder = mkdtempSync(join(tmpdir(), 'onceover-bench-'));
    try {
      const from = join(folder, 'lines');
      const to = join(folder, 'trie');
      writeFileSync(from, lines);
      return spawnSync('marisa-build', ['-o', to, from]).status === 0 ? statSync(to).size : undefined;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const ROWS = 3;
const DEDUPE = ['cli/main.ts', 'dedupe'];
const LINES_A_WRITE = 2000;

/** Memory of a process by `ps`. */
function memoryOf(pid: number | undefined): number | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) * 1024 : undefined;
}

tools.dedupe = async (line, marks) => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, DEDUPE, { cwd, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'close');
  const start = performance.now();
  const results: DedupeMark[] = [];
  let index = 0;
  for (const lines of marks) {
    while (index < lines) {
      let text = '';
      for (let i = 0; i < LINES_A_WRITE; i++) text += `${line(index++)}\n`;
      if (!child.stdin.write(text)) await once(child.stdin, 'drain');
    }
    results.push({ lines, seconds: (performance.now() - start) / 1000, bytes: memoryOf(child.pid) });
  }
  child.stdin.end();
  const [status] = (await ended) as [number | null];
  if (status !== 0) throw new Error(`dedupe ended with ${status}`);
  return results;
};

const [name, rounds, ...files] = process.argv.slice(2);
const group = GROUPS.find((each) => each.name === name);
if (group === undefined) throw new Error(`there is no group ${name}`);
const given = files.map(readList);
for await (const row of group.run({ engine: 'node', rounds: Number(rounds), given, heap, tools })) {
  writeSync(ROWS, `${JSON.stringify(row)}\n`);
}
