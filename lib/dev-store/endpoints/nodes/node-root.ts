import { AccessDenied } from '../../graphql/graphql-access.js';
import { inventoryRoot } from '../inventory/inventory.resolvers.js';
import { locationRoot } from '../inventory/location.resolvers.js';
import { giftCardRoot } from '../gift-cards/gift-card.resolvers.js';
import { storeCreditRoot } from '../gift-cards/store-credit.resolvers.js';
import { draftOrderBulkRoot } from '../orders/draft-order-bulk.resolvers.js';
import { draftOrderRoot } from '../orders/draft-order.resolvers.js';
import { collectionRoot } from '../collections/collection.resolvers.js';
import { shipmentRoot } from '../inventory/shipment.resolvers.js';
import { transferRoot } from '../inventory/transfer.resolvers.js';
import { fulfillmentOrderRoot } from '../orders/fulfillment-order.resolvers.js';
import { fulfillmentRequestsRoot } from '../orders/fulfillment-requests.resolvers.js';
import { orderEditRoot } from '../orders/order-edit.resolvers.js';
import { orderRoot } from '../orders/order.resolvers.js';
import { paymentRoot } from '../orders/payment.resolvers.js';
import { refundRoot } from '../orders/refund.resolvers.js';
import { returnProcessRoot } from '../orders/return-process.resolvers.js';
import { returnRoot } from '../orders/return.resolvers.js';
import { returnableRoot } from '../orders/returnable.resolvers.js';
import { reverseFulfillmentRoot } from '../orders/reverse-fulfillment.resolvers.js';
import { filesRoot } from '../products/files.resolvers.js';
import { publishingRoot } from '../publishing/publishing.resolvers.js';
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
import { customerRoot } from './customer.resolvers.js';
import { discountRoot } from './discount.resolvers.js';
import { jobRoot } from './job.resolvers.js';
import type { NodeWriter } from './node-writer.js';
import { tagsRoot } from './tags.resolvers.js';

type Field = (args: object, ...rest: unknown[]) => unknown;

/**
 * The mutations of nodes that have rules of their own. @param mayUse whether a scope is covered
 */
export function nodeRoot(
  writer: NodeWriter,
  mayUse: (scope: string) => boolean,
): Record<string, unknown> {
  const guarded = (root: Record<string, unknown>, scopesOf: (name: string) => readonly string[]) =>
    Object.entries(root).map(([name, resolve]): [string, Field] => [
      name,
      (args, ...rest) => {
        const scopes = scopesOf(name);
        if (!scopes.some(mayUse)) throw new AccessDenied(name, String(scopes[0]));
        return (resolve as Field)(args, ...rest);
      },
    ]);
  return {
    ...Object.fromEntries(guarded(orderRoot(writer), orderScopes)),
    ...Object.fromEntries(guarded(draftOrderRoot(writer), orderScopes)),
    ...Object.fromEntries(guarded(draftOrderBulkRoot(writer), orderScopes)),
    ...Object.fromEntries(guarded(orderEditRoot(writer), () => ['write_order_edits'])),
    ...Object.fromEntries(guarded(fulfillmentOrderRoot(writer), () => FULFILLMENT)),
    ...Object.fromEntries(guarded(fulfillmentRequestsRoot(writer), () => FULFILLMENT)),
    ...Object.fromEntries(guarded(filesRoot(writer), () => ['write_files', 'write_products'])),
    ...Object.fromEntries(guarded(refundRoot(writer), () => ['write_orders'])),
    ...Object.fromEntries(guarded(paymentRoot(writer), () => ['write_orders'])),
    ...Object.fromEntries(guarded(giftCardRoot(writer), giftCardScopes)),
    ...Object.fromEntries(guarded(storeCreditRoot(writer), () => STORE_CREDIT)),
    ...Object.fromEntries(guarded(returnRoot(writer), returnScopes)),
    ...Object.fromEntries(guarded(returnProcessRoot(writer), returnScopes)),
    ...Object.fromEntries(guarded(reverseFulfillmentRoot(writer), returnScopes)),
    ...Object.fromEntries(guarded(returnableRoot(writer), () => ['read_returns', 'read_orders'])),
    ...Object.fromEntries(guarded(carrierServiceRoot(writer), shippingScopes)),
    ...Object.fromEntries(guarded(deliveryProfileRoot(writer), shippingScopes)),
    ...Object.fromEntries(guarded(shippingSettingsRoot(writer), shippingScopes)),
    ...Object.fromEntries(guarded(fulfillmentServiceRoot(writer), () => ['write_fulfillments'])),
    ...Object.fromEntries(guarded(collectionRoot(writer), () => ['write_products'])),
    ...Object.fromEntries(guarded(discountRoot(writer), () => ['write_discounts'])),
    ...Object.fromEntries(guarded(customerRoot(writer, writer.privacy), () => ['write_customers'])),
    ...Object.fromEntries(guarded(themesRoot(writer, writer.themes), themeScopes)),
    ...Object.fromEntries(guarded(themeFilesRoot(writer, writer.themes), () => ['write_themes'])),
    ...Object.fromEntries(guarded(webPixelsRoot(writer), pixelScopes)),
    ...Object.fromEntries(guarded(inventoryRoot(writer), inventoryScopes)),
    ...Object.fromEntries(guarded(locationRoot(writer), () => ['write_locations'])),
    ...Object.fromEntries(guarded(transferRoot(writer), () => ['write_inventory_transfers'])),
    ...Object.fromEntries(guarded(shipmentRoot(writer), () => ['write_inventory_shipments'])),
    ...Object.fromEntries(guarded(publishingRoot(writer), () => ['write_publications'])),
    ...Object.fromEntries(guarded(policiesRoot(writer), () => ['write_legal_policies'])),
    ...Object.fromEntries(guarded(backupRegionRoot(writer), marketScopes)),
    ...flowRoot(),
    ...jobRoot(writer.reader.store.nodes),
    ...tagsRoot(writer, mayUse),
  };
}

function orderScopes(name: string): readonly string[] {
  if (name === 'draftOrderSavedSearches') return ['read_draft_orders'];
  if (name.startsWith('draftOrder')) return ['write_draft_orders'];
  return name.startsWith('fulfillment') ? FULFILLMENT : ['write_orders'];
}

function shippingScopes(name: string): readonly string[] {
  return [/Available|^available/.test(name) ? 'read_shipping' : 'write_shipping'];
}

function returnScopes(): readonly string[] {
  return ['write_returns', 'write_orders'];
}

function giftCardScopes(name: string): readonly string[] {
  if (name === 'giftCardConfiguration') return ['read_gift_cards'];
  const isMoved = name === 'giftCardCredit' || name === 'giftCardDebit';
  return [...(isMoved ? ['write_gift_card_transactions'] : []), 'write_gift_cards'];
}

const STORE_CREDIT = ['write_store_credit_account_transactions', 'write_customers'];

function themeScopes(name: string): readonly string[] {
  return [name === 'themes' ? 'read_themes' : 'write_themes'];
}

function pixelScopes(name: string): readonly string[] {
  return [name === 'webPixel' ? 'read_pixels' : 'write_pixels'];
}

function marketScopes(name: string): readonly string[] {
  return [name === 'backupRegion' ? 'read_markets' : 'write_markets'];
}

function inventoryScopes(name: string): readonly string[] {
  if (name === 'inventoryItemUpdate') return ['write_inventory', 'write_products'];
  return QUERIES.has(name) ? ['read_inventory'] : ['write_inventory'];
}

const QUERIES: ReadonlySet<string> = new Set(['inventoryLevel', 'inventoryProperties']);

/** Which one an app needs depends on who fulfills; any of them lets it. */
const FULFILLMENT = ['merchant_managed', 'assigned', 'third_party'].map(
  (kind) => `write_${kind}_fulfillment_orders`,
);
