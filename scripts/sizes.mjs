// Prints what each part of the built extension takes, compressed as it travels, and fails where one is over its limit. A limit is raised
// on purpose, in the change that needs it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUILD = join(dirname(fileURLToPath(import.meta.url)), '../.output/chrome-mv3');

/** Limits in kB (1,000 bytes), gzip: the part with everything it loads before it can be used. */
const LIMITS = {
  'background.js': 120,
  'content-scripts/observer.js': 38,
  'popup.html': 68,
  'sidepanel.html': 70,
  'dashboard.html': 215,
  'welcome.html': 55,
  'practice.html': 45,
};

/** A file with all scripts and styles that it names, and those that these import at once. */
function partsOf(file, found = new Set()) {
  if (found.has(file) || !existsSync(join(BUILD, file))) return found;
  found.add(file);
  const code = readFileSync(join(BUILD, file), 'utf8');
  const named = file.endsWith('.html')
    ? [...code.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, path]) => path)
    : [...code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)].map(([, path]) =>
        join(dirname(file), path),
      );
  for (const path of named) partsOf(path, found);
  return found;
}

let over = 0;
for (const [name, limit] of Object.entries(LIMITS)) {
  const parts = partsOf(name);
  if (parts.size === 0) {
    console.error(`${name} is not in ${BUILD}: build it first.`);
    over += 1;
    continue;
  }
  const bytes = [...parts].reduce(
    (sum, part) => sum + gzipSync(readFileSync(join(BUILD, part)), { level: 9 }).length,
    0,
  );
  const kilobytes = bytes / 1000;
  const isOver = kilobytes > limit;
  over += Number(isOver);
  console.log(
    `${name.padEnd(30)} ${kilobytes.toFixed(1).padStart(7)} kB of ${limit} kB${isOver ? '  TOO LARGE' : ''}`,
  );
}
process.exitCode = over > 0 ? 1 : 0;
