import { defineConfig } from 'wxt';

export default defineConfig({
  imports: false,
  manifest: ({ browser }) => ({
    name: '__MSG_extName__',
    description: '__MSG_extDescription__',
    default_locale: 'en',
    // None of these shows a warning at install; what a site needs is asked for when a round starts on it.
    permissions: [
      'storage',
      'unlimitedStorage',
      'alarms',
      'contextMenus',
      'scripting',
      'activeTab',
      ...(browser === 'firefox' ? [] : ['sidePanel']),
    ],
    optional_permissions: ['webNavigation', 'webRequest', 'history', 'notifications'],
    optional_host_permissions: ['http://*/*', 'https://*/*'],
    incognito: 'not_allowed',
    omnibox: { keyword: 'oo' },
    commands: {
      'next-unvisited': {
        suggested_key: { default: 'Alt+Shift+N' },
        description: '__MSG_commandNextUnvisited__',
      },
      'copy-left': {
        suggested_key: { default: 'Alt+Shift+C' },
        description: '__MSG_commandCopyLeft__',
      },
      'pause-round': {
        suggested_key: { default: 'Alt+Shift+P' },
        description: '__MSG_commandPause__',
      },
      'open-dashboard': {
        suggested_key: { default: 'Alt+Shift+O' },
        description: '__MSG_commandDashboard__',
      },
    },
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              id: 'onceover@example.com',
              strict_min_version: '142.0',
              data_collection_permissions: { required: ['none'] },
            },
          },
        }
      : { minimum_chrome_version: '126' }),
  }),
});
