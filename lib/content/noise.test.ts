import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_NOISE, masker, NOISE_RULES } from './noise.ts';
import { cpuTime } from './snapshot.testing.ts';

const defaults = masker(DEFAULT_NOISE);

/** Pairs that differ in noise alone, by the rule that says so. */
const NOISE: Record<string, [string, string][]> = {
  'mask-relative-time': [
    ['Posted 1 hour ago', 'Posted 2 hours ago'],
    ['3 minutes ago', 'an hour ago'],
    ['Updated just now', 'Updated 10 seconds ago'],
    ['a few seconds ago', '1 minute ago'],
    ['about 3 hours ago', 'about 4 hours ago'],
    ['Up 2 days, 3 hours ago', 'Up 2 days, 4 hours ago'],
    ['5m ago', '6m ago'],
    ['1h 5m ago', '1h 6m ago'],
    ['2 mins. ago', '3 mins. ago'],
    ['R. Example · 9h', 'R. Example · 12h'],
    ['Shift swap | 3d | R. Example', 'Shift swap | 4d | R. Example'],
    ['Updated yesterday', 'Updated 2 days ago'],
    ['5分钟前', '6分钟前'],
    ['发布于 5 分钟前', '发布于 1 小时前'],
    ['刚刚', '1分钟前'],
    ['更新于：昨天', '更新于：2天前'],
    ['半小时前更新', '1小时前更新'],
    ['3个月前', '4个月前'],
    ['两天前', '三天前'],
    ['5分鐘前', '6分鐘前'],
    ['5分前', '6分前'],
    ['3時間前', '4時間前'],
    ['5분 전', '6분 전'],
    ['vor 5 Minuten', 'vor einer Stunde'],
    ['il y a 5 minutes', 'il y a 6 minutes'],
    ['hace 5 minutos', 'hace 1 hora'],
  ],
  'mask-clock': [
    ['14:03:21', '14:03:24'],
    ['Ops wall 14:03:21', 'Ops wall 14:03:24'],
    ['Window closes in 02:14:09', 'Window closes in 02:14:01'],
    ['2:03:21 PM', '2:03:22 PM'],
    ['11:59:59 a.m.', '12:00:00 p.m.'],
    ['14:03:21.532 UTC', '14:03:22.011 UTC'],
    ['下午2:03:21', '下午2:03:22'],
    ['14时03分21秒', '14时03分22秒'],
    ['剩余 2小时14分9秒', '剩余 2小时14分8秒'],
    ['2d 3h 14m 9s left', '2d 3h 14m 8s left'],
  ],
  'mask-copyright-year': [
    ['© 2025 Example Works', '© 2026 Example Works'],
    ['© 2019–2025 Example', '© 2019–2026 Example'],
    ['Copyright 2025 Example', 'Copyright 2026 Example'],
    ['Copyright © 2025', 'Copyright © 2026'],
    ['Copyright (c) 2025 Example', 'Copyright (c) 2026 Example'],
    ['© Example Works 2025. All rights reserved.', '© Example Works 2026. All rights reserved.'],
    ['版权所有 © 2025 示例公司', '版权所有 © 2026 示例公司'],
    ['版权所有 2025 示例公司', '版权所有 2026 示例公司'],
  ],
  'mask-render-time': [
    ['Page generated in 0.312 s', 'Page generated in 0.287 s'],
    ['generated in 0.3 s', 'generated in 1.2 s'],
    ['Rendered in 12ms', 'Rendered in 9ms'],
    ['Served in 35 milliseconds', 'Served in 36 milliseconds'],
    ['Processed in 0.031 second(s), 5 queries', 'Processed in 0.029 second(s), 6 queries'],
    ['About 1,230 results (0.42 seconds)', 'About 1,230 results (0.38 seconds)'],
    ['Query took 0.003 sec', 'Query took 0.004 sec'],
    ['页面执行时间：0.03 秒', '页面执行时间：0.05 秒'],
    ['耗时 312 毫秒', '耗时 287 毫秒'],
  ],
  'mask-uuid-hex': [
    ['Request ID: 7f3a9c1e-22b4-4a55-9d0e-1c2b3a4d5e6f', 'Request ID: 0b1c2d3e-99aa-4bbb-8ccc-112233445566'],
    ['Trace 4bf92f3577b34da6a3ce929d0e0e4736', 'Trace 00f067aa0ba902b700f067aa0ba902b7'],
    ['Ray ID: 7d1f2a3b4c5d6e7f', 'Ray ID: 8e1f2a3b4c5d6e70'],
    ['X-Request-Id: 7d1f2a3b4c5d6e7f', 'X-Request-Id: 8e1f2a3b4c5d6e70'],
    ['7f3a9c1e-22b4-4a55-9d0e-1c2b3a4d5e6f', '0b1c2d3e-99aa-4bbb-8ccc-112233445566'],
    ['Request ID: req_8sKd92jXa0', 'Request ID: req_Pq71mZk3Lw'],
    ['Trace ID: 1-5759e988-bd862e3fe1be46a994272793', 'Trace ID: 1-6759e9aa-0d862e3fe1be46a994272111'],
    ['请求ID：7d1f2a3b4c5d6e7f', '请求ID：8e1f2a3b4c5d6e70'],
    ['错误编号 7d1f2a3b4c5d6e7f', '错误编号 8e1f2a3b4c5d6e70'],
  ],
  'mask-token': [
    ['csrf_token: k3J9aa01', 'csrf_token: Qz77bb42'],
    ['nonce = "415c029d54"', 'nonce = "99ffe0aa12"'],
  ],
};

/** Pairs that look like noise and are content. */
const CONTENT: [string, string][] = [
  ['timeout 9h', 'timeout 12h'],
  ['Timeout: 9h', 'Timeout: 12h'],
  ['9h', '12h'],
  ['5 minutes', '6 minutes'],
  ['in 3 days', 'in 2 days'],
  ['Open 9:00', 'Open 10:00'],
  ['14:03', '14:04'],
  ['Monday, 2 March 2026', 'Tuesday, 3 March 2026'],
  ['2026-03-02', '2026-03-03'],
  ['Last backup 2026-03-02 14:03:21', 'Last backup 2026-03-02 17:20:00'],
  ['Mar 2, 2026, 14:03:21', 'Mar 2, 2026, 17:20:00'],
  ['2026年3月2日 14:03:21', '2026年3月2日 17:20:00'],
  ['请在3月3日前提交', '请在3月4日前提交'],
  ['5年前端经验', '6年前端经验'],
  ['1998年前', '1999年前'],
  ['第3天前往北京', '第4天前往北京'],
  ['Founded 2025', 'Founded 2026'],
  ['Model year 2025', 'Model year 2026'],
  ['Commit 9f8e7d6c5b4a3f2e1d0c', 'Commit 0a1b2c3d4e5f6a7b8c9d'],
  ['Commit ID: 9f8e7d6c5b4a3f2e1d0c', 'Commit ID: 0a1b2c3d4e5f6a7b8c9d'],
  ['SHA256: 9f8e7d6c5b4a3f2e1d0c9f8e7d6c5b4a', 'SHA256: 0a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f'],
  ['Device 7f3a9c1e-22b4-4a55-9d0e-1c2b3a4d5e6f down', 'Device 0b1c2d3e-99aa-4bbb-8ccc-112233445566 down'],
  ['Error 404', 'Error 500'],
  ['Incident ID: INC0012345 open', 'Incident ID: INC0012346 open'],
  ['Session ID: none', 'Session ID: unknown'],
  ['Order ID: 123456', 'Order ID: 123457'],
  ['Response time: 35 ms', 'Response time: 900 ms'],
  ['MAC 14:03:21:aa:bb:cc', 'MAC 14:03:22:aa:bb:cc'],
  ['Total 1,234.50 EUR', 'Total 1.234,50 EUR'],
  ['6 people watched this today', '9 people watched this today'],
  ['Posted 1 hour ago: fire', 'Posted 2 hours ago: flood'],
  ['Boiler 61 °C', 'Boiler 88 °C'],
  ['Site ✅', 'Site ❌'],
];

describe.each(Object.entries(NOISE))('%s', (name, pairs) => {
  test.each(pairs)('%s | %s', (before, after) => {
    expect(defaults.mask(before)).toBe(defaults.mask(after));
    expect(defaults.explain(before, after)).toBe(name);
    expect(masker(DEFAULT_NOISE.filter((other) => other !== name)).explain(before, after)).toBeUndefined();
  });
});

test.each(CONTENT)('content: %s | %s', (before, after) => {
  expect(defaults.explain(before, after)).toBeUndefined();
});

test.each([
  ['mask-dates', 'Monday, 2 March 2026', 'Tuesday, 3 March 2026'],
  ['mask-dates', 'Due 2026-03-02', 'Due 2026-04-12'],
  ['mask-dates', 'Mar 2, 2026', 'Apr 12, 2026'],
  ['mask-dates', '2026年3月2日 星期一', '2026年3月3日 星期二'],
  ['mask-numbers', '6 people', '1,204 people'],
  ['nfkc', '在庫 12 個', '在庫 １２ 個'],
  ['fold-punctuation', "Don't panic", 'Don’t panic'],
  ['ignore-case', 'Active', 'ACTIVE'],
])('off by default, %s: %s | %s', (name, before, after) => {
  expect(defaults.explain(before, after)).toBeUndefined();
  expect(masker([name]).explain(before, after)).toBe(name);
});

test('several kinds of noise in one text are noise, named by the first', () => {
  expect(defaults.explain('14:03:21 · 5 minutes ago', '14:03:24 · 6 minutes ago')).toBe('mask-clock');
});

test('a mask never hides a word that no rule names', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(NOISE).flat(2)),
      fc.constantFrom('UP', 'DOWN', '巡检', '77 kg'),
      (text, word) => {
        expect(defaults.mask(`${text} ${word}`)).not.toBe(defaults.mask(`${text} other`));
      },
    ),
  );
});

test('hostile texts take linear time', () => {
  const all = masker(NOISE_RULES);
  const pieces = [
    '1',
    ' ',
    'a',
    ':',
    '0',
    '© ',
    '-',
    '天',
    '一',
    '前',
    'request id ',
    '1 h ',
    '12:',
    '2 d, ',
    '(',
    '·',
    'mon ',
    '日',
    '\u00a0',
  ];
  for (const piece of pieces) {
    const text = `${piece.repeat(Math.ceil(100_000 / piece.length))}!`;
    expect(
      cpuTime(() => all.mask(text)),
      piece,
    ).toBeLessThan(500);
  }
});
