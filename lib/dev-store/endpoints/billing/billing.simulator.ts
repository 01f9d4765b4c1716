import type { AppRegistry } from '../../base/app-registry.js';
import { CONSENT_LIFETIME, OneTimeIds } from '../../base/one-time-ids.js';
import { adminAliases } from '../../base/vendor.js';
import { messagePage } from '../../http/page-layout.js';
import {
  formOf,
  redirectReply,
  type Route,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import { questionOf, type AppCharge } from '../../state/billing/billing-charge.js';
import { chargesPage, confirmationPage, type BillingShop } from './billing.pages.js';

interface Question {
  readonly charge: AppCharge;
  readonly signature: string;
}

/** The pages on which the merchant sees the charges of the apps, and approves or declines them. */
export class BillingSimulator {
  private readonly consents: OneTimeIds<Question>;

  readonly routes: readonly Route[] = [
    {
      method: 'GET',
      pattern: /^\/admin\/charges$/,
      answer: () => chargesPage(this.shop, this.apps),
    },
    {
      method: 'GET',
      pattern: /^\/admin\/charges\/(\d{1,15})\/confirm$/,
      answer: (request, [id]) => this.ask(request, Number(id)),
    },
    {
      method: 'POST',
      pattern: /^\/admin\/charges\/(\d{1,15})\/confirm$/,
      answer: (request, [id]) => this.decide(request, Number(id)),
    },
  ];

  constructor(
    private readonly shop: BillingShop,
    private readonly apps: AppRegistry,
    now: () => Date,
  ) {
    this.consents = new OneTimeIds(CONSENT_LIFETIME, now);
  }

  private ask({ url }: StoreRequest, id: number): StoreReply {
    const charge = this.shop.billing.find(id);
    const signature = url.searchParams.get('signature') ?? '';
    const asked = charge && questionOf(charge, signature);
    if (!charge || !asked)
      return messagePage(
        this.shop,
        404,
        'This charge does not exist',
        'The address may be mistyped, or out of date.',
      );
    if (asked === 'charge' && charge.status !== 'PENDING') return this.decided(charge);
    const returnUrl = new URL(this.ownAddress(charge.returnUrl), this.shop.origin);
    const form = {
      action: url.pathname,
      consent: this.consents.issue({ charge, signature }),
      formTargets: [returnUrl.origin],
    };
    return confirmationPage(this.shop, this.apps.require(charge.apiKey), charge, asked, form);
  }

  private decide(request: StoreRequest, id: number): StoreReply {
    const form = formOf(request);
    const question = this.consents.take(
      form.get('consent') ?? '',
      ({ charge }) => charge.id === id,
    );
    if (!question)
      return messagePage(
        this.shop,
        400,
        'This page has expired',
        'Open the app again to be asked once more.',
      );
    const { billing } = this.shop;
    // Looked up again, because a charge that is two days old expires then.
    const charge = billing.find(id) ?? question.charge;
    const asked = questionOf(charge, question.signature);
    if (!asked || (asked === 'charge' && charge.status !== 'PENDING')) return this.decided(charge);
    if (form.get('decision') === 'approve')
      return redirectReply(this.ownAddress(billing.approve(id)));
    billing.decline(id);
    return redirectReply('/admin', 303);
  }

  private decided({ name, status }: AppCharge): StoreReply {
    return messagePage(
      this.shop,
      409,
      'This is already decided',
      `${name} is ${status.toLowerCase()}.`,
    );
  }

  /** Maps an address of the platform's admin to this store. */
  private ownAddress(address: string): string {
    const alias = adminAliases(this.shop.domain).find((prefix) => address.startsWith(prefix));
    return alias ? `/admin/${address.slice(alias.length)}` : address;
  }
}
