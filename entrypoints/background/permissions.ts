import { browser } from 'wxt/browser';
import { listenToNavigation, listenToRedirects } from './navigation.ts';
import { afterRoundsChanged } from './rounds.ts';
import { inOrder } from './serial.ts';
import { startPending } from './start.ts';

/** The permission prompt was answered, or permissions were taken back in the browser's own settings. */
export function listenToPermissions(): void {
  browser.permissions.onAdded.addListener(() => {
    listenToNavigation();
    listenToRedirects();
    void inOrder(async () => {
      if (!(await startPending())) await afterRoundsChanged({ inject: true });
    });
  });
  browser.permissions.onRemoved.addListener(() => {
    void inOrder(() => afterRoundsChanged({ inject: false }));
  });
}
