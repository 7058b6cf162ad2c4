// The preferences of a fresh browser profile: the extension's button in the toolbar, and optional permissions agreed to
// beforehand, so that the shipped build can be driven without a person who answers Chromium's prompt.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The id Chromium gives an unpacked extension: 32 hex digits of the SHA-256 of its absolute path, 0-f written as a-p. */
export function extensionId(folder) {
  const hex = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 32);
  return hex.replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 16)));
}

/** The extension's entry in the preferences, with what of its optional permissions is agreed to. */
function agreedSettings(path, { grant, apis = ['webNavigation'], hosts = ['http://127.0.0.1/*'] }) {
  const required = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')).permissions ?? [];
  const permissions = (api, explicit_host) => ({
    api,
    explicit_host,
    manifest_permissions: [],
    scriptable_host: [],
  });
  const all = permissions([...required, ...apis], hosts);
  const active = { click: permissions(required, []), sites: permissions(required, hosts), start: all };
  return {
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
}

/**
 * Writes the preferences of a fresh profile. With `grant: 'none'` Chromium shows its prompt as for everybody. With
 * `'click'` nothing is granted until the product itself asks by a click, which then resolves without a prompt; with
 * `'sites'` the hosts are granted from the start and the APIs at that click; with `'start'` everything is granted from
 * the start.
 * @param {string} profile folder of the profile
 * @param {string} folder folder of the built extension
 * @param {{ grant: 'none' | 'click' | 'sites' | 'start', apis?: string[], hosts?: string[] }} options optional
 *   permissions (webNavigation if not given) and match patterns without a port (127.0.0.1 if not given)
 */
export function writeProfile(profile, folder, options) {
  const path = resolve(folder);
  const id = extensionId(path);
  const settings = options.grant === 'none' ? {} : { settings: { [id]: agreedSettings(path, options) } };
  mkdirSync(join(profile, 'Default'), { recursive: true });
  writeFileSync(
    join(profile, 'Default', 'Preferences'),
    JSON.stringify({ extensions: { pinned_extensions: [id], ...settings } }),
  );
}
