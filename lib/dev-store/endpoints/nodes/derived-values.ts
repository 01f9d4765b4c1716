import { countryName } from '../../base/country-names.js';
import { provinceName } from '../../base/province-names.js';
import { slug } from '../../base/text-values.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { discountValue } from '../discounts/discount-fields.js';
import { orderNumber } from '../orders/order-numbers.js';

/** What a value may follow from. */
interface Origin {
  /** The node; undefined for an object without an identity, or one that is kept elsewhere. */
  readonly node: StoredNode | undefined;
  readonly values: Readonly<NodeFields>;
  /** How many nodes of a type name it. */
  readonly naming?: ((type: string) => number) | undefined;
}

type Derive = (origin: Origin) => unknown;

/** The fields of any type. */
const OF_ANY: Readonly<Record<string, Derive>> = {
  legacyResourceId: ({ node }) => node && String(node.number),
  createdAt: ({ node }) => node?.createdAt,
  updatedAt: ({ node }) => node?.updatedAt,
  processedAt: ({ node }) => node?.createdAt,
  handle: ({ values }) => {
    const title = values['title'] ?? values['name'];
    return typeof title === 'string' ? slug(title) : undefined;
  },
  displayName: ({ values }) => values['title'] ?? values['name'],
};

/** The fields of one type. */
const OF_TYPE: Readonly<Record<string, Derive>> = {
  'Customer.displayName': ({ values }) =>
    words(values, ['firstName', 'lastName']) || values['email'] || values['phone'],
  'Customer.defaultAddress': ({ values }) => firstOf(values['addresses']),
  'Customer.addressesV2': ({ values }) => values['addresses'],
  'Customer.defaultEmailAddress': ({ values }) =>
    values['email']
      ? { emailAddress: values['email'], ...consent(values['emailMarketingConsent']) }
      : null,
  'Customer.defaultPhoneNumber': ({ values }) =>
    values['phone']
      ? { phoneNumber: values['phone'], ...consent(values['smsMarketingConsent']) }
      : null,
  'Customer.canDelete': ({ naming }) => !naming?.('Order'),
  'Customer.state': () => 'DISABLED',
  'Customer.locale': () => 'en',
  'Customer.verifiedEmail': () => true,
  'Customer.validEmailAddress': ({ values }) => Boolean(values['email']),
  'Customer.numberOfOrders': ({ naming }) => String(naming?.('Order') ?? 0),
  'MailingAddress.name': ({ values }) => words(values, ['firstName', 'lastName']) || null,
  'MailingAddress.formattedArea': ({ values }) => {
    const area = words(values, ['city', 'provinceCode']);
    return [area, nameOfCountry(values['countryCode'])].filter(Boolean).join(', ') || null;
  },
  'MailingAddress.formatted': ({ values }) =>
    [
      values['address1'],
      values['address2'],
      words(values, ['zip', 'city']),
      values['countryCode'],
    ].filter(Boolean),
  'Page.bodySummary': ({ values }) =>
    String(values['body'] ?? '')
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  'Order.name': ({ node }) => node && orderNumber('Order', node).name,
  'Order.number': ({ node }) => node && orderNumber('Order', node).number,
  'DraftOrder.ready': () => true,
  'DraftOrderAppliedDiscount.amountSet': ({ values }) => values['amount'],
  'MailingAddress.countryCodeV2': ({ values }) => values['countryCode'],
  'Order.displayFinancialStatus': () => 'PENDING',
  'Order.displayFulfillmentStatus': () => 'UNFULFILLED',
  'DiscountCodeNode.code': ({ values }) => (Object(values['codeDiscount']) as NodeFields)['code'],
  'DiscountNode.discount': ({ values }) => values['codeDiscount'] ?? values['automaticDiscount'],
  'DraftOrder.name': ({ node }) => node && orderNumber('DraftOrder', node).name,
  'DraftOrder.note2': ({ values }) => values['note'],
  'DraftOrder.status': () => 'OPEN',
  'Location.isActive': () => true,
  'CompanyAddress.country': countryOf,
  'CompanyAddress.province': provinceOf,
  'LocationAddress.country': countryOf,
  'LocationAddress.province': provinceOf,
  'MailingAddress.country': countryOf,
  'MailingAddress.province': provinceOf,
  'LocationAddress.formatted': (origin) =>
    [
      origin.values['address1'],
      origin.values['address2'],
      words(origin.values, ['city', 'provinceCode', 'zip']),
      countryOf(origin),
    ].filter(Boolean),
  'InventoryItem.requiresShipping': () => true,
};

/** What new objects of a store have, where the first value of the enum would mislead. */
const USUAL: Readonly<Record<string, string>> = {
  'Collection.sortOrder': 'BEST_SELLING',
  'Customer.productSubscriberStatus': 'NEVER_SUBSCRIBED',
  'CustomerEmailAddress.marketingState': 'NOT_SUBSCRIBED',
  'CustomerEmailAddress.openTrackingLevel': 'UNKNOWN',
  'CustomerEmailMarketingConsentState.marketingState': 'NOT_SUBSCRIBED',
  'DeliveryMethod.methodType': 'SHIPPING',
  'Fulfillment.status': 'SUCCESS',
  'FulfillmentEvent.status': 'IN_TRANSIT',
  'FulfillmentOrder.requestStatus': 'UNSUBMITTED',
  'FulfillmentOrder.status': 'OPEN',
  'GenericFile.fileStatus': 'READY',
  'MediaImage.fileStatus': 'READY',
  'MediaImage.mediaContentType': 'IMAGE',
  'MediaImage.status': 'READY',
  'Model3d.mediaContentType': 'MODEL_3D',
  'OnlineStoreTheme.role': 'UNPUBLISHED',
  'Order.returnStatus': 'NO_RETURN',
  'Order.riskLevel': 'LOW',
  'OrderTransaction.kind': 'SALE',
  'OrderTransaction.status': 'SUCCESS',
  'ProductVariant.inventoryPolicy': 'DENY',
  'Return.status': 'OPEN',
  'SubscriptionBillingCycle.status': 'UNBILLED',
  'Video.fileStatus': 'READY',
  'Video.mediaContentType': 'VIDEO',
  'Video.status': 'READY',
};

/** A value that follows from others of an object, or is usual; undefined when there is none. */
export function derivedValue(type: string, field: string, origin: Origin): unknown {
  const place = `${type}.${field}`;
  const own =
    USUAL[place] ??
    OF_TYPE[place]?.(origin) ??
    (type.startsWith('Discount') ? discountValue(field, origin.values) : undefined);
  return own === undefined ? OF_ANY[field]?.(origin) : own;
}

/** What a customer has consented to, as the input of a customer says. */
function consent(given: unknown): NodeFields {
  const { marketingState = 'NOT_SUBSCRIBED', ...consented } = Object(given ?? {}) as NodeFields;
  return {
    marketingState,
    marketingOptInLevel: consented['marketingOptInLevel'] ?? 'SINGLE_OPT_IN',
    marketingUpdatedAt: consented['consentUpdatedAt'] ?? null,
    marketingCollectedFrom: consented['consentCollectedFrom'] ?? null,
  };
}

function nameOfCountry(code: unknown): string | null {
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? countryName(code) : null;
}

/** The name of the province of an address. */
function provinceOf({ values }: Origin): unknown {
  return provinceName(values['countryCode'], values['provinceCode']);
}

/** The name of the country of an address. */
function countryOf({ values }: Origin): unknown {
  return values['country'] ?? nameOfCountry(values['countryCode']);
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function words(values: Readonly<NodeFields>, names: readonly string[]): string {
  return names
    .map((name) => values[name])
    .filter(Boolean)
    .join(' ');
}
