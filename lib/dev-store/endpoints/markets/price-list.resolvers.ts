import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isBlank, userError } from '../nodes/user-errors.js';
import { CATALOGS } from './price-list-prices.js';

interface ListInput extends NodeFields {
  readonly name?: string | null;
  readonly currency?: string | null;
  readonly catalogId?: string | null;
  readonly parent?: {
    readonly adjustment?: { readonly type: string; readonly value: number } | null;
  } | null;
}

/** The error about a price list that is not there. */
export const NO_LIST = userError(['id'], 'Price list does not exist.', 'PRICE_LIST_NOT_FOUND');

const WRONG_VALUE =
  'The adjustment value must be a positive value and not be greater than 100% for PERCENTAGE_DECREASE and not be greater than 1000% for PERCENTAGE_INCREASE.';

/**
 * The resolvers of the mutations of price lists.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/priceListCreate
 */
export function priceListRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const isThere = (id: string): boolean => nodes.find(id)?.type === 'PriceList';
  const holders = (id: string): string[] => nodes.naming(id, CATALOGS).map((one) => one.id);
  const problem = (input: ListInput, id?: string): NodeError | undefined => {
    const { name, parent, catalogId } = input;
    const at = (field: string, message: string, code: string): NodeError =>
      userError(['input', ...field.split('.')], message, code);
    if (isBlank(name) && (id === undefined || 'name' in input))
      return at('name', "Name can't be blank", 'BLANK');
    if (String(name ?? '').length > 255)
      return at('name', 'Name is too long (maximum is 255 characters)', 'TOO_LONG');
    if (nodes.all(['PriceList']).some((one) => one.fields['name'] === name && one.id !== id))
      return at('name', 'Name has already been taken', 'TAKEN');
    const { type, value = 0 } = parent?.adjustment ?? {};
    if (value < 0 || value > (type === 'PERCENTAGE_DECREASE' ? 100 : 1000))
      return at('parent.adjustment.value', WRONG_VALUE, 'INVALID_ADJUSTMENT_VALUE');
    if (catalogId == null) return undefined;
    const holder = nodes.find(catalogId);
    if (!holder || !CATALOGS.includes(holder.type))
      return at('catalogId', 'Catalog does not exist.', 'CATALOG_DOES_NOT_EXIST');
    const { priceList = id } = holder.fields;
    return priceList === id || priceList === null
      ? undefined
      : at('catalogId', 'Catalog has a price list already assigned.', 'CATALOG_TAKEN');
  };
  /** Puts a price list into the catalog that an input names, and out of any other. */
  const place = (id: string, input: ListInput): void => {
    if (!('catalogId' in input)) return;
    for (const holder of holders(id)) nodes.update(holder, { priceList: null });
    if (input.catalogId != null) nodes.update(input.catalogId, { priceList: id });
  };
  return {
    priceListCreate: ({ input }: { readonly input: ListInput }) => {
      const error = problem(input);
      if (error) return { priceList: null, userErrors: [error] };
      const { catalogId: _, ...fields } = input;
      const { id } = nodes.create('PriceList', fields);
      place(id, input);
      changed('create', id, fields);
      return { priceList: view(id), userErrors: [] };
    },
    priceListUpdate: ({ id, input }: { readonly id: string; readonly input: ListInput }) => {
      const error = isThere(id) ? problem(input, id) : NO_LIST;
      if (error) {
        const isKept = error.code === 'INVALID_ADJUSTMENT_VALUE';
        return { priceList: isKept ? view(id) : null, userErrors: [error] };
      }
      const { catalogId: _, ...fields } = input;
      const { currency: before, parent } = nodes.fieldsOf(id);
      const isMoved = input.currency != null && input.currency !== before;
      const changes = fields.parent ? { parent: { ...Object(parent), ...fields.parent } } : {};
      nodes.update(id, { ...fields, ...changes, ...(isMoved ? { fixedPrices: [] } : {}) });
      place(id, input);
      changed('update', id, nodes.fieldsOf(id));
      return { priceList: view(id), userErrors: [] };
    },
    priceListDelete: ({ id }: { readonly id: string }) => {
      if (!isThere(id)) return { deletedId: null, userErrors: [NO_LIST] };
      for (const holder of holders(id)) nodes.update(holder, { priceList: null });
      const fields = nodes.fieldsOf(id);
      nodes.delete(id);
      changed('delete', id, fields);
      return { deletedId: id, userErrors: [] };
    },
  };
}
