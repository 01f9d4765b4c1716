import type { AppRegistry } from '../../base/app-registry.js';
import { messagePage } from '../../http/page-layout.js';
import {
  jsonReply,
  redirectReply,
  type Route,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import type { AppOpener } from '../../state/apps/app-opener.js';
import {
  PRODUCT_STATUSES,
  type Product,
  type ProductChange,
  type ProductInput,
} from '../../state/products/product.js';
import { framePage, homePage, productPage, productsPage, type AdminShop } from './admin.pages.js';
import { eventsPage } from './events.page.js';
import { PageForms } from './page-forms.js';
import { recordsPage, type RecordsShop } from './records.page.js';

/** The merchant's admin of one shop: home, products, apps in their frame, event log. */
export class AdminSimulator {
  private readonly forms: PageForms;

  readonly routes: readonly Route[] = [
    {
      method: 'GET',
      pattern: /^\/(?:admin\/?)?$/,
      answer: ({ url }) => (url.pathname === '/admin' ? this.home() : redirectReply('/admin')),
    },
    { method: 'GET', pattern: /^\/admin\/products$/, answer: () => this.products() },
    {
      method: 'POST',
      pattern: /^\/admin\/products$/,
      answer: (request) => this.addProduct(request),
    },
    {
      method: 'GET',
      pattern: /^\/admin\/products\/(\d{1,15})$/,
      answer: (_request, [id]) => this.product(Number(id)),
    },
    {
      method: 'POST',
      pattern: /^\/admin\/products\/(\d{1,15})$/,
      answer: (request, [id]) => this.saveProduct(request, Number(id)),
    },
    {
      method: 'POST',
      pattern: /^\/admin\/products\/(\d{1,15})\/delete$/,
      answer: (request, [id]) => this.deleteProduct(request, Number(id)),
    },
    {
      method: 'GET',
      pattern: /^\/admin\/apps\/([^/]+)(?:\/.*)?$/,
      answer: (request, [apiKey]) => this.openApp(request, apiKey ?? ''),
    },
    {
      method: 'POST',
      pattern: /^\/admin\/apps\/([^/]+)\/uninstall$/,
      answer: (request, [apiKey]) => this.uninstall(request, apiKey ?? ''),
    },
    {
      method: 'POST',
      pattern: /^\/admin\/apps\/([^/]+)\/session_token$/,
      answer: (request, [apiKey]) => this.sessionToken(request, apiKey ?? ''),
    },
    { method: 'GET', pattern: /^\/admin\/records$/, answer: () => recordsPage(this.shop) },
    { method: 'GET', pattern: /^\/admin\/events$/, answer: () => eventsPage(this.shop) },
    {
      method: 'GET',
      pattern: /^\/admin\/events\.json$/,
      answer: () => jsonReply(200, { events: [...this.shop.log.entries].reverse() }),
    },
  ];

  constructor(
    private readonly shop: AdminShop & RecordsShop,
    private readonly opener: AppOpener,
    private readonly apps: AppRegistry,
  ) {
    this.forms = new PageForms(shop);
  }

  private home(): StoreReply {
    return homePage(this.shop, this.apps.all(), this.forms.token);
  }

  private products(problem?: string): StoreReply {
    return productsPage(this.shop, this.forms.token, problem);
  }

  private product(id: number, problem?: string): StoreReply {
    const product = this.shop.catalog.find(id);
    if (!product)
      return this.missing('This product does not exist', 'It may have been deleted since.');
    return productPage(this.shop, this.forms.token, product, problem);
  }

  private addProduct(request: StoreRequest): StoreReply {
    const change = this.shop.catalog.create(productInput(this.forms.checked(request)));
    return change.product
      ? redirectReply('/admin/products', 303)
      : this.products(problemText(change));
  }

  private saveProduct(request: StoreRequest, id: number): StoreReply {
    const input = productInput(this.forms.checked(request), this.shop.catalog.find(id));
    const change = this.shop.catalog.update(id, input);
    if (!change) return this.product(id);
    return change.product
      ? redirectReply('/admin/products', 303)
      : this.product(id, problemText(change));
  }

  private deleteProduct(request: StoreRequest, id: number): StoreReply {
    this.forms.checked(request);
    this.shop.catalog.delete(id);
    return redirectReply('/admin/products', 303);
  }

  private openApp(request: StoreRequest, apiKey: string): StoreReply {
    const app = this.apps.get(apiKey);
    if (!app) return this.unknownApp();
    const { pathname, search } = request.url;
    const path = pathname.split('/').slice(4).join('/') + search;
    const isInstalled = this.shop.installed.find(apiKey) !== undefined;
    if (!isInstalled && app.managedInstallation)
      return redirectReply(`/admin/oauth/install?client_id=${encodeURIComponent(apiKey)}`);
    if (!isInstalled || !app.embedded)
      return redirectReply(this.opener.launchUrl(apiKey, path && `/${path}`));
    return framePage(
      this.shop,
      this.forms.token,
      app,
      this.opener.embeddedUrl(apiKey, path && `/${path}`),
    );
  }

  private uninstall(request: StoreRequest, apiKey: string): StoreReply {
    this.forms.checked(request);
    if (!this.apps.get(apiKey)) return this.unknownApp();
    // The merchant does not wait for the delivery.
    void this.shop.installed.uninstall(apiKey)();
    return redirectReply('/admin', 303);
  }

  private sessionToken(request: StoreRequest, apiKey: string): StoreReply {
    this.forms.check(request, request.header('x-page-token'));
    if (!this.apps.get(apiKey) || !this.shop.installed.find(apiKey))
      return jsonReply(404, { errors: 'Not Found' });
    return jsonReply(
      200,
      { token: this.opener.sessionToken(apiKey, {}) },
      { 'Cache-Control': 'no-store' },
    );
  }

  private unknownApp(): StoreReply {
    return this.missing('This app is unknown', 'No app of this store has such an API key.');
  }

  private missing(title: string, text: string): StoreReply {
    return messagePage(this.shop, 404, title, text);
  }
}

/** The form's fields; the price is that of the first variant, the others stay as they are. */
function productInput(form: URLSearchParams, current?: Product): ProductInput {
  const status = PRODUCT_STATUSES.find((known) => known === form.get('status'));
  const price = form.get('price')?.trim();
  const [first, ...others] = current?.variants ?? [];
  return {
    title: form.get('title') ?? '',
    descriptionHtml: form.get('description') ?? '',
    ...(status ? { status } : {}),
    ...(price ? { variants: [{ ...first, price }, ...others] } : {}),
  };
}

function problemText(change: ProductChange): string {
  return (change.problems ?? []).map(({ field, message }) => `The ${field} ${message}.`).join(' ');
}
