import { demandOneOf } from '../../graphql/graphql-access.js';
import { commentRoot } from '../content/comment.resolvers.js';
import { contentRoot } from '../content/content.resolvers.js';
import { redirectRoot } from '../content/redirect.resolvers.js';
import { customerRoot } from '../customers/customer.resolvers.js';
import { discountRoot } from '../discounts/discount.resolvers.js';
import { functionRulesRoot } from '../functions/function-rules.resolvers.js';
import { shopFunctionRoot } from '../functions/shop-functions.js';
import { inventoryRoot } from '../inventory/inventory.resolvers.js';
import { locationRoot } from '../inventory/location.resolvers.js';
import { giftCardRoot } from '../gift-cards/gift-card.resolvers.js';
import { externalActivityRoot } from '../marketing/external-activity.resolvers.js';
import { draftOrderBulkRoot } from '../orders/draft-order-bulk.resolvers.js';
import { draftOrderRoot } from '../orders/draft-order.resolvers.js';
import { collectionRoot } from '../collections/collection.resolvers.js';
import { shipmentRoot } from '../inventory/shipment.resolvers.js';
import { transferRoot } from '../inventory/transfer.resolvers.js';
import { fulfillmentExtrasRoot } from '../orders/fulfillment-extras.resolvers.js';
import { fulfillmentOrderRoot } from '../orders/fulfillment-order.resolvers.js';
import { fulfillmentRequestsRoot } from '../orders/fulfillment-requests.resolvers.js';
import { fulfillmentRoot } from '../orders/fulfillment.resolvers.js';
import { orderCustomerRoot } from '../orders/order-customer.resolvers.js';
import { orderEditRoot } from '../orders/order-edit.resolvers.js';
import { orderExtrasRoot } from '../orders/order-extras.resolvers.js';
import { orderInputRoot } from '../orders/order-input.resolvers.js';
import { orderRoot } from '../orders/order.resolvers.js';
import { paymentRoot } from '../orders/payment.resolvers.js';
import { refundRoot } from '../orders/refund.resolvers.js';
import { returnProcessRoot } from '../orders/return-process.resolvers.js';
import { returnRoot } from '../orders/return.resolvers.js';
import { returnableRoot } from '../orders/returnable.resolvers.js';
import { reverseFulfillmentRoot } from '../orders/reverse-fulfillment.resolvers.js';
import { bundlesRoot } from '../products/bundle.resolvers.js';
import { combinedListingsRoot } from '../products/combined-listing.resolvers.js';
import { feedbackRoot } from '../products/feedback.resolvers.js';
import { fileCreateRoot } from '../products/file-create.resolvers.js';
import { filesRoot } from '../products/files.resolvers.js';
import { publishingRoot } from '../publishing/publishing.resolvers.js';
import { savedSearchRoot } from '../saved-searches/saved-search.resolvers.js';
import { segmentRoot } from '../segments/segment.resolvers.js';
import { backupRegionRoot } from '../shop/backup-region.resolvers.js';
import { flowRoot } from '../shop/flow.resolvers.js';
import { policiesRoot } from '../shop/policies.resolvers.js';
import { carrierServiceRoot } from '../shipping/carrier-service.resolvers.js';
import { deliveryProfileRoot } from '../shipping/delivery-profile.resolvers.js';
import { fulfillmentServiceRoot } from '../shipping/fulfillment-service.resolvers.js';
import { shippingSettingsRoot } from '../shipping/shipping-settings.resolvers.js';
import { themeFilesRoot } from '../themes/theme-files.resolvers.js';
import { themesRoot } from '../themes/theme.resolvers.js';
import { webPixelsRoot } from '../web-pixels/web-pixels.resolvers.js';
import { jobRoot } from './job.resolvers.js';
import type { NodeWriter } from './node-writer.js';
import { tagsRoot } from './tags.resolvers.js';
import {
  CONTENT,
  FULFILLMENT,
  RETURNS,
  customerScopes,
  discountScopes,
  fulfillmentScopes,
  functionScopes,
  giftCardScopes,
  inventoryScopes,
  marketScopes,
  orderScopes,
  pixelScopes,
  segmentScopes,
  shippingScopes,
  themeScopes,
} from './root-scopes.js';

type Root = Record<string, unknown>;
type Field = (args: object, ...rest: unknown[]) => unknown;
type MayUse = (scope: string) => boolean;

/**
 * What has rules of its own. One of the scopes lets an app call a field; what has none demands what
 * it needs by itself.
 */
const ROOTS: ReadonlyArray<
  readonly [
    rootOf: (writer: NodeWriter, mayUse: MayUse) => Root,
    scopes?: readonly string[] | ((name: string) => readonly string[]),
  ]
> = [
  [orderRoot, orderScopes],
  [orderInputRoot, orderScopes],
  [orderCustomerRoot, orderScopes],
  [orderExtrasRoot, orderScopes],
  [fulfillmentRoot, FULFILLMENT],
  [fulfillmentExtrasRoot, fulfillmentScopes],
  [draftOrderRoot, orderScopes],
  [draftOrderBulkRoot, orderScopes],
  [orderEditRoot, ['write_order_edits']],
  [fulfillmentOrderRoot, FULFILLMENT],
  [fulfillmentRequestsRoot, FULFILLMENT],
  [fileCreateRoot, ['write_files']],
  [filesRoot, ['write_files', 'write_products']],
  [bundlesRoot, ['write_products']],
  [combinedListingsRoot, ['write_products']],
  [refundRoot, ['write_orders']],
  [paymentRoot, ['write_orders']],
  [giftCardRoot, giftCardScopes],
  [returnRoot, RETURNS],
  [returnProcessRoot, RETURNS],
  [reverseFulfillmentRoot, RETURNS],
  [returnableRoot, ['read_returns', 'read_orders']],
  [carrierServiceRoot, shippingScopes],
  [deliveryProfileRoot, shippingScopes],
  [shippingSettingsRoot, shippingScopes],
  [fulfillmentServiceRoot, ['write_fulfillments']],
  [collectionRoot, ['write_products']],
  [discountRoot, discountScopes],
  [(writer) => customerRoot(writer, writer.privacy), customerScopes],
  [contentRoot, CONTENT],
  [commentRoot, CONTENT],
  [redirectRoot, ['write_online_store_navigation']],
  [functionRulesRoot, functionScopes],
  [segmentRoot, segmentScopes],
  [externalActivityRoot, ['write_marketing_events']],
  [(writer) => themesRoot(writer, writer.themes), themeScopes],
  [(writer) => themeFilesRoot(writer, writer.themes), ['write_themes']],
  [webPixelsRoot, pixelScopes],
  [inventoryRoot, inventoryScopes],
  [locationRoot, ['write_locations']],
  [transferRoot, ['write_inventory_transfers']],
  [shipmentRoot, ['write_inventory_shipments']],
  [publishingRoot, ['write_publications']],
  [policiesRoot, ['write_legal_policies']],
  [backupRegionRoot, marketScopes],
  [feedbackRoot],
  [flowRoot],
  [savedSearchRoot],
  [(writer) => shopFunctionRoot(writer.reader)],
  [(writer) => jobRoot(writer.reader.store.nodes)],
  [tagsRoot],
];

type RuledRoot = (typeof ROOTS)[number];

/** Whose each field is: the same in every call, and so learned in the first. */
let ruledFields: ReadonlyMap<string, RuledRoot> | undefined;

function learned(writer: NodeWriter, mayUse: MayUse): ReadonlyMap<string, RuledRoot> {
  const fields = ROOTS.flatMap((ruled) =>
    Object.keys(ruled[0](writer, mayUse)).map((name) => [name, ruled] as const),
  );
  return new Map(fields);
}

/**
 * Finds the resolvers of the root fields of nodes that have rules of their own; undefined for any
 * other field. Those of an area are made when one of them is called.
 * @param mayUse whether a scope is covered
 */
export function ruledRoot(writer: NodeWriter, mayUse: MayUse): (name: string) => Field | undefined {
  const made = new Map<RuledRoot, Root>();
  const rootOf = (ruled: RuledRoot): Root => {
    const root = made.get(ruled) ?? ruled[0](writer, mayUse);
    made.set(ruled, root);
    return root;
  };
  return (name) => {
    const ruled = (ruledFields ??= learned(writer, mayUse)).get(name);
    if (!ruled) return undefined;
    return (args, ...rest) => {
      const [, scopes] = ruled;
      const sufficient = typeof scopes === 'function' ? scopes(name) : scopes;
      if (sufficient) demandOneOf(name, sufficient, mayUse);
      return (rootOf(ruled)[name] as Field)(args, ...rest);
    };
  };
}
