import { connection, type ConnectionArgs } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import { search } from '../../graphql/graphql-search.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { Product } from '../../state/products/product.js';
import { productOrder, STOREFRONT_PRODUCT_FIELDS } from '../products/product-search.js';
import { storefrontProduct } from './storefront.views.js';

interface SearchArgs extends ConnectionArgs {
  query: string;
  sortKey?: string | null;
  types?: readonly string[] | null;
}

interface PredictiveArgs {
  query: string;
  limit?: number | null;
  types?: readonly string[] | null;
}

interface FirstArgs {
  first: number;
}

/** The types of what a search finds besides products, by their names in arguments. */
const CONTENT = { PAGE: 'Page', ARTICLE: 'Article', COLLECTION: 'Collection' } as const;

/**
 * The resolvers of searches in a storefront.
 * @param products those on sale, when the token may read them
 */
export function searchRoot(
  { nodes }: { readonly nodes: NodeStore },
  products: (field: string) => Product[],
): Record<string, unknown> {
  const found = (field: string, query: string): Product[] =>
    search(products(field), query, STOREFRONT_PRODUCT_FIELDS);
  const content = (kind: keyof typeof CONTENT, query: string): Content[] => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return nodes
      .all([CONTENT[kind]])
      .filter(({ fields }) => {
        const title = String(fields['title'] ?? '').toLowerCase();
        return words.every((word) => title.includes(word));
      })
      .map(({ id, number, type }) => ({ id: number, view: { __typename: type, id } }));
  };
  /** Every value that products have, once, in order. */
  const values = (of: (product: Product) => readonly string[]) => {
    return ({ first }: FirstArgs, context: GraphqlContext): object => {
      const all = [...new Set(products('products').flatMap(of))].filter(Boolean).sort();
      const items = all.map((value, index) => ({ id: index + 1, value }));
      const { edges, pageInfo } = connection(items, { first }, context, ({ value }) => ({
        value,
      })) as { edges: Array<{ cursor: string; node: { value: string } }>; pageInfo: object };
      const texts = edges.map(({ cursor, node }) => ({ cursor, node: node.value }));
      return { edges: texts, nodes: texts.map(({ node }) => node), pageInfo };
    };
  };
  return {
    search: (args: SearchArgs, context: GraphqlContext) => {
      const kinds = args.types?.length ? args.types : ['PRODUCT', 'PAGE', 'ARTICLE'];
      const sold = kinds.includes('PRODUCT') ? found('search', args.query) : [];
      const items: Content[] = [
        ...sold
          .sort(productOrder(args.sortKey))
          .map((product) => ({ id: product.id, view: storefrontProduct(product) })),
        ...(kinds.includes('PAGE') ? content('PAGE', args.query) : []),
        ...(kinds.includes('ARTICLE') ? content('ARTICLE', args.query) : []),
      ];
      const page = connection(items, args, context, ({ view }) => view);
      return { ...page, totalCount: items.length, productFilters: [] };
    },
    predictiveSearch: ({ query, limit, types }: PredictiveArgs) => {
      const most = Math.min(limit ?? 10, 10);
      const isWanted = (kind: string): boolean => !types?.length || types.includes(kind);
      const some = (kind: keyof typeof CONTENT): object[] =>
        isWanted(kind)
          ? content(kind, query)
              .slice(0, most)
              .map(({ view }) => view)
          : [];
      const sold = isWanted('PRODUCT') ? found('predictiveSearch', `${query}*`) : [];
      return {
        products: sold.slice(0, most).map(storefrontProduct),
        collections: some('COLLECTION'),
        pages: some('PAGE'),
        articles: some('ARTICLE'),
        queries: [],
      };
    },
    productTags: values(({ tags }) => tags),
    productTypes: values(({ productType }) => [productType]),
  };
}

/** What a search has found. */
interface Content {
  readonly id: number;
  readonly view: object;
}
