/**
 * What changes without news, as a table: text that a rule matches is masked before the second hash, so a change in it alone is
 * called noise by the rule's name. Nothing is ever deleted by it. Patterns are English and Chinese first; each is bounded, so that
 * a hostile text costs linear time.
 */
interface TextRule {
  name: string;
  /** On unless the rules say otherwise. */
  byDefault: boolean;
  /** What is masked, and what no text without has any of it: most texts cost this one search. Or how the whole text is folded. */
  patterns?: readonly RegExp[];
  hint?: RegExp;
  fold?: (text: string) => string;
}

const SEPARATOR = '[·•‧∙・|—–]';
const COUNT = String.raw`(?:\d{1,4}(?:[.,]\d{1,2})?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|few|several|a couple of|half an?)`;
const UNIT =
  '(?:seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?|mths?|mos?|years?|yrs?|y)';
const HAN_COUNT = '(?:[一二两兩三四五六七八九十百半几幾数數]{1,4})';
const YEAR = String.raw`(?:19|20)\d\d`;
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?';
const UUID = String.raw`[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}`;

/** The end of a date, straight before a time of day: such a time is no bare clock, it belongs to a dated event. */
const AFTER_DATE = String.raw`(?:\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?|[日号號]|${MONTH}\.? \d{1,2}|${YEAR})(?:,| at)?[ T]?`;

/** Names that stand before an id drawn at random for each answer of a server. */
const RANDOM_LABEL = String.raw`(?:\b(?:request|trace|correlation|session|transaction|event|error|incident|ray|span|log|debug|support|ref(?:erence)?|invocation|activity|operation|visit|connection|response|client|cf-ray|x-[a-z-]{1,30})[ _-]?(?:id|no\.?|number|code|ref(?:erence)?|key)?|(?<=^\W{0,2}(?:id|u?uid|guid))|\bnonce|(?:请求|請求|追踪|追蹤|跟踪|会话|會話|事务|错误|錯誤|日志|访问|流水|事件|参考)(?:id|号|號|编号|編號|标识|標識|码|碼)?)`;

const TEXT_RULES: readonly TextRule[] = [
  {
    name: 'mask-uuid-hex',
    byDefault: true,
    hint: /\d(?:[\da-f]{6}|(?<=[\da-f]{6}\d)|[\da-f]{3}-)|[ _-]id\s{0,2}[:：#=]/i,
    patterns: [
      new RegExp(
        String.raw`(?<=${RANDOM_LABEL}\s{0,2}[:：#=(]?\s{0,2})(?:${UUID}|(?=[\da-f]{0,40}\d)[\da-f]{12,64}(?:-[a-z]{3})?)(?![\da-z])`,
        'giu',
      ),
      new RegExp(String.raw`^[\s#(]*${UUID}[\s).]*$`, 'giu'),
      new RegExp(
        String.raw`(?<=\b(?:x-)?(?:request|trace|correlation|ray|span|invocation|session)[ _-]?id\s{0,2}[:：#=]?\s{0,2})(?=[\w.~+/-]{0,80}\d)(?=[\w.~+/-]{0,80}[a-z])[\w.~+/-]{10,100}={0,2}`,
        'giu',
      ),
    ],
  },
  {
    name: 'mask-token',
    byDefault: true,
    hint: /csrf|xsrf|forgery|verification|authenticity|nonce/i,
    patterns: [
      /(?<=\b(?:csrf|xsrf|authenticity|anti-?forgery|verification|nonce)(?:[ _-]?(?:token|code|key|value))?\s{0,2}[:：=]\s{0,2}["']?)(?=[\w+/.~-]{0,64}\d)[\w+/.~-]{6,256}={0,2}/giu,
    ],
  },
  {
    name: 'mask-render-time',
    byDefault: true,
    hint: /\d\s?(?:[mµμu]?s\b|m?sec|milli|micro|[毫微]?秒)/i,
    patterns: [
      /(?<=\b(?:generated|rendered|served|loaded|processed|executed|created|built|delivered|completed|fetched|produced)\s(?:in|within)\s(?:about\s|only\s)?)\d{1,7}(?:[.,]\d{1,9})?\s?(?:milliseconds?|microseconds?|seconds?(?:\(s\))?|msecs?|secs?|ms|µs|μs|us|s)\b(?:\(s\))?(?:(?:,| with| using) \d{1,5} (?:db |sql |database )?quer(?:y|ies))?/giu,
      /(?<=\b(?:page|query|search|request|render(?:ing)?|load(?:ing)?|execution|generation|serving)(?:\s(?:render(?:ing)?|load(?:ing)?|generation|execution|processing))?(?:\stook|\stime:?)\s)\d{1,7}(?:[.,]\d{1,9})?\s?(?:milliseconds?|seconds?|msecs?|secs?|ms|µs|μs|s)\b/giu,
      /(?<=\bresults?\s\()\d{1,4}[.,]\d{1,6}\s?(?:seconds?|secs?|s)(?=\))/giu,
      /(?<=(?:耗时|耗時|用时|用時|(?:生成|渲染|执行|執行|加载|載入|处理|處理|响应|查询|查詢)(?:时间|時間|耗时|耗時|用时|用時|于|於|在)?)\s?[:：]?\s?)\d{1,7}(?:\.\d{1,9})?\s?(?:毫秒|微秒|秒钟?|ms|s\b)/giu,
    ],
  },
  {
    name: 'mask-copyright-year',
    byDefault: true,
    hint: /[©ⓒ版]|copyright|\(c\)/i,
    patterns: [
      new RegExp(
        String.raw`(?<=(?:[©ⓒ][^\d©]{0,60}|\bcopyright\s{0,2}(?:\(c\))?\s{0,2}|\(c\)\s{0,2}|版[权權]所有\s{0,2}(?:\(c\))?\s{0,2}))${YEAR}(?:\s?[-–—~至]\s?(?:${YEAR}|\d\d|present|now|今))?(?!\d)`,
        'giu',
      ),
    ],
  },
  {
    name: 'mask-clock',
    byDefault: true,
    hint: /\d(?::[0-5]\d:|\s?分| ?h)/i,
    patterns: [
      new RegExp(
        String.raw`(?<![\d:.,/\-–]|[\da-f]:|\dT)(?<!${AFTER_DATE}\s?)(?:(?:上午|下午|凌晨|早上|中午|晚上|午前|午後)\s?)?\d{1,3}:[0-5]\d:[0-5]\d(?:[.,]\d{1,6})?(?:\s?[ap]\.?m\b\.?)?(?![\d:-]|\s?[·,]?\s?\d{1,4}[-/.]\d{1,2}[-/.]\d)`,
        'giu',
      ),
      /(?<![\d月日号])\d{1,3}\s?[时時点點]\s?\d{1,2}\s?分\s?\d{1,2}\s?秒/gu,
      /(?<!\d)(?:\d{1,4}\s?天\s?)?\d{1,3}\s?(?:个|個)?小[时時]\s?\d{1,2}\s?分[钟鐘]?\s?\d{1,2}\s?秒(?![之以]?前)/gu,
      /(?<![\w.])(?:\d{1,4} ?(?:d|days?),? {0,2})?\d{1,3} ?(?:h|hrs?|hours?),? {0,2}\d{1,2} ?(?:m|mins?|minutes?),? {0,2}(?:and )?\d{1,2} ?(?:s|secs?|seconds?)\b(?! ago)/giu,
    ],
  },
  {
    name: 'mask-relative-time',
    byDefault: true,
    hint: /\b(?:ago\b|just now|yesterday|today|vor |il y a |hace )|[前전刚剛昨]|たった今|[·•‧∙・|—–]\s?\d/i,
    patterns: [
      new RegExp(
        String.raw`(?:\b(?:about|around|approximately|over|almost|nearly|more than|less than)\s|~\s?)?(?<![\w.])${COUNT}\s?\+?\s?${UNIT}\b\.?(?:(?:,| and|, and)?\s?\d{1,3}\s?${UNIT}\b){0,3} ago\b`,
        'giu',
      ),
      /\b(?:just now|(?:a )?moments? ago)\b/giu,
      /(?<=\b(?:posted|updated|modified|edited|created|commented|published|seen|active|replied|uploaded|saved|synced|refreshed)(?: on|:)? )(?:yesterday|today)\b/giu,
      new RegExp(
        String.raw`(?<=${SEPARATOR}\s?)\d{1,3}\s?(?:s|secs?|m|mins?|h|hrs?|d|w|wks?|mo|y|yrs?)(?=\s?$|\s?${SEPARATOR})`,
        'giu',
      ),
      new RegExp(
        String.raw`(?:大约|大約|大概|约|約|不到|超过|近)?\s?(?:(?:(?<![\d.月年第])\d{1,3}|${HAN_COUNT})\s?[多余]?\s?(?:秒[钟鐘]?|分[钟鐘]?|[个個]?小[时時]|[个個]?钟头|時間|天|(?<!月\d{1,2}\s?)日|周|週|[个個]?星期|[个個]?礼拜|[个個かヶカ]月|年)半?\s?)(?:[之以]?前)(?![端台臺往后後面所提景沿进進途列缀锋任线線言期夕方者辈程额额述])`,
        'gu',
      ),
      /(?<![\d.])\d{1,3}\s?(?:초|분|시간|일|주|개월|년)\s?전/gu,
      /刚刚|剛剛|刚才|剛才|たった今/gu,
      new RegExp(String.raw`(?<=(?:^|${SEPARATOR}\s?|[于於:：]\s?))(?:昨天|前天|昨日)`, 'gu'),
      /\bvor (?:\d{1,3}|einer|einem|wenigen) (?:sekunde|minute|stunde|tag|woche|monat|jahr)(?:e?n|e)?\b/giu,
      /\bil y a (?:\d{1,3}|une?|quelques) (?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)\b/giu,
      /\bhace (?:\d{1,3}|una?|unos|unas) (?:segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?)(?![\p{L}])/giu,
    ],
  },
  {
    name: 'mask-dates',
    byDefault: false,
    patterns: [
      /(?<!\d)(?:19|20)\d\d[-/.年]\s?\d{1,2}(?:[-/.月]\s?\d{1,2}[日号]?|月)(?:\s?[（(]?(?:星期|周|週)[一二三四五六日天][)）]?)?(?!\d)/gu,
      /(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.](?:(?:19|20)\d\d|\d\d)(?!\d)/gu,
      new RegExp(
        String.raw`(?:\b${WEEKDAY}\.?,? )?\b\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}\.?,?(?: ${YEAR})?\b`,
        'giu',
      ),
      new RegExp(
        String.raw`(?:\b${WEEKDAY}\.?,? )?\b${MONTH}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? ${YEAR})?\b`,
        'giu',
      ),
      new RegExp(String.raw`^${WEEKDAY}$`, 'giu'),
      /\d{1,2}月\d{1,2}[日号]|(?:星期|周|週)[一二三四五六日天]/gu,
    ],
  },
  {
    name: 'mask-numbers',
    byDefault: false,
    patterns: [/[+−-]?\p{Nd}{1,64}(?:[.,'’\u202f]\p{Nd}{1,64}){0,16}\s?%?/gu],
  },
  { name: 'nfkc', byDefault: false, fold: (text) => text.normalize('NFKC') },
  {
    name: 'fold-punctuation',
    byDefault: false,
    fold: (text) =>
      text
        .replace(/[\u2018\u2019\u201b\u2032]/g, "'")
        .replace(/[\u201c\u201d\u201f\u2033«»]/g, '"')
        .replace(/[\u2010-\u2015\u2212]/g, '-')
        .replace(/\u2026/g, '...'),
  },
  { name: 'ignore-case', byDefault: false, fold: (text) => text.toLowerCase() },
];

/**
 * Rules that need more than a text, applied where snapshots are captured or compared. The whole name is the label of a change:
 * `exclude-selector` is followed by the selector that matched.
 */
const OTHER_RULES = [
  { name: 'exclude-selector', byDefault: true },
  { name: 'virtual-list-aware', byDefault: true },
  { name: 'wait-until-quiet', byDefault: true },
  { name: 'ignore-moves', byDefault: false },
  { name: 'unique-blocks', byDefault: false },
];

const ALL_RULES = [...TEXT_RULES, ...OTHER_RULES];
/** Names of every noise rule. */
export const NOISE_RULES: readonly string[] = ALL_RULES.map((rule) => rule.name);
/** Names of those that hold by default. */
export const DEFAULT_NOISE: readonly string[] = ALL_RULES.filter((rule) => rule.byDefault).map(
  (rule) => rule.name,
);
/** Label of changes in a place that the person chose to ignore. */
export const IGNORED_PLACE = 'ignore-place';

/** Containers of advertisements. The first is the plain convention, the others belong to ad servers. */
export const AD_SELECTORS: readonly string[] = [
  '.advert,[id^=ad-]',
  '.adsbygoogle,[id^=google_ads_],[id^=div-gpt-ad]',
  '[aria-label="advertisement" i],[data-ad-slot],[data-ad-unit]',
  '.advertisement,.ad-banner,.ad-slot,.ad-container',
];

/** Masks texts by a set of rules. Make one and keep it: the same text is asked again and again. */
export interface Masker {
  /** The text with its noise replaced, for hashing. */
  mask: (text: string) => string;
  /** Name of the rule whose matches differ, for two texts with the same mask; undefined where the masks differ. */
  explain: (before: string, after: string) => string | undefined;
  /** Whether nothing but noise and punctuation is in it. */
  isOnlyNoise: (text: string) => boolean;
}

export function masker(names: readonly string[]): Masker {
  const rules = TEXT_RULES.filter((rule) => names.includes(rule.name));
  const digitHint = unionOf(rules, (source) => source.startsWith('\\d'));
  const wordHint = unionOf(rules, (source) => !source.startsWith('\\d'));
  const apply = (rule: TextRule, text: string) => {
    if (rule.fold) return rule.fold(text);
    if (rule.hint?.test(text) === false) return text;
    const token = `\u0000${rule.name}\u0000`;
    return (rule.patterns ?? []).reduce((masked, pattern) => masked.replace(pattern, token), text);
  };
  const mask = (text: string) =>
    digitHint.test(text) || wordHint.test(text)
      ? rules.reduce((masked, rule) => apply(rule, masked), text)
      : text;
  return {
    mask,
    explain(before, after) {
      if (mask(before) !== mask(after)) return undefined;
      let [left, right] = [before, after];
      for (const rule of rules) {
        if (matches(rule, left) !== matches(rule, right)) return rule.name;
        [left, right] = [apply(rule, left), apply(rule, right)];
      }
      return undefined;
    },
    isOnlyNoise: (text) => !/[\p{L}\p{N}]/u.test(mask(text).replace(/\u0000[^\u0000]*\u0000/g, '')),
  };
}

/** One search for the hints of all rules; those that begin with a digit apart, since then most texts are passed over fast. */
function unionOf(rules: readonly TextRule[], wanted: (source: string) => boolean): RegExp {
  const sources = rules
    .map(({ hint }) => hint?.source ?? '')
    .filter((source) => source === '' || wanted(source));
  return sources.length === 0 ? /(?!)/ : new RegExp(sources.join('|'), 'i');
}

/** What a rule takes out of a text, as one string. */
function matches(rule: TextRule, text: string): string {
  if (rule.fold) return text === rule.fold(text) ? '' : text;
  return (rule.patterns ?? []).flatMap((pattern) => text.match(pattern) ?? []).join('\u0000');
}
