import { globalId } from '../../base/vendor.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { RESOURCE_SHAPES } from '../payloads/resource-shapes.table.js';
import { objectsOf, type RestBody } from './rest.endpoint.js';

/** The types of the nodes that attributes name by number. */
const REFERENCES: Readonly<Record<string, string>> = {
  article_id: 'Article',
  blog_id: 'Blog',
  collection_id: 'Collection',
  customer_id: 'Customer',
  location_id: 'Location',
  order_id: 'Order',
  product_id: 'Product',
};

/** The attributes whose values the schema has in upper case. */
const UPPER_CASE: ReadonlySet<string> = new Set(['status', 'role', 'kind', 'display_scope']);

/** What the platform alone says, and whose an object is. */
const OF_PLATFORM: ReadonlySet<string> = new Set([
  'id',
  'app_key',
  'appKey',
  'admin_graphql_api_id',
  'created_at',
  'updated_at',
]);

/** What an update of an order does not change. */
const KEPT: ReadonlySet<string> = new Set([
  'line_items',
  'transactions',
  'shipping_lines',
  'fulfillments',
  'refunds',
  'financial_status',
  'fulfillment_status',
]);

/**
 * The fields of a node from the body of a REST call.
 * @param nodes takes the objects that are nodes themselves, such as addresses and lines
 * @param now the time of the store
 * @param isNew whether there is no node yet: an order that is there keeps its lines and payments
 * @throws StoreReplyError with 400 when a list is none of objects
 */
export function nodeInput(
  type: string,
  given: RestBody,
  nodes: NodeStore,
  now: Date,
  isNew = true,
): NodeFields {
  const isKept = (name: string): boolean => !isNew && type === 'Order' && KEPT.has(name);
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => !isKept(name)));
  const fields = plainFields(type, body, now);
  switch (type) {
    case 'Customer':
      return { ...fields, ...customerFields(body, nodes) };
    case 'Order':
    case 'DraftOrder':
      return { ...fields, ...orderFields(body, nodes) };
    case 'Collection':
      return { ...fields, ...collectionFields(body) };
    default:
      return fields;
  }
}

function plainFields(type: string, body: RestBody, now: Date): NodeFields {
  const { renamed = {} } = RESOURCE_SHAPES[type] ?? {};
  const fields: NodeFields = {};
  for (const [name, value] of Object.entries(body)) {
    const reference = REFERENCES[name];
    if (OF_PLATFORM.has(name)) continue;
    if (reference && value != null)
      fields[camelCase(name.replace(/_id$/, ''))] = globalId(reference, Number(value));
    else if (name === 'tags') fields['tags'] = tagsIn(value);
    else if (name === 'published') fields['publishedAt'] = value ? now.toISOString() : null;
    else if (UPPER_CASE.has(name) && typeof value === 'string')
      fields[camelCase(name)] = value.toUpperCase();
    else fields[renamed[name] ?? camelCase(name)] = value;
  }
  return fields;
}

function customerFields(body: RestBody, nodes: NodeStore): NodeFields {
  const { addresses, email_marketing_consent: email, sms_marketing_consent: sms } = body;
  const consent = (value: unknown): NodeFields => {
    const { state, opt_in_level } = Object(value) as RestBody;
    return { marketingState: upper(state), marketingOptInLevel: upper(opt_in_level) };
  };
  return {
    ...(Array.isArray(addresses)
      ? { addresses: addresses.map((one) => addressNode(one, nodes)) }
      : {}),
    ...(email ? { emailMarketingConsent: consent(email) } : {}),
    ...(sms ? { smsMarketingConsent: consent(sms) } : {}),
  };
}

/** The lines, the addresses, the customer and the payments of an order or a draft. */
function orderFields(body: RestBody, nodes: NodeStore): NodeFields {
  const [items, attributes, rates, payments] = [
    ...['line_items', 'note_attributes', 'shipping_lines', 'transactions'],
  ].map((name) => objectsOf(body, name));
  const customer = Object(body['customer']) as RestBody;
  const known = customer['id'] === undefined ? undefined : Number(customer['id']);
  const lines = items?.map((line) => nodes.create('LineItem', lineFields(line)).id);
  const shipping = body['shipping_line'];
  return {
    ...(lines ? { lineItems: lines } : {}),
    ...(attributes
      ? {
          customAttributes: attributes.map(({ name, value }) => ({
            key: name,
            value: value == null ? null : String(value),
          })),
        }
      : {}),
    ...(body['billing_address']
      ? { billingAddress: addressNode(body['billing_address'], nodes) }
      : {}),
    ...(body['shipping_address']
      ? { shippingAddress: addressNode(body['shipping_address'], nodes) }
      : {}),
    ...(known === undefined ? {} : { customer: globalId('Customer', known) }),
    ...(known === undefined && body['customer'] ? { customer: customerNode(customer, nodes) } : {}),
    ...(body['financial_status'] ? { financialStatus: upper(body['financial_status']) } : {}),
    ...(rates ? { shippingLines: rates.map(shippingFields) } : {}),
    ...(shipping ? { shippingLine: shippingFields(Object(shipping) as RestBody) } : {}),
    ...(payments
      ? {
          transactions: payments.map(
            ({ kind, status, amount, gateway }) =>
              nodes.create('OrderTransaction', {
                kind: upper(kind) ?? 'SALE',
                status: upper(status) ?? 'SUCCESS',
                amountSet: { shopMoney: { amount } },
                gateway,
              }).id,
          ),
        }
      : {}),
    ...(body['applied_discount'] ? { appliedDiscount: discountFields(body) } : {}),
  };
}

function discountFields(body: RestBody): NodeFields {
  const { title, description, value, value_type, amount } = Object(
    body['applied_discount'],
  ) as RestBody;
  return { title, description, value: Number(value ?? amount ?? 0), valueType: upper(value_type) };
}

function lineFields(line: RestBody): NodeFields {
  const { variant_id, product_id, quantity, price, title, sku, properties, ...rest } = line;
  return {
    quantity: Number(quantity ?? 1),
    ...(variant_id == null ? {} : { variant: globalId('ProductVariant', Number(variant_id)) }),
    ...(product_id == null ? {} : { product: globalId('Product', Number(product_id)) }),
    ...(title === undefined ? {} : { title }),
    ...(sku === undefined ? {} : { sku }),
    ...(price === undefined ? {} : { priceSet: { shopMoney: { amount: price } } }),
    ...(Array.isArray(properties) ? { customAttributes: properties } : {}),
    ...(rest['taxable'] === undefined ? {} : { taxable: rest['taxable'] }),
    ...(rest['requires_shipping'] === undefined
      ? {}
      : { requiresShipping: rest['requires_shipping'] }),
  };
}

function shippingFields({ title, code, price, source }: RestBody): NodeFields {
  return { title, code, source, priceSet: { shopMoney: { amount: price ?? 0 } } };
}

/** A customer that an order is for, who is known by their address, or new. */
function customerNode(customer: RestBody, nodes: NodeStore): string {
  const email = String(customer['email'] ?? '').toLowerCase();
  const known = nodes.all(['Customer']).find(({ fields }) => email && fields['email'] === email);
  return known?.id ?? nodes.create('Customer', plainFields('Customer', customer, new Date(0))).id;
}

function addressNode(value: unknown, nodes: NodeStore): string {
  return nodes.create('MailingAddress', addressFields(Object(value) as RestBody)).id;
}

/** The fields of an address from the body of a REST call. */
export function addressFields({ country, ...address }: RestBody): NodeFields {
  const { customer_id: _customer, default: _default, ...own } = address;
  const isCode = typeof country === 'string' && /^[A-Z]{2}$/.test(country);
  return {
    ...plainFields('MailingAddress', own, new Date(0)),
    ...(isCode ? { countryCode: country } : country === undefined ? {} : { country }),
  };
}

/** A smart collection has rules, which the schema keeps together. */
function collectionFields({ rules, disjunctive, sort_order }: RestBody): NodeFields {
  return {
    ...(Array.isArray(rules)
      ? {
          ruleSet: {
            appliedDisjunctively: disjunctive ?? false,
            rules: rules.map((rule) => {
              const { column, relation, condition } = Object(rule) as RestBody;
              return { column: upper(column), relation: upper(relation), condition };
            }),
          },
        }
      : {}),
    ...(typeof sort_order === 'string'
      ? { sortOrder: sort_order.toUpperCase().replaceAll('-', '_') }
      : {}),
  };
}

function tagsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value.map(String) : String(value ?? '').split(','))
    .map((tag) => tag.trim())
    .filter(Boolean);
}

function upper(value: unknown): string | undefined {
  return typeof value === 'string' ? value.toUpperCase() : undefined;
}

/** `first_name` as `firstName`. */
function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
