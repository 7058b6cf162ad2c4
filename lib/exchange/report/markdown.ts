import type { Page } from '#lib/rounds/types.ts';
import { safeAddress } from '../address.ts';
import { escapeMarkdown, markdownLink } from '../out/markdown.ts';
import { plainText } from '../text.ts';
import { SECTIONS, type ReportFacts } from './facts.ts';
import { aboutLines, sectionTitle, type ReportText, type ReportWords } from './text.ts';

/** Pages of one list in a chat: more is what the file is for. */
const IN_CHAT = 10;
/** Longest note in a chat, in characters. */
const LONGEST_NOTE = 280;

/** A report for a chat or a ticket: the numbers, and the first pages of each list. */
export function markdownReport(facts: ReportFacts, { text, describe }: ReportWords): string {
  const { scope, round, coverage, sections } = facts;
  const said = [
    text('coverageVisited', coverage.visited, coverage.total),
    ...(coverage.changed > 0 ? [text('changedCount', coverage.changed)] : []),
    ...(coverage.beside > 0 ? [text('besideNew', coverage.beside)] : []),
  ];
  const lines = [
    `**${escapeMarkdown(text('reportTitle', plainText(scope), round.number))}**`,
    escapeMarkdown(aboutLines(facts, text).join(' · ')),
    '',
    escapeMarkdown(said.join(' · ')),
  ];
  for (const section of SECTIONS) {
    const { total, pages } = sections[section];
    if (total === 0) continue;
    lines.push('', `**${escapeMarkdown(sectionTitle(section, total, text))}**`, '');
    for (const page of pages.slice(0, IN_CHAT)) lines.push(lineOf(page, text, describe));
    if (total > IN_CHAT) lines.push(`- ${escapeMarkdown(text('reportMore', total - IN_CHAT))}`);
  }
  return `${lines.join('\n')}\n`;
}

function lineOf(page: Page, text: ReportText, describe: (page: Page) => string): string {
  const address = page.usable ?? page.url;
  const safe = safeAddress(address);
  const title = plainText(page.title ?? '');
  const name = escapeMarkdown(title === '' ? plainText(address) : title);
  const link = safe.ok ? markdownLink(name, safe.url) : `- ${name}`;
  const { verdict, note } = page;
  const words = [
    plainText(describe(page)),
    ...(verdict === undefined ? [] : [text(verdict)]),
    ...(note === undefined ? [] : [shortened(plainText(note))]),
  ].filter((word) => word !== '');
  return words.length > 0 ? `${link}: ${escapeMarkdown(words.join(' · '))}` : link;
}

function shortened(note: string): string {
  // A pair that is cut in two is replaced by what stands for no letter.
  return note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE).toWellFormed()}…` : note;
}
