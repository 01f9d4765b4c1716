import { html, type Html } from '../../http/page-html.js';
import { adminBody, pageReply, readableTime } from '../../http/page-layout.js';
import type { StoreReply } from '../../http/store-request.js';
import type { Installations } from '../../state/apps/installations.js';
import type { NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';

/** The part of a shop that the page of its records shows. */
export interface RecordsShop extends ShopIdentity {
  readonly installed: Installations;
  readonly nodes: NodeStore;
}

const SHOWN_OF_TYPE = 50;

/** What the store keeps without rules of its own, such as customers and orders, by type. */
export function recordsPage(shop: RecordsShop): StoreReply {
  const byType = new Map<string, StoredNode[]>();
  for (const node of shop.nodes.all())
    byType.set(node.type, [...(byType.get(node.type) ?? []), node]);
  const sections = [...byType].sort(([a], [b]) => a.localeCompare(b)).map(section);
  const content = html`<main class="main">
    <div class="head"><h1>Records</h1></div>
    ${
      sections.length === 0
        ? html`<section class="card"><p class="soft">There are no records yet.</p></section>`
        : sections
    }
  </main>`;
  return pageReply({
    title: `Records · ${shop.name}`,
    body: adminBody(shop, shop.installed.apps(), '/admin/records', content),
  });
}

function section([type, nodes]: readonly [string, readonly StoredNode[]]): Html {
  return html`<section class="card">
    <div class="head">
      <h2>${type}</h2>
      <span class="soft">${nodes.length}</span>
    </div>
    <ul class="rows">
      ${nodes.slice(-SHOWN_OF_TYPE).reverse().map(row)}
    </ul>
  </section>`;
}

function row({ id, updatedAt, fields }: StoredNode): Html {
  return html`<li>
    <div class="grow">
      <div>${nameOf(fields)}</div>
      <div class="mono">${id}</div>
      <div class="soft small">${readableTime(updatedAt)}</div>
    </div>
    <details class="whole">
      <summary>Fields</summary>
      <pre>${JSON.stringify(fields, undefined, 2)}</pre>
    </details>
  </li>`;
}

/** What a merchant would call a record; undefined when no field says. */
function nameOf(fields: StoredNode['fields']): string | undefined {
  const given = ['title', 'name', 'displayName', 'email', 'handle'].map((name) => fields[name]);
  return given.find((value): value is string => typeof value === 'string' && value !== '');
}
