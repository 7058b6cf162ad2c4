// Type declarations of the published package: written by tsc, then their imports made to point at each other, since `#lib/…` and
// endings in .ts mean something only inside this repository.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const TYPES = join('.output', 'package', 'types');

execFileSync('tsc', ['-p', 'tsconfig.package.json'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
for (const file of globSync(join(TYPES, '**', '*.d.ts'))) {
  const lib = relative(dirname(file), join(TYPES, 'lib')).split(sep).join('/') || '.';
  const text = readFileSync(file, 'utf8').replace(
    /((?:from|import)\s*\(?\s*['"])(#lib|\.{1,2})(\/[^'"]+)\.ts(['"])/g,
    (_, before, start, path, after) => {
      const base = start === '#lib' ? (lib.startsWith('.') ? lib : `./${lib}`) : start;
      return `${before}${base}${path}.js${after}`;
    },
  );
  writeFileSync(file, text);
}
