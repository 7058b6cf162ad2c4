// A browser profile in which the extension's optional permissions are agreed to beforehand, so that the shipped build
// can be driven without a person who answers Chromium's prompt.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The id Chromium gives an unpacked extension: 32 hex digits of the SHA-256 of its absolute path, 0-f written as a-p. */
export function extensionId(folder) {
  const hex = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 32);
  return [...hex].map((digit) => String.fromCharCode(97 + parseInt(digit, 16))).join('');
}

/**
 * Writes the preferences of a fresh profile. With `grant: 'click'` nothing is granted until the product itself asks by
 * a click, which then resolves without a prompt; with `'sites'` the hosts are granted from the start and the APIs at
 * that click; with `'start'` everything is granted from the start.
 * @param {string} profile folder of the profile
 * @param {string} folder folder of the built extension
 * @param {{ apis?: string[], hosts?: string[], grant?: 'click' | 'sites' | 'start' }} options optional permissions and match
 *   patterns (without a port)
 */
export function writeProfile(profile, folder, options = {}) {
  const { apis = ['webNavigation'], hosts = ['http://127.0.0.1/*'], grant = 'click' } = options;
  const path = resolve(folder);
  const required = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')).permissions ?? [];
  const permissions = (api, explicit_host) => ({
    api,
    explicit_host,
    manifest_permissions: [],
    scriptable_host: [],
  });
  const all = permissions([...required, ...apis], hosts);
  const active = { click: permissions(required, []), sites: permissions(required, hosts), start: all };
  const settings = {
    location: 8,
    path,
    creation_flags: 38,
    state: 1,
    from_webstore: false,
    first_install_time: '13440000000000000',
    withholding_permissions: false,
    granted_permissions: all,
    runtime_granted_permissions: permissions(apis, hosts),
    active_permissions: active[grant],
  };
  const preferences = { extensions: { settings: { [extensionId(path)]: settings } } };
  mkdirSync(join(profile, 'Default'), { recursive: true });
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
}
