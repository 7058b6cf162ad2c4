import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { serveForTest, TOKEN } from '../service/testing.ts';
import { onceover } from './testing.ts';

const PROGRAM = join(import.meta.dirname, 'onceover.cjs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onceover-serve-'));
  vi.stubEnv('ONCEOVER_TOKEN', TOKEN);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe('mark and seen', () => {
  const list =
    'https://a.example.com/?b=1&a=2\nhttps://a.example.com/?a=2&b=1\n\nmailto:x\nhttps://b.example.com/';

  test('line n belongs to line n', async () => {
    const service = await serveForTest();
    const at = ['--service', service.url, '--ns', 'shop', '--round', 'r1'];
    expect(await onceover(['seen', ...at], list)).toMatchObject({
      code: 1,
      stdout: 'fresh\nfresh\n\n\nfresh\n',
    });
    expect(await onceover(['mark', ...at], list)).toEqual({
      code: 1,
      stdout: 'fresh\nseen\n\n\nfresh\n',
      stderr: 'line 3: empty\nline 4: unsupported-scheme\n',
    });
    expect((await onceover(['seen', ...at], list)).stdout).toBe('seen\nseen\n\n\nseen\n');
    const json = await onceover(['mark', ...at, '--json'], 'https://b.example.com/#x\nno address\n');
    expect(
      json.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { input: 'https://b.example.com/#x', result: 'seen', first_at: expect.any(Number), state: 'visited' },
      { input: 'no address', result: 'invalid', reason: 'invalid' },
    ]);
    await service.stop();
  });

  test('many lines, one answer each', async () => {
    const service = await serveForTest();
    const lines = Array.from({ length: 5000 }, (_, n) => `https://a.example.com/${n % 4000}\n`).join('');
    const { code, stdout } = await onceover(['mark', '--service', service.url], lines);
    const answers = stdout.trimEnd().split('\n');
    expect({ code, count: answers.length }).toEqual({ code: 0, count: 5000 });
    expect(answers.filter((answer) => answer === 'fresh')).toHaveLength(4000);
    await service.stop();
  });

  test('what cannot be done is said in a sentence', async () => {
    const service = await serveForTest();
    const say = async (...words: string[]) => {
      const { code, stderr } = await onceover(words, 'https://a.example.com/\n');
      expect(code).toBe(2);
      return stderr;
    };
    expect(await say('mark', '--service', 'nowhere')).toContain('--service must be');
    expect(await say('mark', '--service', service.url, '--round', 'a b')).toContain('round');
    vi.stubEnv('ONCEOVER_TOKEN', 'wrong');
    expect(await say('mark', '--service', service.url)).toContain('Send the token');
    vi.stubEnv('ONCEOVER_TOKEN', '');
    expect(await say('seen', '--service', service.url)).toContain('Set ONCEOVER_TOKEN');
    await service.stop();
  });

  test('a service that is not there', { timeout: 30_000 }, async () => {
    const { code, stderr } = await onceover(
      ['seen', '--service', 'http://127.0.0.1:9'],
      'https://a.example.com/\n',
    );
    expect(code).toBe(2);
    expect(stderr).toContain('Start it with: onceover serve');
  });
});

describe('serve', () => {
  test.each([
    [['--port', '70000'], /--port must be/],
    [['--store', 'oracle:x'], /memory, sqlite:FILE/],
    [['extra'], /not expected/],
    [['--policy', '/no/such'], /There is no file/],
  ])('%s is refused', async (words, message) => {
    expect(await onceover(['serve', ...words])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message),
    });
  });

  test('another address than loopback needs a token of your own', async () => {
    vi.stubEnv('ONCEOVER_TOKEN', undefined);
    expect(await onceover(['serve', '--listen', '0.0.0.0', '--store', 'memory'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('set ONCEOVER_TOKEN'),
    });
    vi.stubEnv('ONCEOVER_TOKEN', 'with space');
    expect((await onceover(['serve', '--store', 'memory'])).stderr).toContain('without spaces');
  });

  test('makes its token once, prints it once, and tells it to programs', { timeout: 60_000 }, async () => {
    const store = `sqlite:${join(folder, 'deep', 'er', 's.sqlite')}`;
    const run = async (...words: string[]) => {
      const env = { ...process.env };
      delete env['ONCEOVER_TOKEN'];
      const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--store', store, ...words], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const lines: string[] = [];
      const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
      await once(reader, 'line');
      await new Promise((resolve) => setTimeout(resolve, 50));
      child.kill('SIGTERM');
      const [code] = (await once(child, 'close')) as [number];
      expect(code).toBe(0);
      return lines;
    };
    const first = await run();
    const token = /^token +(\S{20,})$/m.exec(first.join('\n'))?.[1];
    expect(token).toBeDefined();
    expect(first.join('\n')).toMatch(/^address +http:\/\/127\.0\.0\.1:\d+$/m);
    expect(first.join('\n')).toContain('pair the extension');
    expect((await run()).join('\n')).not.toContain(token);
    const told = await run('--json');
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0]!)).toEqual({ address: expect.any(String), store, token });
  });
});
