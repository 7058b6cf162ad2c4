import { createHash } from 'node:crypto';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'cli', 'onceover.cjs');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onceover-process-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the program', () => {
  test('a reader that goes away ends it without a word', async () => {
    const child = spawn(process.execPath, [BIN, 'normalize']);
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.stdin.on('error', () => {});
    child.stdout.once('data', () => child.stdout.destroy());
    const feed = setInterval(() => child.stdin.write('https://a.example.com/\n'.repeat(10_000)), 5);
    const code = await new Promise((resolve) => child.on('close', resolve));
    clearInterval(feed);
    expect({ code, errors }).toEqual({ code: 141, errors: '' });
  });

  test('Ctrl-C ends it without a word, and leaves no half file', async () => {
    const output = join(folder, 'out');
    const child = spawn(process.execPath, [BIN, 'dedupe', '--format', 'list', '--output', `${output}/`]);
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    child.stdin.on('error', () => {});
    child.stdin.write(
      Array.from({ length: 20_000 }, (_, number) => `https://a.example.com/${number}\n`).join(''),
    );
    await until(() => spawnSync('ls', ['-A', output]).stdout.toString().includes('unfinished'));
    child.kill('SIGINT');
    const ended = await new Promise((resolve) =>
      child.on('close', (code, signal) => resolve(signal ?? code)),
    );
    expect({ ended, errors }).toEqual({ ended: 'SIGINT', errors: '' });
    expect(spawnSync('ls', ['-A', output]).stdout.toString()).toBe('');
  });

  test('says in a sentence that Node is too old, in words that any Node can read', () => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '8.17.0' }); process.argv[1] = ${JSON.stringify(BIN)}; require(${JSON.stringify(BIN)})`;
    const { status, stderr, stdout } = spawnSync(process.execPath, ['-e', pretend]);
    expect(status).toBe(2);
    expect(stderr.toString()).toMatch(
      /^onceover needs Node \d+\.\d+ or newer and this is Node 8\.17\.0: [^\n]*\n$/,
    );
    expect(stdout.toString()).toBe('');
    const code = readFileSync(BIN, 'utf8').replace(/\/\/.*$/gm, '');
    expect(code).not.toMatch(/=>|`|\b(?:const|let|class|async|await|import)\b|\?\.|\?\?/);
  });

  test('memory grows with the set, not with the list', { timeout: 60_000 }, () => {
    // 60 MB of list, 1,000 pages, 40 MB of heap.
    const list = join(folder, 'long.txt');
    const fragment = 'x'.repeat(2000);
    const some = Array.from(
      { length: 1000 },
      (_, number) => `https://a.example.com/${number}#${fragment}\n`,
    ).join('');
    for (let times = 0; times < 30; times++) appendFileSync(list, some);
    const words = ['--max-old-space-size=40', BIN, 'dedupe', list];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { maxBuffer: 1 << 24 });
    expect(stderr.toString()).toBe('30000 lines, 1000 pages, 29000 duplicates, 0 bad\n');
    expect(stdout.toString().split('\n')).toHaveLength(1001);
    expect(status).toBe(0);
  });
});

describe('the package', () => {
  test('installed offline it runs, and its parts can be imported', { timeout: 120_000 }, () => {
    // The build goes to its own folder only in prepack, so other tests are not disturbed.
    const npm = (words: string[], cwd: string) =>
      execFileSync('npm', words, {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: process.platform === 'win32',
      });
    npm(['pack', '--silent', '--pack-destination', folder], ROOT);
    const user = mkdtempSync(join(folder, 'user-'));
    writeFileSync(join(user, 'package.json'), '{"private":true,"type":"module"}');
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    npm(
      [
        'install',
        '--offline',
        '--omit=optional',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        `../onceover-${version}.tgz`,
      ],
      user,
    );

    const bin = join(user, 'node_modules', 'onceover', 'cli', 'onceover.cjs');
    const run = (words: string[], input: string) =>
      spawnSync(process.execPath, [bin, ...words], { input, cwd: user });
    expect(run(['normalize'], 'https://a.example.com/?b=1&a=2\n').stdout.toString()).toBe(
      'https://a.example.com/?a=2&b=1\n',
    );
    expect(run(['formats'], '').stdout.toString()).toContain('urlfrontier');

    const program = `
import { compilePolicy, normalizeUrl, type Key, type Policy } from 'onceover/url';
import { fingerprint } from 'onceover/fingerprint';
import { RadixTrie } from 'onceover/sets';
import * as content from 'onceover/content';
const policy: Policy = compilePolicy({ stripWww: true });
const result = normalizeUrl('https://www.a.example.com/#x', policy);
const key: Key | null = result.ok ? result.key : null;
if (key === null || Object.keys(content).length === 0) throw new Error('no key');
console.log(key, fingerprint(key, 'sha256'), new RadixTrie().insert(key));
`;
    writeFileSync(join(user, 'user.ts'), program);
    expect(execFileSync(process.execPath, ['user.ts'], { cwd: user, encoding: 'utf8' })).toBe(
      `https://a.example.com/ ${createHash('sha256').update('https://a.example.com/').digest('hex')} true\n`,
    );
    const types = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'esnext',
      '--lib',
      'esnext,dom,dom.iterable',
      '--types',
      '',
      'user.ts',
    ];
    execFileSync(join(ROOT, 'node_modules', '.bin', 'tsc'), types, {
      cwd: user,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !isTrue();) {
    if (Date.now() > end) throw new Error('it never came true');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
