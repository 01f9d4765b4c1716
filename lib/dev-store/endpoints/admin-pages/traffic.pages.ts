import { html, type Html } from '../../http/page-html.js';
import { adminBody, pageReply, readableTime } from '../../http/page-layout.js';
import type { StoreReply } from '../../http/store-request.js';
import type { Installations } from '../../state/apps/installations.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import type { RecordedExchange, RecordedMessage } from '../../traffic/recorded-exchange.js';
import type { TrafficLog } from '../../traffic/traffic-log.js';
import { postForm, type PageToken } from './page-forms.js';

/** The part of a shop that the pages of its traffic show. */
export interface TrafficShop extends ShopIdentity {
  readonly origin: string;
  readonly installed: Installations;
  readonly wire: TrafficLog;
}

/** A page of exchanges: which of them it shows, and what it is called. */
interface TrafficPage {
  readonly path: string;
  readonly title: string;
  readonly empty: string;
  shows(exchange: RecordedExchange): boolean;
}

/** The calls of the APIs and of the token endpoint. */
export const CALLS: TrafficPage = {
  path: '/admin/calls',
  title: 'API calls',
  empty: 'No app has called an API yet.',
  shows: ({ direction, address }) =>
    direction === 'in' && /^(?:\/admin)?\/api\/|^\/admin\/oauth\/access_token/.test(address),
};

/** The webhooks and other requests to apps. */
export const DELIVERIES: TrafficPage = {
  path: '/admin/deliveries',
  title: 'Deliveries',
  empty: 'Nothing has been sent to an app yet.',
  shows: ({ direction }) => direction === 'out',
};

const SHOWN = 100;
/** Characters of a body that a page shows. */
const SHOWN_OF_BODY = 4000;

/** Exchanges, newest first, each with a button that sends it again. */
export function trafficPage(
  shop: TrafficShop,
  { path, title, empty, shows }: TrafficPage,
  pageToken: PageToken,
): StoreReply {
  const exchanges = shop.wire.exchanges
    .filter((exchange) => exchange.shop === shop.domain && shows(exchange))
    .slice(-SHOWN)
    .reverse();
  const content = html`<main class="main">
    <div class="head"><h1>${title}</h1></div>
    <section class="card">
      ${
        exchanges.length === 0
          ? html`<p class="soft">${empty}</p>`
          : html`<ul class="rows">
              ${exchanges.map((exchange) => row(exchange, path, pageToken))}
            </ul>`
      }
    </section>
  </main>`;
  return pageReply({
    title: `${title} · ${shop.name}`,
    body: adminBody(shop, shop.installed.apps(), path, content),
  });
}

function row(exchange: RecordedExchange, path: string, pageToken: PageToken): Html {
  const { id, at, method, address, operations, topic, cost, response, error } = exchange;
  const isGood = response !== undefined && response.status < 400;
  const button = html`<button>
    Send again<span class="visually-hidden"> number ${id}</span>
  </button>`;
  const name = topic ?? ([...new Set(operations)].join(', ') || undefined);
  const told = cost && `cost ${cost.requested}, charged ${cost.actual ?? 0}`;
  return html`<li>
    <div class="grow">
      <div>${name ? html`<strong>${name}</strong>` : undefined}</div>
      <div class="mono">${method} ${address}</div>
      <div class="soft small">
        <time datetime="${at.toISOString()}">${readableTime(at)}</time>${told ? ` · ${told}` : ''}
      </div>
    </div>
    <span class="badge ${isGood ? 'good' : 'bad'}"
      >${response?.status ?? error ?? 'no answer yet'}</span
    >
    ${postForm(`${path}/${id}/replay`, pageToken, button)}
    <details class="whole">
      <summary>Details</summary>
      <pre>${[textOf('Request', exchange.request), textOf('Response', response)].join('\n\n')}</pre>
    </details>
  </li>`;
}

function textOf(title: string, message: RecordedMessage | undefined): string {
  if (!message) return `${title}: none`;
  const headers = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`);
  const body = message.body ?? '(not kept)';
  const shown = body.length > SHOWN_OF_BODY ? `${body.slice(0, SHOWN_OF_BODY)} …` : body;
  return [title, ...headers, '', shown].join('\n');
}
