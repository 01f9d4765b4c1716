import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { NodeFields, NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError, isBlank, tooLong } from '../nodes/user-errors.js';
import { savedQuery, savedQueryErrors } from './saved-search-query.js';

interface SearchInput {
  readonly id?: string;
  readonly name?: string | null;
  readonly query?: string | null;
  readonly resourceType?: string;
}

interface InputArgs {
  readonly input: SearchInput;
}

const MOST_NAME = 40;
/** The searches that a shop has from the start. */
const OWN_NAMES: Readonly<Record<string, string>> = { PRODUCT: 'All products' };
const DEPRECATED = 'Customer saved searches have been deprecated. Use Segmentation API instead.';

/** The lists of saved searches, by what they find. */
const LISTS: Readonly<Record<string, string>> = {
  automaticDiscountSavedSearches: 'PRICE_RULE',
  codeDiscountSavedSearches: 'PRICE_RULE',
  collectionSavedSearches: 'COLLECTION',
  customerSavedSearches: 'CUSTOMER',
  discountRedeemCodeSavedSearches: 'DISCOUNT_REDEEM_CODE',
  fileSavedSearches: 'FILE',
  orderSavedSearches: 'ORDER',
  productSavedSearches: 'PRODUCT',
  urlRedirectSavedSearches: 'URL_REDIRECT',
};

/**
 * The resolvers of the searches that a shop keeps.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/savedSearchCreate
 */
export function savedSearchRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, view } = writer;
  const { nodes } = reader.store;
  const found = ({ id = '' }: SearchInput): StoredNode | undefined => {
    const node = nodes.find(id);
    return node?.type === 'SavedSearch' ? node : undefined;
  };
  const errorsOf = (input: SearchInput, resourceType: string): readonly NodeError[] => {
    const { id, name, query } = input;
    const isTaken =
      name != null &&
      (OWN_NAMES[resourceType] === name ||
        ofType(nodes, resourceType).some((one) => one.id !== id && one.fields['name'] === name));
    const isNameless = isBlank(name) && (id === undefined || 'name' in input);
    return [
      ...(isNameless ? [inputError('input.name', "Name can't be blank")] : []),
      ...tooLong('input.name', name, ['Name', MOST_NAME]),
      ...(isTaken ? [inputError('input.name', 'Name has already been taken')] : []),
      ...savedQueryErrors(query ?? '', resourceType).map((one) => inputError('input.query', one)),
    ];
  };
  const refused = (result: string, ...userErrors: readonly NodeError[]): object => ({
    [result]: null,
    userErrors,
  });
  return {
    savedSearchCreate: ({ input }: InputArgs) => {
      const { name, query, resourceType = '' } = input;
      if (resourceType === 'CUSTOMER') return refused('savedSearch', inputError(null, DEPRECATED));
      const userErrors = errorsOf(input, resourceType);
      if (userErrors.length > 0) return refused('savedSearch', ...userErrors);
      const fields = { name, query, resourceType, ...savedQuery(query ?? '') };
      return { savedSearch: view(nodes.create('SavedSearch', fields).id), userErrors };
    },
    savedSearchUpdate: ({ input }: InputArgs) => {
      const node = found(input);
      if (!node) return refused('savedSearch', MISSING);
      const { id, ...given } = input;
      const query = given.query == null ? {} : { query: given.query, ...savedQuery(given.query) };
      const userErrors = errorsOf(input, String(node.fields['resourceType']));
      if (userErrors.length > 0) {
        // What was asked for is answered, though not kept.
        const echo: NodeFields = { ...node.fields, ...query, id };
        return { savedSearch: reader.objectOf(echo), userErrors };
      }
      nodes.update(node.id, { ...(given.name == null ? {} : { name: given.name }), ...query });
      return { savedSearch: view(node.id), userErrors };
    },
    savedSearchDelete: ({ input }: InputArgs) => {
      const node = found(input);
      if (!node) return refused('deletedSavedSearchId', MISSING);
      nodes.delete(node.id);
      return { deletedSavedSearchId: node.id, userErrors: [] };
    },
    ...Object.fromEntries(
      Object.entries(LISTS).map(([name, resourceType]) => [
        name,
        savedSearches(writer, resourceType),
      ]),
    ),
  };
}

/** The resolver of the saved searches for one type of what is searched for, e.g. `ORDER`. */
export function savedSearches({ reader, view }: NodeWriter, resourceType: string) {
  return (args: ConnectionArgs, context: GraphqlContext): unknown => {
    const found = ofType(reader.store.nodes, resourceType);
    const rows = found.map(({ id, number }) => ({ id: number, gid: id }));
    return connection(rows, args, context, ({ gid }) => view(gid) ?? {});
  };
}

function ofType(nodes: NodeStore, resourceType: string): StoredNode[] {
  return nodes.all(['SavedSearch']).filter(({ fields }) => fields['resourceType'] === resourceType);
}

const MISSING = inputError('input.id', 'Saved Search does not exist');
