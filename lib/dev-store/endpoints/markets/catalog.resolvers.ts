import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { isBlank, itemErrors, userError } from '../nodes/user-errors.js';
import { CATALOGS } from './price-list-prices.js';

interface Context {
  readonly marketIds?: readonly string[] | null;
  readonly companyLocationIds?: readonly string[] | null;
}

interface CatalogInput extends NodeFields {
  readonly title?: string | null;
  readonly context?: Context | null;
  readonly priceListId?: string | null;
  readonly publicationId?: string | null;
}

interface ContextArgs {
  readonly catalogId: string;
  readonly contextsToAdd?: Context | null;
  readonly contextsToRemove?: Context | null;
}

/** What a catalog may be for. */
const CONTEXTS = [
  {
    ids: 'marketIds',
    field: 'markets',
    of: 'Market',
    type: 'MarketCatalog',
    message: 'Market not found.',
    code: 'MARKET_NOT_FOUND',
  },
  {
    ids: 'companyLocationIds',
    field: 'companyLocations',
    of: 'CompanyLocation',
    type: 'CompanyLocationCatalog',
    message: 'Company location not found.',
    code: 'COMPANY_LOCATION_NOT_FOUND',
  },
] as const;

/** What one catalog alone may have. */
const PARTS = [
  { name: 'priceList', of: 'PriceList', label: 'Price list' },
  { name: 'publication', of: 'Publication', label: 'Publication' },
] as const;

const NO_CATALOG = userError(['id'], 'Catalog does not exist', 'CATALOG_NOT_FOUND');

/**
 * The resolvers of the mutations of catalogs of markets and of locations of companies.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/catalogCreate
 */
export function catalogRoot({ reader, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const isThere = (id: string): boolean => CATALOGS.includes(nodes.find(id)?.type ?? '');
  const refused = (...userErrors: readonly NodeError[]): object => ({ catalog: null, userErrors });
  /** The places of a context that name something. */
  const given = (context: Context | null | undefined) =>
    CONTEXTS.filter(({ ids }) => (context?.[ids] ?? []).length > 0);
  const contextErrors = (context: Context | null | undefined, path: string[]): NodeError[] =>
    given(context).flatMap(({ ids, of, message, code }) =>
      itemErrors(context?.[ids] ?? [], [...path, ids], (id, at) =>
        nodes.find(id)?.type === of ? [] : [userError(at, message, code)],
      ),
    );
  const problems = (input: CatalogInput, id?: string): NodeError[] => {
    const { title, context } = input;
    if (isBlank(title) && (id === undefined || 'title' in input))
      return [userError(['input', 'title'], "Title can't be blank", 'BLANK')];
    const path = ['input', 'context'];
    if ((id === undefined || context != null) && given(context).length !== 1) {
      const message = 'Must provide exactly one context type.';
      return [userError(path, message, 'MUST_PROVIDE_EXACTLY_ONE_CONTEXT_TYPE')];
    }
    const wrong = contextErrors(context, path);
    if (wrong.length > 0) return wrong;
    return PARTS.flatMap(({ name, of, label }) => {
      const part = input[`${name}Id`];
      if (part == null) return [];
      const at = ['input', `${name}Id`];
      const code = `${of === 'PriceList' ? 'PRICE_LIST' : 'PUBLICATION'}_NOT_FOUND`;
      if (nodes.find(String(part))?.type !== of)
        return [userError(at, `${label} not found.`, code)];
      const holder = nodes.naming(String(part), CATALOGS).find((one) => one.id !== id);
      return holder ? [userError(at, `${label} has already been taken`, 'TAKEN')] : [];
    });
  };
  /** The fields that an input sets. */
  const fieldsOf = ({
    context,
    priceListId,
    publicationId,
    ...fields
  }: CatalogInput): NodeFields => ({
    ...fields,
    ...Object.fromEntries(given(context).map(({ ids, field }) => [field, context?.[ids]])),
    ...(priceListId === undefined ? {} : { priceList: priceListId }),
    ...(publicationId === undefined ? {} : { publication: publicationId }),
  });
  const saved = (id: string, fields: NodeFields): object => {
    nodes.update(id, fields);
    changed('update', id, nodes.fieldsOf(id));
    return { catalog: view(id), userErrors: [] };
  };
  return {
    catalogCreate: ({ input }: { readonly input: CatalogInput }) => {
      const userErrors = problems(input);
      const [context] = given(input.context);
      if (userErrors.length > 0 || !context) return refused(...userErrors);
      const { id } = nodes.create(context.type, fieldsOf(input));
      changed('create', id, nodes.fieldsOf(id));
      return { catalog: view(id), userErrors };
    },
    catalogUpdate: ({ id, input }: { readonly id: string; readonly input: CatalogInput }) => {
      const userErrors = isThere(id) ? problems(input, id) : [NO_CATALOG];
      return userErrors.length > 0 ? refused(...userErrors) : saved(id, fieldsOf(input));
    },
    catalogContextUpdate: ({ catalogId: id, contextsToAdd, contextsToRemove }: ContextArgs) => {
      if (!isThere(id)) return refused({ ...NO_CATALOG, field: ['catalogId'] });
      if (!contextsToAdd && !contextsToRemove) {
        const message = 'Must have `contexts_to_add` or `contexts_to_remove` argument.';
        return refused(userError(['contextsToAdd'], message, 'REQUIRES_CONTEXTS_TO_ADD_OR_REMOVE'));
      }
      const userErrors = contextErrors(contextsToAdd, ['contextsToAdd']);
      if (userErrors.length > 0) return refused(...userErrors);
      const fields = CONTEXTS.map(({ ids, field }) => {
        const before = (nodes.fieldsOf(id)[field] ?? []) as string[];
        const gone = contextsToRemove?.[ids] ?? [];
        const after = new Set([...before, ...(contextsToAdd?.[ids] ?? [])]);
        return [field, [...after].filter((one) => !gone.includes(one))];
      });
      return saved(id, Object.fromEntries(fields) as NodeFields);
    },
    catalogDelete: ({ id }: { readonly id: string }) => {
      if (!isThere(id)) return { deletedId: null, userErrors: [NO_CATALOG] };
      const fields = nodes.fieldsOf(id);
      nodes.delete(id);
      // The platform deletes them even without `deleteDependentResources`, as recorded of it.
      for (const { name } of PARTS) nodes.delete(String(fields[name]));
      changed('delete', id, fields);
      return { deletedId: id, userErrors: [] };
    },
  };
}
