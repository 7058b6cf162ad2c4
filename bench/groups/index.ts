import type { Group } from '../context.ts';
import { bloom } from './bloom.ts';
import { content } from './content.ts';
import { decision } from './decision.ts';
import { ended } from './ended.ts';
import { fingerprint } from './fingerprint.ts';
import { growth } from './growth.ts';
import { membership } from './membership.ts';
import { normalize } from './normalize.ts';
import { page } from './page.ts';
import { scale } from './scale.ts';
import { service } from './service.ts';
import { sizes } from './sizes.ts';
import { store } from './store.ts';
import { trie } from './trie.ts';
import { views } from './views.ts';

/** All groups of rows, in the order of the report. A new one is a file beside this and a line here. */
export const GROUPS: readonly Group[] = [
  normalize,
  fingerprint,
  bloom,
  membership,
  trie,
  ended,
  decision,
  store,
  content,
  scale,
  service,
  growth,
  sizes,
  views,
  page,
];
