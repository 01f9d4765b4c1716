import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { createAdminApiClient } from '../../lib/graphql-client/admin-api-client.js';
import { collect } from '../support/collect.js';
import { json } from '../support/scripted-fetch.js';

const QUERY =
  'query Products($first: Int!, $after: String, $query: String) { products(first: $first, after: $after, query: $query) { nodes { id } } }';

interface Page {
  products: {
    nodes: { id: number }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}
type Variables = { first?: number; after?: string | null; query?: string };

/**
 * A list served page by page, as the platform does it; a page of more than `limit` nodes costs too
 * much.
 */
function listOf(size: number, { limit = 250 } = {}) {
  const asked: Variables[] = [];
  const client = createAdminApiClient({
    storeDomain: 'test-shop.myshopify.com',
    apiVersion: '2026-07',
    accessToken: 'token',
    customFetchApi: async (_, init) => {
      const { variables } = JSON.parse(init?.body ?? '') as { variables: Variables };
      asked.push(variables);
      const { first = 0, after } = variables;
      if (first > limit)
        return json({
          errors: [
            { message: 'Too costly', extensions: { code: 'MAX_COST_EXCEEDED', cost: first * 10 } },
          ],
        });
      const start = after ? Number(after) : 0;
      const end = Math.min(start + first, size);
      const nodes = Array.from({ length: end - start }, (_unused, at) => ({ id: start + at }));
      return json({
        data: {
          products: { nodes, pageInfo: { hasNextPage: end < size, endCursor: String(end) } },
        },
      });
    },
  });
  return { client, asked };
}

const ids = (from: number, to: number): { id: number }[] =>
  Array.from({ length: to - from }, (_, at) => ({ id: from + at }));

function answering(...pages: unknown[]) {
  let at = 0;
  return createAdminApiClient({
    storeDomain: 'test-shop.myshopify.com',
    apiVersion: '2026-07',
    accessToken: 'token',
    customFetchApi: async () => json(pages[Math.min(at++, pages.length - 1)]),
  });
}

describe('paginate', () => {
  it('gives every node once, in order, whatever the sizes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(300),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        async (size, first, limit) => {
          const { client, asked } = listOf(size, { limit });
          expect(
            await collect(client.paginate(QUERY, { first }, (data: Page) => data.products)),
          ).toEqual(ids(0, size));
          expect(asked.at(-1)!.first).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('passes the other variables along and begins where it is told', async () => {
    const { client, asked } = listOf(10);
    const variables = { first: 4, after: '3', query: 'status:active' };
    expect(await collect(client.paginate(QUERY, variables, (data: Page) => data.products))).toEqual(
      ids(3, 10),
    );
    expect(asked).toEqual([variables, { ...variables, after: '7' }]);
  });

  it('asks for a page only when its first node is', async () => {
    const { client, asked } = listOf(100);
    const pages = client.paginate(QUERY, { first: 2 }, (data: Page) => data.products);
    expect(asked).toHaveLength(0);
    for await (const { id } of pages) if (id === 1) break;
    expect(asked).toHaveLength(1);
  });

  it('asks for half as many nodes when a page costs too much, and for no more from then on', async () => {
    const { client, asked } = listOf(100, { limit: 30 });
    expect(
      await collect(client.paginate(QUERY, { first: 100 }, (data: Page) => data.products)),
    ).toHaveLength(100);
    expect(asked.map(({ first, after }) => [first, after])).toEqual([
      [100, undefined],
      [50, undefined],
      [25, undefined],
      [25, '25'],
      [25, '50'],
      [25, '75'],
    ]);
  });

  it('gives up when a single node costs too much, and at once when something else is wrong', async () => {
    await expect(
      collect(
        listOf(5, { limit: 0 }).client.paginate(QUERY, { first: 2 }, (data: Page) => data.products),
      ),
    ).rejects.toMatchObject({
      code: 'ERR_GRAPHQL_QUERY',
      message: 'Too costly',
    });
    const client = answering({
      errors: [{ message: 'Bad', extensions: { code: 'undefinedField' } }],
    });
    await expect(
      collect(client.paginate(QUERY, {}, (data: Page) => data.products)),
    ).rejects.toMatchObject({ message: 'Bad' });
  });

  it('takes 50 nodes per page, or as many as the document says', async () => {
    const { client, asked } = listOf(1);
    await collect(client.paginate(QUERY, {}, (data: Page) => data.products));
    await collect(
      client.paginate(QUERY.replace('Int!', 'Int = 120'), {}, (data: Page) => data.products),
    );
    expect(asked.map(({ first }) => first)).toEqual([50, 120]);
  });

  it('takes edges as well as nodes', async () => {
    const edges = {
      edges: [{ node: { id: 1 } }, { node: { id: 2 } }],
      pageInfo: { hasNextPage: false },
    };
    const client = answering({ data: { orders: edges } });
    expect(
      await collect(client.paginate(QUERY, {}, (data: { orders: typeof edges }) => data.orders)),
    ).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('gives nothing when there is no connection', async () => {
    const client = answering({ data: { product: null } });
    const nodes = client.paginate(
      QUERY,
      {},
      (data: { product: { variants: never } | null }) => data.product?.variants,
    );
    expect(await collect(nodes)).toEqual([]);
  });

  it.each([
    ['the same cursor as before', ['a', 'a'], /"a" for the second time/],
    ['a cursor from further back', ['a', 'b', 'a'], /"a" for the second time/],
    ['no cursor', [null], /endCursor/],
  ])('ends with an error when the platform gives %s', async (_, cursors, message) => {
    const pages = cursors.map((endCursor) => ({
      data: { products: { nodes: [{ id: 1 }], pageInfo: { hasNextPage: true, endCursor } } },
    }));
    const seen: unknown[] = [];
    const walk = async (): Promise<void> => {
      for await (const node of answering(...pages).paginate(
        QUERY,
        {},
        (data: Page) => data.products,
      ))
        seen.push(node);
    };
    await expect(walk()).rejects.toMatchObject({
      code: 'ERR_GRAPHQL_PAGINATION',
      shop: 'test-shop.myshopify.com',
      operation: 'query Products',
      message: expect.stringMatching(message),
    });
    expect(seen).toHaveLength(cursors.length);
  });

  it('refuses a document that takes no cursor', async () => {
    const { client, asked } = listOf(5);
    const text = 'query Products { products(first: 10) { nodes { id } } }';
    await expect(
      collect(client.paginate(text, {}, (data: Page) => data.products)),
    ).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
      message: expect.stringContaining('$after'),
    });
    expect(asked).toEqual([]);
  });
});
