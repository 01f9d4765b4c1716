import type * as GraphQL from 'graphql';
import type { CheckedDocument } from '../../graphql/graphql-engine.js';
import { execute, type Resolution } from '../../graphql/graphql-execution.js';
import { BulkFailure, type BulkRows } from '../../state/bulk/bulk-operation.js';

const MOST_CONNECTIONS = 5;
/** Connections inside others: those of the query itself are at depth 0. */
const DEEPEST_NESTING = 2;

/**
 * Marks the results of connections, to distinguish them from other objects. No client can use such
 * a name: `__` is reserved.
 */
const MARK = '__connection';

/**
 * Why a query cannot run in bulk, in the platform's words; empty when it can.
 * @see https://shopify.dev/docs/api/usage/bulk-operations/queries#operation-restrictions
 */
export function bulkQueryProblems(checked: CheckedDocument): string[] {
  const operations = checked.document.definitions.filter(
    (definition) => definition.kind === 'OperationDefinition',
  );
  const [operation] = operations;
  if (operation?.operation !== 'query')
    return ['Invalid operation type. Only `query` operations are supported.'];
  if (operations.length !== 1) return ['Bulk queries must contain exactly one query operation.'];
  if (operation.variableDefinitions?.length) return ['Bulk queries cannot use variables.'];
  const found = findingsOf(checked);
  const { lookups, renamed, unsupported, withoutId } = found;
  const problems = [...lookups].map(
    (name) => `Bulk queries cannot contain a top level \`${name}\` field.`,
  );
  const quoted = [...unsupported].map((name) => `'${name}'`).join(', ');
  if (unsupported.size > 0)
    problems.push(
      `All connection fields in a bulk query must select their contents using 'edges' > 'node', e.g: '${[...unsupported][0]} { edges { node {'. Selecting via 'nodes' is not supported. Invalid connection fields: ${quoted}.`,
    );
  if (renamed) problems.push('Bulk queries cannot rename the fields of a connection.');
  if (withoutId.size > 0)
    problems.push(
      `The parent 'node' field for a nested connection must select the 'id' field without an alias and must be of 'ID' return type. Connection fields without 'id': ${[...withoutId].join(', ')}.`,
    );
  if (found.isInList)
    problems.push(
      'Queries that contain a connection field within a list field are not currently supported.',
    );
  if (found.depth > DEEPEST_NESTING)
    problems.push(
      `Bulk queries cannot contain connections with a nesting depth greater than ${DEEPEST_NESTING}.`,
    );
  if (found.connections === 0) problems.push('Bulk queries must contain at least one connection.');
  if (found.connections > MOST_CONNECTIONS)
    problems.push(`Bulk queries cannot contain more than ${MOST_CONNECTIONS} connections.`);
  return problems;
}

/** What a query has that bulk operations restrict. */
interface Findings {
  connections: number;
  /** Of the deepest connection: 0 when it is in no other. */
  depth: number;
  isInList: boolean;
  renamed: boolean;
  /** The fields that look up nodes by ids. */
  readonly lookups: Set<string>;
  /** Connections that select `nodes`. */
  readonly unsupported: Set<string>;
  /** Connections with nested ones whose node does not select its id. */
  readonly withoutId: Set<string>;
}

function findingsOf({ graphql, schema, document }: CheckedDocument): Findings {
  const found: Findings = {
    connections: 0,
    depth: 0,
    isInList: false,
    renamed: false,
    lookups: new Set(),
    unsupported: new Set(),
    withoutId: new Set(),
  };
  const nodes: boolean[] = [];
  const connections: string[] = [];
  let lists = 0;
  const types = new graphql.TypeInfo(schema);
  const isOtherList = (field: GraphQL.FieldNode): boolean =>
    graphql.isListType(graphql.getNullableType(types.getType())) && !ITEMS.has(field.name.value);
  const enter = (field: GraphQL.FieldNode): void => {
    const parent = types.getParentType();
    const name = field.name.value;
    if (parent === schema.getQueryType() && /^nodes?$/.test(name)) found.lookups.add(name);
    if (field.alias && /(Connection|Edge)$/.test(parent?.name ?? '')) found.renamed = true;
    if (name === 'nodes' && parent?.name.endsWith('Connection'))
      found.unsupported.add(connections.at(-1) ?? '');
    if (isNode(types, field)) nodes.push(selectsId(field));
    if (isOtherList(field)) lists++;
    if (!isConnection(graphql, types)) return;
    found.connections++;
    found.depth = Math.max(found.depth, connections.length);
    if (lists > 0) found.isInList = true;
    if (nodes.at(-1) === false) found.withoutId.add(connections.at(-1) ?? '');
    connections.push(name);
  };
  const leave = (field: GraphQL.FieldNode): void => {
    if (isNode(types, field)) nodes.pop();
    if (isOtherList(field)) lists--;
    if (isConnection(graphql, types)) connections.pop();
  };
  graphql.visit(document, graphql.visitWithTypeInfo(types, { Field: { enter, leave } }));
  return found;
}

const ITEMS: ReadonlySet<string> = new Set(['edges', 'nodes']);

/**
 * Runs a query in bulk: every item of every connection becomes a line; an item of a nested
 * connection names its parent.
 * @param grouped whether items directly follow their parent; otherwise all parents come first
 * @throws BulkFailure when the query is denied or fails
 */
export async function runBulkQuery(
  checked: CheckedDocument,
  resolution: Resolution,
  grouped: boolean,
): Promise<BulkRows> {
  const { graphql, schema, document } = checked;
  const types = new graphql.TypeInfo(schema);
  const marked = graphql.visit(
    document,
    graphql.visitWithTypeInfo(types, {
      Field: (field) => (isConnection(graphql, types) ? markConnection(graphql, field) : undefined),
    }),
  );
  const { data, errors } = await execute(checked, resolution, { document: marked, whole: true });
  if (errors)
    throw new BulkFailure(
      errors.some(({ extensions }) => extensions['code'] === 'ACCESS_DENIED')
        ? 'ACCESS_DENIED'
        : 'INTERNAL_SERVER_ERROR',
    );
  return rowsOf(data, grouped);
}

function markConnection({ Kind }: typeof GraphQL, field: GraphQL.FieldNode): GraphQL.FieldNode {
  const mark: GraphQL.FieldNode = {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: MARK },
    name: { kind: Kind.NAME, value: '__typename' },
  };
  const selections = [...(field.selectionSet?.selections ?? []), mark];
  return { ...field, selectionSet: { kind: Kind.SELECTION_SET, selections } };
}

type Row = Record<string, unknown>;

function rowsOf(data: unknown, grouped: boolean): BulkRows {
  const lines: string[] = [];
  const later: Array<() => void> = [];
  const add = (nodes: readonly Row[], parentId: unknown): void => {
    for (const node of nodes) {
      const { own, connections } = split(node);
      lines.push(JSON.stringify(parentId === undefined ? own : { ...own, __parentId: parentId }));
      const addChildren = (): void => connections.forEach((children) => add(children, node['id']));
      if (grouped) addChildren();
      else later.push(addChildren);
    }
  };
  const roots = split(data as Row).connections;
  for (const nodes of roots) add(nodes, undefined);
  // Grows during the loop: children may have children.
  for (const addChildren of later) addChildren();
  return { lines, rootObjectCount: roots.reduce((count, nodes) => count + nodes.length, 0) };
}

/** An object without its connections, and the nodes of each of these, at any depth. */
function split(object: Row): { own: Row; connections: Row[][] } {
  const connections: Row[][] = [];
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([, inner]) => {
      if (!isMarked(inner)) return true;
      connections.push(nodesOf(inner));
      return false;
    });
    return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner)]));
  };
  return { own: without(object) as Row, connections };
}

function isMarked(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && MARK in value;
}

function nodesOf({ edges, nodes }: Row): Row[] {
  if (Array.isArray(nodes)) return nodes as Row[];
  return Array.isArray(edges)
    ? (edges as Array<{ node?: Row }>).flatMap(({ node }) => (node ? [node] : []))
    : [];
}

function isConnection({ getNamedType }: typeof GraphQL, types: GraphQL.TypeInfo): boolean {
  return getNamedType(types.getType())?.name.endsWith('Connection') ?? false;
}

function isNode(types: GraphQL.TypeInfo, field: GraphQL.FieldNode): boolean {
  const parent = types.getParentType()?.name ?? '';
  return (
    (parent.endsWith('Edge') && field.name.value === 'node') ||
    (parent.endsWith('Connection') && field.name.value === 'nodes')
  );
}

function selectsId({ selectionSet }: GraphQL.FieldNode): boolean {
  return (
    selectionSet?.selections.some(
      (selection) =>
        selection.kind === 'Field' && selection.name.value === 'id' && !selection.alias,
    ) ?? false
  );
}
