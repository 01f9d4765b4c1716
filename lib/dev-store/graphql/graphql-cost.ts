import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import type { ApiBucket } from '../base/api-limits.js';

const MUTATION_COST = 10;

/** The most a single query may cost, regardless of the bucket. */
export const MAX_COST = 1000;

/** One operation of a document, with the variables it is called with. */
export interface CostedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * The cost of an operation: 10 for a mutation field, 1 for an object, and for a connection 2 plus
 * the cost of each of its items.
 * @param data the result; without it, connections count as many items as were requested
 */
export function operationCost(
  { document, operation, variables }: CostedOperation,
  data?: unknown,
): number {
  if (operation.operation === 'mutation')
    return MUTATION_COST * operation.selectionSet.selections.length;
  const fragments = new Map(
    document.definitions
      .filter(
        (definition): definition is FragmentDefinitionNode =>
          definition.kind === 'FragmentDefinition',
      )
      .map((fragment) => [fragment.name.value, fragment.selectionSet]),
  );
  const costOf = (selections: SelectionSetNode | undefined, value: unknown): number => {
    let cost = 0;
    for (const selection of selections?.selections ?? []) {
      if (selection.kind === 'FragmentSpread')
        cost += costOf(fragments.get(selection.name.value), value);
      else if (selection.kind === 'InlineFragment') cost += costOf(selection.selectionSet, value);
      else if (selection.selectionSet)
        cost += costOfField(selection, selection.selectionSet, valueOf(selection, value));
    }
    return cost;
  };
  const costOfField = (field: FieldNode, selections: SelectionSetNode, value: unknown): number => {
    if (value === null) return 0;
    const size = pageSize(field, variables);
    if (size === undefined) return 1 + costOf(selections, Array.isArray(value) ? value[0] : value);
    if (value === undefined) return 2 + size * costOf(selections, undefined);
    return itemsOf(value).reduce<number>((cost, item) => cost + costOf(selections, item), 2);
  };
  return costOf(operation.selectionSet, data);
}

/** The result of a field; undefined before the execution. */
function valueOf(field: FieldNode, parent: unknown): unknown {
  if (parent === undefined) return undefined;
  return (parent as Record<string, unknown> | null)?.[(field.alias ?? field.name).value] ?? null;
}

/** The result of a connection, split into connections of one item each. */
function itemsOf(connection: unknown): unknown[] {
  const entries = Object.entries(connection as Record<string, unknown>);
  const length = Math.max(0, ...entries.map(([, list]) => (Array.isArray(list) ? list.length : 0)));
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(
      entries.map(([name, list]) => [
        name,
        Array.isArray(list) ? (list as unknown[])[index] : list,
      ]),
    ),
  );
}

function pageSize(
  field: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): number | undefined {
  const value = field.arguments?.find(
    ({ name }) => name.value === 'first' || name.value === 'last',
  )?.value;
  if (value?.kind === 'IntValue') return Math.max(0, Number(value.value));
  const given = value?.kind === 'Variable' ? variables[value.name.value] : undefined;
  return typeof given === 'number' ? Math.max(0, given) : undefined;
}

/** The `extensions` of a response. @param actual null when nothing was executed */
export function costExtension(requested: number, actual: number | null, bucket: ApiBucket): object {
  const { capacity: maximumAvailable, available: currentlyAvailable, restoreRate } = bucket;
  const throttleStatus = { maximumAvailable, currentlyAvailable, restoreRate };
  return { cost: { requestedQueryCost: requested, actualQueryCost: actual, throttleStatus } };
}
