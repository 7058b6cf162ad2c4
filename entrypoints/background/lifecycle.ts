import { browser } from 'wxt/browser';
import { StoreError } from '#lib/store/open.ts';
import { listScopes } from '#lib/store/read.ts';
import { openDue, resume } from './alarms.ts';
import { updateBadge } from './badge.ts';
import { createMenus } from './menus.ts';
import { settleRoutes } from './navigation.ts';
import { saveUnsaved } from './record.ts';
import { injectObserver } from './scripts.ts';
import { inOrder } from './serial.ts';
import { startTeam } from './team.ts';
import { loadSettings } from './settings.ts';

/** What is done at every start of the worker, and so must be cheap and idempotent. Nothing waits for it. */
export function start(): void {
  void inOrder(async () => {
    try {
      await openDue();
      await saveUnsaved();
    } catch (error) {
      // The views say what is wrong with the database, the badge that something is; what is seen is kept meanwhile.
      if (!(error instanceof StoreError)) throw error;
      await updateBadge();
    }
  });
  void settleRoutes();
  void startTeam();
}

/** A round that was paused without an end is paused until the person says so, or until the browser starts again. */
export function listenToStartup(): void {
  browser.runtime.onStartup.addListener(() => {
    void inOrder(() => resume(({ pausedUntil }) => pausedUntil === null));
  });
}

/** Once after an install or update (with `--load-extension` after every start of the browser). */
export function listenToInstall(): void {
  browser.runtime.onInstalled.addListener(({ reason }) => {
    void createMenus();
    void inOrder(async () => {
      const scopes = await listScopes();
      await injectObserver(scopes.flatMap(({ origins }) => origins));
      const { welcomed } = await loadSettings();
      const isFirstRun = reason === 'install' && scopes.length === 0 && !welcomed;
      if (isFirstRun) await browser.tabs.create({ url: browser.runtime.getURL('/welcome.html') });
      await browser.storage.session.set({ installed: true });
    });
  });
}
