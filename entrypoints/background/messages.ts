import { browser, type Browser } from 'wxt/browser';
import type { Answer, ErrorCode, Messages, MessageType, ObserverMessages, Request } from '#lib/protocol.ts';
import type { CaptureEvent } from '#lib/rounds/events.ts';
import { CommandError } from '#lib/store/commands.ts';
import { StoreError } from '#lib/store/open.ts';
import { webAddress } from './address.ts';
import { runCommand } from './commands.ts';
import { findClick, leadsTo, noteClick, useClick } from './follow.ts';
import { mayRecord } from './gate.ts';
import { forgetNote } from './notes.ts';
import { NotSavedError, recordEvent } from './record.ts';
import { isRecorded } from './recordings.ts';
import { receivePicked } from './in-page.ts';
import { receiveText } from './reading.ts';
import { inOrder } from './serial.ts';
import { NoPermissionError } from './start.ts';
import { step } from './steps.ts';
import { allTabs, readTab, writeTab, type Click, type TabState } from './tabs.ts';
import { isObserverMessage, readRequest } from './validate.ts';

type Sender = Browser.runtime.MessageSender;
type ObserverRequest = Request<keyof ObserverMessages>;

/** Where a message of the observer came from, as the browser vouches for it. */
interface Place {
  tab: number;
  document: string;
  /** The page it is part of: of a frame, the page around it. */
  page: string;
  isTop: boolean;
  /** 0: the outermost. */
  frame: number;
  isActive: boolean;
}

class Refused extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

const originOf = (url: string | undefined) => (url === undefined ? undefined : URL.parse(url)?.origin);

/** @throws {Refused} where the browser says otherwise than the message */
async function placeOf(request: ObserverRequest, sender: Sender): Promise<Place> {
  const { tab, frameId, url } = sender;
  if (tab?.id === undefined || !mayRecord(tab) || sender.documentLifecycle === 'prerender')
    throw new Refused('bad-request', 'not from a page');
  const isActive = (sender.documentLifecycle ?? 'active') === 'active';
  // A document that is being left has another frame id already.
  const isTop = frameId === 0 || !isActive;
  const isPart =
    request.type === 'links' ||
    request.type === 'click' ||
    request.type === 'content' ||
    request.type === 'picked';
  if (!isTop && !isPart) throw new Refused('bad-request', 'frames are no pages');
  if (isTop && originOf(request.url) !== originOf(url)) throw new Refused('bad-request', 'not its address');
  const page = webAddress((isTop ? request.url : tab.url) ?? '');
  if (page === undefined) throw new Refused('bad-request', 'not a page of the web');
  // Firefox names no documents: there the tab's last commit does.
  const document = sender.documentId ?? (await readTab(tab.id)).document?.id ?? `${tab.id}`;
  return { tab: tab.id, document, page, isTop, frame: isTop ? 0 : (frameId ?? 0), isActive };
}

/** Whether the navigation a click caused has been told already: in its own tab, or in one it opened. */
async function hasLanded(click: Click, tab: number, state: TabState): Promise<boolean> {
  const landed = ({ document }: TabState) =>
    document !== undefined &&
    document.at >= click.at &&
    [document.url, ...document.chain.map(({ url }) => url)].some(
      (url) => url !== undefined && leadsTo(click, url),
    );
  if (!click.newTab) return landed(state);
  const tabs = [...(await allTabs()).values()];
  return tabs.some((each) => each.opener?.tab === tab && landed(each));
}

/** A click whose navigation is not told yet waits for it; one that comes later completes the visit. */
async function receiveClick(request: Request<'click'>, place: Place): Promise<{ recorded: boolean }> {
  const { event, text, how, newTab, at } = request;
  const href = webAddress(request.href);
  if (href === undefined) return { recorded: false };
  const { tab, document, page } = place;
  const click: Click = { event, document, url: page, href, text, how, newTab, at };
  const state = await readTab(tab);
  await forgetNote(event);
  if (state.used?.includes(event)) return { recorded: true };
  if (await hasLanded(click, tab, state)) {
    const { recorded } = await recordEvent({ type: 'click', id: event, url: page, href, text, how, at, tab });
    if (recorded) {
      await writeTab(tab, useClick(state, click));
      return { recorded };
    }
  }
  await writeTab(tab, noteClick(state, click));
  return { recorded: false };
}

/** The browser may have died with its event: what the observer saw then stands for it in the tab's state. */
function noteShown(state: TabState, { document, page, isActive }: Place, at: number): TabState | undefined {
  if (!isActive || (state.document?.id === document && state.document.url === page)) return undefined;
  const chain = state.document?.id === document ? state.document.chain : [];
  return { ...state, document: { id: document, url: page, at, chain } };
}

async function receiveShown(
  request: Request<'document'> | Request<'route'>,
  place: Place,
): Promise<{ recorded: boolean }> {
  const { event, title, at } = request;
  const { tab, document, page } = place;
  const state = await readTab(tab);
  const click = findClick(state.clicks, [page], at);
  const { recorded } = await recordEvent({
    type: 'shown',
    id: event,
    by: 'observer',
    document,
    url: page,
    at,
    tab,
    ...(title !== '' && { title }),
    ...(click && { how: click.how, source: click.url, linkText: click.text }),
    ...(request.type === 'route'
      ? { moment: 'route' as const }
      : {
          moment: request.restored ? ('restore' as const) : ('start' as const),
          status: request.status,
          ...(!click && request.navigation === 'reload' && { how: 'reload' as const }),
        }),
  });
  const noted = noteShown(state, place, at);
  if (noted) await writeTab(tab, noted);
  return { recorded };
}

async function receive(
  request: Exclude<ObserverRequest, { type: 'content' | 'picked' }>,
  place: Place,
): Promise<Messages[MessageType]['result']> {
  const { tab, document, page } = place;
  const about = { id: request.event, url: page, at: Date.now(), tab } satisfies Partial<CaptureEvent>;
  switch (request.type) {
    case 'document':
    case 'route':
      return receiveShown(request, place);
    case 'click':
      return receiveClick(request, place);
    case 'title': {
      const { recorded } = await recordEvent({ type: 'title', ...about, document, title: request.title });
      return { recorded };
    }
    default: {
      const { links, collapsed, refused } = request;
      const { added } = await recordEvent({ type: 'links', ...about, links, collapsed, refused });
      return { added };
    }
  }
}

const NOTHING: { [T in keyof ObserverMessages]: ObserverMessages[T]['result'] } = {
  document: { recorded: false },
  route: { recorded: false },
  title: { recorded: false },
  click: { recorded: false },
  links: { added: 0 },
  content: { changed: false },
  picked: { watched: false },
};

async function fromObserver(
  request: ObserverRequest,
  sender: Sender,
): Promise<Messages[MessageType]['result']> {
  const place = await placeOf(request, sender);
  if (request.type === 'content') return receiveText(request, place);
  if (request.type === 'picked') return receivePicked(request, place);
  return inOrder(async () => {
    await step('message:received');
    if (!(await isRecorded(place.page))) return NOTHING[request.type];
    const result = await receive(request, place);
    await step('message:written');
    return result;
  });
}

function errorOf(error: unknown): { code: ErrorCode; detail: string } {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof Refused || error instanceof CommandError) return { code: error.code, detail };
  if (error instanceof NoPermissionError) return { code: 'no-permission', detail };
  if (error instanceof NotSavedError) return { code: 'not-saved', detail };
  if (error instanceof StoreError && error.fault !== 'broken') return { code: error.fault, detail };
  return { code: 'internal', detail };
}

async function answer(message: unknown, sender: Sender): Promise<Answer> {
  try {
    const read = readRequest(message);
    if ('wrong' in read) throw new Refused('bad-request', read.wrong);
    const { request } = read;
    if (isObserverMessage(request)) return { ok: await fromObserver(request, sender) };
    const isOurs = sender.url?.startsWith(browser.runtime.getURL('/')) ?? false;
    // Pages may only ask for the states of their own links, and what their marks mean.
    if (!isOurs && request.type !== 'lookup' && request.type !== 'tip')
      throw new Refused('bad-request', 'not for pages');
    return { ok: await runCommand(request) };
  } catch (error) {
    const { code, detail } = errorOf(error);
    if (code === 'internal') console.error(error);
    return { error: { code, detail } };
  }
}

/** Answers every message once its effect is written, and not before: who hears nothing sends it again. */
export function listenToMessages(): void {
  browser.runtime.onMessage.addListener((message, sender, sendResponse) => {
    if (sender.id !== browser.runtime.id) return false;
    void answer(message, sender).then(sendResponse);
    return true;
  });
}
