import { describe, expect, test } from 'vitest';
import { page } from './capture.testing.ts';
import { captureSnapshot, compareSnapshots } from './index.ts';
import type { Rules } from './rules.ts';
import { lines } from './snapshot.testing.ts';

const capture = async (body: string, rules?: Rules) => captureSnapshot(await page(body), rules);
const texts = async (body: string, rules?: Rules) =>
  (await capture(body, rules)).blocks.map(({ text }) => text);
const difference = async (before: string, after: string, rules?: Rules) =>
  lines(compareSnapshots(await capture(before, rules), await capture(after, rules), rules));

/** What a body reads as. */
const READ: [string, string, string[]][] = [
  ['inline tags join', '<p><b>7</b>0 <i>kg</i></p>', ['70 kg']],
  ['comments and wbr join', '<p>a<!-- x -->b<wbr>c</p>', ['abc']],
  ['blocks and br split', '<div>a<br>b<p>c</p>d</div>', ['a', 'b', 'c', 'd']],
  ['cells', '<table><caption>t</caption><tr><th>h<td>1<td>2</table>', ['t', 'h', '1', '2']],
  [
    'list items, also inline ones',
    '<ul><li style="display:inline">a</li><li style="display:inline">b</li></ul>',
    ['a', 'b'],
  ],
  ['buttons and summaries in a line', '<p>Press <button>OK</button> now</p>', ['Press', 'OK', 'now']],
  ['terms', '<dl><dt>Disk<dd>ok<dt>Net<dd>down</dl>', ['Disk', 'ok', 'Net', 'down']],
  [
    'every option',
    '<p>Unit <select><option>Day<option selected>Night<optgroup label=x><option label=L>Week</optgroup></select></p>',
    ['Unit', 'Day', 'Night', 'Week'],
  ],
  [
    'spans in a flex row',
    '<div style="display:flex"><span>CPU</span><span>42 %</span></div>',
    ['CPU', '42 %'],
  ],
  ['a span drawn as a block', '<p>a<span style="display:block">b</span>c</p>', ['a', 'b', 'c']],
  ['inline-block joins', '<p>a<span style="display:inline-block">b</span>c</p>', ['abc']],
  ['lines of pre', '<pre>a\n  b   c\n\n<b>d</b>e\nf</pre>', ['a', 'b c', 'de', 'f']],
  [
    'lines kept by CSS',
    '<div style="white-space:pre-wrap">a\nb</div><p style="white-space:pre-line">c\nd</p>',
    ['a', 'b', 'c', 'd'],
  ],
  ['lines of the source are spaces', '<p>\n a\n b\n</p>', ['a b']],
  ['Chinese lines of the source join', '<p>巡检\n  完成</p>', ['巡检完成']],
  [
    'text as written',
    '<p style="text-transform:uppercase">Open</p><p style="font-variant:small-caps">Shut</p>',
    ['Open', 'Shut'],
  ],
  ['entities and no-break spaces', '<p>R&amp;D&nbsp;&nbsp;x&ensp;y</p>', ['R&D x y']],
  ['ruby', '<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字</p>', ['漢kan字']],
  [
    'submit buttons',
    '<form><input type=submit value=Send><input type=reset value=Clear></form>',
    ['Send', 'Clear'],
  ],
  ['inputs do not split a line', '<label>Limit <input value=10> kg</label>', ['Limit kg']],

  ['closed details', '<details><summary>More</summary>one<p>two</p></details>', ['More', 'one', 'two']],
  [
    'off-screen content-visibility',
    '<div style="height:5000px"></div><div style="content-visibility:auto"><p>far</p></div>',
    ['far'],
  ],
  [
    'screen-reader text',
    '<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)">3 items</span>',
    ['3 items'],
  ],
  [
    'clipped and transparent text',
    '<div style="height:0;overflow:hidden">a</div><p style="color:transparent">b</p><p style="font-size:0">c</p>',
    ['a', 'b', 'c'],
  ],
  ['far left', '<p style="position:absolute;left:-9999px">skip to content</p>', ['skip to content']],
  ['half opaque', '<p style="opacity:.01">a</p>', ['a']],
  [
    'SVG text',
    '<svg><title>t</title><desc>d</desc><defs><text>n</text></defs><text>42 <tspan>ms</tspan></text><a><text>b</text></a></svg>',
    ['42 ms', 'b'],
  ],
  [
    'foreignObject',
    '<svg width=99 height=99><foreignObject width=90 height=90><p>in</p></foreignObject></svg>',
    ['in'],
  ],
  ['aria-hidden block', '<div aria-hidden="true">Seats left 4</div>', ['Seats left 4']],
  [
    'visible child of hidden text',
    '<div style="visibility:hidden">a<p style="visibility:visible">b</p></div>',
    ['b'],
  ],
  ['hidden attribute overruled by CSS', '<p hidden style="display:block">a</p>', ['a']],
  ['display contents', '<div style="display:contents">a<p style="display:contents">b</p></div>', ['a', 'b']],
  ['MathML', '<p><math><mi>x</mi><mo>=</mo><mn>2</mn></math></p>', ['x=2']],
  ['an open dialog', '<dialog open>a</dialog><dialog>b</dialog>', ['a']],

  [
    'hidden in all ways',
    '<p hidden>a</p><p style="display:none">b</p><p style="visibility:hidden">c</p><p style="opacity:0">d</p><div style="opacity:0"><p>e</p></div><p style="content-visibility:hidden">f</p><p hidden="until-found">g</p><div popover>h</div><p>x</p>',
    ['x'],
  ],
  ['collapsed row', '<table><tr style="visibility:collapse"><td>a</table>', []],
  [
    'code and templates',
    '<script>a</script><style>b{}</style><template>c</template><noscript>d</noscript><textarea>e</textarea><datalist><option>f</datalist>',
    [],
  ],
  ['style made visible', '<style style="display:block">b{}</style>', []],
  [
    'fallback of media',
    '<video>a</video><audio>b</audio><canvas>c</canvas><progress>d</progress><meter>e</meter><object>f</object><iframe>g</iframe>',
    [],
  ],
  ['icon words', '<p><i aria-hidden="true">expand_more</i> Details</p>', ['Details']],
  [
    'icon words in a flex row',
    '<button style="display:flex"><i aria-hidden="true">expand_more</i><span>Details</span></button>',
    ['Details'],
  ],
  [
    'icon fonts by name',
    '<p><i class="material-icons" style="font-family:Material Icons">home</i> Home</p>',
    ['Home'],
  ],
  ['private glyphs', '<p><i class="fa">\ue5cf</i>Down</p>', ['Down']],
  ['an i that is no icon', '<p><i>Note</i> well</p>', ['Note well']],
];

describe('reads', () => {
  test.each(READ)('%s', async (_, body, expected) => {
    expect(await texts(body)).toEqual(expected);
  });
});

/** Pages that read the same. */
const SAME: [string, string, string][] = [
  ['other tags', '<div><div>a</div></div><div>b</div>', '<section><p>a</p></section><article>b</article>'],
  ['a table and its cells as divs', '<ul><li>a<li>b</ul>', '<div>a</div><div>b</div>'],
  [
    'open and closed details',
    '<details><summary>s</summary>b</details>',
    '<details open><summary>s</summary>b</details>',
  ],
  ['text-transform', '<p>a</p>', '<p style="text-transform:uppercase">a</p>'],
  ['other classes and ids', '<p id=a class=b>x</p>', '<p id=c class=d>x</p>'],
  [
    'a div in a line',
    '<div>a</div><div>b</div>',
    '<div style="display:inline">a</div><div style="display:inline-block">b</div>',
  ],
  [
    'invisible characters',
    '<p>cooperate order 12 345</p>',
    '<p>co\u00adoperate\u200b or\u2060der 12\u202f345\ufeff</p>',
  ],
  ['variation selectors', '<p>❤ ok</p>', '<p>❤\ufe0f ok</p>'],
  ['hidden text', '<p>a</p><p hidden>1</p>', '<p>a</p><p hidden>2</p>'],
  [
    'a form that is used',
    '<input id=x><textarea></textarea><input type=checkbox>',
    '<input id=x value=1><textarea>t</textarea><input type=checkbox checked>',
  ],
  [
    'attributes',
    '<img alt=a><p title=b aria-label=c>x</p><meter value=.1></meter>',
    '<img alt=d><p title=e aria-label=f>x</p><meter value=.2></meter>',
  ],
  [
    'pseudo elements',
    '<style>p::before{content:"a"}</style><p>x</p>',
    '<style>p::before{content:"b"}</style><p>x</p>',
  ],
  ['spaces in pre', '<pre>a:\n  b</pre>', '<pre>a:\n      b  </pre>'],
  [
    'a hidden ad frame',
    '<iframe style="display:none" srcdoc="a"></iframe>',
    '<iframe style="display:none" srcdoc="b"></iframe>',
  ],
];

test.each(SAME)('the same: %s', async (_, before, after) => {
  expect(await difference(before, after)).toEqual([]);
});

/** Pages that differ. */
const DIFFERENT: [string, string, string, string[]][] = [
  ['hidden by style', '<p>a</p><p>b</p>', '<p>a</p><p style="visibility:hidden">b</p>', ['removed "b"']],
  [
    'hidden by opacity',
    '<p>a</p><div><p>b</p></div>',
    '<p>a</p><div style="opacity:0"><p>b</p></div>',
    ['removed "b"'],
  ],
  [
    'an option that comes',
    '<select><option>a</select>',
    '<select><option>a<option>b</select>',
    ['added "b"'],
  ],
  [
    'in closed details',
    '<details><summary>s</summary>3 bugs</details>',
    '<details><summary>s</summary>4 bugs</details>',
    ['edited "3 bugs" -> "4 bugs"'],
  ],
  ['emoji sequences', '<p>👩\u200d🔧</p>', '<p>👩🔧</p>', ['edited "👩\u200d🔧" -> "👩🔧"']],
  ['Persian words', '<p>می\u200cخواهم</p>', '<p>میخواهم</p>', ['edited "می\u200cخواهم" -> "میخواهم"']],
  ['SVG text', '<svg><text>1</text></svg>', '<svg><text>2</text></svg>', ['edited "1" -> "2"']],
  ['case', '<p>Up</p>', '<p>UP</p>', ['edited "Up" -> "UP"']],
  [
    'aria-hidden block',
    '<div aria-hidden=true>4 left</div>',
    '<div aria-hidden=true>3 left</div>',
    ['edited "4 left" -> "3 left"'],
  ],
];

test.each(DIFFERENT)('differs: %s', async (_, before, after, expected) => {
  expect(await difference(before, after)).toEqual(expected);
});

describe('shadow roots', () => {
  test('open ones, with slots and fallbacks, in the order of the flat tree', async () => {
    const root =
      '<template shadowrootmode=open><h3>Head</h3><slot name=a>none</slot><p><slot></slot></p><slot name=b>fallback</slot></template>';
    expect(
      await texts(`<x-card>${root}light <b>text</b><p slot=a>A</p><p slot=zz>lost</p></x-card>`),
    ).toEqual(['Head', 'A', 'light text', 'fallback']);
  });

  test('slots of slots, and roots in roots', async () => {
    const inner = '<x-in><template shadowrootmode=open>[<slot></slot>]</template><slot></slot></x-in>';
    expect(await texts(`<x-out><template shadowrootmode=open>${inner}</template>deep</x-out>`)).toEqual([
      '[deep]',
    ]);
  });

  test('hidden hosts and slots', async () => {
    expect(await texts('<x-a hidden><template shadowrootmode=open>a</template></x-a>')).toEqual([]);
    expect(
      await texts(
        '<x-a><template shadowrootmode=open><div hidden><slot></slot></div></template>a<p>b</p></x-a>',
      ),
    ).toEqual([]);
    expect(
      await texts(
        '<x-a><template shadowrootmode=open><style>::slotted(p){display:none}</style><slot></slot></template><p>b</p></x-a>',
      ),
    ).toEqual([]);
  });

  test('closed ones through chrome.dom, where there is one', async () => {
    const document = await page('<x-a></x-a><div id=d></div><p>end</p>');
    const roots = new Map<Element, ShadowRoot>();
    for (const host of document.querySelectorAll('x-a, #d')) {
      const root = host.attachShadow({ mode: 'closed' });
      root.innerHTML = '<p>secret</p>';
      roots.set(host, root);
    }
    const read = () => captureSnapshot(document).blocks.map(({ text }) => text);
    expect(read()).toEqual(['end']);
    const scope = globalThis as { chrome?: unknown };
    const chrome = scope.chrome;
    try {
      scope.chrome = { dom: { openOrClosedShadowRoot: (element: Element) => roots.get(element) ?? null } };
      expect(read()).toEqual(['secret', 'secret', 'end']);
    } finally {
      scope.chrome = chrome;
    }
  });
});

describe('frames and canvases', () => {
  const shown = 'width=200 height=50';
  test('frames of the same origin are read in place, others counted', async () => {
    const body = `<p>a</p><iframe ${shown} srcdoc="<p>in</p>"></iframe><iframe ${shown} sandbox srcdoc="<p>no</p>"></iframe><iframe width=1 height=1 sandbox srcdoc=x></iframe><p>b</p>`;
    const document = await page(body);
    const snapshot = captureSnapshot(document);
    expect(snapshot.blocks.map(({ text }) => text)).toEqual(['a', 'in', 'b']);
    expect(snapshot.coverage.frames).toBe(1);
    expect(captureSnapshot(document, { frames: false }).blocks.map(({ text }) => text)).toEqual(['a', 'b']);
  });

  test('canvases that are seen', async () => {
    const { coverage } = await capture(
      '<canvas></canvas><div><canvas></canvas></div><canvas hidden></canvas><canvas style="opacity:0"></canvas>',
    );
    expect(coverage).toEqual({ canvases: 2, frames: 0, lists: [] });
  });
});

describe('rules', () => {
  test('attribute text', async () => {
    expect(
      await texts('<p title="Last run ok">Pump</p><img alt="Valve"><progress max=100 value=30></progress>', {
        attributeText: true,
      }),
    ).toEqual(['Pump', 'Last run ok', 'Valve', '30 / 100']);
  });

  test('form state, but no secrets', async () => {
    const body = `<input value=10><input type=password value=hunter2><input name=user_password value=hunter2><input autocomplete=one-time-code value=123456>
      <input autocomplete=cc-number value=4111><textarea>draft</textarea><input type=checkbox checked><select><option>a<option selected>b</select><input type=hidden value=tok>`;
    const document = await page(body);
    document.querySelector('input')!.value = 'typed';
    expect(captureSnapshot(document, { formState: true }).blocks.map(({ text }) => text)).toEqual([
      'typed',
      'draft',
      '☑',
      '▸ b',
      'a',
      'b',
    ]);
  });

  test('a password that is shown stays secret', async () => {
    const document = await page('<input type=password id=p autocomplete=current-password>');
    const field = document.querySelector('input')!;
    field.value = 'hunter2';
    field.type = 'text';
    expect(captureSnapshot(document, { formState: true }).blocks).toEqual([]);
  });

  test('pseudo elements', async () => {
    const style =
      '<style>.a::before{content:"OK "}.b::after{content:" (" attr(data-x) ")"}.c::before{content:none}</style>';
    expect(
      await texts(`${style}<p class=a>pump</p><p>n<b class=b data-x=7>m</b></p><p class=c>c</p>`, {
        pseudoText: true,
      }),
    ).toEqual(['OK pump', 'nm (7)', 'c']);
  });

  test('spaces of pre', async () => {
    expect(await texts('<pre>a:\n  b   c  \n</pre><p>x  y</p>', { keepPreWhitespace: true })).toEqual([
      'a:',
      '  b   c',
      'x y',
    ]);
  });

  test('no screen-reader text', async () => {
    const hidden = 'position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)';
    expect(
      await texts(`<p>Cart</p><span style="${hidden}">3 items</span>`, { skipScreenReaderText: true }),
    ).toEqual(['Cart']);
  });

  test('ignored selectors are read, and their changes noise', async () => {
    const pageWith = (text: string) => `<p>Lead</p><div class=tip>${text}</div>`;
    expect(await difference(pageWith('a'), pageWith('b'), { ignore: ['.tip'] })).toEqual([
      'edited "a" -> "b" (exclude-selector .tip)',
    ]);
    const [before, after] = [
      await capture(pageWith('a'), { ignore: ['.tip'] }),
      await capture(pageWith('b'), { ignore: ['.tip'] }),
    ];
    expect(before.maskedDigest).toBe(after.maskedDigest);
    expect(before.digest).not.toBe(after.digest);
  });

  test('wrong ones are refused', async () => {
    const document = await page('');
    expect(() => captureSnapshot(document, { colour: true } as Rules)).toThrow(
      'Unknown content rule "colour"',
    );
    expect(() => captureSnapshot(document, { ignore: ['p['] })).toThrow(
      '"p[" in "ignore" is not a CSS selector',
    );
  });
});

describe('places', () => {
  test('id, heading, row and column', async () => {
    const { blocks } = await capture(`<h2>Hosts</h2><table id=t><thead><tr><th>Host<th>State</thead>
      <tr><td>alpha<td>UP<tr><td id=x>beta<td><b>DOWN</b></table>`);
    expect(blocks.map(({ text, place }) => [text, place])).toEqual([
      ['Hosts', { order: 0 }],
      ['Host', { order: 1, id: 't', heading: 'Hosts' }],
      ['State', { order: 2, id: 't', heading: 'Hosts' }],
      ['alpha', { order: 3, id: 't', heading: 'Hosts', column: 'Host' }],
      ['UP', { order: 4, id: 't', heading: 'Hosts', row: 'alpha', column: 'State' }],
      ['beta', { order: 5, id: 'x', heading: 'Hosts', column: 'Host' }],
      ['DOWN', { order: 6, id: 't', heading: 'Hosts', row: 'beta', column: 'State' }],
    ]);
  });

  test('row headers, spans, grids and terms', async () => {
    const placed = async (body: string) =>
      (await capture(body)).blocks.map(({ text, place: { row, column } }) => [text, row, column]);
    expect(
      await placed('<table><tr><th>N<th colspan=2>Load<th>State<tr><td>1<td>2<td>3<td>4</table>'),
    ).toContainEqual(['4', '1', 'State']);
    expect(await placed('<table><tr><td>9<th scope=row>alpha<td>UP</table>')).toContainEqual([
      'UP',
      'alpha',
      undefined,
    ]);
    expect(
      await placed(
        '<div role=grid><div role=row><span role=columnheader>Host</span><span role=columnheader>State</span></div><div role=row><div role=gridcell>a</div><div role=gridcell>UP</div></div></div>'.replaceAll(
          '<span',
          '<span style="display:block"',
        ),
      ),
    ).toContainEqual(['UP', 'a', 'State']);
    expect(await placed('<dl><dt>Disk<dd>ok<dt>Net<dd>down</dl>')).toContainEqual(['down', 'Net', undefined]);
  });

  test('a rank names no row, nor does an empty cell', async () => {
    const table = (...names: string[]) =>
      `<table><tr><th>#<th>Name<th>State${names.map((name, i) => `<tr><td>${i + 1}<td>${name}<td>UP`).join('')}</table>`;
    const { blocks } = await capture(table('alpha', 'beta'));
    expect(blocks.at(-1)!.place.row).toBe('beta');
    expect(
      await difference(table('alpha', 'beta', 'gamma'), table('zeta', 'alpha', 'beta', 'gamma')),
    ).toEqual([
      'added "1"',
      'added "zeta"',
      'added "UP"',
      'edited "1" -> "2"',
      'edited "2" -> "3"',
      'edited "3" -> "4"',
    ]);
    const boxes = await capture('<table><tr><td><input type=checkbox><td>alpha<td>UP</table>');
    expect(boxes.blocks.at(-1)!.place.row).toBe('alpha');
    const orders = await capture('<table><tr><td>10443<td>new<tr><td>10447<td>new</table>');
    expect(orders.blocks.at(-1)!.place.row).toBe('10447');
  });

  test('collapsed bodies are marked', async () => {
    const { blocks } = await capture(
      '<details><summary>s</summary>a<div><p>b</p></div><summary>t</summary></details><p>c</p>',
    );
    expect(blocks.map(({ text, place }) => [text, place.collapsed])).toEqual([
      ['s', undefined],
      ['a', true],
      ['b', true],
      ['t', true],
      ['c', undefined],
    ]);
  });

  test('lists that show a window of their rows', async () => {
    const rows = (first: number, count: number) =>
      Array.from(
        { length: count },
        (_, i) => `<div role=row aria-rowindex=${first + i} style="height:20px">row ${first + i}</div>`,
      ).join('');
    const grid = await capture(`<div role=grid aria-rowcount=2400>${rows(1, 20)}</div>`);
    expect(grid.coverage.lists).toEqual([{ shown: 20, of: 2400 }]);
    expect(grid.blocks[3]!.place).toMatchObject({ list: 0, item: 4 });
    const whole = await capture(`<div role=grid aria-rowcount=20>${rows(1, 20)}</div>`);
    expect(whole.coverage.lists).toEqual([]);
    expect(whole.blocks[3]!.place).toEqual({ order: 3 });
    const scroller = (inner: string) =>
      `<div style="height:200px;overflow:auto;position:relative"><div style="height:48000px">${inner}</div></div>`;
    const recognised = await capture(scroller(rows(5, 20).replaceAll('aria-rowindex', 'data-index')));
    expect(recognised.coverage.lists).toEqual([{ shown: 20, of: 2400 }]);
  });
});

describe('lists without row numbers that show a window of their rows', () => {
  const rows = (first: number, style: (row: number) => string) =>
    Array.from(
      { length: 8 },
      (_, i) => `<div style="height:24px;${style(first + i)}">record ${first + i}</div>`,
    ).join('');
  const none = () => '';
  const LISTS: [string, (first: number) => string][] = [
    [
      'rows placed one by one',
      (first) =>
        `<div style="height:200000px"></div>${rows(first, (row) => `position:absolute;top:${row * 24}px`)}`,
    ],
    [
      'rows moved one by one',
      (first) =>
        `<div style="height:48000px">${rows(first, (row) => `position:absolute;transform:translateY(${row * 24}px)`)}</div>`,
    ],
    [
      'all moved together',
      (first) =>
        `<div style="height:48000px"><div style="transform:translateY(${first * 24}px)">${rows(first, none)}</div></div>`,
    ],
    [
      'padding above and below',
      (first) =>
        `<div style="padding-top:${first * 24}px;padding-bottom:${48000 - first * 24}px">${rows(first, none)}</div>`,
    ],
  ];

  test.each(LISTS)('%s', async (_, inner) => {
    const scroller = (first: number) =>
      `<p>Log</p><div style="height:120px;overflow:auto;position:relative">${inner(first)}</div>`;
    const change = compareSnapshots(await capture(scroller(0)), await capture(scroller(4)));
    expect(change.coverage.lists[0]!.of).toBeGreaterThan(1_900);
    expect(change.blocks.map(({ op, before, after, noise }) => [op, before ?? after, noise])).toEqual([
      ...[0, 1, 2, 3].map((row) => ['removed', `record ${row}`, 'virtual-list-aware']),
      ...[8, 9, 10, 11].map((row) => ['added', `record ${row}`, 'virtual-list-aware']),
    ]);
    const edited = scroller(4).replace('record 6', 'record six');
    expect(await difference(scroller(0), edited)).toContain('edited "record 6" -> "record six"');
  });

  test('a chart that moves its labels is none', async () => {
    const labels = Array.from(
      { length: 9 },
      (_, i) => `<div style="transform:translate(${i * 9}px,0)">${i}</div>`,
    ).join('');
    expect((await capture(`<div style="height:300px">${labels}</div>`)).coverage.lists).toEqual([]);
  });
});

describe('hostile pages', () => {
  test('forms whose controls shadow their properties', async () => {
    const names = [
      'id',
      'firstChild',
      'nextSibling',
      'nodeType',
      'localName',
      'childNodes',
      'getAttribute',
      'shadowRoot',
      'parentNode',
      'matches',
      'closest',
      'checkVisibility',
      'textContent',
      'children',
      'style',
      'hidden',
      'attributes',
    ];
    const inputs = names.map((name) => `<input name="${name}">`).join('');
    const snapshot = await capture(`<form id=f title=t>${inputs}<p>inside</p></form><p>after</p>`, {
      attributeText: true,
      formState: true,
      pseudoText: true,
    });
    expect(snapshot.blocks.map(({ text }) => text)).toEqual(['t', 'inside', 'after']);
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
  });

  test('a very deep tree', async () => {
    const document = await page('');
    let at: Element = document.body;
    for (let depth = 0; depth < 3_000; depth++)
      at = at.appendChild(document.createElement(depth % 2 ? 'b' : 'div'));
    at.append('deep');
    expect(captureSnapshot(document).blocks.map(({ text }) => text)).toEqual(['deep']);
  });

  test('more blocks than are read', async () => {
    const document = await page('');
    document.body.innerHTML = '<p>x</p>'.repeat(200_010);
    const snapshot = captureSnapshot(document);
    expect(snapshot.blocks).toHaveLength(200_000);
    expect(snapshot.coverage.cut).toBe(true);
  });

  test('a document without an element', async () => {
    const document = await page('<p>a</p>');
    document.documentElement.remove();
    expect(captureSnapshot(document).blocks).toEqual([]);
    expect(
      captureSnapshot(new DOMParser().parseFromString('<p>a<p hidden>b', 'text/html')).blocks.map(
        ({ text }) => text,
      ),
    ).toEqual(['a']);
  });
});
