/** Checked by the compiler, never run: what users of bulk operations write without a cast. */
import type { AdminContext, BulkMutationRow, BulkOperation, BulkRun } from '../../lib/index.js';

export async function use(admin: AdminContext): Promise<void> {
  for await (const row of admin.bulk.query('{ products { edges { node { id } } } }')) {
    const parent: string | undefined = row.__parentId;
    const title: unknown = row['title'];
    void [parent, title];
  }
  for await (const { title, __children } of admin.bulk.query<{ title: string }>('…', {
    nested: true,
  })) {
    const text: string = title;
    const sku: unknown = __children[0]?.__children[0]?.['sku'];
    void [text, sku];
  }
  const run: BulkRun<BulkMutationRow<{ productCreate: { product: { id: string } } }>> =
    admin.bulk.mutate('…', new Set([{ product: {} }]));
  for await (const { __lineNumber, data } of run)
    void [__lineNumber.toFixed(), data?.productCreate.product.id];
  const operation: BulkOperation = await admin.bulk.resume(await run.start()).finish();
  void operation.objectCount;

  // @ts-expect-error a row of variables is an object
  admin.bulk.mutate('…', ['a']);
  // @ts-expect-error results of mutations are not nested
  admin.bulk.mutate('…', [{}], { nested: true });
  // @ts-expect-error rows that were not asked for nested have no children
  for await (const { __children } of admin.bulk.query<{ id: string }>('…')) void __children;
}
