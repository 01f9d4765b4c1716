import { afterEach, describe, expect, it } from '@jest/globals';

import { GraphqlQueryError } from '../../lib/graphql-client/graphql-client.errors.js';
import { GraphqlClient } from '../../lib/graphql-client/graphql.client.js';
import { PlatformApi } from '../../lib/platform/api/platform.api.js';
import { RestClient } from '../../lib/rest-client/rest.client.js';
import type { RequestParams } from '../../lib/rest-client/rest.client.js';
import { SHOP } from '../support/app.js';
import { resolverOf } from '../support/resolver.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';

const session = { shop: SHOP, accessToken: 'shpat_0123456789abcdef' };
const QUERY = '{ shop { name } }';
const opened: { close(): Promise<void> }[] = [];

function appWith(...answers: Response[]) {
  const script = new ScriptedFetch(...answers);
  const lines: string[] = [];
  const logger = { log: (_: unknown, line: string) => void lines.push(line) };
  const app = resolverOf({ fetch: script.fetch, logger });
  opened.push(app);
  return { script, lines, clients: app.get(PlatformApi).clients };
}

afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

describe('without a session, such as one that the storage does not have,', () => {
  const missing = {
    code: 'ERR_ARGUMENT_MISSING',
    message: expect.stringMatching(/^Missing session/),
  };

  it.each([undefined, null])('%s is named as what is missing', async (none) => {
    const app = resolverOf({ fetch: new ScriptedFetch().fetch });
    opened.push(app);
    const { clients, billing, scopes } = app.get(PlatformApi);
    const call = { session: none as unknown as typeof session };
    for (const Client of [clients.Graphql, clients.Storefront, clients.Rest])
      expect(() => new Client(call)).toThrow(expect.objectContaining(missing));
    await expect(billing.check({ ...call, plans: 'Pro' })).rejects.toMatchObject(missing);
    await expect(billing.subscriptions(call)).rejects.toMatchObject(missing);
    await expect(
      billing.cancel({ ...call, subscriptionId: 'gid://shopify/AppSubscription/1' }),
    ).rejects.toMatchObject(missing);
    await expect(scopes.query(call)).rejects.toMatchObject(missing);
    await expect(scopes.revoke({ ...call, scopes: ['a'] })).rejects.toMatchObject(missing);
  });
});

// What `new` gave was no instance of the class, and lost the members of a class that extends it.
describe('the client classes of an app', () => {
  it('are what their instances are told by', () => {
    const { Graphql, Storefront, Rest } = appWith().clients;
    expect(new Graphql({ session })).toBeInstanceOf(Graphql);
    expect(new Graphql({ session })).toBeInstanceOf(GraphqlClient);
    expect(new Graphql({ session })).not.toBeInstanceOf(Storefront);
    expect(new Storefront({ session })).toBeInstanceOf(Storefront);
    expect(new Rest({ session })).toBeInstanceOf(Rest);
    expect(new Rest({ session })).toBeInstanceOf(RestClient);
  });

  it('are told apart between two apps', () => {
    const [one, other] = [appWith().clients, appWith().clients];
    expect(new one.Rest({ session })).not.toBeInstanceOf(other.Rest);
  });

  it('can be extended by a client with members of its own', async () => {
    const { clients, script } = appWith(json({ data: { shop: { name: 'Test' } } }));
    class Counting extends clients.Graphql {
      readonly label = 'mine';
      #calls = 0;

      get calls(): number {
        return this.#calls;
      }

      async shopName(): Promise<string> {
        this.#calls += 1;
        return (await this.request<{ shop: { name: string } }>(QUERY)).data.shop.name;
      }
    }
    const client = new Counting({ session, apiVersion: '2026-04' });
    expect(await client.shopName()).toBe('Test');
    expect([client.calls, client.label, client.apiVersion]).toEqual([1, 'mine', '2026-04']);
    expect([client instanceof Counting, client instanceof clients.Graphql]).toEqual([true, true]);
    expect(script.last.url).toContain('/admin/api/2026-04/');
  });

  it('let a REST client that extends one see every call of its own', async () => {
    const { clients } = appWith(json({ products: [] }), json({ product: {} }));
    const seen: string[] = [];
    class Watching extends clients.Rest {
      protected override request<TBody>(params: RequestParams) {
        seen.push(`${params.method} ${String(params.path)}`);
        return super.request<TBody>(params);
      }
    }
    const client = new Watching({ session });
    await client.get({ path: 'products' });
    await client.post({ path: 'products', data: {} });
    expect(seen).toEqual(['GET products', 'POST products']);
  });

  it('carry the constants of the classes that they extend', () => {
    const { Rest } = appWith().clients;
    expect((Rest as unknown as typeof RestClient).DEFAULT_LIMIT).toBe('50');
  });

  // Members of the clients of the platform's own library that moved apps use.
  it.each(['Graphql', 'Storefront'] as const)(
    'query() as %s did, and say once that it ends',
    async (kind) => {
      const reply = () =>
        json({ data: { shop: { name: 'Test' } } }, { headers: { 'x-request-id': 'one' } });
      const { clients, script, lines } = appWith(reply(), reply(), reply());
      const client = new clients[kind]({ session });
      expect(await client.query<unknown>({ data: QUERY })).toMatchObject({
        body: { data: { shop: { name: 'Test' } } },
        headers: { 'X-Request-Id': ['one'] },
      });
      const variables = { first: 1 };
      await client.query({ data: { query: QUERY, variables }, extraHeaders: { 'X-Own': 'yes' } });
      await new clients[kind]({ session }).query({ data: QUERY, tries: 2 });
      expect(JSON.parse(script.sent[1]!.body!)).toEqual({ query: QUERY, variables });
      expect(script.sent[1]!.headers['x-own']).toBe('yes');
      expect(lines.filter((line) => line.includes('query()'))).toHaveLength(1);
    },
  );

  it('throw what query() meets', async () => {
    const { clients } = appWith(json({ errors: [{ message: 'no such field' }] }));
    await expect(new clients.Graphql({ session }).query({ data: QUERY })).rejects.toBeInstanceOf(
      GraphqlQueryError,
    );
  });

  it.each(['Graphql', 'Storefront'] as const)(
    'have in `client` one that answers errors: %s',
    async (kind) => {
      const { clients, script } = appWith(
        json({ errors: [{ message: 'no such field' }] }),
        json({}, { status: 500 }),
      );
      const Kind = clients[kind] as typeof clients.Graphql;
      const { client } = new Kind({ session, apiVersion: '2026-04' });
      const { data, errors } = await client.request(QUERY);
      expect([data, errors?.message]).toEqual([undefined, 'no such field']);
      expect((await client.fetch(QUERY, { retries: 0 })).status).toBe(500);
      expect(script.last.url).toContain('/api/2026-04/');
    },
  );
});
