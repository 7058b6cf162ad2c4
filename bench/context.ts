import { interleave, type Timing, type Work } from './measure.ts';
import type { List } from './lists.ts';
import { judge, targetText, type Engine, type Row, type Target } from './row.ts';

/** Programs of the system, where they are installed; each answers the bytes of a compressed list, undefined where absent. */
export interface Tools {
  xz(lines: string): number | undefined;
  marisa(lines: string): number | undefined;
  /** `onceover dedupe` on lines that are made as it reads them: what it took when so many had been read. */
  dedupe?(line: (index: number) => string, marks: readonly number[]): Promise<readonly DedupeMark[]>;
}

export interface DedupeMark {
  readonly lines: number;
  readonly seconds: number;
  /** Memory of the process, undefined where the system does not tell. */
  readonly bytes: number | undefined;
}

/** What a group of rows is given. */
export interface Context {
  readonly engine: Engine;
  /** Rounds that count. */
  readonly rounds: number;
  /** Lists given by `--urls`. */
  readonly given: readonly List[];
  /** Bytes of the heap after a garbage collection, array buffers included where the engine tells; undefined where it cannot. */
  readonly heap: (() => number | Promise<number>) | undefined;
  readonly tools: Tools;
}

/** Rows that belong together: one file in groups/, one line in its table. */
export interface Group {
  readonly name: string;
  readonly engines: readonly Engine[];
  /** Runs only when it is named by `--only`: too long for every day. */
  readonly onDemand?: true;
  readonly run: (context: Context) => AsyncGenerator<Row> | Generator<Row>;
}

/** What a row says beside its figures. */
export interface About {
  readonly name: string;
  readonly set: string;
  readonly target?: Target;
  readonly ratioOf: string;
  /** Of a timed row; ns by default. */
  readonly unit?: string;
}

const NANOSECONDS: Readonly<Record<string, number>> = { ns: 1, µs: 1e3, ms: 1e6 };

/** A row of a figure that is exact, such as bytes. */
export function exactRow(
  { engine }: Context,
  about: About & { readonly unit: string },
  figures: {
    readonly ours: number;
    readonly peer?: number | undefined;
    readonly peerName: string;
    readonly floor?: number | undefined;
    readonly ratio: number | undefined;
  },
): Row {
  const { name, set, target, ratioOf, unit } = about;
  const ratio = figures.ratio ?? null;
  return {
    name,
    engine,
    set,
    unit,
    ours: figures.ours,
    peer: figures.peer ?? null,
    peerName: figures.peerName,
    floor: figures.floor ?? null,
    ratio,
    ratioOf,
    target: targetText(target),
    holds: judge(ratio, target, false),
  };
}

export interface TimedWorks {
  readonly ours: Work;
  /** The best of them becomes the peer of the row; all are named in its text. */
  readonly peers: readonly Work[];
  readonly floor?: Work;
  /** What ours is divided by; by default the best peer. */
  readonly base?: Work;
}

/** Times the works against each other and makes a row: ours ÷ base, or base ÷ ours where the target is a least one. */
export async function timedRow(context: Context, about: About, works: TimedWorks): Promise<Row> {
  const { ours, peers, floor, base } = works;
  const all = [...new Set([ours, ...peers, floor, base].filter((work) => work !== undefined))];
  const times = await interleave(all, context.rounds);
  const of = (work: Work): Timing => times.get(work.name)!;
  const sorted = peers.toSorted((a, b) => of(a).median - of(b).median);
  const peer = sorted[0];
  const against = base ?? peer;
  const own = of(ours);
  const unit = about.unit ?? 'ns';
  const scale = NANOSECONDS[unit] ?? 1;
  const least = about.target !== undefined && 'least' in about.target;
  const quotient = against === undefined ? null : own.median / of(against).median;
  const ratio = quotient !== null && least ? 1 / quotient : quotient;
  return {
    name: about.name,
    engine: context.engine,
    set: about.set,
    unit,
    ours: own.median / scale,
    peer: peer === undefined ? null : of(peer).median / scale,
    peerName: sorted
      .map((work) => (work === peer ? work.name : `${work.name} ${Math.round(of(work).median / scale)}`))
      .join(', '),
    floor: floor === undefined ? null : of(floor).median / scale,
    ratio,
    ratioOf: about.ratioOf,
    target: targetText(about.target),
    holds: judge(ratio, about.target, true),
    best: { ours: own.best / scale, peer: peer === undefined ? null : of(peer).best / scale },
  };
}
