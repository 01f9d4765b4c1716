import type { RegisteredApp } from '../../base/app-registry.js';
import { capital } from '../../base/text-values.js';
import { adminAliases } from '../../base/vendor.js';
import { html, type Html } from '../../http/page-html.js';
import { adminBody, appPath, initial, pageReply, readableTime } from '../../http/page-layout.js';
import type { StoreReply } from '../../http/store-request.js';
import { PRODUCT_STATUSES, type Product } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { frameScript } from '../app-bridge/frame.script.js';
import { eventList, type EventsShop } from './events.page.js';
import { postForm, problemBox, type PageToken } from './page-forms.js';

/** The sandbox of the app's frame; only App Bridge may leave the frame. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads';

/** The part of a shop that the admin's pages show. */
export interface AdminShop extends EventsShop {
  readonly catalog: ProductCatalog;
}

/** The admin's home: the apps and the latest events. */
export function homePage(shop: AdminShop, apps: RegisteredApp[], pageToken: PageToken): StoreReply {
  const products = shop.catalog.all();
  const content = html`<main class="main">
    <div class="head">
      <h1>${shop.name}</h1>
      <span class="soft">${shop.domain}</span>
    </div>
    <section class="card">
      <h2>Apps</h2>
      ${
        apps.length === 0
          ? html`<p class="soft">No app is registered with this store yet.</p>`
          : html`<ul class="rows">
              ${apps.map((app) => appRow(shop, app, pageToken))}
            </ul>`
      }
    </section>
    <section class="card">
      <div class="head">
        <h2>Products</h2>
        <a href="/admin/products">All ${products.length} products</a>
      </div>
      <ul class="rows">
        ${products.slice(-4).reverse().map(productRow)}
      </ul>
    </section>
    <section class="card">
      <div class="head">
        <h2>Latest events</h2>
        <a href="/admin/events">Event log</a>
      </div>
      ${eventList([...shop.log.entries].slice(-5).reverse())}
    </section>
  </main>`;
  return pageReply({
    title: `${shop.name} · Admin`,
    body: adminBody(shop, shop.installed.apps(), '/admin', content),
  });
}

/** The list of products, with a form to add one. */
export function productsPage(shop: AdminShop, pageToken: PageToken, problem?: string): StoreReply {
  const content = html`<main class="main">
    <div class="head"><h1>Products</h1></div>
    ${problemBox(problem)}
    <section class="card">
      <ul class="rows">
        ${[...shop.catalog.all()].reverse().map(productRow)}
      </ul>
    </section>
    <section class="card">
      <h2>Add a product</h2>
      ${productForm('/admin/products', pageToken, undefined)}
    </section>
  </main>`;
  return pageReply({
    title: `Products · ${shop.name}`,
    status: problem ? 422 : 200,
    body: adminBody(shop, shop.installed.apps(), '/admin/products', content),
  });
}

/** The page of one product, to change or delete it. */
export function productPage(
  shop: AdminShop,
  pageToken: PageToken,
  product: Product,
  problem?: string,
): StoreReply {
  const path = `/admin/products/${product.id}`;
  const content = html`<main class="main">
    <div class="head">
      <h1>${product.title}</h1>
      ${postForm(`${path}/delete`, pageToken, html`<button class="danger">Delete product</button>`)}
    </div>
    ${problemBox(problem)}
    <section class="card">${productForm(path, pageToken, product)}</section>
    <p class="soft small">
      Last changed ${readableTime(product.updatedAt)} · <span class="mono">${product.id}</span>
    </p>
  </main>`;
  return pageReply({
    title: `${product.title} · ${shop.name}`,
    status: problem ? 422 : 200,
    body: adminBody(shop, shop.installed.apps(), '/admin/products', content),
  });
}

/** An embedded app in the admin's frame. */
export function framePage(
  shop: AdminShop,
  pageToken: PageToken,
  app: RegisteredApp,
  address: string,
): StoreReply {
  const path = appPath(app);
  const content = html`<main class="frame">
    <div class="strip">
      <span class="mark" aria-hidden="true">${initial(app.name)}</span>
      <h1>${app.name}</h1>
    </div>
    <iframe title="${app.name}" src="${address}" sandbox="${SANDBOX}"></iframe>
    <div class="toast" role="status" hidden></div>
  </main>`;
  const tokenPath = `${path}/session_token`;
  const script = frameScript({
    appOrigin: app.origin,
    tokenPath,
    pageToken: pageToken(tokenPath),
    adminAliases: adminAliases(shop.domain),
  });
  return pageReply({
    title: `${app.name} · ${shop.name}`,
    body: adminBody(shop, shop.installed.apps(), path, content),
    script,
    frames: app.origin,
  });
}

function appRow(shop: AdminShop, app: RegisteredApp, pageToken: PageToken): Html {
  const installation = shop.installed.find(app.apiKey);
  const path = appPath(app);
  return html`<li>
    <span class="mark" aria-hidden="true">${initial(app.name)}</span>
    <div class="grow">
      <a href="${path}">${app.name}</a>
      <div class="soft small">
        ${installation ? installation.scopes.join(', ') || 'No scopes' : app.origin}
      </div>
    </div>
    ${
      installation
        ? postForm(
            `${path}/uninstall`,
            pageToken,
            html`<button class="danger">
              Uninstall<span class="visually-hidden"> ${app.name}</span>
            </button>`,
          )
        : html`<a class="button" href="${path}"
            >Install<span class="visually-hidden"> ${app.name}</span></a
          >`
    }
  </li>`;
}

function productRow(product: Product): Html {
  const tone = product.status === 'active' ? 'good' : '';
  return html`<li>
    <div class="grow">
      <a href="/admin/products/${product.id}">${product.title}</a>
      <div class="soft small">${product.productType || product.vendor}</div>
    </div>
    <span class="badge ${tone}">${capital(product.status)}</span
    ><span>€${product.variants[0]?.price}</span>
  </li>`;
}

function productForm(action: string, pageToken: PageToken, product: Product | undefined): Html {
  const selected = product?.status ?? 'active';
  const options = PRODUCT_STATUSES.map(
    (status) =>
      html`<option value="${status}" ${status === selected ? html` selected` : undefined}>
        ${capital(status)}
      </option>`,
  );
  const fields = html`<div class="fields">
      <div class="wide">
        <label for="title">Title</label
        ><input id="title" name="title" required maxlength="255" value="${product?.title}" />
      </div>
      <div>
        <label for="price">Price in euro</label
        ><input
          id="price"
          name="price"
          inputmode="decimal"
          pattern="[0-9]+([.][0-9]{1,2})?"
          title="A number such as 19.00"
          value="${product?.variants[0]?.price}"
        />
      </div>
      <div>
        <label for="status">Status</label
        ><select id="status" name="status">
          ${options}
        </select>
      </div>
      <div class="wide">
        <label for="description">Description</label
        ><textarea id="description" name="description">${product?.descriptionHtml}</textarea>
      </div>
    </div>
    <div class="actions">
      ${product ? html`<a class="button" href="/admin/products">Cancel</a>` : undefined}<button
        class="primary"
      >
        ${product ? 'Save' : 'Add product'}
      </button>
    </div>`;
  return postForm(action, pageToken, fields, 'block');
}
