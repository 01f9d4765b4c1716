import type { FinalDecision, HeaderList } from '../decision.js';
import { PAGE_STYLE, html } from './html.js';
import { wantsDocument } from './inbound-request.js';
import type { InboundRequest } from './inbound-request.js';

/** A whole HTTP reply, ready for any host to send. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string;
}

/** Puts a decision into HTTP: JSON with a reason for API requests, a small page for a browser. */
export function replyTo(request: InboundRequest, decision: FinalDecision): Reply {
  const own = 'headers' in decision ? (decision.headers ?? []) : [];
  switch (decision.kind) {
    case 'accepted':
      return { status: decision.status ?? 200, headers: [], body: '' };
    case 'redirect':
      return { status: 302, headers: [['location', decision.location], ['cache-control', 'no-store'], ...own], body: '' };
    case 'document': {
      const type = own.some(([name]) => name === 'content-type') ? [] : [HTML];
      return { status: decision.status ?? 200, headers: [...type, ['cache-control', 'no-store'], ...own], body: decision.html };
    }
    case 'denied': {
      const asPage = wantsDocument(request);
      const body = asPage
        ? errorPage(decision.status, decision.message)
        : JSON.stringify({ ...decision.details, error: decision.reason, message: decision.message });
      return { status: decision.status, headers: [asPage ? HTML : JSON_TYPE, ['cache-control', 'no-store'], ...own], body };
    }
  }
}

const HTML = ['content-type', 'text/html; charset=utf-8'] as const;
const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'] as const;

function errorPage(status: number, message: string): string {
  const head = html`<meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>${status}</title>`;
  const body = html`<main>
    <h1>This request could not be completed</h1>
    <p>${message}</p>
  </main>`;
  return `<!doctype html>\n<html lang="en">\n<head>${head}${PAGE_STYLE}</head>\n<body>${body}</body>\n</html>\n`;
}
