import { cleanTags } from '../../base/text-values.js';
import { search } from '../../graphql/graphql-search.js';
import { parseSearch, type SearchNode } from '../../graphql/search-query.js';
import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError, isBlank } from '../nodes/user-errors.js';
import { discountIn, METHODS } from './discount-kinds.js';
import { DISCOUNT_SEARCH_FIELDS } from './discount-search.js';
import { movedDiscount } from './discount-fields.js';

/** How a mutation names many objects: in exactly one of three ways. */
export interface Selector {
  readonly ids?: readonly string[] | null;
  readonly search?: string | null;
  readonly savedSearchId?: string | null;
}

/** Why a selector names nothing that a mutation of codes could do something to. */
export function selectorProblem(
  { ids, search: query, savedSearchId }: Selector,
  knows: (id: string) => boolean,
): NodeError | undefined {
  const given = [ids, query, savedSearchId].filter((one) => one != null);
  const names = "'ids', 'search' or 'saved_search_id'";
  if (given.length === 0)
    return inputError(null, `Missing expected argument key: ${names}.`, 'MISSING_ARGUMENT');
  if (given.length > 1)
    return inputError(null, `Only one of ${names} is allowed.`, 'TOO_MANY_ARGUMENTS');
  if (query != null && isBlank(query))
    return inputError('search', "'Search' can't be blank.", 'BLANK');
  return savedSearchId != null && !knows(savedSearchId)
    ? inputError('savedSearchId', "Invalid 'saved_search_id'.", 'INVALID')
    : undefined;
}

/** Automatic discounts have other words for it, and take a blank search. */
function automaticProblem(
  { ids, search: query, savedSearchId }: Selector,
  knows: (id: string) => boolean,
): NodeError | undefined {
  const given = [ids, query, savedSearchId].filter((one) => one != null);
  const names = 'of IDs, search argument or saved search ID is';
  if (given.length === 0) return inputError(null, `One ${names} required.`, 'MISSING_ARGUMENT');
  if (given.length > 1) return inputError(null, `Only one ${names} allowed.`, 'TOO_MANY_ARGUMENTS');
  return savedSearchId != null && !knows(savedSearchId)
    ? inputError('savedSearchId', 'Invalid savedSearchId.', 'INVALID')
    : undefined;
}

/** What the codes that are deleted can be searched by. */
const DELETABLE =
  'created_at discount_type ends_at id starts_at status times_used title updated_at';

/**
 * The resolvers of the mutations of many discounts. Their jobs are done at once.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/discountCodeBulkDelete
 */
export function bulkDiscountRoot(writer: NodeWriter): Record<string, unknown> {
  const { reader, changed } = writer;
  const { nodes, defaults } = reader.store;
  const knows = (id: string): boolean => nodes.find(id)?.type === 'SavedSearch';
  const chosen = (type: string, { ids, search: query, savedSearchId }: Selector): StoredNode[] => {
    const all = nodes.all([type]);
    if (ids) return all.filter(({ id }) => ids.includes(id));
    const saved = savedSearchId == null ? query : nodes.fieldsOf(savedSearchId)['query'];
    return search(all, String(saved ?? ''), DISCOUNT_SEARCH_FIELDS);
  };
  const done = (
    problem: NodeError | undefined,
    work: () => readonly StoredNode[],
    change: (node: StoredNode) => void,
  ): object => {
    if (problem) return { job: null, userErrors: [problem] };
    for (const node of work()) change(node);
    return { job: startedJob(nodes), userErrors: [] };
  };
  const moved = (isStarted: boolean) => (args: Selector) =>
    done(
      selectorProblem(args, knows),
      () => chosen(METHODS.Code.type, args),
      (node) => {
        const codeDiscount = movedDiscount(discountIn(node), isStarted, defaults.now());
        nodes.update(node.id, { codeDiscount });
        changed('update', node.id, nodes.fieldsOf(node.id));
      },
    );
  const tagged =
    (change: (before: readonly string[], tags: readonly string[]) => string[]) =>
    ({ tags, ...args }: Selector & { readonly tags: readonly string[] }) =>
      done(
        selectorProblem(args, knows),
        () => Object.values(METHODS).flatMap(({ type }) => chosen(type, args)),
        (node) => {
          const discount = discountIn(node);
          const { part } = node.type === METHODS.Code.type ? METHODS.Code : METHODS.Automatic;
          const before = (discount['tags'] ?? []) as string[];
          nodes.update(node.id, { [part]: { ...discount, tags: cleanTags(change(before, tags)) } });
        },
      );
  const remove = ({ id, fields }: StoredNode): void => {
    nodes.delete(id);
    changed('delete', id, fields as NodeFields);
  };
  return {
    discountBulkTagsAdd: tagged((before, tags) => [...before, ...tags]),
    discountBulkTagsRemove: tagged((before, tags) => before.filter((one) => !tags.includes(one))),
    discountCodeBulkActivate: moved(true),
    discountCodeBulkDeactivate: moved(false),
    discountCodeBulkDelete: (args: Selector) =>
      done(
        selectorProblem(args, knows) ?? unknownFields(args.search),
        () => chosen(METHODS.Code.type, args),
        remove,
      ),
    discountAutomaticBulkDelete: (args: Selector) =>
      done(
        automaticProblem(args, knows),
        () =>
          args.search != null && isBlank(args.search) ? [] : chosen(METHODS.Automatic.type, args),
        remove,
      ),
  };
}

/**
 * Why a search cannot say what is deleted: its terms of unknown fields would have no effect.
 * @param fields the names of those that are known
 */
export function unknownFields(
  query: string | null | undefined,
  fields: string = DELETABLE,
): NodeError | undefined {
  const known = fields.split(' ');
  const node = parseSearch(query ?? '');
  const unknown = (node ? fieldsIn(node) : []).filter((name) => !known.includes(name));
  const names = [...new Set(unknown)].join(', ');
  return names
    ? inputError('search', `Invalid search field(s): ${names}. Check the query syntax.`, 'INVALID')
    : undefined;
}

function fieldsIn(node: SearchNode): string[] {
  if (node.kind === 'term') return node.field === undefined ? [] : [node.field];
  return node.kind === 'not' ? fieldsIn(node.node) : node.nodes.flatMap(fieldsIn);
}
