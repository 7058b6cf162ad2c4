import { normalizeUrl, RULE_NAMES, type Normalized } from '#lib/url/index.ts';
import { splitAddress } from '#lib/url/address.ts';
import { EXIT, text, UsageError, type Command } from '../command.ts';
import { POLICY_OPTIONS, readPolicy } from '../policy.ts';

export const explain: Command = {
  name: 'explain',
  usage: 'URL URL [--policy FILE] [--base URL] [--html] [--json]',
  summary:
    'Says whether two addresses are the same page and, rule by rule, why. Exit 0: same, 1: not, 2: not an address.',
  options: {
    ...POLICY_OPTIONS,
    base: { type: 'string', help: 'URL what relative addresses are relative to' },
    json: { type: 'boolean', help: 'as one JSON object' },
  },
  async run(terminal, values, words) {
    if (words.length !== 2) throw new UsageError('Two addresses are needed: onceover explain URL URL.');
    const { policy } = await readPolicy(terminal, values);
    const results = words.map((input) => ({ input, ...normalizeUrl(input, policy, text(values, 'base')) }));
    const [first, second] = results;
    const same = first?.ok === true && second?.ok === true && first.key === second.key;
    if (values['json'] === true) {
      await terminal.write(`${JSON.stringify({ same, addresses: results })}\n`);
    } else {
      await terminal.write(`${same ? 'The same page' : 'Not the same page'}\n`);
      for (const result of results) {
        await terminal.write(`\n${result.input}\n`);
        if (result.ok) await terminal.write(describe(result));
        else await terminal.write(`  has no key: ${result.reason}: ${result.detail}\n`);
      }
      if (!same && first?.ok && second?.ok) await terminal.write(`\n${differences(first.key, second.key)}`);
    }
    if (!first?.ok || !second?.ok) return EXIT.trouble;
    return same ? EXIT.fine : EXIT.someBad;
  },
};

function describe({ key, steps }: Normalized): string {
  const width = Math.max(3, ...steps.map(({ rule }) => RULE_NAMES[rule].en.length));
  const lines = steps.map(({ rule, after }) => `  ${RULE_NAMES[rule].en.padEnd(width)}  ${after}\n`);
  return `${lines.join('')}  ${'key'.padEnd(width)}  ${key}\n`;
}

/** Which parts of the two keys are not equal. */
function differences(a: string, b: string): string {
  const [left, right] = [splitAddress(a), splitAddress(b)];
  const lines: string[] = [];
  for (const part of ['scheme', 'userinfo', 'host', 'port', 'path', 'fragment'] as const) {
    if (left[part] !== right[part]) lines.push(`${part}: ${left[part] ?? 'none'} | ${right[part] ?? 'none'}`);
  }
  const pairs = [left, right].map(({ query }) => (query === undefined ? [] : query.split('&')));
  const [first = [], second = []] = pairs;
  const only = (these: string[], those: string[]) => these.filter((pair) => !those.includes(pair)).join(' ');
  const [here, there] = [only(first, second), only(second, first)];
  // With the same pairs in both, it is their order or how often they stand there.
  if (left.query !== right.query)
    lines.push(
      here === there
        ? `query: ${first.join(' ')} | ${second.join(' ')}`
        : `query: only in the first: ${here || 'nothing'}, only in the second: ${there || 'nothing'}`,
    );
  return `Different are\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
