import { provinceName } from '../../base/province-names.js';
import type { NodeFields, NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import {
  amountText,
  listOf,
  lowerCase,
  nameOfCountry,
  numberOrNull,
  tagsText,
  textOrNull,
  timeText,
  valuesOf,
  type PayloadShop,
  type RestObject,
} from './payload-values.js';

/** A customer in webhook payloads. */
export function customerPayload(node: StoredNode, shop: PayloadShop): RestObject {
  const { default_address, ...customer } = orderCustomerPayload(node, shop);
  const addresses = addressesOf(node, shop);
  return { ...customer, addresses, ...(default_address ? { default_address } : {}) };
}

/** A customer in REST responses, which say more than payloads. */
export function customerResource(node: StoredNode, shop: PayloadShop): RestObject {
  const { fields } = node;
  const { count, spent, last } = customerOrders(node.id, shop.nodes);
  return {
    ...customerPayload(node, shop),
    orders_count: count,
    total_spent: spent,
    last_order_id: last?.number ?? null,
    last_order_name: textOrNull(last?.fields['name']),
    tags: tagsText(fields['tags']),
    email_marketing_consent: fields['email'] ? consentOf(fields['emailMarketingConsent']) : null,
    sms_marketing_consent: fields['phone']
      ? { ...consentOf(fields['smsMarketingConsent']), consent_collected_from: 'OTHER' }
      : null,
  };
}

/** How many orders a customer has, what was paid for them, and the last that is not cancelled. */
interface OrdersSummary {
  readonly count: number;
  readonly spent: string;
  readonly last: StoredNode | undefined;
}

/** The orders of a customer: what was paid for them, and the last that is not cancelled. */
export function customerOrders(id: string, nodes: NodeStore): OrdersSummary {
  return ordersSummary(nodes.naming(id, ['Order']));
}

/** What the orders of a customer come to. */
export function ordersSummary(orders: readonly StoredNode[]): OrdersSummary {
  const paid = orders.map(({ fields }) => Number(amountText(fields['netPaymentSet'])));
  return {
    count: orders.length,
    spent: paid.reduce((sum, one) => sum + one, 0).toFixed(2),
    last: orders.findLast(({ fields }) => fields['cancelledAt'] == null),
  };
}

/** The customer of an order: without the addresses other than the default one. */
export function orderCustomerPayload(node: StoredNode, shop: PayloadShop): RestObject {
  const { id, number, fields, createdAt, updatedAt } = node;
  const address = addressesOf(node, shop).find((one) => one['default']);
  return {
    id: number,
    admin_graphql_api_id: id,
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt),
    first_name: textOrNull(fields['firstName']),
    last_name: textOrNull(fields['lastName']),
    email: textOrNull(fields['email']),
    phone: textOrNull(fields['phone']),
    state: lowerCase(fields['state']) ?? 'disabled',
    note: textOrNull(fields['note']),
    verified_email: fields['verifiedEmail'] ?? true,
    multipass_identifier: null,
    tax_exempt: fields['taxExempt'] ?? false,
    tax_exemptions: listOf(fields['taxExemptions']),
    currency: shop.currency,
    ...(address ? { default_address: address } : {}),
  };
}

/** What is left of a deleted customer. */
export function deletedCustomerPayload(id: string, fields: Readonly<NodeFields>): RestObject {
  return {
    id: numberOrNull(id),
    admin_graphql_api_id: id,
    tax_exemptions: listOf(fields['taxExemptions']),
  };
}

/** The addresses of a customer: the first one, or the one that was chosen, is the default. */
export function addressesOf({ number, fields }: StoredNode, shop: PayloadShop): RestObject[] {
  const all = listOf(fields['addresses']);
  const chosen = fields['defaultAddress'] ?? all[0];
  const owner = { customer_id: number };
  return all.map((one) => {
    const { latitude: _latitude, longitude: _longitude, ...address } = addressPayload(one, shop);
    const values = valuesOf(one, shop);
    return {
      id: numberOrNull(typeof one === 'string' ? one : shop.nodes.idOf('MailingAddress', values)),
      ...owner,
      ...address,
      country_name: nameOfCountry(address['country_code']) ?? address['country'],
      default: one === chosen,
    };
  });
}

/** An address, in the fields that orders and customers share. */
export function addressPayload(value: unknown, shop: PayloadShop): RestObject {
  const address = valuesOf(value, shop);
  const code = address['countryCode'] ?? address['countryCodeV2'] ?? null;
  const text = (name: string): string | null => textOrNull(address[name]);
  return {
    first_name: text('firstName'),
    last_name: text('lastName'),
    name: [text('firstName'), text('lastName')].filter(Boolean).join(' ') || null,
    company: text('company'),
    address1: text('address1'),
    address2: text('address2'),
    city: text('city'),
    province: text('province') ?? provinceName(code, address['provinceCode']) ?? null,
    province_code: text('provinceCode'),
    country: text('country') ?? nameOfCountry(code) ?? null,
    country_code: code,
    zip: text('zip'),
    phone: text('phone'),
    latitude: address['latitude'] ?? null,
    longitude: address['longitude'] ?? null,
  };
}

/** An address that is set; null when there is none. */
export function addressOrNull(value: unknown, shop: PayloadShop): RestObject | null {
  return value == null ? null : addressPayload(value, shop);
}

function consentOf(value: unknown): RestObject {
  const { marketingState, marketingOptInLevel, consentUpdatedAt } = Object(value) as NodeFields;
  return {
    state: lowerCase(marketingState) ?? 'not_subscribed',
    opt_in_level: lowerCase(marketingOptInLevel) ?? 'single_opt_in',
    consent_updated_at: timeText(consentUpdatedAt),
  };
}
