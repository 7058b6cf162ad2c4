import { readLines } from '#lib/exchange/index.ts';
import { compilePolicy, keyOf, normalizeUrl, type Policy } from '#lib/url/index.ts';
import { EXIT, text, type Command } from '../command.ts';
import { openInput, STDIN } from '../input.ts';
import { POLICY_OPTIONS, readPolicy } from '../policy.ts';

export const normalize: Command = {
  name: 'normalize',
  usage: '[FILE…] [--policy FILE] [--base URL] [--html] [--json | --jsonl]',
  summary: 'Lines in, keys out: line n of the output belongs to line n of the input.',
  options: {
    ...POLICY_OPTIONS,
    base: { type: 'string', help: 'URL what relative addresses are relative to' },
    json: { type: 'boolean', help: 'one object a line, with steps or reason' },
    jsonl: { type: 'boolean', help: 'read one {"input","base"?,"policy"?} a line, answer as --json' },
  },
  async run(terminal, values, words) {
    const { policy } = await readPolicy(terminal, values);
    const context: Context = { policy, base: text(values, 'base'), policies: new Map() };
    const answer =
      values['jsonl'] === true ? answerRequest : values['json'] === true ? answerJson : answerKey;
    let bad = 0;
    for (const file of words.length > 0 ? words : [STDIN]) {
      for await (const { first, lines } of readLines(openInput(file, terminal))) {
        const out: string[] = [];
        for (const [index, line] of lines.entries()) {
          const { output, problem } = answer(line, context);
          out.push(output);
          if (problem === undefined) continue;
          bad++;
          if (answer === answerKey)
            terminal.say(`${words.length > 1 ? `${file}:` : 'line '}${first + index}: ${problem}`);
        }
        terminal.progress(() => `${(first + lines.length - 1).toLocaleString('en')} lines, ${bad} bad`);
        await terminal.write(`${out.join('\n')}\n`);
      }
    }
    return bad > 0 ? EXIT.someBad : EXIT.fine;
  },
};

interface Context {
  policy: Policy;
  base: string | undefined;
  /** Policies of single lines, by their JSON. */
  policies: Map<string, Policy>;
}

interface Answer {
  output: string;
  problem?: string;
}

const TOO_LONG = { reason: 'invalid', detail: 'the line is longer than 16 MiB' };

function answerKey(line: string | null, { policy, base }: Context): Answer {
  const result = line === null ? { ok: false as const, ...TOO_LONG } : keyOf(line, policy, base);
  return result.ok ? { output: result.key } : { output: '', problem: `${result.reason}: ${result.detail}` };
}

function answerJson(line: string | null, { policy, base }: Context): Answer {
  const input = line ?? '';
  const result = line === null ? { ok: false as const, ...TOO_LONG } : normalizeUrl(line, policy, base);
  if (!result.ok) {
    const { reason, detail } = result;
    return { output: JSON.stringify({ input, ok: false, reason, detail }), problem: reason };
  }
  const { key, url, steps } = result;
  return { output: JSON.stringify({ input, ok: true, key, url, steps }) };
}

function answerRequest(line: string | null, context: Context): Answer {
  if (line === null || line.trim() === '') return answerJson(line, context);
  const refuse = (detail: string, of = line): Answer => ({
    output: JSON.stringify({ input: of, ok: false, reason: 'invalid', detail }),
    problem: 'invalid',
  });
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    return refuse('the line is not JSON; expected {"input": …, "base"?: …, "policy"?: …}');
  }
  const { input, base, policy } = (request ?? {}) as { input?: unknown; base?: unknown; policy?: unknown };
  if (typeof input !== 'string') return refuse('"input" must be a text');
  if (base !== undefined && base !== null && typeof base !== 'string')
    return refuse('"base" must be a text', input);
  try {
    return answerJson(input, {
      ...context,
      base: typeof base === 'string' ? base : context.base,
      policy: policy === undefined || policy === null ? context.policy : linePolicy(policy, context.policies),
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PolicyError') return refuse(error.message, input);
    throw error;
  }
}

/** Most lists use a handful of policies, each compiled once. */
const MOST_POLICIES = 1000;

function linePolicy(json: unknown, policies: Map<string, Policy>): Policy {
  const name = JSON.stringify(json);
  let policy = policies.get(name);
  if (policy === undefined) {
    policy = compilePolicy(json);
    if (policies.size >= MOST_POLICIES) policies.clear();
    policies.set(name, policy);
  }
  return policy;
}
