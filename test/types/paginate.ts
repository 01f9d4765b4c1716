import type { AdminContext } from '../../lib/index.js';

/** What nobody has typed may be used as it is; what is named is checked. Never run. */
export async function pages(admin: AdminContext, text: string): Promise<void> {
  for await (const product of admin.paginate(text, {}, (data) => data.products)) {
    const title: string = product.title;
    void title;
  }
  const pick = (data: {
    products: {
      nodes: { id: string }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  }) => data.products;
  for await (const { id } of admin.paginate(text, {}, pick)) void id.length;
}
