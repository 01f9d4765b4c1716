import type { DocumentNode, FieldNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';

const MUTATION_COST = 10;
const BUCKET = { maximumAvailable: 2000, restoreRate: 100 };

/** What an operation costs: 10 for a mutation field, 1 for an object, and for a connection 2 and the cost of what it may hold. */
export function operationCost(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const fragments = new Map(
    document.definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === 'FragmentDefinition')
      .map((fragment) => [fragment.name.value, fragment.selectionSet]),
  );
  const costOf = (selections: SelectionSetNode | undefined): number => {
    let cost = 0;
    for (const selection of selections?.selections ?? []) {
      if (selection.kind === 'FragmentSpread') cost += costOf(fragments.get(selection.name.value));
      else if (selection.kind === 'InlineFragment') cost += costOf(selection.selectionSet);
      else if (selection.selectionSet) cost += costOfField(selection, selection.selectionSet);
    }
    return cost;
  };
  const costOfField = (field: FieldNode, selections: SelectionSetNode): number => {
    const size = pageSize(field, variables);
    return size === undefined ? 1 + costOf(selections) : 2 + size * costOf(selections);
  };
  if (operation.operation === 'mutation') return MUTATION_COST * operation.selectionSet.selections.length;
  return costOf(operation.selectionSet);
}

function pageSize(field: FieldNode, variables: Readonly<Record<string, unknown>>): number | undefined {
  const value = field.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
  if (value?.kind === 'IntValue') return Number(value.value);
  const given = value?.kind === 'Variable' ? variables[value.name.value] : undefined;
  return typeof given === 'number' ? given : undefined;
}

/** The `extensions.cost` of an answer, from a bucket that was full before. */
export function costExtension(cost: number): object {
  const { maximumAvailable, restoreRate } = BUCKET;
  const currentlyAvailable = Math.max(0, maximumAvailable - cost);
  return { requestedQueryCost: cost, actualQueryCost: cost, throttleStatus: { maximumAvailable, currentlyAvailable, restoreRate } };
}
