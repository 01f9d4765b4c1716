import { typedId } from '../../graphql/graphql.errors.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import { businessEntityView, shopPartView } from './shop.views.js';

/** How many versions the platform serves at a time. */
const SERVED = 4;

/**
 * The resolvers of the queries about the platform itself, and about what a shop is.
 * @param now the time of the store, which says which versions there are
 */
export function platformRoot(shop: ShopIdentity, now: () => Date): Record<string, unknown> {
  return {
    publicApiVersions: () => apiVersions(now()),
    // The store has none of the platform's categories, so that no search finds one.
    taxonomy: () => ({ __typename: 'Taxonomy' }),
    domain: ({ id }: { id: string }) =>
      typedId('Domain', id) === shop.id ? shopPartView(shop, id) : null,
    businessEntities: () => [businessEntityView(shop)],
    businessEntity: ({ id }: { id?: string | null }) =>
      id == null || typedId('BusinessEntity', id) === shop.id ? businessEntityView(shop) : null,
  };
}

/**
 * The versions of the API at a time: those of four quarters, the next one and the unstable one.
 * @see https://shopify.dev/docs/api/usage/versioning
 */
function apiVersions(at: Date): object[] {
  const quarter = Math.floor(at.getUTCMonth() / 3);
  const handleOf = (offset: number): string =>
    new Date(Date.UTC(at.getUTCFullYear(), (quarter + offset) * 3)).toISOString().slice(0, 7);
  const view = (handle: string, note: string, supported: boolean): object => ({
    handle,
    displayName: handle + note,
    supported,
  });
  const served = Array.from({ length: SERVED }, (_, index) => index - SERVED + 1);
  return [
    ...served.map((offset) => view(handleOf(offset), offset === 0 ? ' (Latest)' : '', true)),
    view(handleOf(1), ' (Release candidate)', false),
    view('unstable', '', false),
  ];
}
