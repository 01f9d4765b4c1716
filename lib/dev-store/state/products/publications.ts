import { isoTime } from '../../base/iso-time.js';
import { globalId, idOf } from '../../base/vendor.js';
import type { NodeStore, StoredNode } from '../nodes/node-store.js';
import type { Product } from './product.js';

/** Where a product or a collection is published, and since when, or from when on. */
export interface Published {
  readonly publication: StoredNode;
  readonly at: string;
}

/** The part of a shop that publications are read from. */
export interface PublishedShop {
  readonly nodes: NodeStore;
  readonly catalog: { find(id: number): Product | undefined };
}

/** The types that are published; variants are where their product is. */
export const PUBLISHABLE = ['Product', 'Collection', 'ProductVariant'] as const;

/** Where an object is published: new products on every publication that publishes by itself. */
export function publishedOn({ nodes, catalog }: PublishedShop, id: string): Published[] {
  const dates = datesOf(nodes, id);
  const created = catalog.find(idOf('Product', id) ?? NaN)?.createdAt;
  return nodes.all(['Publication']).flatMap((publication) => {
    const isAutomatic = publication.fields['autoPublish'] === true && created;
    const at = publication.id in dates ? dates[publication.id] : isAutomatic && isoTime(created);
    return at ? [{ publication, at }] : [];
  });
}

/** Since when a product is on the online store, the first publication; null while it is not. */
export function onlineSince(shop: PublishedShop, product: Product, now: Date): string | null {
  const store = shop.nodes.first('Publication');
  const places = publishedOn(shop, globalId('Product', product.id));
  const at = Date.parse(places.find(({ publication }) => publication === store)?.at ?? '');
  return product.status === 'active' && at <= now.getTime() ? isoTime(new Date(at)) : null;
}

/** Publishes an object from a time on, or, with null, no longer. */
export function publish(
  { nodes }: PublishedShop,
  id: string,
  publicationId: string,
  at: string | null,
): void {
  datesOf(nodes, id)[publicationId] = at;
}

/** Whether something with such an id can be published. */
export function isPublishable({ nodes, catalog }: PublishedShop, id: string): boolean {
  return (
    catalog.find(idOf('Product', id) ?? NaN) !== undefined || nodes.find(id)?.type === 'Collection'
  );
}

function datesOf(nodes: NodeStore, id: string): Record<string, string | null> {
  return nodes.partOf(id, 'publications') as Record<string, string | null>;
}
