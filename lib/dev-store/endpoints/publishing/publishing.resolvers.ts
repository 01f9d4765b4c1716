import { isoTime } from '../../base/iso-time.js';
import { idOf } from '../../base/vendor.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isPublishable, publish } from '../../state/products/publications.js';

interface PublishArgs {
  id: string;
  input: readonly PublicationInput[];
}

interface PublicationInput {
  readonly publicationId?: string | null;
  readonly publishDate?: string | null;
}

interface ProductArgs {
  input: { id: string; productPublications: readonly PublicationInput[] };
}

interface CollectionArgs {
  input: { id: string; collectionPublications: readonly PublicationInput[] };
}

interface UpdateArgs {
  id: string;
  input: NodeFields & {
    publishablesToAdd?: readonly string[] | null;
    publishablesToRemove?: readonly string[] | null;
    autoPublish?: boolean | null;
  };
}

interface PublishError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code?: string;
}

/** How much one call publishes. */
const MOST = 50;

/**
 * The resolvers of the mutations that publish products and collections, and take them off again.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/publishablePublish
 */
export function publishingRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, catalog, changed, view } = writer;
  const { nodes, defaults } = reader.store;
  const shop = { nodes, catalog };
  const told = (id: string): void => {
    const product = catalog.find(idOf('Product', id) ?? NaN);
    if (product) catalog.changed(product);
    else changed('update', id, nodes.fieldsOf(id));
  };

  /** Why an object is not published on one of several publications. */
  const problemOf = (
    { publicationId, publishDate }: PublicationInput,
    before: readonly PublicationInput[],
  ): PublishError | undefined => {
    const field = ['publicationId'];
    if (publicationId == null) return { field, message: 'PublicationId cannot be empty' };
    if (before.some((other) => other.publicationId === publicationId))
      return { field, message: 'The same publication was specified more than once' };
    if (publishDate != null && Date.parse(publishDate) < 0)
      return {
        field: ['publishDate'],
        message: 'Publish date must be a date after the year 1969',
      };
    return nodes.find(publicationId)?.type === 'Publication'
      ? undefined
      : { field, message: 'Publication does not exist or is not publishable' };
  };

  /** Publishes an object, or takes it off; returns why not. */
  const moved = (id: string, input: readonly PublicationInput[], isOn: boolean): PublishError[] => {
    if (!isPublishable(shop, id)) return [{ field: ['id'], message: 'Resource does not exist' }];
    const errors = input.flatMap((one, index) => {
      const problem = problemOf(one, input.slice(0, index));
      return problem ? [{ ...problem, field: ['input', String(index), ...problem.field] }] : [];
    });
    if (errors.length > 0) return errors;
    for (const { publicationId, publishDate } of input)
      publish(
        shop,
        id,
        publicationId ?? '',
        isOn ? (publishDate ?? isoTime(defaults.now())) : null,
      );
    told(id);
    return [];
  };
  const publishable =
    (isOn: boolean) =>
    ({ id, input }: PublishArgs): object => {
      const userErrors = moved(id, input, isOn);
      return { publishable: view(id), shop: reader.store.shop(), userErrors };
    };
  const onOwnChannel =
    (isOn: boolean) =>
    ({ id }: { id: string }): object => {
      const own = isPublishable(shop, id) ? [{ publicationId: ownPublication(writer) }] : [];
      const userErrors = moved(id, own, isOn);
      return { publishable: view(id), shop: reader.store.shop(), userErrors };
    };
  const collection =
    (isOn: boolean) =>
    ({ input: { id, collectionPublications } }: CollectionArgs): object => {
      const userErrors = moved(id, collectionPublications, isOn);
      const entries = userErrors.length > 0 ? null : collectionPublications;
      return {
        collection: view(id),
        collectionPublications: entries?.map(({ publicationId, publishDate }) => ({
          publication: view(publicationId ?? ''),
          collection: view(id),
          isPublished: isOn,
          publishDate: publishDate ?? isoTime(defaults.now()),
        })),
        shop: reader.store.shop(),
        userErrors,
      };
    };
  const product =
    (isOn: boolean) =>
    ({ input: { id, productPublications } }: ProductArgs): object => {
      const userErrors = moved(id, productPublications, isOn);
      return { product: view(id), shop: reader.store.shop(), userErrors };
    };

  return {
    publishablePublish: publishable(true),
    publishableUnpublish: publishable(false),
    publishablePublishToCurrentChannel: onOwnChannel(true),
    publishableUnpublishToCurrentChannel: onOwnChannel(false),
    collectionPublish: collection(true),
    collectionUnpublish: collection(false),
    productPublish: product(true),
    productUnpublish: product(false),

    publicationUpdate: ({ id, input }: UpdateArgs) => {
      const refused = (error: PublishError): object => ({ publication: null, userErrors: [error] });
      if (nodes.find(id)?.type !== 'Publication')
        return refused({
          field: ['id'],
          message: 'Publication does not exist.',
          code: 'PUBLICATION_NOT_FOUND',
        });
      const lists = ['publishablesToAdd', 'publishablesToRemove'] as const;
      for (const name of lists) {
        const ids = input[name] ?? [];
        if (ids.length > MOST)
          return refused({
            field: ['input', name, String(ids.length)],
            message: 'The limit for simultaneous publication updates has been exceeded.',
            code: 'PUBLICATION_UPDATE_LIMIT_EXCEEDED',
          });
        const unknown = ids.findIndex((one) => !isPublishable(shop, one));
        if (unknown >= 0)
          return refused({
            field: ['input', name, String(unknown)],
            message: 'Publishable ID not found.',
            code: 'INVALID_PUBLISHABLE_ID',
          });
      }
      for (const name of lists)
        for (const one of input[name] ?? [])
          moved(one, [{ publicationId: id }], name === 'publishablesToAdd');
      if (input.autoPublish != null) nodes.update(id, { autoPublish: input.autoPublish });
      changed('update', id, nodes.fieldsOf(id));
      return { publication: view(id), userErrors: [] };
    },
  };
}

/** The publication of the app that calls, which is added when it is first needed. */
function ownPublication({ reader, apiKey }: NodeWriter): string {
  const { nodes } = reader.store;
  const known = nodes.all(['Publication']).find(({ fields }) => fields['appKey'] === apiKey);
  return (known ?? nodes.create('Publication', { name: 'App channel', appKey: apiKey })).id;
}
