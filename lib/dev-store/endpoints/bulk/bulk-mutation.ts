import type * as GraphQL from 'graphql';
import type { CheckedDocument, GraphqlContext } from '../../graphql/graphql-engine.js';
import type { BulkRows } from '../../state/bulk/bulk-operation.js';

/** Why a mutation cannot run in bulk, as a message; undefined when it can. */
export function bulkMutationProblem({ document }: CheckedDocument): string | undefined {
  const operations = document.definitions.filter(
    (definition) => definition.kind === 'OperationDefinition',
  );
  const [operation] = operations;
  if (operations.length !== 1 || operation?.operation !== 'mutation')
    return 'Bulk mutations must contain exactly one mutation operation.';
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind !== 'Field' || others.length > 0)
    return 'Bulk mutations must contain exactly one mutation field.';
  if (field.name.value.startsWith('bulkOperation'))
    return 'Bulk mutations cannot start bulk operations.';
  return undefined;
}

/**
 * The variables in an uploaded file, one object on each line; undefined when the file is invalid.
 */
export function variablesOf(file: Uint8Array): Array<Record<string, unknown>> | undefined {
  const lines = Buffer.from(file)
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const rows = lines.map(parseObject);
  return rows.length > 0 && rows.every((row) => row !== undefined) ? rows : undefined;
}

/**
 * Runs a mutation once for each object of variables; each result becomes a line with the number of
 * its input line, counted from 0.
 */
export async function runBulkMutation(
  { graphql, schema, document }: CheckedDocument,
  root: object,
  rows: ReadonlyArray<Record<string, unknown>>,
): Promise<BulkRows> {
  const contextValue: GraphqlContext = { whole: false, searches: [] };
  const lines: string[] = [];
  for (const variableValues of rows) {
    const args: GraphQL.ExecutionArgs = {
      schema,
      document,
      rootValue: root,
      contextValue,
      variableValues,
    };
    lines.push(JSON.stringify({ ...(await graphql.execute(args)), __lineNumber: lines.length }));
  }
  return { lines, rootObjectCount: lines.length };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
