import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

const SEEDS = [
  { title: 'Drill', vendor: 'Mill', tags: ['tool'] },
  { title: 'Anvil', vendor: 'Forge', status: 'draft' as const },
  {
    title: 'Crucible',
    vendor: 'Forge',
    tags: ['tool', 'clay'],
    descriptionHtml: '<p>Fired <b>clay</b></p>',
  },
  { title: 'Bellows', vendor: 'Forge' },
];

interface Answer {
  data?: Fields;
  errors?: Array<{ message: string; extensions?: Record<string, unknown>; path?: unknown[] }>;
  extensions?: Record<string, unknown>;
}
type Fields = Record<string, Record<string, unknown>>;

/** A field of one of the answer's root fields, which must be there. */
function part<T>(data: Fields, root: string, field: string): T {
  const found = data[root]?.[field];
  if (found === undefined) throw new Error(`The answer has no ${root}.${field}`);
  return found as T;
}

describe('Admin GraphQL of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;

  beforeAll(async () => {
    const apps = ['key', 'reader', 'other'].map((apiKey) => ({
      apiKey,
      apiSecretKey: 'hush',
      appUrl: 'http://localhost:3000',
      name: 'Labels',
    }));
    const shops = [{ domain: 'dev-shop.myshopify.com', products: SEEDS }];
    devStore = await DevStore.open({ apps, shops, limits: { graphql: 'off' } });
    shop = devStore.shop();
    token = shop.install('key', { scopes: ['write_products', 'read_orders'] });
  });
  afterAll(() => devStore.close());

  const post = (
    body: string,
    accessToken = token,
    contentType = 'application/json',
    version = '2026-07',
  ): Promise<Response> =>
    fetch(`${shop.origin}/admin/api/${version}/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': accessToken, 'Content-Type': contentType },
      body,
    });
  const run = async (
    query: string,
    variables: object = {},
    accessToken = token,
  ): Promise<Answer> => {
    const reply = await post(JSON.stringify({ query, variables }), accessToken);
    expect(reply.status).toBe(200);
    return (await reply.json()) as Answer;
  };
  const data = async (query: string, variables: object = {}): Promise<Fields> => {
    const { data, errors } = await run(query, variables);
    expect(errors).toBeUndefined();
    return data ?? {};
  };

  it('answers without a valid token with 401', async () => {
    expect((await post('{"query":"{ shop { name } }"}', 'shpat_wrong')).status).toBe(401);
  });

  it('describes the shop and the installation', async () => {
    expect(
      await data(
        '{ shop { id name myshopifyDomain url plan { publicDisplayName } } currentAppInstallation { app { title apiKey } accessScopes { handle } } }',
      ),
    ).toEqual({
      shop: {
        id: `gid://shopify/Shop/${shop.id}`,
        name: 'Dev Shop',
        myshopifyDomain: 'dev-shop.myshopify.com',
        url: 'https://dev-shop.myshopify.com',
        plan: { publicDisplayName: 'Development' },
      },
      currentAppInstallation: {
        app: { title: 'Labels', apiKey: 'key' },
        accessScopes: [
          { handle: 'read_products' },
          { handle: 'write_products' },
          { handle: 'read_orders' },
        ],
      },
    });
  });

  it('takes a bare document as application/graphql', async () => {
    expect(
      await (await post('{ shop { name } }', token, 'application/graphql')).json(),
    ).toMatchObject({
      data: { shop: { name: 'Dev Shop' } },
    });
  });

  it('tells what a query cost: an object 1, a connection 2 and twice the logarithm', async () => {
    const { extensions } = await run(
      'query ($n: Int!) { shop { name } products(first: $n) { nodes { id } } }',
      { n: 3 },
    );
    // shop 1 + connection 2 + ⌊2 ln 3⌋ × node 1
    expect(extensions).toEqual({
      cost: {
        requestedQueryCost: 5,
        actualQueryCost: 5,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1995, restoreRate: 100 },
      },
    });
    expect(
      (
        await run(
          'mutation { productDelete(input: { id: "gid://shopify/Product/1" }) { deletedProductId } }',
        )
      ).extensions,
    ).toMatchObject({
      cost: { requestedQueryCost: 10 },
    });
  });

  it('answers an operation with mistakes with 200 and errors', async () => {
    for (const query of [
      '{ shop { nothing } }',
      '{ shop',
      '{ products(first: "two") { nodes { id } } }',
      'query A { shop { name } } query B { shop { name } }',
    ]) {
      const answer = await run(query);
      expect(answer.data ?? {}).toEqual({});
      expect(answer.errors?.[0]?.message).toEqual(expect.any(String));
    }
  });

  it.each(['{', '[]', '{}', '{"query":""}', '{"query":"{ shop { name } }","variables":[1]}'])(
    'answers the body %s with 400',
    async (body) => {
      const reply = await post(body);
      expect([reply.status, await reply.json()]).toEqual([400, { errors: expect.anything() }]);
    },
  );

  it('is reached by POST alone', async () => {
    expect((await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`)).status).toBe(405);
  });

  it('knows the names of subscriptions only in the versions that have them', async () => {
    const query = JSON.stringify({
      query: '{ webhookSubscriptions(first: 1) { nodes { name } } }',
    });
    expect(await (await post(query, token, 'application/json', '2026-01')).json()).toHaveProperty(
      'errors',
    );
    expect(
      await (await post(query, token, 'application/json', '2026-04')).json(),
    ).not.toHaveProperty('errors');
    expect(
      await (await post(query, token, 'application/json', 'unstable')).json(),
    ).not.toHaveProperty('errors');
  });

  describe('products', () => {
    const titles = async (args: string): Promise<unknown> => {
      const answer = await data(`{ products(${args}) { nodes { title } } }`);
      return part<Array<{ title: string }>>(answer, 'products', 'nodes').map(({ title }) => title);
    };

    it('come in pages, forward and backward', async () => {
      const page =
        '{ edges { cursor node { title } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';
      const first = (await data(`{ products(first: 3) ${page} }`))['products'] as {
        edges: object[];
        pageInfo: Record<string, string>;
      };
      expect(first.edges).toMatchObject([
        { node: { title: 'Drill' } },
        { node: { title: 'Anvil' } },
        { node: { title: 'Crucible' } },
      ]);
      expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
      const next = await data(
        `query ($after: String) { products(first: 3, after: $after) ${page} }`,
        {
          after: first.pageInfo['endCursor'],
        },
      );
      expect(next['products']).toMatchObject({
        edges: [{ node: { title: 'Bellows' } }],
        pageInfo: { hasNextPage: false, hasPreviousPage: true },
      });
      const back = await data(
        `query ($before: String) { products(last: 2, before: $before) ${page} }`,
        {
          before: part<Record<string, string>>(next, 'products', 'pageInfo')['startCursor'],
        },
      );
      expect(back['products']).toMatchObject({
        edges: [{ node: { title: 'Anvil' } }, { node: { title: 'Crucible' } }],
        pageInfo: { hasNextPage: true, hasPreviousPage: true },
      });
    });

    it('keep the place of a cursor whose product is gone', async () => {
      const { product } = shop.createProduct({ title: 'Passing' });
      const answer = await data('{ products(last: 1) { pageInfo { endCursor } } }');
      const { endCursor } = part<{ endCursor: string }>(answer, 'products', 'pageInfo');
      shop.deleteProduct(product?.id ?? 0);
      const later = shop.createProduct({ title: 'Later' });
      expect(await titles(`first: 5, after: "${endCursor}"`)).toEqual(['Later']);
      shop.deleteProduct(later.product?.id ?? 0);
    });

    it('are sorted and searched', async () => {
      expect(await titles('first: 9, sortKey: TITLE')).toEqual([
        'Anvil',
        'Bellows',
        'Crucible',
        'Drill',
      ]);
      expect(await titles('first: 9, sortKey: TITLE, reverse: true')).toEqual([
        'Drill',
        'Crucible',
        'Bellows',
        'Anvil',
      ]);
      expect(await titles('first: 9, query: "vendor:Forge AND status:active"')).toEqual([
        'Crucible',
        'Bellows',
      ]);
      expect(await titles('first: 9, query: "tag:clay"')).toEqual(['Crucible']);
      expect(await titles('first: 9, query: "title:\\"anv*\\""')).toEqual(['Anvil']);
      expect(await titles(`first: 9, query: "id:>${shop.products[2]?.id}"`)).toEqual(['Bellows']);
      expect(
        (await data('{ productsCount(query: "drill") { count precision } }'))['productsCount'],
      ).toEqual({
        count: 1,
        precision: 'EXACT',
      });
    });

    it('are searched by more than one condition', async () => {
      const of = (query: string) => titles(`first: 9, query: ${JSON.stringify(query)}`);
      expect(await of('(vendor:Forge OR vendor:Mill) -status:draft')).toEqual([
        'Drill',
        'Crucible',
        'Bellows',
      ]);
      expect(await of('NOT tag:tool')).toEqual(['Anvil', 'Bellows']);
      expect(await of('status:ACTIVE,draft title:b*')).toEqual(['Bellows']);
      expect(await of('tag:* created_at:>2020-01-01')).toEqual(['Drill', 'Crucible']);
      expect(await of(`id:gid://shopify/Product/${shop.products[0]?.id}`)).toEqual(['Drill']);
      expect(await of('tag:(tool')).toEqual([]);
      expect(await of('metafields.custom.color:red')).toEqual([]);
    });

    it('are told what of a search had no effect', async () => {
      const query = '{ found: products(first: 9, query: "shoe_size:9") { nodes { id } } }';
      expect(await run(query)).toMatchObject({
        data: { found: { nodes: Array(shop.products.length).fill({}) } },
        extensions: {
          search: [
            {
              path: ['found'],
              query: 'shoe_size:9',
              parsed: { field: 'shoe_size', match_all: '9' },
              warnings: [
                {
                  field: 'shoe_size',
                  message: 'Invalid search field for this query.',
                  code: 'invalid_field',
                },
              ],
            },
          ],
        },
      });
      const { data, extensions } = await run(
        '{ productsCount(query: "status:gone OR id:>=1 -tag:x") { count } }',
      );
      expect(data).toEqual({ productsCount: { count: shop.products.length } });
      expect(extensions?.['search']).toEqual([
        {
          path: ['productsCount'],
          query: 'status:gone OR id:>=1 -tag:x',
          parsed: {
            or: [
              { field: 'status', match_all: 'gone' },
              {
                and: [
                  { field: 'id', range: { gte: '1' } },
                  { not: { field: 'tag', match_all: 'x' } },
                ],
              },
            ],
          },
          warnings: [
            {
              field: 'status',
              message: 'Input `gone` is not an accepted value.',
              code: 'invalid_value',
            },
          ],
        },
      ]);
    });

    it('are told how a search was understood when the call asks for it', async () => {
      const ask = async (headers: Record<string, string>): Promise<unknown> => {
        const reply = await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, {
          method: 'POST',
          headers: {
            'X-Shopify-Access-Token': token,
            'Content-Type': 'application/json',
            ...headers,
          },
          body: JSON.stringify({ query: '{ productsCount(query: "drill*") { count } }' }),
        });
        return ((await reply.json()) as Answer).extensions?.['search'];
      };
      expect(await ask({})).toBeUndefined();
      expect(await ask({ 'Shopify-Search-Query-Debug': '1' })).toEqual([
        {
          path: ['productsCount'],
          query: 'drill*',
          parsed: { field: 'default', match_all: 'drill*' },
          warnings: [],
        },
      ]);
    });

    it.each([
      ['', 'you must provide one of first or last'],
      ['(first: 251)', 'first cannot exceed 250'],
      ['(last: 251)', 'last cannot exceed 250'],
      ['(first: -1)', 'first must be greater than 0'],
      ['(first: 1, last: 1)', 'providing both first and last is not supported'],
      ['(first: 1, after: "x")', 'Invalid cursor: x'],
    ])('are refused with the arguments %s', async (args, message) => {
      expect((await run(`{ products${args} { nodes { id } } }`)).errors).toMatchObject([
        { message, extensions: { code: 'BAD_REQUEST' } },
      ]);
    });

    it('may be asked for none, for what a page of them costs by itself', async () => {
      for (const size of ['first: 0', 'last: 0']) {
        const answer = await run(`{ products(${size}) { nodes { id } } }`);
        expect(answer.data).toEqual({ products: { nodes: [] } });
        expect(answer.extensions).toMatchObject({
          cost: { requestedQueryCost: 2, actualQueryCost: 2 },
        });
      }
    });

    it('are read one by one, also as nodes', async () => {
      const id = `gid://shopify/Product/${shop.products[2]?.id}`;
      const fields =
        'title descriptionHtml description status tags variants(first: 1) { nodes { price displayName product { title } } } variantsCount { count }';
      const { product, node } = await data(
        `query ($id: ID!) { product(id: $id) { ${fields} } node(id: $id) { __typename ... on Product { title } } }`,
        { id },
      );
      expect(product).toEqual({
        title: 'Crucible',
        descriptionHtml: '<p>Fired <b>clay</b></p>',
        description: 'Fired clay',
        status: 'ACTIVE',
        tags: ['clay', 'tool'],
        variants: {
          nodes: [
            {
              price: '0.00',
              displayName: 'Crucible - Default Title',
              product: { title: 'Crucible' },
            },
          ],
        },
        variantsCount: { count: 1 },
      });
      expect(node).toEqual({ __typename: 'Product', title: 'Crucible' });
      expect(
        await data(
          '{ product(id: "gid://shopify/Product/1") { id } node(id: "gid://shopify/Nonsense/1") { id } }',
        ),
      ).toEqual({
        product: null,
        node: null,
      });
    });

    it('are created, changed and deleted', async () => {
      const created = await data(
        'mutation ($product: ProductCreateInput) { productCreate(product: $product) { product { id title status handle } userErrors { field message } } }',
        {
          product: { title: 'Étau', status: 'DRAFT', tags: ['new'] },
        },
      );
      expect(created['productCreate']).toEqual({
        product: { id: expect.any(String), title: 'Étau', status: 'DRAFT', handle: 'etau' },
        userErrors: [],
      });
      const { id } = part<{ id: string }>(created, 'productCreate', 'product');
      const update =
        'mutation ($product: ProductUpdateInput) { productUpdate(product: $product) { product { title tags } userErrors { message } } }';
      expect((await data(update, { product: { id, title: 'Vise' } }))['productUpdate']).toEqual({
        product: { title: 'Vise', tags: ['new'] },
        userErrors: [],
      });
      const remove =
        'mutation ($id: ID!) { productDelete(input: { id: $id }) { deletedProductId userErrors { field message } } }';
      expect((await data(remove, { id }))['productDelete']).toEqual({
        deletedProductId: id,
        userErrors: [],
      });
      const gone = [{ field: ['id'], message: 'Product does not exist' }];
      expect((await data(remove, { id }))['productDelete']).toEqual({
        deletedProductId: null,
        userErrors: gone,
      });
    });

    it('without a title are a user error', async () => {
      const { productCreate } = await data(
        'mutation { productCreate(product: { title: " " }) { product { id } userErrors { field message } } }',
      );
      expect(productCreate).toEqual({
        product: null,
        userErrors: [{ field: ['title'], message: "Title can't be blank" }],
      });
    });

    it('are denied to an app without the scope', async () => {
      const reader = shop.install('reader', { scopes: ['read_products'] });
      expect((await run('{ productsCount { count } }', {}, reader)).errors).toBeUndefined();
      expect(
        await run(
          'mutation { productCreate(product: { title: "x" }) { product { id } } }',
          {},
          reader,
        ),
      ).toMatchObject({
        data: { productCreate: null },
        errors: [
          {
            message:
              'Access denied for productCreate field. Required access: `write_products` access scope.',
            path: ['productCreate'],
            extensions: { code: 'ACCESS_DENIED', requiredAccess: '`write_products` access scope.' },
          },
        ],
      });
    });
  });

  describe('webhook subscriptions', () => {
    const CREATE = `mutation ($topic: WebhookSubscriptionTopic!, $webhookSubscription: WebhookSubscriptionInput!) {
      webhookSubscriptionCreate(topic: $topic, webhookSubscription: $webhookSubscription) {
        webhookSubscription { id topic uri includeFields name apiVersion { handle } endpoint { __typename ... on WebhookHttpEndpoint { callbackUrl } } }
        userErrors { field message }
      }
    }`;

    it('are created, listed, changed and deleted', async () => {
      const callbackUrl = 'https://app.example.com/hooks';
      const webhookSubscription = { callbackUrl, includeFields: ['id'], name: 'mine' };
      const created = await data(CREATE, { topic: 'PRODUCTS_CREATE', webhookSubscription });
      expect(created['webhookSubscriptionCreate']).toEqual({
        webhookSubscription: {
          id: expect.stringMatching(/^gid:\/\/shopify\/WebhookSubscription\/\d+$/),
          topic: 'PRODUCTS_CREATE',
          uri: callbackUrl,
          includeFields: ['id'],
          name: 'mine',
          apiVersion: { handle: '2026-07' },
          endpoint: { __typename: 'WebhookHttpEndpoint', callbackUrl },
        },
        userErrors: [],
      });
      const { id } = part<{ id: string }>(
        created,
        'webhookSubscriptionCreate',
        'webhookSubscription',
      );
      expect(
        await data(
          '{ webhookSubscriptions(first: 5, topics: [PRODUCTS_CREATE]) { edges { node { id } } } webhookSubscriptionsCount { count } }',
        ),
      ).toEqual({
        webhookSubscriptions: { edges: [{ node: { id } }] },
        webhookSubscriptionsCount: { count: 1 },
      });
      const update =
        'mutation ($id: ID!) { webhookSubscriptionUpdate(id: $id, webhookSubscription: { includeFields: [] }) { webhookSubscription { uri includeFields } } }';
      expect((await data(update, { id }))['webhookSubscriptionUpdate']).toEqual({
        webhookSubscription: { uri: callbackUrl, includeFields: [] },
      });
      const remove =
        'mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { message } } }';
      expect((await data(remove, { id }))['webhookSubscriptionDelete']).toEqual({
        deletedWebhookSubscriptionId: id,
        userErrors: [],
      });
      expect((await data(remove, { id }))['webhookSubscriptionDelete']).toMatchObject({
        deletedWebhookSubscriptionId: null,
        userErrors: [{}],
      });
    });

    it('to a queue have mutations of their own', async () => {
      const arn = 'arn:aws:events:eu-west-1::event-source/aws.partner/shopify.com/1/source';
      const answer = await data(`mutation {
        eventBridgeWebhookSubscriptionCreate(topic: ORDERS_PAID, webhookSubscription: { arn: "${arn}" }) {
          webhookSubscription { endpoint { ... on WebhookEventBridgeEndpoint { arn } } } userErrors { message }
        }
        pubSubWebhookSubscriptionCreate(topic: ORDERS_PAID, webhookSubscription: { pubSubProject: "project", pubSubTopic: "topic" }) {
          webhookSubscription { uri endpoint { ... on WebhookPubSubEndpoint { pubSubProject pubSubTopic } } } userErrors { message }
        }
      }`);
      expect(answer).toEqual({
        eventBridgeWebhookSubscriptionCreate: {
          webhookSubscription: { endpoint: { arn } },
          userErrors: [],
        },
        pubSubWebhookSubscriptionCreate: {
          webhookSubscription: {
            uri: 'pubsub://project:topic',
            endpoint: { pubSubProject: 'project', pubSubTopic: 'topic' },
          },
          userErrors: [],
        },
      });
    });

    it.each([
      [{ callbackUrl: 'http://app.example.com/' }, 'Address protocol http:// is not supported'],
      [{ uri: 'nowhere' }, 'Address is invalid'],
      [{}, "Address can't be blank"],
    ])('are a user error as %j', async (webhookSubscription, message) => {
      expect(
        (await data(CREATE, { topic: 'APP_UNINSTALLED', webhookSubscription }))[
          'webhookSubscriptionCreate'
        ],
      ).toEqual({
        webhookSubscription: null,
        userErrors: [{ field: ['webhookSubscription', 'callbackUrl'], message }],
      });
    });

    it('exist once per topic and address', async () => {
      const variables = {
        topic: 'ORDERS_CREATE',
        webhookSubscription: { callbackUrl: 'http://localhost:3000/hooks' },
      };
      await data(CREATE, variables);
      expect((await data(CREATE, variables))['webhookSubscriptionCreate']).toMatchObject({
        userErrors: [{ message: 'Address for this topic has already been taken' }],
      });
    });

    it('name a topic the platform knows', async () => {
      expect(
        (await run(CREATE, { topic: 'MADE_UP', webhookSubscription: {} })).errors?.[0]?.message,
      ).toContain('WebhookSubscriptionTopic');
    });
  });

  it('leaves the kind of each operation and its answer in the event log', async () => {
    await data('{ shop { name } productsCount { count } }');
    expect(shop.events.at(-1)).toMatchObject({
      kind: 'api',
      status: 200,
      summary: 'POST /admin/api/2026-07/graphql.json query shop, productsCount',
    });
  });
});
