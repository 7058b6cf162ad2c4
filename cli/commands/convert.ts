import { BackupSource, SELECTIONS } from '../backup-source.ts';
import { choice, EXIT, text, UsageError, type Command } from '../command.ts';
import { EXPORT_OPTIONS, exportRecords, formatByName } from '../export.ts';
import { STDIN } from '../input.ts';

export const convert: Command = {
  name: 'convert',
  usage: 'BACKUP --to FORMAT [--scope NAME] [--round N] [--pages WHICH] [--output PATH] …',
  summary: 'Exports pages of a backup without the browser.',
  options: {
    to: { type: 'string', help: 'FORMAT one of `onceover formats`' },
    scope: { type: 'string', help: 'NAME which scope, where the backup has several' },
    round: { type: 'string', help: 'N number of the round; the latest if absent' },
    pages: { type: 'string', help: `WHICH ${SELECTIONS.join(', ')}` },
    prefix: { type: 'string', help: 'URL only addresses that start so' },
    address: { type: 'string', help: 'WHICH first (original), usable (latest that worked) or final' },
    order: { type: 'string', help: 'ORDER visit or az' },
    'all-visits': { type: 'boolean', help: 'every visit instead of every page once' },
    ...EXPORT_OPTIONS,
  },
  async run(terminal, values, words) {
    const [file] = words;
    const to = text(values, 'to');
    if (words.length !== 1 || file === undefined || to === undefined) {
      throw new UsageError(`Usage: onceover convert ${this.usage}`);
    }
    if (file === STDIN) throw new UsageError('A backup is read more than once: give the name of a file.');
    const format = formatByName(to);
    const wanted = {
      selection: choice(values, 'pages', SELECTIONS, 'all'),
      prefix: text(values, 'prefix'),
      address: choice(values, 'address', ['first', 'usable', 'final'], 'first'),
      order: choice(values, 'order', ['visit', 'az'], 'visit'),
      allVisits: values['all-visits'] === true,
    };
    const source = await BackupSource.open(file, terminal);
    const scope = source.scope(text(values, 'scope'));
    const round = source.round(scope, text(values, 'round'));
    const about = {
      scope: scope.name,
      policyVersion: round?.policyVersion ?? scope.policyVersion,
      repeats: wanted.allVisits,
      ...(round ? { round: `round-${round.number}` } : {}),
    };
    const { records, written, repeats, refused } = await exportRecords(
      terminal,
      values,
      format,
      source.records(scope, round, wanted),
      about,
    );
    terminal.say(`${records} pages, ${written} written, ${repeats} repeats`);
    for (const [reason, count] of Object.entries(refused)) {
      if (count > 0) terminal.say(`${count} left out by the format ${format.name}: ${reason}`);
    }
    return EXIT.fine;
  },
};
