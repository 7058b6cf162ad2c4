import { readLines, type PageRecord } from '#lib/exchange/index.ts';
import { RoundSet, type Reason } from '#lib/sets/index.ts';
import { RULE_NAMES, normalizeUrl, storeKey, type RuleId, type Policy, type Step } from '#lib/url/index.ts';
import { EXIT, text, type Command } from '../command.ts';
import { EXPORT_OPTIONS, exportRecords, formatByName } from '../export.ts';
import { openInput, STDIN } from '../input.ts';
import { POLICY_OPTIONS, readPolicy } from '../policy.ts';
import type { Terminal } from '../terminal.ts';

export const dedupe: Command = {
  name: 'dedupe',
  usage: '[FILE…] [--policy FILE] [--base URL] [--html] [--format NAME] [--output PATH] [--report]',
  summary: 'The first original address of each page, in order; counts on stderr.',
  options: {
    ...POLICY_OPTIONS,
    base: { type: 'string', help: 'URL what relative addresses are relative to' },
    format: {
      type: 'string',
      short: 'f',
      help: 'NAME write an export format instead of the lines as they are',
    },
    ...EXPORT_OPTIONS,
    report: { type: 'boolean', help: 'say which set was used and why, its memory, and duplicates by rule' },
  },
  async run(terminal, values, words) {
    const { policy, version } = await readPolicy(terminal, values);
    const format = text(values, 'format') ?? (text(values, 'output') === undefined ? undefined : 'list');
    const run = new Run(terminal, policy, text(values, 'base'), words.length > 0 ? words : [STDIN]);
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
    if (values['report'] === true) for (const line of run.report()) terminal.say(line);
    return bad > 0 ? EXIT.someBad : EXIT.fine;
  },
};

interface Found {
  /** As it stood in the list. */
  line: string;
  url: string;
  key: string;
}

class Run {
  lines = 0;
  duplicates = 0;
  bad = 0;
  /** Nobody looks again at what is said to be a duplicate, so the set must be exact. */
  readonly #set = new RoundSet({ exact: true });
  /** Duplicates in which a rule took part, by rule. */
  readonly #byRule = new Map<RuleId | 'none', number>();
  readonly #terminal: Terminal;
  readonly #policy: Policy;
  readonly #base: string | undefined;
  readonly #files: readonly string[];

  constructor(terminal: Terminal, policy: Policy, base: string | undefined, files: readonly string[]) {
    this.#terminal = terminal;
    this.#policy = policy;
    this.#base = base;
    this.#files = files;
  }

  get size(): number {
    return this.#set.size;
  }

  /** First addresses in batches, one for each chunk of the input. */
  async *pages(): AsyncGenerator<Found[]> {
    for (const file of this.#files) {
      for await (const { first, lines } of readLines(openInput(file, this.#terminal))) {
        const fresh: Found[] = [];
        for (const [index, line] of lines.entries()) {
          this.lines++;
          const found = this.#look(
            line,
            () => `${this.#files.length > 1 ? `${file}:` : 'line '}${first + index}`,
          );
          if (found) fresh.push(found);
        }
        this.#terminal.progress(
          () => `${this.lines.toLocaleString('en')} lines, ${this.size.toLocaleString('en')} pages`,
        );
        yield fresh;
      }
    }
  }

  async *records(): AsyncGenerator<PageRecord> {
    for await (const batch of this.pages()) for (const { url, key } of batch) yield { url, key };
  }

  #look(line: string | null, place: () => string): Found | null {
    if (line === null) return this.#refuse(place(), 'invalid: the line is longer than 16 MiB');
    const result = normalizeUrl(line, this.#policy, this.#base);
    if (!result.ok) return this.#refuse(place(), `${result.reason}: ${result.detail}`);
    if (this.#set.insert(storeKey(result.key)))
      return { line: line.trim(), url: result.url, key: result.key };
    this.duplicates++;
    this.#count(result.steps);
    return null;
  }

  #refuse(place: string, problem: string): null {
    this.bad++;
    this.#terminal.say(`${place}: ${problem}`);
    return null;
  }

  #count(steps: readonly Step[]): void {
    const rules = new Set<RuleId | 'none'>(steps.map(({ rule }) => rule));
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
