import { AccessDenied } from '../../graphql/graphql-access.js';
import { inventoryRoot } from '../inventory/inventory.resolvers.js';
import { locationRoot } from '../inventory/location.resolvers.js';
import { fulfillmentOrderRoot } from '../orders/fulfillment-order.resolvers.js';
import { fulfillmentRequestsRoot } from '../orders/fulfillment-requests.resolvers.js';
import { orderEditRoot } from '../orders/order-edit.resolvers.js';
import { orderRoot } from '../orders/order.resolvers.js';
import { refundRoot } from '../orders/refund.resolvers.js';
import { returnRoot } from '../orders/return.resolvers.js';
import { filesRoot } from '../products/files.resolvers.js';
import { publishingRoot } from '../publishing/publishing.resolvers.js';
import { themeFilesRoot } from '../themes/theme-files.resolvers.js';
import { themesRoot } from '../themes/theme.resolvers.js';
import { webPixelsRoot } from '../web-pixels/web-pixels.resolvers.js';
import { collectionRoot } from './collection.resolvers.js';
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
    ...Object.fromEntries(guarded(orderEditRoot(writer), () => ['write_order_edits'])),
    ...Object.fromEntries(guarded(fulfillmentOrderRoot(writer), () => FULFILLMENT)),
    ...Object.fromEntries(guarded(fulfillmentRequestsRoot(writer), () => FULFILLMENT)),
    ...Object.fromEntries(guarded(filesRoot(writer), () => ['write_files', 'write_products'])),
    ...Object.fromEntries(guarded(refundRoot(writer), () => ['write_orders'])),
    ...Object.fromEntries(guarded(returnRoot(writer), () => ['write_returns', 'write_orders'])),
    ...Object.fromEntries(guarded(collectionRoot(writer), () => ['write_products'])),
    ...Object.fromEntries(guarded(discountRoot(writer), () => ['write_discounts'])),
    ...Object.fromEntries(guarded(customerRoot(writer, writer.privacy), () => ['write_customers'])),
    ...Object.fromEntries(guarded(themesRoot(writer, writer.themes), themeScopes)),
    ...Object.fromEntries(guarded(themeFilesRoot(writer, writer.themes), () => ['write_themes'])),
    ...Object.fromEntries(guarded(webPixelsRoot(writer), pixelScopes)),
    ...Object.fromEntries(guarded(inventoryRoot(writer), inventoryScopes)),
    ...Object.fromEntries(guarded(locationRoot(writer), () => ['write_locations'])),
    ...Object.fromEntries(guarded(publishingRoot(writer), () => ['write_publications'])),
    ...jobRoot(writer.reader.store.nodes),
    ...tagsRoot(writer, mayUse),
  };
}

function orderScopes(name: string): readonly string[] {
  if (name.startsWith('draftOrder')) return ['write_draft_orders'];
  return name.startsWith('fulfillment') ? FULFILLMENT : ['write_orders'];
}

function themeScopes(name: string): readonly string[] {
  return [name === 'themes' ? 'read_themes' : 'write_themes'];
}

function pixelScopes(name: string): readonly string[] {
  return [name === 'webPixel' ? 'read_pixels' : 'write_pixels'];
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
