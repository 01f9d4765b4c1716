import type { PlatformConfig } from '../config/platform-config.js';
import type { Decision, HeaderList } from '../decision.js';
import {
  CSP,
  frameAncestors,
  frameAncestorsOfError,
  policyOfPage,
} from './content-security-policy.js';
import { PAGE_STYLE, html } from './html.js';
import { queryShop, wantsDocument } from './inbound-request.js';
import type { InboundRequest } from './inbound-request.js';

/** A whole HTTP reply, ready for any host to send. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string;
}

/** The headers of a response that is being made, of any host. */
export interface HeaderTarget {
  get(name: string): string | null | undefined;
  set(name: string, value: string): void;
  append(name: string, value: string): void;
}

/**
 * Puts headers on a response that may have some already: cookies are added, a
 * `Content-Security-Policy` is merged, any other header is replaced. Names arrive in lower case.
 */
export function mergeHeaders(target: HeaderTarget, headers: HeaderList = []): void {
  for (const [spelling, value] of headers) {
    const name = spelling.toLowerCase();
    if (name === 'set-cookie') target.append(name, value);
    else if (name === CSP) target.set(name, policyOfPage(target.get(name), value));
    else target.set(name, value);
  }
}

/**
 * A decision as an HTTP reply: JSON with a reason for API requests, a small page for a browser.
 * Each page says who may frame it.
 * @param sessionShop of the session, once there is one @default the shop the request names
 */
export function replyTo(
  request: InboundRequest,
  decision: Decision,
  config: PlatformConfig,
  sessionShop?: string | null,
): Reply {
  const shopOf = (): string | null =>
    sessionShop === undefined ? (queryShop(request) ?? null) : sessionShop;
  const own = 'headers' in decision ? (decision.headers ?? []) : [];
  switch (decision.kind) {
    case 'accepted':
      return { status: decision.status ?? 200, headers: [], body: '' };
    case 'redirect':
      return {
        status: 302,
        headers: [['location', decision.location], ['cache-control', 'no-store'], ...own],
        body: '',
      };
    case 'document': {
      const defaults: HeaderList = [HTML, [CSP, frameAncestors(config, shopOf())]];
      const missing = defaults.filter(([name]) => !own.some(([other]) => other === name));
      return {
        status: decision.status ?? 200,
        headers: [...missing, ['cache-control', 'no-store'], ...own],
        body: decision.html,
      };
    }
    case 'denied': {
      const asPage = wantsDocument(request);
      const body = asPage
        ? errorPage(decision.status, decision.message)
        : JSON.stringify({
            ...decision.details,
            error: decision.reason,
            message: decision.message,
          });
      const type: HeaderList = asPage
        ? [HTML, [CSP, frameAncestorsOfError(config, shopOf())]]
        : [JSON_TYPE];
      return {
        status: decision.status,
        headers: [...type, ['cache-control', 'no-store'], ...own],
        body,
      };
    }
  }
}

const HTML = ['content-type', 'text/html; charset=utf-8'] as const;
const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'] as const;

function errorPage(status: number, message: string): string {
  const head = html`<meta charset="utf-8" /><meta
      name="viewport"
      content="width=device-width"
    /><title>${status}</title>`;
  const body = html`<main>
    <h1>This request could not be completed</h1>
    <p>${message}</p>
  </main>`;
  return `<!doctype html>\n<html lang="en">\n<head>${head}${PAGE_STYLE}</head>\n<body>${body}</body>\n</html>\n`;
}
