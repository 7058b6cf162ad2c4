// The real popup of the toolbar button. Playwright does not see it, so it is driven over CDP, with real mouse and keys.
import { writeFileSync } from 'node:fs';
import type { CDPSession, Page } from '@playwright/test';
import type { Browser } from './browser.ts';

interface Target {
  targetId: string;
  url: string;
}

/** An open popup. It is destroyed as soon as it loses the focus, as for a person. */
export class Popup {
  private readonly browser: CDPSession;
  private readonly session: string;
  private readonly waiting = new Map<
    number,
    (answer: { result?: unknown; error?: { message: string } }) => void
  >();
  private number = 0;

  private constructor(browser: CDPSession, session: string) {
    this.browser = browser;
    this.session = session;
    browser.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
      if (sessionId !== session) return;
      const answer = JSON.parse(message);
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
    browser.on('Target.detachedFromTarget', ({ sessionId }) => {
      if (sessionId !== session) return;
      for (const settle of this.waiting.values()) settle({ error: { message: 'The popup is closed.' } });
      this.waiting.clear();
    });
  }

  /**
   * Opens the popup over `page`, which becomes the active tab. Without a window this is an order to the browser, which
   * unlike a click on the toolbar button does not give the extension `activeTab`: what the popup knows of the tab it
   * knows by its granted sites.
   * @param click how the button is clicked where there is a window
   */
  static async open(browser: Browser, page: Page, click?: () => void): Promise<Popup> {
    await page.bringToFront();
    const session = await browser.context.newCDPSession(page);
    const find = async (): Promise<Target[]> => {
      const { targetInfos } = await session.send('Target.getTargets');
      return targetInfos.filter(
        ({ type, url }) => type === 'page' && url.startsWith(browser.url('popup.html')),
      );
    };
    const before = new Set((await find()).map(({ targetId }) => targetId));
    if (click) click();
    else await press(browser);
    let target: Target | undefined;
    for (const until = Date.now() + 5000; !target && Date.now() < until;) {
      target = (await find()).find(({ targetId }) => !before.has(targetId));
    }
    if (!target) throw new Error('No popup opened.');
    const { sessionId } = await session.send('Target.attachToTarget', {
      targetId: target.targetId,
      flatten: false,
    });
    return new Popup(session, sessionId);
  }

  private send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ result, error }) =>
        error ? reject(new Error(error.message)) : resolve(result as T),
      );
      const message = JSON.stringify({ id, method, params });
      this.browser.send('Target.sendMessageToTarget', { sessionId: this.session, message }).catch(reject);
    });
  }

  /** The value of a JavaScript expression in the popup, awaited. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.send<{ result: { value: T }; exceptionDetails?: { text: string } }>(
      'Runtime.evaluate',
      {
        expression,
        awaitPromise: true,
        returnByValue: true,
      },
    );
    if (answer.exceptionDetails) throw new Error(`${answer.exceptionDetails.text} in ${expression}`);
    return answer.result.value;
  }

  /** Everything a person can read in it. */
  text(): Promise<string> {
    return this.evaluate('document.body.innerText');
  }

  /** Waits for the element, at most `timeout` ms. */
  async waitFor(selector: string, timeout = 5000): Promise<void> {
    const until = Date.now() + timeout;
    while (!(await this.evaluate<boolean>(`document.querySelector(${JSON.stringify(selector)}) !== null`))) {
      if (Date.now() > until)
        throw new Error(`${selector} does not appear in the popup: ${await this.text()}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** A real click in the middle of the element. */
  async click(selector: string): Promise<void> {
    await this.waitFor(selector);
    const [x, y] = await this.evaluate<[number, number]>(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: 'nearest' });
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    })()`);
    const at = { x, y, button: 'left', clickCount: 1 };
    await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
    // The click may destroy the popup before it can answer.
    await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at }).catch(() => {});
  }

  /** Photographs the popup as a person sees it. */
  async screenshot(path: string): Promise<void> {
    const { data } = await this.send<{ data: string }>('Page.captureScreenshot');
    writeFileSync(path, Buffer.from(data, 'base64'));
  }

  async close(): Promise<void> {
    await this.evaluate('window.close()').catch(() => {});
    await this.browser.detach().catch(() => {});
  }
}

/** Chromium opens no popup over a window that it has not drawn yet. */
async function press(browser: Browser): Promise<void> {
  for (const until = Date.now() + 5000; ;) {
    const refusal = await browser.backstage.evaluate(() =>
      chrome.action.openPopup().then(
        () => undefined,
        (error: unknown) => String(error),
      ),
    );
    if (refusal === undefined) return;
    if (Date.now() > until) throw new Error(refusal);
  }
}
