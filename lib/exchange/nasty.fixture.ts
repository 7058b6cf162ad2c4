import * as fc from 'fast-check';

/** Addresses that some tool, spreadsheet or shell misreads, and some that must not leave at all. */
export const NASTY: readonly string[] = [
  'https://example.com/中文/路径?q=值#片段',
  'https://例え.テスト/a',
  'https://example.com/a b?c d',
  'https://example.com/a,b;c|d?x=1,2;3|4',
  'https://example.com/[1-3]/{a,b}?r=[0-9]',
  'https://[::1]:8080/a',
  'https://example.com/"quoted"\'single\'?q="x"&y=\'z\'',
  'https://example.com/100%?q=%zz&r=%E4%BD&s=%41',
  "https://example.com/=cmd|' /C calc'!A0?=1+1",
  'https://example.com/<b>&amp;&lt;?a=1&b=2&amp;c=3',
  'https://example.com/\\back\\slash?q=\\n',
  'https://example.com/$(touch x)`id`;echo?a=$HOME&b=!!',
  'https://example.com/a\r\n out=../../evil',
  'https://example.com/a\tb',
  'https://example.com/#!/route?x="1"',
  'https://example.com/a#b#c',
  'https://example.com/^caret?^',
  "https://example.com/--output=x?'=1",
  'https://example.com//double//slash/',
  'https://example.com/(paren)?q=(x).',
  'https://example.com/dot.',
  'https://example.com/*?*=~',
  'https://example.com/+?a+b=%2B',
  `https://example.com/${'long/'.repeat(400)}?end=1`,
  'https://example.com/\u202Egpj.exe',
  'https://example.com/\uD800x',
  'https://user:secret@example.com/private',
  'javascript:alert(1)',
  'mailto:a@example.com',
  '-oProxyCommand=x',
  '',
];

/** Random addresses made of the characters that matter. */
export const nastyAddress: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTP://', 'ftp://', '', 'https://user:pw@'),
    fc.constantFrom(
      'example.com',
      'EXAMPLE.com.',
      'a_b.example.com',
      '[::1]',
      '127.0.0.1',
      '中文.example.com',
      'bare',
      'exa mple',
    ),
    fc.constantFrom('', ':80', ':8080', ':99999'),
    fc.array(
      fc.constantFrom(
        ...`/?#&=;,|[]{}()<>"'\`\\^%$!*+@:~._- \t\r\n`.split(''),
        'a',
        'Z',
        '9',
        '中',
        '😀',
        '\uD800',
        '\0',
        '%2F',
        '%zz',
        '%e4%bd',
        'amp;',
      ),
      { maxLength: 20 },
    ),
  )
  .map(([scheme, host, port, rest]) => `${scheme}${host}${port}/${rest.join('')}`);
