import { isoTime } from '../../base/iso-time.js';
import { jsonValueOf } from '../../base/typed-values.js';
import { globalId } from '../../base/vendor.js';
import { compareDigest, type StoredMetafield } from '../../state/metafields/metafield-store.js';
import { typeOfId } from '../nodes/node-reader.js';

/** The kind of the object with an id that has metafields, as the schema names it. */
export function ownerTypeOf(ownerId: string): string {
  const type = typeOfId(ownerId);
  return type === 'AppInstallation' ? 'API_PERMISSION' : type.toUpperCase();
}

/**
 * A metafield as the schema describes it.
 * @param node any object of the shop; null for an id that nothing has
 */
export function metafieldView(
  one: StoredMetafield,
  node: (args: { id: string }) => object | null,
): object {
  const isReference = one.type.endsWith('_reference');
  return {
    __typename: 'Metafield',
    id: globalId('Metafield', one.id),
    legacyResourceId: String(one.id),
    namespace: one.namespace,
    key: one.key,
    type: one.type,
    value: one.value,
    jsonValue: jsonValueOf(one.type, one.value),
    compareDigest: compareDigest(one),
    sizeInBytes: Buffer.byteLength(one.value),
    ownerType: ownerTypeOf(one.ownerId),
    owner: () => node({ id: one.ownerId }),
    reference: () => (isReference ? node({ id: one.value }) : null),
    createdAt: isoTime(one.createdAt),
    updatedAt: isoTime(one.updatedAt),
  };
}
