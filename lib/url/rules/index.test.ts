import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import corpus from '../../../corpus/urls.json' with { type: 'json' };
import { compilePolicy, normalizeUrl } from '../index.ts';
import { RULE_NAMES } from '../rule-names.ts';
import {
  HARD_NAMES,
  HARD_PREFIXES,
  RANGE_ENDS,
  SESSION_NAMES,
  SOFT_NAMES,
  SOFT_VALUES,
} from '../tracking.ts';
import { RULES } from './index.ts';

const docs = readFileSync(new URL('../../../docs/keys.md', import.meta.url), 'utf8');
const sections = docs.split(/^### (?=\d\. )/m).slice(1);

const changed = new Set(
  corpus.cases.flatMap(({ input, base, options }) => {
    const result = normalizeUrl(input, compilePolicy(options ?? {}), base);
    return result.ok ? result.steps.map(({ rule }) => rule) : [];
  }),
);

describe.each(RULES)('$id', (rule) => {
  test('has a sample that it changes', () => expect([...changed]).toContain(rule.id));

  test('has an entry in docs/keys.md, in its section, with its switch', () => {
    const section = sections.find((text) => text.startsWith(`${rule.section}. `)) ?? '';
    const entry = section.split(/^- /m).find((text) => text.startsWith(`**\`${rule.id}\`** — `));
    expect(entry).toBeDefined();
    if (rule.switch !== undefined) expect(entry).toContain(`Switch \`${rule.switch}\``);
    else expect(entry).not.toContain('Switch');
  });

  test('has a name in both languages', () => {
    const { en, zh } = RULE_NAMES[rule.id];
    expect(en).toMatch(/^[A-Z][^.]*(?:www\.)?$/);
    expect(zh).toMatch(/\p{Script=Han}/u);
  });
});

test('no name without a rule', () => {
  expect(Object.keys(RULE_NAMES).toSorted()).toEqual(RULES.map(({ id }) => id).toSorted());
});

test('the tracking names are those of the corpus', () => {
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase()).toSorted();
  const namesOf = (entries: readonly { name: string }[]) => entries.map(({ name }) => name);
  expect(lower(namesOf(HARD_NAMES))).toEqual(lower(corpus.policy.trackingExact));
  for (const { name } of HARD_PREFIXES) expect(corpus.policy.tracking).toContain(`${name}*`);
  expect(namesOf(SOFT_NAMES)).toEqual(corpus.policy.softNames);
  expect(SOFT_VALUES).toEqual(corpus.policy.softValues);
  expect(RANGE_ENDS).toEqual(corpus.policy.softStay.from);
});

test('every built-in name is in lower case, once, with a reason', () => {
  const entries = [...HARD_NAMES, ...HARD_PREFIXES, ...SOFT_NAMES, ...SESSION_NAMES];
  for (const { name, reason } of entries) {
    expect(name).toBe(name.toLowerCase());
    expect(reason.length).toBeGreaterThan(9);
  }
  expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  // The fast path compares prefixes as four characters.
  expect(HARD_PREFIXES.every(({ name }) => name.length === 4)).toBe(true);
});
