import { globalId } from '../../base/vendor.js';
import type { NodeStore, StoredNode } from '../nodes/node-store.js';
import type { ShopContext } from '../shop/shop.context.js';
import type { WebhookDelivery } from '../webhooks/webhook-delivery.js';

/** How long after the request the apps are told to erase the data of a customer. */
const ERASURE_AFTER = 10 * 24 * 3600 * 1000;

/**
 * What the customers of one shop ask about their data.
 * @see https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance
 */
export class PrivacyRequests {
  /** When the data of which customers is to be erased, in milliseconds. */
  private readonly erasures = new Map<string, number>();
  private requests = 0;

  constructor(
    private readonly context: ShopContext,
    private readonly nodes: NodeStore,
  ) {}

  /** Sends `customers/data_request`. @throws TypeError when there is no such customer */
  async requestData(customerId: string | number): Promise<WebhookDelivery[]> {
    const id = typeof customerId === 'number' ? globalId('Customer', customerId) : customerId;
    const customer = this.nodes.find(id);
    if (customer?.type !== 'Customer')
      throw new TypeError(`There is no customer ${id} in ${this.context.identity.domain}.`);
    const payload = {
      ...this.payload(customer),
      orders_requested: this.ordersOf(customer),
      data_request: { id: ++this.requests },
    };
    return this.context.dispatcher.deliver('customers/data_request', payload);
  }

  /** Sends `customers/redact` in ten days. Returns whether there is such a customer. */
  scheduleErasure(id: string): boolean {
    if (this.nodes.find(id)?.type !== 'Customer') return false;
    this.erasures.set(id, this.context.now().getTime() + ERASURE_AFTER);
    return true;
  }

  /** Returns whether the erasure was scheduled. */
  cancelErasure(id: string): boolean {
    return this.erasures.delete(id);
  }

  /** Sends what is due by now, without waiting for the apps. */
  deliverDue(): void {
    const now = this.context.now().getTime();
    for (const [id, at] of this.erasures) {
      const customer = this.nodes.find(id);
      if (at > now) continue;
      this.erasures.delete(id);
      if (!customer) continue;
      const payload = { ...this.payload(customer), orders_to_redact: this.ordersOf(customer) };
      void this.context.dispatcher.deliver('customers/redact', payload);
    }
  }

  private payload({ number, fields }: StoredNode): object {
    const { id, domain } = this.context.identity;
    const { email = null, phone = null } = fields;
    return { shop_id: id, shop_domain: domain, customer: { id: number, email, phone } };
  }

  private ordersOf({ id }: StoredNode): number[] {
    return this.nodes.naming(id, ['Order']).map(({ number }) => number);
  }
}
