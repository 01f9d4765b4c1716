import { messagePage } from '../../http/page-layout.js';
import {
  redirectReply,
  type Route,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import { faultOf, faultsPage, type FaultsShop } from './faults.page.js';
import { PageForms } from './page-forms.js';
import { CALLS, DELIVERIES, trafficPage } from './traffic.pages.js';

/** The pages of what goes over the wire, and of what goes wrong with it. */
export class TrafficSimulator {
  private readonly forms: PageForms;

  readonly routes: readonly Route[] = [
    { method: 'GET', pattern: /^\/admin\/calls$/, answer: () => this.page(CALLS) },
    { method: 'GET', pattern: /^\/admin\/deliveries$/, answer: () => this.page(DELIVERIES) },
    {
      method: 'POST',
      pattern: /^(\/admin\/(?:calls|deliveries))\/(\d{1,15})\/replay$/,
      answer: (request, [path = '', id]) => this.replay(request, path, Number(id)),
    },
    { method: 'GET', pattern: /^\/admin\/faults$/, answer: () => this.faults() },
    { method: 'POST', pattern: /^\/admin\/faults$/, answer: (request) => this.add(request) },
    {
      method: 'POST',
      pattern: /^\/admin\/faults\/(?:(\d{1,15})\/remove|clear)$/,
      answer: (request, [id]) => this.remove(request, id),
    },
  ];

  constructor(private readonly shop: FaultsShop) {
    this.forms = new PageForms(shop);
  }

  private page(page: typeof CALLS): StoreReply {
    return trafficPage(this.shop, page, this.forms.token);
  }

  private async replay(request: StoreRequest, path: string, id: number): Promise<StoreReply> {
    this.forms.checked(request);
    const { wire, domain, origin } = this.shop;
    if (!wire.exchanges.some((exchange) => exchange.id === id && exchange.shop === domain))
      return messagePage(this.shop, 404, 'This is not recorded any more', 'Go back and reload.');
    // What comes of it is on the page, an app that does not answer included.
    const answer = await wire.replay(id, () => origin).catch(() => undefined);
    await answer?.body?.cancel();
    return redirectReply(path, 303);
  }

  private faults(problem?: string): StoreReply {
    return faultsPage(this.shop, this.forms.token, problem);
  }

  private add(request: StoreRequest): StoreReply {
    const form = this.forms.checked(request);
    try {
      this.shop.faults.add(faultOf(form));
    } catch (error) {
      if (error instanceof TypeError) return this.faults(error.message);
      throw error;
    }
    return redirectReply('/admin/faults', 303);
  }

  private remove(request: StoreRequest, id: string | undefined): StoreReply {
    this.forms.checked(request);
    if (id) this.shop.faults.remove(Number(id));
    else this.shop.faults.clear();
    return redirectReply('/admin/faults', 303);
  }
}
