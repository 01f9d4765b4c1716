import type { PlatformConfig } from '../config/platform-config.js';
import type { Decision, HeaderList } from '../decision.js';
import { CSP, frameAncestors, frameAncestorsOfError } from './content-security-policy.js';
import { PAGE_STYLE, html } from './html.js';
import { queryShop, wantsDocument } from './inbound-request.js';
import type { InboundRequest } from './inbound-request.js';

/** A whole HTTP reply, ready for any host to send. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string;
}

/**
 * Puts a decision into HTTP: JSON with a reason for API requests, a small page for a browser. Each
 * page says who may frame it.
 * @param shop of the session, once there is one @default the shop the request names
 */
export function replyTo(
  request: InboundRequest,
  decision: Decision,
  config: PlatformConfig,
  shop: string | null = queryShop(request) ?? null,
): Reply {
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
      const defaults: HeaderList = [HTML, [CSP, frameAncestors(config, shop)]];
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
        ? [HTML, [CSP, frameAncestorsOfError(config, shop)]]
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
