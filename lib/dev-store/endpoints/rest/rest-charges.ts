import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import {
  isCancellable,
  type AppCharge,
  type AppSubscription,
} from '../../state/billing/billing-charge.js';
import { BadInput, payable, purchaseTerms, subscriptionTerms } from '../billing/billing-input.js';
import { chargeView, usageOf, usageViews, type UsageView } from './rest-charge.views.js';
import { refusal } from './rest-nodes.js';
import { pageReply } from './rest-pages.js';
import {
  notFound,
  rootOf,
  selectFields,
  unprocessable,
  type RestCall,
  type RestEndpoint,
  type RestBody,
} from './rest.endpoint.js';

/**
 * The charges of the app that calls, which are those of GraphQL: purchases, subscriptions and what
 * was used of them.
 * @see https://shopify.dev/docs/api/admin-rest/latest/resources/recurringapplicationcharge
 */
export const REST_CHARGES: readonly RestEndpoint[] = [
  ...endpointsOf(
    'purchase',
    'application_charge',
    /^application_charges$/,
    /^application_charges\/(\d{1,15})$/,
  ),
  ...endpointsOf(
    'subscription',
    'recurring_application_charge',
    /^recurring_application_charges$/,
    /^recurring_application_charges\/(\d{1,15})$/,
  ),
  {
    method: 'DELETE',
    pattern: /^recurring_application_charges\/(\d{1,15})$/,
    answer: (call, _request, id) => {
      const charge = subscriptionOf(call, id);
      if (!charge) return notFound();
      if (!isCancellable(charge))
        return unprocessable([
          { field: 'base', message: `Charge is already ${charge.status.toLowerCase()}` },
        ]);
      call.shop.billing.cancel(id);
      return jsonReply(200, {});
    },
  },
  {
    method: 'PUT',
    pattern: /^recurring_application_charges\/(\d{1,15})\/customize$/,
    answer: (call, request, id) => {
      const charge = subscriptionOf(call, id);
      if (!charge) return notFound();
      const key = 'recurring_application_charge';
      const posted = request.body.length > 0 ? rootOf(jsonOf(request), key) : {};
      const amount =
        request.url.searchParams.get(`${key}[capped_amount]`) ?? posted['capped_amount'];
      const { index, pricing } = usageOf(charge);
      if (pricing?.kind !== 'usage' || charge.status !== 'ACTIVE')
        return unprocessable([{ field: 'base', message: 'Charge has no cap that can be changed' }]);
      return orRefusal(() => {
        const { currencyCode } = pricing.cappedAmount;
        const asked = payable({ amount, currencyCode }, ['cappedAmount']);
        call.shop.billing.requestCap(charge, index, asked);
        const update = call.shop.billing.confirmationUrl(id);
        return jsonReply(200, {
          [key]: { ...chargeView(charge, call), update_capped_amount_url: update },
        });
      });
    },
  },
  {
    method: 'GET',
    pattern: /^recurring_application_charges\/(\d{1,15})\/usage_charges$/,
    answer: (call, request, id) => {
      const charge = subscriptionOf(call, id);
      if (!charge) return notFound();
      return pageReply<UsageView>(request, {
        ...{ key: 'usage_charges', all: usageViews(call, charge), origin: call.shop.origin },
        ...{ filter: () => () => true, view: (one) => one },
      });
    },
  },
  {
    method: 'GET',
    pattern: /^recurring_application_charges\/(\d{1,15})\/usage_charges\/(\d{1,15})$/,
    answer: (call, { url }, id, usageId) => {
      const charge = subscriptionOf(call, id);
      const found = charge && usageViews(call, charge).find((one) => one.id === usageId);
      return found ? jsonReply(200, { usage_charge: selectFields(found, url) }) : notFound();
    },
  },
  {
    method: 'POST',
    pattern: /^recurring_application_charges\/(\d{1,15})\/usage_charges$/,
    answer: createUsage,
  },
];

function endpointsOf(
  kind: AppCharge['kind'],
  key: string,
  list: RegExp,
  one: RegExp,
): RestEndpoint[] {
  return [
    {
      method: 'GET',
      pattern: list,
      answer: (call, request) =>
        pageReply<AppCharge>(request, {
          ...{ key: `${key}s`, all: own(call, kind), origin: call.shop.origin },
          ...{ filter: () => () => true, view: (charge) => chargeView(charge, call) },
        }),
    },
    {
      method: 'GET',
      pattern: one,
      answer: (call, { url }, id) => {
        const charge = own(call, kind).find((each) => each.id === id);
        return charge
          ? jsonReply(200, { [key]: selectFields(chargeView(charge, call), url) })
          : notFound();
      },
    },
    {
      method: 'POST',
      pattern: list,
      answer: (call, request) => {
        const body = rootOf(jsonOf(request), key);
        return orRefusal(() => {
          const charge = kind === 'purchase' ? purchase(call, body) : subscribe(call, body);
          return jsonReply(201, { [key]: chargeView(charge, call) });
        });
      },
    },
  ];
}

function own({ shop, token }: RestCall, kind: AppCharge['kind']): AppCharge[] {
  return shop.billing.charges.filter(
    (charge) => charge.apiKey === token.apiKey && charge.kind === kind,
  );
}

function subscriptionOf(call: RestCall, id: number): AppSubscription | undefined {
  return call.shop.billing.subscriptionsOf(call.token.apiKey).find((one) => one.id === id);
}

function purchase({ shop, token }: RestCall, body: RestBody): AppCharge {
  const { price, ...common } = commonOf(body);
  return shop.billing.purchase(token.apiKey, purchaseTerms({ ...common, price }));
}

function subscribe({ shop, token }: RestCall, body: RestBody): AppCharge {
  const { capped_amount: cap, terms, trial_days: days } = body;
  const hasPrice = body['price'] != null || cap == null;
  const { price, ...common } = commonOf(hasPrice ? body : { ...body, price: 0 });
  const trialDays = Number(days ?? 0);
  if (!Number.isInteger(trialDays)) throw new BadInput(['trialDays'], 'is not a number');
  const plans = [
    ...(hasPrice ? [{ appRecurringPricingDetails: { price } }] : []),
    ...(cap == null
      ? []
      : [
          {
            appUsagePricingDetails: {
              cappedAmount: { ...price, amount: cap },
              terms: String(terms ?? ''),
            },
          },
        ]),
  ];
  const lineItems = plans.map((plan) => ({ plan }));
  return shop.billing.subscribe(
    token.apiKey,
    subscriptionTerms({ ...common, lineItems, trialDays }),
  );
}

/** What the two kinds of charges have in common. */
function commonOf(body: RestBody): {
  name: string;
  returnUrl: unknown;
  test: boolean;
  price: { amount: unknown; currencyCode: string };
} {
  for (const name of ['name', 'price', 'return_url'])
    if (String(body[name] ?? '').trim() === '') throw new BadInput([name], "can't be blank");
  const currencyCode = String(body['currency'] ?? 'USD');
  if (!/^[A-Z]{3}$/.test(currencyCode))
    throw new BadInput(['currency'], 'is not included in the list');
  return {
    name: String(body['name']),
    returnUrl: body['return_url'],
    test: body['test'] === true,
    price: { amount: body['price'], currencyCode },
  };
}

function createUsage(call: RestCall, request: StoreRequest, id: number): StoreReply {
  const charge = subscriptionOf(call, id);
  if (!charge) return notFound();
  const { description, price } = rootOf(jsonOf(request), 'usage_charge');
  const { index, pricing } = usageOf(charge);
  const refused = (message: string): StoreReply => unprocessable([{ field: 'base', message }]);
  if (pricing?.kind !== 'usage') return refused('Recurring charge has no capped amount');
  if (charge.status !== 'ACTIVE') return refused('Recurring charge is not active');
  return orRefusal(() => {
    if (String(description ?? '').trim() === '')
      throw new BadInput(['description'], "can't be blank");
    const { currencyCode } = pricing.cappedAmount;
    const record = call.shop.billing.usage.record(charge, index, {
      description: String(description),
      price: payable({ amount: price, currencyCode }, ['price']),
      idempotencyKey: null,
    });
    if (!record) return refused('Total price exceeds balance remaining');
    const usage = usageViews(call, charge).find((one) => one.id === record.id);
    return jsonReply(201, { usage_charge: usage });
  });
}

/** The response to a charge, or the refusal of its input. */
function orRefusal(answer: () => StoreReply): StoreReply {
  try {
    return answer();
  } catch (error) {
    if (error instanceof BadInput) return refusal(error.userErrors);
    throw error;
  }
}
