import { BulkTransferError } from './bulk.errors.js';
import type { JsonlBatch, JsonlRow } from './jsonl.reader.js';

/**
 * A row with everything that belongs to it, in the order of the file. A child's `id` or
 * `__typename` tells which connection it came from.
 */
export type NestedRow<Row = JsonlRow> = Row & { readonly __children: readonly NestedRow[] };

interface Node {
  readonly __children: Node[];
  readonly [field: string]: unknown;
}

/**
 * Nests rows below their parents. Holds one row without a parent and what belongs to it, so the
 * file must be grouped.
 * @throws {BulkTransferError} with the number of a line whose parent does not belong to the current
 * group
 */
export async function* nested(batches: AsyncIterable<JsonlBatch>): AsyncGenerator<JsonlBatch> {
  let root: Node | undefined;
  let family = new Map<unknown, Node>();
  for await (const { rows, firstLine } of batches) {
    const complete: JsonlRow[] = [];
    for (const [index, row] of rows.entries()) {
      const node: Node = { ...row, __children: [] };
      if (row['__parentId'] === undefined) {
        if (root) complete.push(root);
        root = node;
        family = new Map();
      } else {
        const parent = family.get(row['__parentId']);
        if (!parent) throw notGrouped(firstLine + index);
        parent.__children.push(node);
      }
      if (row['id'] !== undefined) family.set(row['id'], node);
    }
    if (complete.length > 0) yield { rows: complete, firstLine };
  }
  if (root) yield { rows: [root], firstLine: 0 };
}

function notGrouped(line: number): BulkTransferError {
  return new BulkTransferError(
    `Line ${line} of the file does not follow its parent. Only operations that were started with \`nested: true\`, and select the \`id\` of each parent, can be read nested.`,
    { line },
  );
}
