import type * as GraphQL from 'graphql';
import type { CheckedDocument, GraphqlContext } from '../../graphql/graphql-engine.js';
import { BulkFailure, type BulkRows } from '../../state/bulk/bulk-operation.js';

const MOST_CONNECTIONS = 5;
const DEEPEST_NESTING = 2;

/**
 * Marks the results of connections, to distinguish them from other objects. No client can use such
 * a name: `__` is reserved.
 */
const MARK = '__connection';

/** Why a query cannot run in bulk, as a message; undefined when it can. */
export function bulkQueryProblem({
  graphql,
  schema,
  document,
}: CheckedDocument): string | undefined {
  const operations = document.definitions.filter(
    (definition) => definition.kind === 'OperationDefinition',
  );
  const [operation] = operations;
  if (operations.length !== 1 || operation?.operation !== 'query')
    return 'Bulk queries must contain exactly one query operation.';
  if (operation.variableDefinitions?.length) return 'Bulk queries cannot use variables.';
  const problems: string[] = [];
  const nodes: Array<{ hasId: boolean }> = [];
  let connections = 0;
  let depth = 0;
  const types = new graphql.TypeInfo(schema);
  const enter = (field: GraphQL.FieldNode): void => {
    const parent = types.getParentType();
    if (parent === schema.getQueryType() && /^nodes?$/.test(field.name.value))
      problems.push('Bulk queries cannot look up nodes by their ids.');
    if (field.alias && /(Connection|Edge)$/.test(parent?.name ?? ''))
      problems.push('Bulk queries cannot rename the fields of a connection.');
    if (isNode(types, field)) nodes.push({ hasId: selectsId(field) });
    if (!isConnection(graphql, types)) return;
    connections++;
    if (++depth > DEEPEST_NESTING)
      problems.push(`Bulk queries cannot nest connections deeper than ${DEEPEST_NESTING} levels.`);
    if (nodes.at(-1)?.hasId === false)
      problems.push(
        `The node that holds the nested connection "${field.name.value}" must select "id" without an alias.`,
      );
  };
  const leave = (field: GraphQL.FieldNode): void => {
    if (isNode(types, field)) nodes.pop();
    if (isConnection(graphql, types)) depth--;
  };
  graphql.visit(document, graphql.visitWithTypeInfo(types, { Field: { enter, leave } }));
  if (connections === 0) problems.push('Bulk queries must contain at least one connection.');
  if (connections > MOST_CONNECTIONS)
    problems.push(`Bulk queries cannot contain more than ${MOST_CONNECTIONS} connections.`);
  return problems[0];
}

/**
 * Runs a query in bulk: every item of every connection becomes a line; an item of a nested
 * connection names its parent.
 * @param grouped whether items directly follow their parent; otherwise all parents come first
 * @throws BulkFailure when the query is denied or fails
 */
export async function runBulkQuery(
  { graphql, schema, document }: CheckedDocument,
  root: object,
  grouped: boolean,
): Promise<BulkRows> {
  const types = new graphql.TypeInfo(schema);
  const marked = graphql.visit(
    document,
    graphql.visitWithTypeInfo(types, {
      Field: (field) => (isConnection(graphql, types) ? markConnection(graphql, field) : undefined),
    }),
  );
  const contextValue: GraphqlContext = { whole: true, searches: [] };
  const { data, errors } = await graphql.execute({
    schema,
    document: marked,
    rootValue: root,
    contextValue,
  });
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
