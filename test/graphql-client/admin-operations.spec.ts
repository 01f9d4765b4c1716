import { describe, expect, it } from '@jest/globals';

import type { AdminQueries, GraphqlClient } from '../../lib/graphql-client/index.js';

const LIST = '#graphql\n query TypesTestList($first: Int!) { products(first: $first) { nodes { id } } }';
const NAME = '#graphql\n query TypesTestName { shop { name } }';
const RENAME = '#graphql\n mutation TypesTestRename($id: ID!) { rename(id: $id) { ok } }';

declare module '../../lib/graphql-client/index.js' {
  interface AdminQueries {
    [LIST]: { return: { products: { nodes: { id: string }[] } }; variables: { first: number } };
    [NAME]: { return: { shop: { name: string } }; variables: Record<string, never> };
  }
  interface AdminMutations {
    [RENAME]: { return: { rename: { ok: boolean } }; variables: { id: string } };
  }
}

/** Never called: the compiler is the test, and each directive fails the type check when the line below it is accepted. */
async function callsOf(client: GraphqlClient): Promise<unknown[]> {
  const ids: string[] = (await client.request(LIST, { variables: { first: 1 }, retries: 1 })).data.products.nodes.map(({ id }) => id);
  const name: string = (await client.request(NAME)).data.shop.name;
  const again: string = (await client.request(NAME, { retries: 0 })).data.shop.name;
  const ok: boolean = (await client.request(RENAME, { variables: { id: 'gid' } })).data.rename.ok;
  // @ts-expect-error a required variable is missing
  await client.request(LIST);
  // @ts-expect-error a variable has the wrong type
  await client.request(RENAME, { variables: { id: 5 } });
  // @ts-expect-error there is no such field
  void (await client.request(NAME)).data.shop.title;

  const named = (await client.request<{ a: number }>('query { a }', { variables: { anything: true } })).data.a.toFixed();
  const unknownData: unknown = (await client.request('query { a }')).data;
  // @ts-expect-error nothing is known of the data
  void (await client.request('query { a }')).data.a;
  const text: string = LIST;
  const untyped: unknown = (await client.request(text)).data;
  const bound = client.request.bind(client);
  const viaBound: string = (await bound(NAME)).data.shop.name;
  return [ids, name, again, ok, named, unknownData, untyped, viaBound];
}

describe('registered operations', () => {
  it('give a request its types by their text', () => {
    const known: keyof AdminQueries = NAME;
    expect(known).toContain('TypesTestName');
    expect(callsOf).toBeInstanceOf(Function);
  });
});
