import { WIRE } from '../../base/vendor.js';
import type { StoreReply } from '../../http/store-request.js';
import { appBridgeSource } from './app-bridge.script.js';

/** A response to a browser that was going to load a file of the platform. */
export interface CdnReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The part of a page or a browser context of Playwright that intercepts requests; Puppeteer and
 * others take {@link CdnReply} in their own ways.
 */
export interface InterceptingBrowser {
  route(
    url: string,
    handler: (route: {
      request(): { url(): string };
      fulfill(reply: CdnReply): Promise<unknown>;
    }) => unknown,
  ): Promise<unknown>;
}

/** The addresses that {@link cdnReply} answers, as Playwright writes a pattern. */
export const CDN_PATTERN = `${WIRE.cdnOrigin}/**`;

/**
 * What takes the place of a file at the platform's fixed address: the store's App Bridge, an empty
 * script for the components of Polaris, an empty style sheet for any other, and a 404 for the rest.
 * Undefined for an address elsewhere.
 */
export function cdnReply(
  address: string | URL,
  stores: Readonly<Record<string, string>>,
): CdnReply | undefined {
  const { origin, pathname } = new URL(address);
  if (origin !== WIRE.cdnOrigin) return undefined;
  if (pathname === WIRE.appBridgePath) return appBridgeReply(stores);
  if (pathname === WIRE.polarisPath) return fileReply(200, 'text/javascript', '');
  return pathname.endsWith('.css')
    ? fileReply(200, 'text/css', '')
    : fileReply(404, 'text/plain', 'The simulated store has no such file.');
}

/**
 * The store's App Bridge. @param stores the origins of the shops, when it is not loaded from one
 */
export function appBridgeReply(stores?: Readonly<Record<string, string>>): CdnReply & StoreReply {
  return fileReply(200, 'text/javascript', appBridgeSource(stores));
}

function fileReply(status: number, type: string, body: string): CdnReply {
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
  return { status, headers, body };
}
