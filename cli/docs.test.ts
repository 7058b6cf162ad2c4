import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS, IMPORTS } from '#lib/exchange/index.ts';
import { COMMANDS } from './commands/index.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', 'docs', name), 'utf8');

describe('docs say what the tables say', () => {
  const formats = read('formats.md');
  test.each(FORMATS)('$name', ({ name, extension, proof }) => {
    const row = formats.split('\n').find((line) => line.startsWith(`| ${name} `)) ?? '';
    const [, , ending, , told] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    expect([ending, told]).toEqual([extension, proof]);
  });
  test.each(IMPORTS)('$name is read', ({ name }) => {
    expect(formats.slice(formats.indexOf('## In'))).toMatch(new RegExp(`^\\| ${name} `, 'm'));
  });

  const cli = read('cli.md');
  test.each(COMMANDS)('$name', ({ name, options }) => {
    expect(cli).toContain(`### ${name}\n`);
    for (const option of Object.keys(options)) expect(cli).toContain(`--${option}`);
  });
});
