import { findImport, importLinks, IMPORTS, readLines } from '#lib/exchange/index.ts';
import type { ImportName, ImportOptions, PageRecord } from '#lib/exchange/index.ts';
import { RoundSet, type Reason } from '#lib/sets/index.ts';
import {
  keyOf,
  RULE_NAMES,
  normalizeUrl,
  storeKey,
  type Key,
  type Policy,
  type RuleId,
} from '#lib/url/index.ts';
import { EXIT, text, UsageError, type Command, type OptionValues } from '../command.ts';
import { EXPORT_OPTIONS, exportRecords, formatByName } from '../export.ts';
import { openInput, STDIN } from '../input.ts';
import { POLICY_OPTIONS, readPolicy } from '../policy.ts';
import type { Terminal } from '../terminal.ts';

export const dedupe: Command = {
  name: 'dedupe',
  usage:
    '[FILE…] [--from NAME] [--policy FILE] [--base URL] [--html] [--format NAME] [--output PATH] [--report]',
  summary: 'The first original address of each page, in order; counts on stderr.',
  options: {
    ...POLICY_OPTIONS,
    base: { type: 'string', help: 'URL what relative addresses are relative to' },
    format: {
      type: 'string',
      short: 'f',
      help: 'NAME write an export format instead of the lines as they are',
    },
    from: {
      type: 'string',
      help: `NAME read links from ${[...IMPORTS.map(({ name }) => name), 'auto'].join(', ')} instead of lines`,
    },
    column: { type: 'string', help: 'NAME with --from csv: name or number of the column with the address' },
    ...EXPORT_OPTIONS,
    report: { type: 'boolean', help: 'say which set was used and why, its memory, and duplicates by rule' },
  },
  async run(terminal, values, words) {
    const from = importName(values);
    // Lists that come out of other programs often come out of HTML.
    const { policy, version } = await readPolicy(
      terminal,
      from === null ? values : { ...values, html: true },
    );
    const format = text(values, 'format') ?? (text(values, 'output') === undefined ? undefined : 'list');
    const base = text(values, 'base');
    const column = text(values, 'column');
    const reading: ImportOptions = {
      policy,
      ...(from === null || from === 'auto' ? {} : { format: from }),
      ...(base === undefined ? {} : { base }),
      ...(column === undefined ? {} : { column }),
    };
    const reports = values['report'] === true;
    const run = new Run(
      terminal,
      reading,
      { isImport: from !== null, reports },
      words.length > 0 ? words : [STDIN],
    );
    if (format === undefined) {
      for await (const batch of run.pages()) {
        if (batch.length > 0) await terminal.write(`${batch.map(({ line }) => line).join('\n')}\n`);
      }
    } else {
      const about = { policyVersion: version, repeats: false };
      const { refused } = await exportRecords(terminal, values, formatByName(format), run.records(), about);
      for (const [reason, count] of Object.entries(refused)) {
        if (count > 0) terminal.say(`${count} left out by the format ${format}: ${reason}`);
      }
    }
    const { lines, size, duplicates, bad } = run;
    terminal.say(`${lines} lines, ${size} pages, ${duplicates} duplicates, ${bad} bad`);
    if (reports) for (const line of run.report()) terminal.say(line);
    return bad > 0 ? EXIT.someBad : EXIT.fine;
  },
};

/** @returns the format to read, `auto` to find it, `null` for plain lines */
function importName(values: OptionValues): ImportName | 'auto' | null {
  const name = text(values, 'from');
  if (name === undefined || name === 'auto') return name ?? null;
  const format = findImport(name);
  if (format) return format.name;
  throw new UsageError(
    `Unknown format "${name}" in --from. Known are: ${IMPORTS.map((known) => known.name).join(', ')}, auto.`,
  );
}

interface Found {
  /** As it stood in the list. */
  line: string;
  key: string;
  /** Absolute, where the reader knows it. */
  url?: string;
  title?: string;
}

const TOO_LONG = { ok: false, reason: 'invalid', detail: 'The line is longer than 16 MiB.' } as const;
/** Links that are written at once. */
const BATCH = 1000;

class Run {
  lines = 0;
  duplicates = 0;
  bad = 0;
  /** Nobody looks again at what is said to be a duplicate, so the set must be exact. */
  readonly #set = new RoundSet({ exact: true });
  /** Duplicates in which a rule took part, by rule. */
  readonly #byRule = new Map<RuleId | 'none', number>();
  readonly #terminal: Terminal;
  readonly #reading: ImportOptions;
  readonly #isImport: boolean;
  readonly #reports: boolean;
  readonly #files: readonly string[];

  constructor(
    terminal: Terminal,
    reading: ImportOptions,
    { isImport, reports }: { isImport: boolean; reports: boolean },
    files: readonly string[],
  ) {
    this.#terminal = terminal;
    this.#reading = reading;
    this.#isImport = isImport;
    this.#reports = reports;
    this.#files = files;
  }

  get size(): number {
    return this.#set.size;
  }

  /** First addresses in batches, one for each chunk of the input. */
  async *pages(): AsyncGenerator<Found[]> {
    for (const file of this.#files) {
      for await (const fresh of this.#isImport ? this.#links(file) : this.#lines(file)) {
        this.#terminal.progress(
          () => `${this.lines.toLocaleString('en')} lines, ${this.size.toLocaleString('en')} pages`,
        );
        yield fresh;
      }
    }
  }

  /** First addresses as records, absolute. */
  async *records(): AsyncGenerator<PageRecord> {
    const { policy, base } = this.#reading;
    for await (const batch of this.pages()) {
      for (const { line, url, key, title } of batch) {
        yield { url: url ?? openable(line, policy, base), key, ...(title === undefined ? {} : { title }) };
      }
    }
  }

  async *#lines(file: string): AsyncGenerator<Found[]> {
    const { policy, base } = this.#reading;
    for await (const { first, lines } of readLines(openInput(file, this.#terminal))) {
      const fresh: Found[] = [];
      for (const [index, line] of lines.entries()) {
        this.lines++;
        const place = () => this.#place(file, `${first + index}`);
        const result = line === null ? TOO_LONG : keyOf(line, policy, base);
        if (!result.ok) this.#refuse(place(), `${result.reason}: ${result.detail}`);
        else if (this.#isFirst(result.key, line ?? '', base)) {
          fresh.push({ line: line?.trim() ?? '', key: result.key });
        }
      }
      yield fresh;
    }
  }

  async *#links(file: string): AsyncGenerator<Found[]> {
    const reading = file === STDIN ? this.#reading : { ...this.#reading, fileName: file };
    let fresh: Found[] = [];
    for await (const link of importLinks(openInput(file, this.#terminal), reading)) {
      this.lines++;
      if (!link.ok) {
        this.#refuse(
          this.#place(file, `${link.line}, column ${link.column}`),
          `${link.reason}: ${link.detail}`,
        );
        continue;
      }
      const { url, key, title } = link;
      if (this.#isFirst(key, url)) {
        fresh.push({ line: url, url, key, ...(title === undefined ? {} : { title }) });
      }
      if (fresh.length >= BATCH) {
        yield fresh;
        fresh = [];
      }
    }
    yield fresh;
  }

  #place(file: string, line: string): string {
    return this.#files.length > 1 ? `${file}:${line}` : `line ${line}`;
  }

  /** Whether the page is new; counts it where it is not. */
  #isFirst(key: Key, address: string, base?: string): boolean {
    if (this.#set.insert(storeKey(key))) return true;
    this.duplicates++;
    if (this.#reports) this.#countRules(address, base);
    return false;
  }

  #refuse(place: string, problem: string): void {
    this.bad++;
    this.#terminal.say(`${place}: ${problem}`);
  }

  #countRules(address: string, base: string | undefined): void {
    const result = normalizeUrl(address, this.#reading.policy, base);
    const rules = new Set<RuleId | 'none'>(result.ok ? result.steps.map(({ rule }) => rule) : []);
    if (rules.size === 0) rules.add('none');
    for (const rule of rules) this.#byRule.set(rule, (this.#byRule.get(rule) ?? 0) + 1);
  }

  report(): string[] {
    const { form, reason, keys, novelBytes, keyLength, byteLength, bytes } = this.#set.report();
    const perPage = keys === 0 ? 0 : byteLength / keys;
    const lines = [
      `set: ${form}, because ${REASONS[reason]}; a key has ${keyLength.toFixed(1)} bytes, ${novelBytes.toFixed(1)} of them new`,
      `memory: set ${megabytes(byteLength)} (${perPage.toFixed(1)} bytes a page; a plain Set would take about ${bytes.set.toFixed(0)}), process ${megabytes(process.memoryUsage.rss())}`,
      'duplicates by rule (one address may need several):',
    ];
    const counts = [...this.#byRule].sort((a, b) => b[1] - a[1]);
    for (const [rule, count] of counts) {
      lines.push(`  ${nameOf(rule)}: ${count}`);
    }
    return lines;
  }
}

/** The address as it was found; made absolute or decoded only where it is no address without that. */
function openable(line: string, policy: Policy, base: string | undefined): string {
  if (/^https?:$/.test(URL.parse(line)?.protocol ?? '')) return line;
  const result = normalizeUrl(line, policy, base);
  return result.ok ? result.url : line;
}

const REASONS: Record<Reason, string> = {
  exact: 'nobody confirms what it answers, so it must be exact',
  forced: 'the trie was asked for',
  listing: 'its keys must be listed',
  few: 'there are few pages',
  shared: 'the addresses share their beginnings',
  unshared: 'the addresses do not share their beginnings',
};

function nameOf(rule: RuleId | 'none'): string {
  return rule === 'none' ? 'none, the address is its own key' : RULE_NAMES[rule].en;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
