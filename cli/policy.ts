import { compilePolicy, policyVersion, PolicyError, type Policy, type PolicyJson } from '#lib/url/index.ts';
import { text, UsageError, type OptionSpec, type OptionValues } from './command.ts';
import { readSmallFile } from './input.ts';
import type { Terminal } from './terminal.ts';

/** The options of every command that makes keys. */
export const POLICY_OPTIONS = {
  policy: { type: 'string', short: 'p', help: 'FILE policy as JSON (see docs/keys.md)' },
  html: { type: 'boolean', help: 'the addresses come from HTML text: &amp; is &' },
} as const satisfies Record<string, OptionSpec>;

export interface ReadPolicy {
  json: PolicyJson;
  policy: Policy;
  version: string;
}

/** @throws {UsageError} naming the file and the field that is wrong */
export async function readPolicy(terminal: Terminal, values: OptionValues): Promise<ReadPolicy> {
  const file = text(values, 'policy');
  let json: unknown = {};
  if (file !== undefined) {
    const content = await readSmallFile(file, terminal);
    try {
      json = JSON.parse(content);
    } catch (error) {
      throw new UsageError(
        `"${file}" is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  try {
    let policy = compilePolicy(json);
    let checked = json as PolicyJson;
    if (values['html'] === true) {
      checked = { ...checked, htmlEntities: true };
      policy = compilePolicy(checked);
    }
    return { json: checked, policy, version: policyVersion(checked) };
  } catch (error) {
    if (error instanceof PolicyError && file !== undefined)
      throw new UsageError(`"${file}": ${error.message}`);
    throw error;
  }
}
