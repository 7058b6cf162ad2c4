import type { Address } from '../address.ts';
import type { Run } from './index.ts';
import { withoutSlashes } from './strip-slash.ts';

const INDEX_FILE = /^(?:index|default)\.(?:html?|php|jsp|aspx?)$/i;

/**
 * Switch of rule 4: an index file at the end of the path goes, its slash stays. Where trailing slashes go too, the index files
 * behind it go at once: a hostile path has thousands, and each would be a step.
 */
export function stripIndexFiles(address: Address, { policy }: Run): Address {
  const { path } = address;
  let end = path.length;
  for (let next = end; ;) {
    const start = path.lastIndexOf('/', next - 1) + 1;
    if (!INDEX_FILE.test(path.slice(start, next))) return { ...address, path: path.slice(0, end) };
    end = start;
    next = policy.stripTrailingSlash ? withoutSlashes(path, start) : start;
  }
}
