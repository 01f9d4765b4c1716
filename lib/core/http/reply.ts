import type { FinalDecision, HeaderList } from '../decision.js';
import { html } from './html.js';
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
        : JSON.stringify({ error: decision.reason, message: decision.message });
      return { status: decision.status, headers: [asPage ? HTML : JSON_TYPE, ['cache-control', 'no-store'], ...own], body };
    }
  }
}

const HTML = ['content-type', 'text/html; charset=utf-8'] as const;
const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'] as const;

function errorPage(status: number, message: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${status}</title>
        <style>
          body {
            font:
              16px/1.5 system-ui,
              sans-serif;
            color: #303030;
            background: #f6f6f7;
            display: grid;
            place-items: center;
            min-height: 90vh;
            margin: 0;
          }
          main {
            background: #fff;
            border: 1px solid #e3e3e3;
            border-radius: 12px;
            padding: 1.5rem 2rem;
            max-width: 30rem;
          }
          h1 {
            font-size: 1.1rem;
            margin: 0 0 0.5rem;
          }
          p {
            margin: 0;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>This request could not be completed</h1>
          <p>${message}</p>
        </main>
      </body>
    </html>`;
}
