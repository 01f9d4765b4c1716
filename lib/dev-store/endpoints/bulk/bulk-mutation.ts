import { parsedObject } from '../../base/typed-values.js';
import type { CheckedDocument } from '../../graphql/graphql-engine.js';
import { execute, type Resolution } from '../../graphql/graphql-execution.js';
import { coerceVariables } from '../../graphql/graphql-variables.js';
import type { BulkRows } from '../../state/bulk/bulk-operation.js';

/** Why a mutation cannot run in bulk, as a user error of the platform; undefined when it can. */
export function bulkMutationProblem({
  document,
}: CheckedDocument): { field: string[] | null; message: string; code: string | null } | undefined {
  const operations = document.definitions.filter(
    (definition) => definition.kind === 'OperationDefinition',
  );
  const [operation] = operations;
  if (operation?.operation !== 'mutation') {
    const message = 'Invalid operation type. Only `mutation` operations are supported.';
    return { field: null, message, code: 'INVALID_MUTATION' };
  }
  const [field, ...others] = operation.selectionSet.selections;
  if (operations.length !== 1 || field?.kind !== 'Field' || others.length > 0) {
    const message = 'You must specify a single top level mutation.';
    return { field: ['mutation'], message, code: null };
  }
  if (field.name.value.startsWith('bulkOperation'))
    return {
      field: ['mutation'],
      message: 'You must use an allowed mutation name.',
      code: null,
    };
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
  const rows = lines.map(parsedObject);
  return rows.length > 0 && rows.every((row) => row !== undefined) ? rows : undefined;
}

/**
 * Runs a mutation once for each object of variables; each result becomes a line with the number of
 * its input line, counted from 0.
 */
export async function runBulkMutation(
  checked: CheckedDocument,
  resolution: Resolution,
  rows: ReadonlyArray<Record<string, unknown>>,
): Promise<BulkRows> {
  const { graphql, schema, document } = checked;
  const operation = graphql.getOperationAST(document);
  const lines: string[] = [];
  for (const variables of rows) {
    const coerced = operation && coerceVariables(graphql, schema, operation, variables);
    const result =
      coerced && 'errors' in coerced
        ? { errors: coerced.errors }
        : await execute(checked, resolution, { variables });
    lines.push(JSON.stringify({ ...result, __lineNumber: lines.length }));
  }
  return { lines, rootObjectCount: lines.length };
}
