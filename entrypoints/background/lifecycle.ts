import { browser } from 'wxt/browser';
import { listScopes } from '#lib/store/read.ts';
import { createMenus } from './menus.ts';
import { settleRoutes } from './navigation.ts';
import { saveUnsaved } from './record.ts';
import { afterRoundsChanged } from './rounds.ts';
import { injectObserver } from './scripts.ts';
import { inOrder } from './serial.ts';

/** What is done at every start of the worker, and so must be cheap and idempotent. Nothing waits for it. */
export function start(): void {
  void inOrder(async () => {
    await afterRoundsChanged({ inject: false });
    await saveUnsaved();
  });
  void settleRoutes();
}

/** Once after an install or update (with `--load-extension` after every start of the browser). */
export function listenToInstall(): void {
  browser.runtime.onInstalled.addListener(() => {
    void createMenus();
    void inOrder(async () => injectObserver((await listScopes()).flatMap(({ origins }) => origins)));
  });
}
