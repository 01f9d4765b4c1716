import type { EventLog } from '../../base/event-log.js';
import type { StoreEvent } from '../../base/store-event.js';
import { html, type Html } from '../../http/page-html.js';
import { adminBody, pageReply, readableTime } from '../../http/page-layout.js';
import type { StoreReply } from '../../http/store-request.js';
import type { Installations } from '../../state/apps/installations.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';

/** The part of a shop that the event log shows. */
export interface EventsShop extends ShopIdentity {
  readonly log: EventLog;
  readonly installed: Installations;
}

/** The event log, newest first. */
export function eventsPage(shop: EventsShop): StoreReply {
  const content = html`<main class="main">
    <div class="head">
      <h1>Event log</h1>
      <a href="/admin/events.json">As JSON</a>
    </div>
    <section class="card">${eventList([...shop.log.entries].reverse())}</section>
  </main>`;
  return pageReply({
    title: `Event log · ${shop.name}`,
    body: adminBody(shop, shop.installed.apps(), '/admin/events', content),
  });
}

/** Events as a list, in the given order. */
export function eventList(events: readonly StoreEvent[]): Html {
  if (events.length === 0) return html`<p class="soft">Nothing has happened yet.</p>`;
  return html`<ul class="rows">
    ${events.map(eventRow)}
  </ul>`;
}

function eventRow(event: StoreEvent): Html {
  const refused = event.kind === 'throttled' || (event.status ?? 0) >= 400;
  const tone = event.status === undefined ? '' : refused ? 'bad' : 'good';
  const detail =
    event.detail === undefined
      ? undefined
      : html`<details>
          <summary>Details</summary>
          <pre>${JSON.stringify(event.detail, undefined, 2)}</pre>
        </details>`;
  return html`<li>
    <span class="kind"><span class="badge">${KIND_LABELS[event.kind]}</span></span>
    <div class="grow">
      <div>${event.summary}</div>
      <time class="soft small" datetime="${event.at.toISOString()}">${readableTime(event.at)}</time
      >${detail}
    </div>
    ${event.status === undefined ? undefined : html`<span class="badge ${tone}">${event.status}</span>`}
  </li>`;
}

const KIND_LABELS: Readonly<Record<StoreEvent['kind'], string>> = {
  install: 'App',
  token: 'Token',
  api: 'API call',
  throttled: 'Throttled',
  bulk: 'Bulk',
  webhook: 'Webhook',
  product: 'Product',
  node: 'Nodes',
  billing: 'Billing',
  proxy: 'App proxy',
  request: 'Request',
  fault: 'Fault',
};
