import { globalId, idOf } from '../../base/vendor.js';
import { countView } from '../../graphql/graphql.views.js';
import type { OwnField } from '../nodes/node-reader.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import {
  PUBLISHABLE,
  publishedOn,
  type Published,
  type PublishedShop,
} from '../../state/products/publications.js';

interface CountArgs {
  readonly onlyPublished?: boolean | null;
}

/**
 * The fields that say where an object is published, and what a publication has.
 * @param apiKey the app that calls; undefined in the Storefront API
 */
export function publishingFields(
  shop: PublishedShop & { readonly catalog: ProductCatalog },
  now: () => Date,
  apiKey: string | undefined,
): Record<string, OwnField> {
  const { nodes, catalog } = shop;
  const isOut = ({ at }: Published): boolean => Date.parse(at) <= now().getTime();
  /** Where an object is, and, unless it is said otherwise, is already. */
  const places = (id: string, { onlyPublished = true }: CountArgs = {}): Published[] => {
    const variant = idOf('ProductVariant', id);
    const product = variant === undefined ? undefined : catalog.variant(variant)?.product;
    const owner = product ? globalId('Product', product.id) : id;
    return publishedOn(shop, owner).filter((one) => onlyPublished === false || isOut(one));
  };
  const entries = (id: string, args: CountArgs): object[] =>
    places(id, args).map((one) => ({
      publication: one.publication.id,
      publishDate: one.at,
      isPublished: isOut(one),
      publishable: id,
    }));
  const productsOn = (publication: string): string[] =>
    catalog
      .all()
      .map(({ id }) => globalId('Product', id))
      .filter((id) => isOn(id, publication));
  const isOn = (id: string, publication: unknown): boolean =>
    places(id).some((one) => one.publication.id === publication);
  const collectionsOn = (publication: string): string[] =>
    nodes
      .all(['Collection'])
      .map(({ id }) => id)
      .filter((id) => isOn(id, publication));

  const fields: Record<string, OwnField> = {
    'Product.publishedAt': (id) => catalog.find(idOf('Product', id) ?? NaN)?.publishedAt ?? null,
    'Publication.products': productsOn,
    'Publication.includedProducts': productsOn,
    'Publication.includedProductsCount': (id) => countView(productsOn(id).length),
    'Publication.collections': collectionsOn,
    'Publication.hasCollection': (id, { id: collection }) =>
      collectionsOn(id).includes(String(collection)),
  };
  for (const type of PUBLISHABLE) {
    Object.assign(fields, {
      [`${type}.publishedOnPublication`]: (id: string, { publicationId }: PublicationArgs) =>
        isOn(id, publicationId),
      [`${type}.publishedOnCurrentPublication`]: (id: string) =>
        places(id).some(
          (one) => apiKey !== undefined && one.publication.fields['appKey'] === apiKey,
        ),
      [`${type}.availablePublicationsCount`]: (id: string) => countView(places(id).length),
      [`${type}.resourcePublicationsCount`]: (id: string, args: CountArgs) =>
        countView(places(id, args).length),
      [`${type}.publicationCount`]: (id: string, args: CountArgs) => places(id, args).length,
      [`${type}.resourcePublications`]: entries,
      [`${type}.resourcePublicationsV2`]: entries,
      [`${type}.unpublishedPublications`]: (id: string) =>
        nodes
          .all(['Publication'])
          .map((publication) => publication.id)
          .filter((publication) => !isOn(id, publication)),
    });
  }
  return fields;
}

interface PublicationArgs {
  readonly publicationId?: unknown;
}
