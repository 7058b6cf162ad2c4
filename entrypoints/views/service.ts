import { browser } from 'wxt/browser';
import { TeamError, type TeamCause, type TeamFetch } from '#lib/team/client.ts';
import { PAIRING_KEY, readPairing, type Pairing } from '#lib/team/pairing.ts';

/** `storage.local`: how it goes with the service; written by the worker, shown in Options. */
export const SERVICE_STATUS_KEY = 'serviceStatus';

export interface ServiceStatus {
  /** Why the last try failed, and when the next one is. */
  trouble?: { cause: TeamCause; detail: string; nextAt: number };
  /** When something was acknowledged last. */
  sentAt?: number;
  /** Marks that the service refused for good, by its reason. */
  refused?: Record<string, number>;
  /** By scope: when the team's round was fetched last, and how many pages it has. */
  pulled?: Record<string, { at: number; pages: number }>;
}

export async function loadPairing(): Promise<Pairing | undefined> {
  const stored: Record<string, unknown> = await browser.storage.local.get(PAIRING_KEY);
  return readPairing(stored[PAIRING_KEY]);
}

export async function savePairing(pairing: Pairing | undefined): Promise<void> {
  if (pairing) await browser.storage.local.set({ [PAIRING_KEY]: pairing });
  else await browser.storage.local.remove([PAIRING_KEY, SERVICE_STATUS_KEY]);
}

export async function loadServiceStatus(): Promise<ServiceStatus> {
  const stored: Record<string, unknown> = await browser.storage.local.get(SERVICE_STATUS_KEY);
  const status = stored[SERVICE_STATUS_KEY];
  return typeof status === 'object' && status !== null ? status : {};
}

/** The match pattern that lets the extension ask a service; ports are no part of such patterns. */
export function servicePattern(address: string): string {
  const { protocol, hostname } = new URL(address);
  return `${protocol}//${hostname}/*`;
}

/** `fetch` for a service: nothing but the request goes along, redirects are not followed, and it ends after `limit` ms. */
export function serviceFetch(limit: number): TeamFetch {
  return async (url, init) => {
    if (!(await browser.permissions.contains({ origins: [servicePattern(url)] })))
      throw new TeamError('no-permission', 0, '');
    try {
      const response = await fetch(url, {
        ...init,
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'manual',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(limit),
      });
      return {
        status: response.status,
        text: () => response.text(),
        bytes: () => response.body ?? new ReadableStream<Uint8Array>(),
      };
    } catch (error) {
      if (await isLocalNetworkBlocked(url)) throw new TeamError('local-network', 0, '', { cause: error });
      throw error;
    }
  };
}

/** Browsers of late ask a person before an extension reaches the local network, and fail the request until then. */
async function isLocalNetworkBlocked(url: string): Promise<boolean> {
  if (!isLocal(new URL(url).hostname)) return false;
  const answers = await Promise.allSettled(
    ['local-network-access', 'local-network', 'loopback-network'].map((name) =>
      navigator.permissions.query({ name: name as PermissionName }),
    ),
  );
  return answers.some((answer) => answer.status === 'fulfilled' && answer.value.state === 'denied');
}

/** Addresses of this computer or of the network around it. */
export function isLocal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    /^(localhost|.*\.localhost|.*\.local|127\..*|10\..*|192\.168\..*|169\.254\..*)$/.test(host) ||
    /^172\.(1[6-9]|2\d|3[01])\./.test(host) ||
    /^(::1$|f[cd][0-9a-f]{2}:|fe80:)/i.test(host)
  );
}
