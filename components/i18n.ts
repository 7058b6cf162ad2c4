import type { ComponentChildren } from 'preact';
import type catalogue from '../public/_locales/en/messages.json';

/** A file of `public/_locales`: `$1`, `$2`… in a message stand for values, `$$` for a dollar sign. */
export type Catalogue = Record<string, { message: string; description?: string }>;
export type Language = 'en' | 'zh_CN';

type MessageKey = keyof typeof catalogue;
type Plural<K> = K extends `${infer Base}_other` ? Base : never;
/** What can be said. `pages` stands for `pages_one` and `pages_other`: the first value decides. */
export type TextKey = Exclude<MessageKey, `${string}_one` | `${string}_other`> | Plural<MessageKey>;
export type Value = string | number;

/** Says things in one language: words from the catalogue, numbers and times from Intl. Times are local. */
export interface Text {
  (key: TextKey, ...values: Value[]): string;
  /** As above with elements for values, for example an address in `<bdi>`. */
  rich(key: TextKey, ...values: ComponentChildren[]): ComponentChildren[];
  language: Language;
  /** For the `lang` attribute. */
  tag: string;
  number(value: number): string;
  percent(share: number): string;
  /** `Mon 30 Nov`, with the year where it is not the year of `now`. */
  day(at: number, now: number): string;
  /** `30 Nov`, where a weekday has no room. */
  date(at: number, now: number): string;
  /** `09:12` on the day of `now`, with the day in front otherwise. */
  time(at: number, now: number): string;
  bytes(size: number): string;
  list(words: string[]): string;
  /** Sentences one after the other; Chinese has no space between them. */
  sentences(...said: string[]): string;
}

const TAGS: Record<Language, string> = { en: 'en-GB', zh_CN: 'zh-CN' };

/** The catalogue for a browser language such as `zh-Hans-CN` or `en-US`. */
export function languageFor(tag: string): Language {
  return /^zh\b/i.test(tag) ? 'zh_CN' : 'en';
}

export function createText(language: Language, messages: Catalogue): Text {
  const tag = TAGS[language];
  const plural = new Intl.PluralRules(tag);
  const number = new Intl.NumberFormat(tag);
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 });
  const clock = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const weekday = new Intl.DateTimeFormat(tag, { weekday: 'short' });
  const list = new Intl.ListFormat(tag, { style: 'long', type: 'conjunction' });

  const template = (key: string, first: unknown): string => {
    const form = typeof first === 'number' ? plural.select(first) : 'other';
    const found = messages[key] ?? messages[`${key}_${form}`] ?? messages[`${key}_other`];
    return found?.message ?? key;
  };
  const shown = (value: Value): string => (typeof value === 'number' ? number.format(value) : value);

  const date = (at: number, now: number): string => {
    const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
    const parts: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
    if (!sameYear) parts.year = 'numeric';
    return spaced(new Intl.DateTimeFormat(tag, parts).format(at));
  };
  const day = (at: number, now: number): string =>
    language === 'zh_CN'
      ? `${date(at, now)}（${weekday.format(at)}）`
      : `${weekday.format(at)} ${date(at, now)}`;
  const sameDay = (a: number, b: number): boolean =>
    new Date(a).toDateString() === new Date(b).toDateString();

  const say = (key: TextKey, ...values: Value[]): string =>
    split(template(key, values[0]))
      .map((part) => (typeof part === 'string' ? part : shown(values[part] ?? '')))
      .join('');

  return Object.assign(say, {
    rich: (key: TextKey, ...values: ComponentChildren[]): ComponentChildren[] =>
      split(template(key, values[0])).map((part) => {
        if (typeof part === 'string') return part;
        const value = values[part];
        return typeof value === 'number' ? number.format(value) : value;
      }),
    language,
    tag,
    number: (value: number) => number.format(value),
    percent: (share: number) => percent.format(share),
    day,
    date,
    time: (at: number, now: number): string => {
      if (sameDay(at, now)) return clock.format(at);
      return `${date(at, now)}${language === 'zh_CN' ? ' ' : ', '}${clock.format(at)}`;
    },
    bytes: (size: number): string => {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
      const step = size < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3));
      return new Intl.NumberFormat(tag, {
        style: 'unit',
        unit: units[step] ?? 'byte',
        // The short form has no plural.
        unitDisplay: step === 0 && language === 'en' ? 'long' : 'short',
        maximumFractionDigits: step === 0 ? 0 : 1,
      }).format(size / 1000 ** step);
    },
    list: (words: string[]) => list.format(words),
    sentences: (...said: string[]) => said.join(language === 'zh_CN' ? '' : ' '),
  });
}

/** Chinese is set with a space between Han characters and digits or letters; Intl leaves it out. */
export function spaced(text: string): string {
  return text
    .replace(/(\p{Script=Han})([0-9A-Za-z])/gu, '$1 $2')
    .replace(/([0-9A-Za-z])(\p{Script=Han})/gu, '$1 $2');
}

/** `See $1 of $2` → `['See ', 0, ' of ', 1]`. */
function split(message: string): (string | number)[] {
  const parts: (string | number)[] = [];
  for (const piece of message.split(/(\$\$|\$[1-9])/)) {
    if (piece === '$$') parts.push('$');
    else if (/^\$[1-9]$/.test(piece)) parts.push(Number(piece[1]) - 1);
    else if (piece !== '') parts.push(piece);
  }
  return parts;
}
