import { defineBackground } from 'wxt/utils/define-background';
import { listenToAlarms } from './alarms.ts';
import { listenToDatabase } from './database.ts';
import { listenToInstall, listenToStartup, start } from './lifecycle.ts';
import { listenToMenus } from './menus.ts';
import { listenToMessages } from './messages.ts';
import { listenToNavigation, listenToRedirects, listenToTabs } from './navigation.ts';
import { listenToOmnibox } from './omnibox.ts';
import { listenToPermissions } from './permissions.ts';
import { listenToSettings } from './settings.ts';
import { listenToShortcuts } from './shortcuts.ts';
import { watchOrders } from './steps.ts';
import { listenToPairing } from './team.ts';
import { listenToTicks } from './tick.ts';
import { listenToNotifications } from './watched.ts';

export default defineBackground({
  type: 'module',
  main() {
    watchOrders();
    listenToDatabase();
    listenToInstall();
    listenToStartup();
    listenToMessages();
    listenToNavigation();
    listenToRedirects();
    listenToTabs();
    listenToPermissions();
    listenToAlarms();
    listenToMenus();
    listenToOmnibox();
    listenToShortcuts();
    listenToSettings();
    listenToTicks();
    listenToNotifications();
    listenToPairing();
    start();
  },
});
