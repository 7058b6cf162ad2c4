import { FORMATS, IMPORTS } from '#lib/exchange/index.ts';
import { choice, EXIT, type Command } from '../command.ts';

export const formats: Command = {
  name: 'formats',
  usage: '[--json] [--lang en|zh]',
  summary: 'Lists the formats that can be written and read.',
  options: {
    json: { type: 'boolean', help: 'the export formats as one JSON array, with options and limits' },
    lang: { type: 'string', help: 'LANG en or zh' },
  },
  async run(terminal, values) {
    const language = choice(values, 'lang', ['en', 'zh'], 'en');
    if (values['json'] === true) {
      const list = FORMATS.map(
        ({ name, extension, mime, purpose, proof, use, options, limits, limitation }) => ({
          name,
          extension,
          mime,
          purpose,
          proof,
          use,
          options,
          limits,
          limitation,
        }),
      );
      await terminal.write(`${JSON.stringify(list, null, 2)}\n`);
      return EXIT.fine;
    }
    await terminal.write(language === 'zh' ? '导出\n' : 'Out\n');
    const width = Math.max(...FORMATS.map(({ name }) => name.length));
    for (const { name, extension, purpose, limitation } of FORMATS) {
      await terminal.write(`${name.padEnd(width)}  ${extension.padEnd(9)}  ${purpose[language]}\n`);
      if (limitation) await terminal.write(`${' '.repeat(width + 13)}${limitation[language]}\n`);
    }
    await terminal.write(language === 'zh' ? '\n导入（dedupe --from）\n' : '\nIn (dedupe --from)\n');
    for (const { name, extensions, purpose } of IMPORTS) {
      await terminal.write(
        `${name.padEnd(width)}  ${(extensions[0] ?? '').padEnd(9)}  ${purpose[language]}\n`,
      );
    }
    return EXIT.fine;
  },
};
