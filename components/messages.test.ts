// Both languages say everything, nothing is said that is not in the catalogues, and nothing in them is left unsaid.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { createText, spaced, type Catalogue } from './i18n.ts';

const ROOT = resolve(import.meta.dirname, '..');
const catalogue = (language: string): Catalogue =>
  JSON.parse(readFileSync(join(ROOT, 'public/_locales', language, 'messages.json'), 'utf8')) as Catalogue;
const en = catalogue('en');
const zh = catalogue('zh_CN');

/** Sources that show something to a person, and the manifest. */
const sources = ['components', 'entrypoints', 'lib/exchange/report']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .concat('wxt.config.ts')
  .map((file) => ({ file, code: readFileSync(join(ROOT, file), 'utf8') }));

/** Messages whose values are Chinese words themselves. */
const WORDS = new Set([
  'pagesOf',
  'compareWith',
  'lastRoundLine',
  'firstDifference',
  'pagesOnSites_other',
  'repeatsAvoided_other',
]);

const placeholders = (message: string): string[] => [...new Set(message.match(/\$[1-9]/g) ?? [])].toSorted();

describe('the catalogues', () => {
  it('have the same messages; only English tells one from many', () => {
    const wanted = Object.keys(en).filter((key) => !key.endsWith('_one'));
    expect(Object.keys(zh).toSorted()).toEqual(wanted.toSorted());
    for (const key of Object.keys(en).filter((key) => key.endsWith('_one'))) {
      expect(en, key).toHaveProperty(key.replace(/_one$/, '_other'));
    }
  });

  it.each(Object.entries({ en, zh }))('%s: a plural has its other form, a value its place', (_, messages) => {
    for (const [key, { message }] of Object.entries(messages)) {
      expect(message.trim(), key).not.toBe('');
      const original = en[key] ?? en[`${key}_other`];
      expect(placeholders(message), key).toEqual(placeholders(original?.message ?? ''));
    }
  });

  it('are used, every message', () => {
    const code = sources.map((source) => source.code).join('\n');
    const unused = Object.keys(en).filter((key) => {
      const base = key.replace(/_(one|other)$/, '');
      return !code.includes(`'${base}'`) && !code.includes(`__MSG_${base}__`);
    });
    expect(unused).toEqual([]);
  });

  it('are written as the Chinese of this product is', () => {
    for (const [key, { message }] of Object.entries(zh)) {
      // Values are numbers or Latin unless said otherwise, so they stand apart as these do.
      if (!WORDS.has(key)) expect(message, key).toBe(spaced(message));
      expect(message, `${key}: 不用“您”“请”“成功”`).not.toMatch(/您|请(?!求)|成功/);
      expect(message, `${key}: 全角标点`).not.toMatch(/\p{Script=Han}[,;:!?()]|[,;:!?(]\p{Script=Han}/u);
    }
    for (const [key, { message }] of Object.entries(en)) {
      expect(message, `${key}: no exclamation marks`).not.toContain('!');
    }
  });
});

describe('the views', () => {
  it.each(sources.filter(({ file }) => file.endsWith('.tsx')))(
    '$file says nothing by itself',
    ({ file, code }) => {
      expect(hardCoded(file, code)).toEqual([]);
    },
  );

  it('would be caught saying something', () => {
    const found = hardCoded(
      'a.tsx',
      `<p title="A word">Some words {'more'}{' '}<b aria-label={\`xy\${1}\`}>…</b></p>`,
    );
    expect(found.toSorted()).toEqual(['A word', 'Some words', 'more', 'xy']);
  });
});

/** Attributes that a person reads or hears. */
const SAID = new Set(['title', 'alt', 'placeholder', 'aria-label', 'aria-description', 'label']);
/** Names, which are the same in every language, and keys of the keyboard (single letters too). */
const NAMES = new Set(['Onceover', 'Enter', 'English', '简体中文', 'shop.example.com']);

/** Words in JSX that do not come from the catalogues: texts, said attributes, and strings in braces beside them. */
function hardCoded(file: string, code: string): string[] {
  const found: string[] = [];
  const note = (text: string): void => {
    const word = text.trim();
    if (/\p{L}/u.test(word) && word.length > 1 && !NAMES.has(word)) {
      found.push(word);
    }
  };
  const said = (node: unknown): void => {
    if (!isNode(node)) return;
    if (node.type === 'Literal' && typeof node.value === 'string') note(node.value);
    else if (node.type === 'TemplateLiteral') {
      for (const quasi of node.quasis as { value: { cooked: string } }[]) note(quasi.value.cooked);
    } else if (node.type === 'JSXExpressionContainer') said(node.expression);
    else if (node.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(said);
    else if (node.type === 'LogicalExpression') said(node.right);
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    if (!isNode(node)) return;
    if (node.type === 'JSXText') note(String(node.value));
    if (node.type === 'JSXAttribute' && isNode(node.name) && SAID.has(String(node.name.name)))
      said(node.value);
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') (node.children as unknown[]).forEach(said);
    Object.values(node).forEach(walk);
  };
  walk(parseSync(file, code).program);
  return found;
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('a text', () => {
  const text = createText('en', { ...en, pages_one: { message: 'a' } });
  it('counts in the language, and keeps values as they are', () => {
    expect(text('leftCount', 1_204)).toBe('1,204 left');
    expect(text('copied', 1)).toBe('1 address copied');
    expect(text('copied', 2)).toBe('2 addresses copied');
    expect(text('linkedFrom', '/a$1')).toBe('Linked from /a$1');
    expect(createText('zh_CN', zh)('copied', 2)).toBe('已复制 2 个地址');
  });

  it('tells days and times as of a day', () => {
    const at = new Date(2026, 10, 27, 14, 2).getTime();
    const now = new Date(2026, 10, 30, 9, 12).getTime();
    expect(text.day(at, now)).toBe('Fri 27 Nov');
    expect(text.time(now, now)).toBe('09:12');
    expect(text.time(at, now)).toBe('27 Nov, 14:02');
    expect(text.day(at, new Date(2027, 0, 1).getTime())).toBe('Fri 27 Nov 2026');
    const chinese = createText('zh_CN', zh);
    expect(chinese.day(at, now)).toBe('11 月 27 日（周五）');
    expect(chinese.time(at, now)).toBe('11 月 27 日 14:02');
  });
});
