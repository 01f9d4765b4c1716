import type { AppRegistry, RegisteredApp } from '../../base/app-registry.js';
import { capital } from '../../base/text-values.js';
import { html, type Html } from '../../http/page-html.js';
import { adminBody, pageReply } from '../../http/page-layout.js';
import { questionPage, type ConsentForm } from '../../http/question.page.js';
import type { StoreReply } from '../../http/store-request.js';
import type { Installations } from '../../state/apps/installations.js';
import {
  isRunning,
  type AppCharge,
  type AppPurchase,
  type AppSubscription,
} from '../../state/billing/billing-charge.js';
import type { BillingCharges } from '../../state/billing/billing-charges.js';
import { formatMoney } from '../../state/billing/billing-money.js';
import {
  discounted,
  type RecurringPricing,
  type UsagePricing,
} from '../../state/billing/billing-terms.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';

/** The part of a shop that the billing pages show and change. */
export interface BillingShop extends ShopIdentity {
  readonly origin: string;
  readonly billing: BillingCharges;
  readonly installed: Installations;
}

/** Asks the merchant to approve a charge, or a higher cap. */
export function confirmationPage(
  shop: BillingShop,
  app: RegisteredApp,
  charge: AppCharge,
  asked: 'charge' | 'raise',
  form: ConsentForm,
): StoreReply {
  const lines =
    charge.kind === 'purchase'
      ? [oneTimeLine(charge)]
      : asked === 'raise'
        ? capLines(charge)
        : subscriptionLines(charge);
  const replaced =
    asked === 'charge' && charge.kind === 'subscription'
      ? shop.billing.subscriptionsOf(app.apiKey).filter(isRunning)
      : [];
  const content = html`<div class="head">
      <h2>${charge.name}</h2>
      ${charge.test ? html`<span class="badge">Test: nothing is billed</span>` : undefined}
    </div>
    <ul class="rows">
      ${lines.map(([label, value, note]) => lineRow(label, value, note))}
    </ul>
    ${replaced.map(({ name }) => html`<p class="soft small">Takes the place of ${name}, which ends.</p>`)}
    <p class="soft small">${app.name} charges ${shop.domain}.</p>`;
  const buttons = html`<button name="decision" value="decline">Decline</button
    ><button class="primary" name="decision" value="approve">Approve</button>`;
  return questionPage(
    shop,
    app,
    { title: TITLES[asked === 'raise' ? 'raise' : charge.kind], content, buttons },
    form,
  );
}

/** The charges of the shop, newest first. */
export function chargesPage(shop: BillingShop, apps: AppRegistry): StoreReply {
  const charges = [...shop.billing.charges].reverse();
  const content = html`<main class="main">
    <div class="head"><h1>Charges</h1></div>
    <section class="card">
      ${
        charges.length === 0
          ? html`<p class="soft">No app charges this store.</p>`
          : html`<ul class="rows">
              ${charges.map((charge) => chargeRow(shop, apps.require(charge.apiKey), charge))}
            </ul>`
      }
    </section>
  </main>`;
  return pageReply({
    title: `Charges · ${shop.name}`,
    body: adminBody(shop, shop.installed.apps(), '/admin/charges', content),
  });
}

const TITLES = {
  subscription: 'Approve subscription',
  purchase: 'Approve charge',
  raise: 'Approve a new limit',
} as const;

const EVERY = { ANNUAL: 'every year', EVERY_30_DAYS: 'every 30 days' } as const;

type Line = readonly [label: string, value: string, note?: string];

function oneTimeLine({ price }: AppPurchase): Line {
  return ['Charged once', formatMoney(price)];
}

function subscriptionLines({ pricing, trialDays }: AppSubscription): Line[] {
  const lines = pricing.flatMap((one) =>
    one.kind === 'recurring' ? recurringLines(one) : [usageLine(one)],
  );
  return trialDays > 0
    ? [
        ...lines,
        [
          'Free trial',
          `${trialDays} ${trialDays === 1 ? 'day' : 'days'}`,
          'Billing starts when it is over.',
        ],
      ]
    : lines;
}

function recurringLines({ price, interval, discount }: RecurringPricing): Line[] {
  const line: Line = [`Billed ${EVERY[interval]}`, formatMoney(price)];
  if (!discount) return [line];
  const { durationLimitInIntervals: limit, value } = discount;
  const span =
    limit === null
      ? 'For as long as it runs.'
      : limit === 1
        ? 'The first time.'
        : `The first ${limit} times.`;
  return [line, ['With discount', formatMoney(discounted(price, value)), span]];
}

function usageLine({ terms, cappedAmount }: UsagePricing): Line {
  return ['By use, every 30 days', `up to ${formatMoney(cappedAmount)}`, terms];
}

function capLines({ raise, pricing }: AppSubscription): Line[] {
  const usage = pricing[raise?.index ?? -1];
  if (!raise || usage?.kind !== 'usage') return [];
  return [
    ['Limit by now, every 30 days', formatMoney(usage.cappedAmount), usage.terms],
    ['New limit', formatMoney(raise.cappedAmount)],
  ];
}

function chargeRow(shop: BillingShop, app: RegisteredApp, charge: AppCharge): Html {
  const waits =
    charge.status === 'PENDING' || (charge.kind === 'subscription' && charge.raise !== undefined);
  return html`<li>
    <div class="grow">
      ${waits ? html`<a href="${shop.billing.confirmationUrl(charge.id)}">${charge.name}</a>` : charge.name}
      <div class="soft small">${app.name} · ${priceOf(charge)}</div>
    </div>
    ${charge.test ? html`<span class="badge">Test</span>` : undefined}
    <span class="badge ${charge.status === 'ACTIVE' ? 'good' : ''}"
      >${capital(charge.status.toLowerCase())}</span
    >
  </li>`;
}

function priceOf(charge: AppCharge): string {
  if (charge.kind === 'purchase') return `${formatMoney(charge.price)} once`;
  const prices = charge.pricing.map((one) =>
    one.kind === 'usage'
      ? `up to ${formatMoney(one.cappedAmount)} by use`
      : `${formatMoney(one.price)} ${EVERY[one.interval]}`,
  );
  return prices.join(', ');
}

function lineRow(label: string, value: string, note: string | undefined): Html {
  return html`<li>
    <div class="grow">
      ${label} ${note === undefined ? undefined : html`<div class="soft small">${note}</div>`}
    </div>
    <strong>${value}</strong>
  </li>`;
}
