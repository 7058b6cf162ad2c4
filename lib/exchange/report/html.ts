import type { Page } from '#lib/rounds/types.ts';
import { safeAddress } from '../address.ts';
import { escapeXml, plainText } from '../text.ts';
import { PATTERNS, progressChart, roundsChart, statesChart, type Chart } from './charts.ts';
import { SECTIONS, type ReportChange, type ReportFacts, type Section } from './facts.ts';
import { STYLE } from './style.ts';
import { aboutLines, sectionTitle, type ReportText, type ReportWords } from './text.ts';

/** Nothing is fetched, run or sent, whatever a title or note holds. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * A report as one HTML file that needs nothing else: no script, no picture, no address that is opened by itself. What pages and people wrote stands
 * in it as text only.
 */
export function htmlReport(facts: ReportFacts, { text, describe }: ReportWords): string {
  const title = text('reportTitle', plainText(facts.scope), facts.round.number);
  const charts = [progressChart(facts, text), statesChart(facts, text), roundsChart(facts, text)];
  return `<!doctype html>
<html lang="${escapeXml(text.tag)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CSP}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1><bdi>${escapeXml(title)}</bdi></h1>
<p class="soft">${aboutLines(facts, text).map(escapeXml).join(' · ')}</p>
<p class="figure">${escapeXml(text('coverageVisited', facts.coverage.visited, facts.coverage.total))}</p>
${beside(facts, text)}
</header>
${PATTERNS}
${charts.map((chart) => (chart ? chartHtml(chart, text) : '')).join('\n')}
${SECTIONS.map((section) => sectionHtml(section, facts, text, describe)).join('\n')}
<footer class="soft"><p>${escapeXml(text('reportKept'))}</p></footer>
</main>
</body>
</html>
`;
}

function beside({ coverage: { beside: more, changed } }: ReportFacts, text: ReportText): string {
  const said = [
    ...(changed > 0 ? [text('changedCount', changed)] : []),
    ...(more > 0 ? [text('besideNew', more)] : []),
  ];
  return said.length > 0 ? `<p>${said.map(escapeXml).join(' · ')}</p>` : '';
}

function chartHtml({ title, svg, heads, rows }: Chart, text: ReportText): string {
  const [first = '', ...others] = heads;
  const head = `<th scope="col">${escapeXml(first)}</th>${others.map((each) => `<th scope="col" class="number">${escapeXml(each)}</th>`).join('')}`;
  const body = rows.map(
    ([name = '', ...cells]) =>
      `<tr><th scope="row">${escapeXml(name)}</th>${cells.map((cell) => `<td class="number">${escapeXml(cell)}</td>`).join('')}</tr>`,
  );
  return `<section>
<h2>${escapeXml(title)}</h2>
<figure>${svg}</figure>
<details><summary>${escapeXml(text('reportAsTable'))}</summary>
<table class="numbers"><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></details>
</section>`;
}

function sectionHtml(
  section: Section,
  { sections, changes }: ReportFacts,
  text: ReportText,
  describe: (page: Page) => string,
): string {
  const { total, pages } = sections[section];
  // What is left is always said, so that nothing to do is a sentence of its own.
  if (total === 0 && section !== 'left') return '';
  const title = `<h2>${escapeXml(sectionTitle(section, total, text))}</h2>`;
  if (total === 0) return `<section>${title}<p>${escapeXml(text('nothingLeft'))}</p></section>`;
  const isSaid = pages.some(({ verdict, note }) => verdict !== undefined || note !== undefined);
  const heads = [text('page'), text('why'), ...(isSaid ? [`${text('verdict')} · ${text('note')}`] : [])];
  const rows = pages.map((page) => {
    const change = section === 'changed' ? changes.get(page.key) : undefined;
    return rowHtml(page, text, describe, { isSaid, change });
  });
  const more =
    total > pages.length ? `<p class="soft">${escapeXml(text('reportMore', total - pages.length))}</p>` : '';
  return `<section>${title}
<table><thead><tr>${heads.map((head) => `<th scope="col">${escapeXml(head)}</th>`).join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table>${more}</section>`;
}

function rowHtml(
  page: Page,
  text: ReportText,
  describe: (page: Page) => string,
  { isSaid, change }: { isSaid: boolean; change: ReportChange | undefined },
): string {
  const title = plainText(page.title ?? '');
  const name = title === '' ? '' : `<br><bdi class="soft">${escapeXml(title)}</bdi>`;
  const said = isSaid ? `<td>${saidHtml(page, text)}</td>` : '';
  return `<tr><th scope="row">${addressHtml(page.usable ?? page.url)}${name}</th><td>${escapeXml(plainText(describe(page)))}${change ? changeHtml(change, text) : ''}</td>${said}</tr>`;
}

/** Longest text of a block that is told, in characters. */
const LONGEST_BLOCK = 300;

/** What was taken away and what was put in its place, told apart by sign and element, not by colour alone. */
function changeHtml({ blocks, more }: ReportChange, text: ReportText): string {
  const words = {
    added: text('opAdded'),
    removed: text('opRemoved'),
    edited: text('opEdited'),
    moved: text('opMoved'),
  };
  const part = (element: 'del' | 'ins', sign: string, said: string | undefined): string => {
    if (said === undefined) return '';
    const short = said.length > LONGEST_BLOCK ? `${said.slice(0, LONGEST_BLOCK).toWellFormed()}…` : said;
    return ` <${element}>${sign} <bdi>${escapeXml(plainText(short))}</bdi></${element}>`;
  };
  const items = blocks.map(({ op, before, after }) => {
    // What only moved says the same before and after.
    const was = op === 'moved' ? '' : part('del', '−', before);
    return `<li><b>${escapeXml(words[op])}</b>${was}${part('ins', '+', after)}</li>`;
  });
  const rest = more > 0 ? `<li class="soft">${escapeXml(text('moreAddresses', more))}</li>` : '';
  return `<ul class="blocks">${items.join('')}${rest}</ul>`;
}

/** A link, where the address is one of the web; otherwise its text. */
function addressHtml(address: string): string {
  const safe = safeAddress(address);
  if (!safe.ok) return `<bdi dir="ltr">${escapeXml(plainText(address))}</bdi>`;
  const shown = escapeXml(safe.url);
  return `<a href="${shown}" target="_blank" rel="noreferrer noopener"><bdi dir="ltr">${shown}</bdi></a>`;
}

function saidHtml({ verdict, note }: Page, text: ReportText): string {
  const word = verdict === undefined ? '' : `<b>${escapeXml(text(verdict))}</b>`;
  const lines = (note ?? '').split(/\r\n|[\r\n]/).map((line) => escapeXml(plainText(line)));
  const words = lines.join('\n').trim();
  return [word, words === '' ? '' : `<span class="note"><bdi>${words}</bdi></span>`]
    .filter(Boolean)
    .join(' ');
}
