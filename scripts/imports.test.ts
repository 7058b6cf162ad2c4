// The direction of imports: entrypoints → components → lib; service, cli, bench, e2e → lib. A folder may name only what
// its line allows, every import names its file, and the platform is touched at the edge.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Which top-level folders the files of a folder may import from; its own is always allowed. */
const MAY_IMPORT: Record<string, string[]> = {
  lib: ['corpus'],
  components: ['lib', 'public'],
  entrypoints: ['components', 'lib', 'public'],
  service: ['lib'],
  cli: ['lib', 'service', 'corpus', 'package.json'],
  bench: ['lib', 'service', 'demo', 'e2e', 'scripts'],
  // The service is tried from outside, by the engines it starts.
  e2e: ['lib', 'service', 'demo', 'scripts', 'corpus', 'public'],
  demo: [],
  scripts: ['lib', 'demo', 'e2e'],
};

/** Where tests may take their data from, besides. */
const TESTS_MAY_IMPORT = ['corpus', 'demo', 'e2e'];

/** Packages that only the named folders may use: the browser's, the views' and Node's. */
const ONLY_IN: [RegExp, string[]][] = [
  [/^wxt(\/|$)/, ['entrypoints']],
  [/^preact(\/|$)/, ['components', 'entrypoints']],
  [/^idb$/, ['lib', 'bench']],
  [/^node:/, ['service', 'cli', 'bench', 'e2e', 'demo', 'scripts']],
];

interface Import {
  file: string;
  folder: string;
  name: string;
}

const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

function importsOf(file: string): Import[] {
  const text = code(readFileSync(join(root, file), 'utf8'));
  const pattern =
    /(?:^|[\s;}])(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;
  return [...text.matchAll(pattern)].map(([, named, called]) => ({
    file,
    folder: file.split('/')[0]!,
    name: (named ?? called)!,
  }));
}

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);
const files = globSync(`{${Object.keys(MAY_IMPORT).join(',')}}/**/*.{ts,tsx,mts,mjs}`, {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
}).map((path) => path.replaceAll('\\', '/'));
const imports = files.flatMap(importsOf);
const isPackage = ({ name }: Import) => !name.startsWith('.') && !/^#(lib|components)\//.test(name);

/** The file an import of our own names, from the root of the repository. */
function target({ file, name }: Import): string {
  const path = name.startsWith('#') ? name.slice(1) : relative(root, resolve(root, dirname(file), name));
  return path.replaceAll('\\', '/');
}

test('the scan finds imports', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(imports.some(({ name }) => name.startsWith('#lib/'))).toBe(true);
});

test('every import names a file with its ending, and the file is there', () => {
  const own = imports
    .filter((found) => !isPackage(found))
    .map((found) => ({ ...found, target: target(found) }));
  // Vite's suffixes (`?raw`, `?url`) say how, not which.
  const path = (target: string) => join(root, target.replace(/\?\w+$/, ''));
  const missing = own.filter(({ target }) => !existsSync(path(target)) || !statSync(path(target)).isFile());
  expect(missing.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

describe.each(Object.entries(MAY_IMPORT))('%s', (folder, allowed) => {
  const here = imports.filter((found) => found.folder === folder);

  test('imports only from where it may', () => {
    const wrong = here
      .filter((found) => !isPackage(found))
      .filter((found) => {
        const from = [folder, ...allowed, ...(isTest(found.file) ? TESTS_MAY_IMPORT : [])];
        return !from.includes(target(found).split('/')[0]!);
      });
    expect(wrong.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  test('uses only the packages that belong there', () => {
    const wrong = here
      .filter((found) => isPackage(found) && !isTest(found.file))
      .filter(({ name }) =>
        ONLY_IN.some(([pattern, folders]) => pattern.test(name) && !folders.includes(folder)),
      );
    expect(wrong.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });
});

test('components call no browser API and open no store', () => {
  const shown = files.filter((file) => file.startsWith('components/') && !isTest(file));
  const calls = shown.filter((file) =>
    /\b(?:chrome|browser)\.\w|\bindexedDB\b/.test(code(readFileSync(join(root, file), 'utf8'))),
  );
  expect(calls).toEqual([]);
  const store = imports.filter(
    (found) => shown.includes(found.file) && target(found).startsWith('lib/store/'),
  );
  expect(store.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

test('only lib/store opens the database', () => {
  const opening = files.filter(
    (file) =>
      !isTest(file) &&
      !/^(lib\/store|e2e|bench|scripts)\//.test(file) &&
      /\bindexedDB\b|from 'idb'/.test(code(readFileSync(join(root, file), 'utf8'))),
  );
  expect(opening).toEqual([]);
});
