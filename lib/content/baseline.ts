import { compareSnapshots } from './compare.ts';
import { isLoading } from './settled.ts';
import { digestsOf, type Block, type Change, type Snapshot } from './snapshot.ts';

/** Why a snapshot does not become the baseline by itself; the person may still say so. */
export type Doubt =
  /** Only a shell that says it is loading. */
  | 'loading'
  | 'empty'
  /** The server said so, or the text does: an error, a refusal, a test for robots. */
  | 'error'
  /** More than 90 % of the blocks are gone. */
  | 'vanished'
  /** The page never came to rest. */
  | 'busy';

export interface Circumstances {
  /** HTTP status, if known. */
  status?: number;
  busy?: boolean;
  /** The difference from the baseline, if it was made already. */
  change?: Change;
}

const MOST_VANISHED = 0.9;
/** A page with more blocks than this says more than that something is wrong or still to come. */
const SHORT = 12;
/** A page of which this share is gone and that says it is loading is not there yet. */
const MISSING = 0.3;

const ERROR =
  /^(?:(?:http )?(?:error )?[45]\d\d\b.{0,60}|.{0,40}\b(?:bad gateway|service (?:temporarily )?unavailable|gateway time-?out|internal server error|too many requests|access denied|forbidden|page not found|site can.t be reached|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you a (?:human|robot)|unusual traffic|attention required|temporarily blocked|rate limit exceeded)\b.{0,80}|.{0,20}(?:服务器(?:内部)?错误|页面不存在|找不到(?:该)?页面|访问被拒绝|禁止访问|请求过于频繁|服务(?:暂时)?不可用|网关(?:超时|错误)|人机验证|安全验证).{0,40})$/iu;

/** Why a snapshot must not replace the baseline by itself; undefined if it may. */
export function doubtOf(
  baseline: Snapshot | null,
  now: Snapshot,
  { status = 0, busy, change }: Circumstances = {},
): Doubt | undefined {
  const { blocks } = now;
  if (status >= 400) return 'error';
  if (blocks.length === 0) return 'empty';
  if (blocks.length <= SHORT && blocks.some(({ text }) => ERROR.test(text)) && !keepsText(baseline, now))
    return 'error';
  const loading = blocks.filter(({ text }) => isLoading(text)).length;
  if (baseline === null || baseline.blocks.length === 0) {
    if (loading > 0 && blocks.length - loading <= SHORT) return 'loading';
    return busy === true ? 'busy' : undefined;
  }
  const { blocks: changes } = change ?? compareSnapshots(baseline, now);
  const gone = changes.filter(({ op }) => op === 'removed').length / baseline.blocks.length;
  const newlyLoading = loading > baseline.blocks.filter(({ text }) => isLoading(text)).length;
  if (newlyLoading && (gone >= MISSING || blocks.length === loading)) return 'loading';
  if (gone > MOST_VANISHED) return 'vanished';
  return busy === true ? 'busy' : undefined;
}

/** A monitor of errors is full of such words itself. */
function keepsText(baseline: Snapshot | null, now: Snapshot): boolean {
  if (baseline === null) return false;
  const known = new Set(baseline.blocks.map(({ masked }) => masked));
  return now.blocks.some(({ masked, text }) => ERROR.test(text) && known.has(masked));
}

/** A watched part of a page, by the names that survive re-rendering. */
export interface Region {
  id?: string;
  heading?: string;
  row?: string;
  column?: string;
  /** Of the blocks that have these names, so many from there on: where names alone do not tell it from its neighbours. */
  part?: { from: number; count: number };
}

/** A watched region as a snapshot of its own; null where it is not found, which is no change. */
export function regionOf(snapshot: Snapshot, region: Region): Snapshot | null {
  const found = namedBlocks(snapshot.blocks, region);
  const { from, count } = region.part ?? { from: 0, count: found.length };
  const part = found.slice(from, from + count);
  if (part.length === 0) return null;
  const blocks = part.map((block, order) => ({ ...block, place: { ...block.place, order } }));
  return { ...snapshot, blocks, ...digestsOf(blocks) };
}

const NAMES = ['id', 'heading', 'row', 'column'] as const;

/** The blocks that have all the names of a region. The heading of the next part stands under this heading, but is not of it. */
export function namedBlocks(blocks: readonly Block[], region: Region): Block[] {
  const names = NAMES.filter((name) => region[name] !== undefined);
  return blocks.filter(({ place, text }, at) => {
    if (!names.every((name) => place[name] === region[name])) return false;
    const next = blocks[at + 1]?.place.heading;
    return region.heading === undefined || next === region.heading || next !== text;
  });
}
