import { globalId } from '../../base/vendor.js';
import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { nodeValue } from '../nodes/node-search.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { inputError, isBlank, tooLong } from '../nodes/user-errors.js';
import { segmentFinder } from './segment-members.js';
import { LONGEST_QUERY, parseSegmentQuery } from './segment-query.js';

interface SegmentArgs {
  readonly id?: string;
  readonly name?: string | null;
  readonly query?: string | null;
}

interface MembersArgs extends ConnectionArgs {
  readonly query?: string | null;
  readonly queryId?: string | null;
  readonly segmentId?: string | null;
}

/** How many numbers are tried for a name that another segment has. */
const TRIES = 10;

/**
 * The resolvers of segments and of the customers in them.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/segmentCreate
 */
export function segmentRoot({ reader, view, changed }: NodeWriter): Record<string, unknown> {
  const { nodes, defaults } = reader.store;
  const now = (): string => defaults.now().toISOString();
  const refused = (result: string, ...userErrors: readonly NodeError[]): object => ({
    [result]: null,
    userErrors,
  });
  /** A name that no other segment has; undefined after too many tries. */
  const freeName = (name: string, id?: string): string | undefined => {
    const taken = new Set(
      nodes.all(['Segment']).flatMap((one) => (one.id === id ? [] : [one.fields['name']])),
    );
    const [, base = name, count] = /^(.*) \((\d{1,6})\)$/s.exec(name) ?? [];
    const names = [...Array(TRIES).keys()].map(
      (index) => `${base} (${Number(count ?? 1) + index + 1})`,
    );
    return [name, ...names].find((one) => !taken.has(one));
  };
  const written = ({ id, ...given }: SegmentArgs): object => {
    if (id !== undefined && nodes.find(id)?.type !== 'Segment')
      return refused('segment', inputError('id', 'Segment does not exist'));
    const errors = id !== undefined && isEmpty(given) ? [UNCHANGED] : segmentErrors(given);
    if (errors.length > 0) return refused('segment', ...errors);
    const name = given.name == null ? undefined : freeName(given.name, id);
    if (given.name != null && name === undefined)
      return refused('segment', inputError('name', 'Name has already been taken'));
    const fields = {
      ...(name === undefined ? {} : { name }),
      ...(given.query == null ? {} : { query: given.query }),
      lastEditDate: now(),
    };
    if (id !== undefined) nodes.update(id, fields);
    const kept =
      id ??
      nodes.create('Segment', {
        ...fields,
        ...{ creationDate: now(), tagMigrated: false, valid: true },
      }).id;
    changed(id === undefined ? 'create' : 'update', kept, nodes.fieldsOf(kept));
    return { segment: view(kept), userErrors: [] };
  };
  /** The query that is asked for; undefined when it is that of nothing known. */
  const queryOf = ({ query, queryId, segmentId }: MembersArgs): string | undefined => {
    if (query != null) return query;
    const node = nodes.find(queryId ?? segmentId ?? '');
    return node && String(node.fields['query'] ?? '');
  };
  const members = (query: string): StoredNode[] =>
    segmentFinder(nodes, defaults.now())(query, nodes.all(['Customer']));
  const memberView = (node: StoredNode): object =>
    reader.objectOf({
      ...Object.fromEntries(SHARED.map((name) => [name, nodeValue(node, name) ?? null])),
      id: globalId('CustomerSegmentMember', node.number),
      numberOfOrders: node.fields['numberOfOrders'] ?? `${nodes.naming(node.id, ['Order']).length}`,
      lastOrderId: nodes.naming(node.id, ['Order']).at(-1)?.id ?? null,
    });
  return {
    segmentCreate: (args: SegmentArgs) => written(args),
    segmentUpdate: (args: SegmentArgs) => written(args),
    customerSegmentMembersQueryCreate: ({ input }: { readonly input: MembersArgs }) => {
      const refusal = (message: string, place: string | null = null): object =>
        refused('customerSegmentMembersQuery', inputError(place, message, 'INVALID'));
      const names = [input.query, input.segmentId].filter((one) => one != null);
      if (names.length !== 1) return refusal(names.length === 0 ? NO_NAME : BOTH_NAMES, 'input');
      const query = queryOf(input);
      if (query === undefined) return refusal('Invalid segment ID.');
      const [error] = parseSegmentQuery(query).errors;
      if (error !== undefined) return refusal(error);
      const { id } = nodes.create('CustomerSegmentMembersQuery', {
        ...{ query, currentCount: 0, done: false },
      });
      nodes.afterCall(() => nodes.update(id, { done: true, currentCount: members(query).length }));
      return { customerSegmentMembersQuery: view(id), userErrors: [] };
    },
    customerSegmentMembers: (args: MembersArgs, context: GraphqlContext) => {
      const query = queryOf(args);
      const found = query === undefined ? [] : members(query);
      const rows = found.map((node) => ({ id: node.number, node }));
      return {
        ...connection(rows, args, context, ({ node }) => memberView(node)),
        ...{ totalCount: found.length },
        statistics: { attributeStatistics: { average: 0, sum: 0 } },
      };
    },
    customerSegmentMembership: ({
      customerId,
      segmentIds,
    }: {
      readonly customerId: string;
      readonly segmentIds: readonly string[];
    }) => {
      const customer = nodes.find(customerId);
      const asked = customer?.type === 'Customer' ? [customer] : [];
      const found = segmentFinder(nodes, defaults.now());
      const memberships = segmentIds.flatMap((segmentId) => {
        const query =
          nodes.find(segmentId)?.type === 'Segment' ? queryOf({ segmentId }) : undefined;
        if (query === undefined) return [];
        return [{ segmentId, isMember: found(query, asked).length > 0 }];
      });
      return { memberships };
    },
  };
}

/** What the members of a segment have of customers. */
const SHARED = [
  ...['amountSpent', 'defaultAddress', 'defaultEmailAddress', 'defaultPhoneNumber'],
  ...['displayName', 'firstName', 'lastName', 'note'],
];

const NO_NAME = 'You must provide one of segment_id or query.';
const BOTH_NAMES = 'Providing both segment_id and query is not supported.';
const UNCHANGED = inputError(null, 'At least one attribute to change must be present');

function isEmpty({ name, query }: SegmentArgs): boolean {
  return name == null && query == null;
}

function segmentErrors(args: SegmentArgs): readonly NodeError[] {
  const { name, query } = args;
  const isNameless = 'name' in args && isBlank(name);
  const first = isNameless
    ? [inputError('name', "Name can't be blank")]
    : tooLong('name', name, ['Name']);
  const second =
    query != null && isBlank(query)
      ? [inputError('query', "Query can't be blank")]
      : tooLong('query', query, ['Query', LONGEST_QUERY]);
  if (first.length > 0 || second.length > 0 || query == null) return [...first, ...second];
  return parseSegmentQuery(query).errors.map((error) => inputError('query', `Query ${error}`));
}
