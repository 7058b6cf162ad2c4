// Applications nobody here wrote, each on loopback, whose address stays while their text changes.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

export interface App {
  name: string;
  /** Debian packages, by the command that says they are there. */
  debian: Record<string, string>;
  npm?: Record<string, string>;
  start: (folder: string, port: number) => ChildProcess;
  path: string;
  /** Makes the page say something else, and answers what stands in it then. */
  change: (tab: Page, port: number) => Promise<string>;
}

/** Where npm packages of the applications are kept from one run to the next. */
export const CACHE = join(tmpdir(), 'onceover-apps');

const quiet = { stdio: 'ignore' as const };

/** Sends a request, through a proxy where one is given; what is answered does not matter. */
function send(port: number, path: string): Promise<void> {
  return new Promise((done) => {
    const sent = request({ host: '127.0.0.1', port, path }, (answer) => {
      answer.resume();
      answer.on('end', () => done());
    });
    sent.on('error', () => done());
    sent.end();
  });
}

/** A flow with a gauge that moves every second, and a text that says what `/say?word=` was asked with. */
const FLOW = (() => {
  const place = { group: 'group', order: 1, width: 0, height: 0 };
  return [
    { id: 'tab', type: 'tab', label: 'Board' },
    {
      id: 'base',
      type: 'ui-base',
      name: 'Board',
      path: '/dashboard',
      navigationStyle: 'default',
      titleBarStyle: 'default',
    },
    {
      id: 'theme',
      type: 'ui-theme',
      name: 'Theme',
      colors: {
        surface: '#ffffff',
        primary: '#0094ce',
        bgPage: '#eeeeee',
        groupBg: '#ffffff',
        groupOutline: '#cccccc',
      },
      sizes: { pagePadding: '12px', groupGap: '12px', groupBorderRadius: '4px', widgetGap: '12px' },
    },
    {
      id: 'page',
      type: 'ui-page',
      name: 'Line 1',
      ui: 'base',
      path: '/line',
      layout: 'grid',
      theme: 'theme',
      order: 1,
      visible: 'true',
      disabled: 'false',
    },
    {
      id: 'group',
      type: 'ui-group',
      name: 'Machine',
      page: 'page',
      width: '6',
      height: '1',
      order: 1,
      showTitle: true,
      visible: 'true',
      disabled: 'false',
    },
    {
      id: 'tick',
      type: 'inject',
      z: 'tab',
      props: [{ p: 'payload' }],
      repeat: '1',
      once: true,
      onceDelay: 0.1,
      payload: '',
      payloadType: 'date',
      wires: [['number']],
    },
    {
      id: 'number',
      type: 'function',
      z: 'tab',
      func: 'msg.payload = Math.round(Math.random() * 1000); return msg;',
      outputs: 1,
      wires: [['load']],
    },
    {
      id: 'load',
      type: 'ui-text',
      z: 'tab',
      ...place,
      name: 'Load',
      label: 'Load',
      format: '{{msg.payload}}',
      layout: 'row-spread',
      wires: [],
    },
    { id: 'say', type: 'http in', z: 'tab', url: '/say', method: 'get', wires: [['word', 'answer']] },
    {
      id: 'word',
      type: 'function',
      z: 'tab',
      func: 'return { payload: msg.payload.word };',
      outputs: 1,
      wires: [['state']],
    },
    { id: 'answer', type: 'http response', z: 'tab', statusCode: '200', wires: [] },
    {
      id: 'state',
      type: 'ui-text',
      z: 'tab',
      ...place,
      order: 2,
      name: 'State',
      label: 'State',
      format: '{{msg.payload}}',
      layout: 'row-spread',
      wires: [],
    },
  ];
})();

export const APPS: readonly App[] = [
  {
    name: 'node-red',
    debian: {},
    npm: { 'node-red': '5.0.7', '@flowfuse/node-red-dashboard': '1.31.0' },
    path: '/dashboard/line',
    start(folder, port) {
      const home = join(folder, 'node-red');
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, 'flows.json'), JSON.stringify(FLOW));
      writeFileSync(
        join(home, 'settings.cjs'),
        `module.exports = { flowFile: 'flows.json', uiHost: '127.0.0.1', uiPort: ${port}, telemetry: { enabled: false },
          nodesDir: ${JSON.stringify(join(CACHE, 'node_modules', '@flowfuse'))} };`,
      );
      const words = ['-u', home, '-s', join(home, 'settings.cjs')];
      return spawn(process.execPath, [join(CACHE, 'node_modules/node-red/red.js'), ...words], quiet);
    },
    async change(_tab, port) {
      const word = `halted-${String.fromCharCode(97 + Math.floor(Math.random() * 26))}`;
      await send(port, `/say?word=${word}`);
      return word;
    },
  },
  {
    name: 'netdata',
    debian: { netdata: 'netdata-core', '/usr/share/netdata/web': 'netdata-web' },
    path: '/',
    start(folder, port) {
      const dir = (name: string) => {
        const path = join(folder, 'netdata', name);
        mkdirSync(path, { recursive: true });
        return path;
      };
      const config = join(dir('etc'), 'netdata.conf');
      writeFileSync(
        config,
        `[global]\n run as user = root\n[db]\n mode = ram\n[directories]\n cache = ${dir('cache')}\n lib = ${dir('lib')}\n log = ${dir('log')}\n` +
          `[web]\n bind to = 127.0.0.1\n default port = ${port}\n[plugins]\n python.d = no\n go.d = no\n charts.d = no\n apps = no\n[ml]\n enabled = no\n` +
          `[logs]\n debug = none\n error = none\n access = none\n`,
      );
      return spawn('netdata', ['-D', '-c', config, '-P', join(folder, 'netdata', 'pid')], quiet);
    },
    async change(tab) {
      // A view of its own, which asks the server which alarms were raised.
      await tab.locator('[data-target="#alarmsModal"]').first().click();
      return 'Raised Alarms';
    },
  },
  {
    name: 'mitmweb',
    debian: { mitmweb: 'mitmproxy' },
    path: '/',
    start(folder, port) {
      const home = mkdtempSync(join(folder, 'mitm-'));
      const flags = ['--no-web-open-browser', '--web-host', '127.0.0.1', '--web-port', `${port}`];
      const proxy = [
        '--listen-host',
        '127.0.0.1',
        '--listen-port',
        `${port + 1}`,
        '--set',
        `confdir=${home}`,
      ];
      return spawn('mitmweb', [...flags, ...proxy], quiet);
    },
    async change(_tab, port) {
      const name = `asked-${Math.random().toString(36).slice(2, 8)}`;
      await send(port + 1, `http://127.0.0.1:${port}/${name}`);
      return name;
    },
  },
];

/** Installs what is missing. @throws {Error} that says what to install by hand */
export function install(apps: readonly App[]): void {
  const has = (what: string) =>
    what.startsWith('/')
      ? existsSync(what)
      : spawnSync('sh', ['-c', 'command -v -- "$1"', 'sh', what]).status === 0;
  const missing = apps.flatMap(({ debian }) =>
    Object.entries(debian).flatMap(([what, name]) => (has(what) ? [] : [name])),
  );
  if (missing.length > 0) {
    if (process.getuid?.() !== 0 || !has('apt-get')) throw new Error(`Install first: ${missing.join(' ')}`);
    const { status } = spawnSync('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...missing], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`Install first: ${missing.join(' ')} (apt-get could not)`);
  }
  for (const [name, version] of apps.flatMap(({ npm = {} }) => Object.entries(npm))) {
    if (existsSync(join(CACHE, 'node_modules', name))) continue;
    const words = ['install', '--no-audit', '--no-fund', '--silent', '--prefix', CACHE, `${name}@${version}`];
    mkdirSync(CACHE, { recursive: true });
    if (spawnSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
      throw new Error(`npm could not install ${name}@${version}`);
  }
}
