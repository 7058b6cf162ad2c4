import type { Signal } from './follow.ts';

/** Events of chrome.webNavigation that say what a tab shows. */
export type SignalEvent =
  | 'onBeforeNavigate'
  | 'onCommitted'
  | 'onHistoryStateUpdated'
  | 'onReferenceFragmentUpdated'
  | 'onErrorOccurred';

/** Their details, as far as they are used here. */
export interface Details {
  tabId: number;
  frameId: number;
  url: string;
  timeStamp: number;
  frameType?: string;
  documentLifecycle?: string;
  documentId?: string;
  transitionType?: string;
  transitionQualifiers?: readonly string[];
  error?: string;
}

/** Only the outermost frame that a person sees; a prerendered page is told when it is activated. */
function isShown({ tabId, frameId, frameType, documentLifecycle }: Details): boolean {
  return (
    tabId >= 0 &&
    frameId === 0 &&
    (frameType ?? 'outermost_frame') === 'outermost_frame' &&
    (documentLifecycle ?? 'active') === 'active'
  );
}

/** What an event means for the page of its tab; nothing where it is about something nobody sees as the page. */
export function signalOf(event: SignalEvent, details: Details): Signal | undefined {
  if (!isShown(details)) return undefined;
  const { url, transitionType = '', transitionQualifiers = [], error = '' } = details;
  const at = Math.round(details.timeStamp);
  // Firefox names no documents: then the tab and the time of its commit do.
  const document = details.documentId ?? `${details.tabId}-${at}`;
  switch (event) {
    case 'onBeforeNavigate':
      return { type: 'asked', url, at };
    case 'onCommitted':
      return {
        type: 'committed',
        url,
        at,
        document,
        transition: transitionType,
        qualifiers: transitionQualifiers,
      };
    case 'onErrorOccurred':
      return { type: 'error', url, at, error };
    default:
      return { type: 'route', url, at, document, qualifiers: transitionQualifiers };
  }
}
