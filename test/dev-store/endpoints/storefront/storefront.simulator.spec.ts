import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

const SEEDS = [
  { title: 'Anvil', price: '90.00', sku: 'A-1' },
  { title: 'Bellows', price: '30.5', sku: 'B-1', descriptionHtml: '<p>Größe: 2 m²</p>' },
  { title: 'Crucible', status: 'draft' as const },
];

interface Answer {
  data?: unknown;
  errors?: Array<{ message: string; extensions?: Record<string, unknown> }>;
}

describe('Storefront of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;

  beforeAll(async () => {
    const apps = [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' }];
    devStore = await DevStore.open({
      apps,
      shops: [{ domain: 'dev-shop.myshopify.com', products: SEEDS }],
    });
    shop = devStore.shop();
    token = shop.storefrontToken();
  });
  afterAll(() => devStore.close());

  const PUBLIC = 'X-Shopify-Storefront-Access-Token';
  const PRIVATE = 'Shopify-Storefront-Private-Token';
  const post = (
    query: string,
    variables: object = {},
    headers: Record<string, string> = { [PUBLIC]: token },
  ): Promise<Response> =>
    fetch(`${shop.origin}/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
  const run = async (
    query: string,
    variables: object = {},
    headers?: Record<string, string>,
  ): Promise<Answer> => (await post(query, variables, headers)).json() as Promise<Answer>;

  it('shows the shop and what is on sale, with prices as money', async () => {
    const { data } = await run(`{
      shop { name primaryDomain { host } }
      products(first: 5) { nodes { title priceRange { minVariantPrice { amount currencyCode } } variants(first: 1) { nodes { sku price { amount } } } } }
    }`);
    expect(data).toEqual({
      shop: { name: 'Dev Shop', primaryDomain: { host: 'dev-shop.myshopify.com' } },
      products: {
        nodes: [
          {
            title: 'Anvil',
            priceRange: { minVariantPrice: { amount: '90.0', currencyCode: 'EUR' } },
            variants: { nodes: [{ sku: 'A-1', price: { amount: '90.0' } }] },
          },
          {
            title: 'Bellows',
            priceRange: { minVariantPrice: { amount: '30.5', currencyCode: 'EUR' } },
            variants: { nodes: [{ sku: 'B-1', price: { amount: '30.5' } }] },
          },
        ],
      },
    });
  });

  it('finds a product by handle, by id and as a node, unless it is not on sale', async () => {
    const id = `gid://shopify/Product/${shop.products[0]?.id}`;
    const draft = `gid://shopify/Product/${shop.products[2]?.id}`;
    const query = `query ($id: ID!, $draft: ID!) {
      handle: product(handle: "bellows") { title } id: product(id: $id) { title } node(id: $id) { ... on Product { title } }
      draft: product(id: $draft) { title } nodes(ids: [$draft]) { id }
    }`;
    expect((await run(query, { id, draft })).data).toEqual({
      handle: { title: 'Bellows' },
      id: { title: 'Anvil' },
      node: { title: 'Anvil' },
      draft: null,
      nodes: [null],
    });
  });

  it('takes a public token, a private one and the access token of an app as a private one', async () => {
    const statusWith = async (headers: Record<string, string>): Promise<number> =>
      (await post('{ shop { name } }', {}, headers)).status;
    const secret = shop.storefrontToken('private');
    const appToken = shop.install('key', { scopes: ['unauthenticated_read_product_listings'] });
    expect(await statusWith({ [PRIVATE]: secret })).toBe(200);
    expect(await statusWith({ [PRIVATE]: appToken })).toBe(200);
    const wrong = [
      {},
      { [PUBLIC]: 'made-up' },
      { [PUBLIC]: secret },
      { [PRIVATE]: token },
      { [PUBLIC]: appToken },
    ];
    for (const headers of wrong)
      expect(await statusWith(headers as Record<string, string>)).toBe(401);
    expect(await (await post('{ shop { name } }', {}, {})).json()).toEqual({
      errors: [{ message: '', extensions: { code: 'UNAUTHORIZED' } }],
    });
  });

  it('hides the products from a token without their scope', async () => {
    const blind = shop.storefrontToken('public', []);
    const { data, errors } = await run(
      '{ shop { name } product(handle: "anvil") { title } }',
      {},
      { [PUBLIC]: blind },
    );
    expect(data).toEqual({ shop: { name: 'Dev Shop' }, product: null });
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'ACCESS_DENIED',
          requiredAccess: '`unauthenticated_read_product_listings` access scope.',
        },
      },
    ]);
  });

  it('answers mistakes like the Admin interface does', async () => {
    expect((await run('{ shop { email } }')).errors?.[0]?.message).toContain('email');
    expect((await run('{ products { nodes { id } } }')).errors).toMatchObject([
      { message: 'you must provide one of first or last' },
    ]);
    const other = await fetch(`${shop.origin}/api/2026-07/products.json`, {
      headers: { [PUBLIC]: token },
    });
    expect([other.status, other.headers.get('x-request-id')]).toEqual([404, expect.any(String)]);
    expect((await fetch(`${shop.origin}/api/2026-07/graphql.json`)).status).toBe(405);
    expect((await fetch(`${shop.origin}/api/graphql.json`)).status).toBe(404);
  });

  describe('defers', () => {
    /** The parts of an answer, cut apart by their lengths alone. */
    const partsOf = async (reply: Response): Promise<unknown[]> => {
      expect(reply.headers.get('content-type')).toMatch(/^multipart\/mixed; boundary=graphql\b/);
      let rest = Buffer.from(await reply.arrayBuffer());
      const parts: unknown[] = [];
      for (;;) {
        if (rest.equals(Buffer.from('\r\n--graphql--\r\n'))) return parts;
        const head =
          /^\r\n--graphql\r\nContent-Type: application\/json\r\nContent-Length: (\d+)\r\n\r\n/.exec(
            rest.toString('latin1'),
          );
        if (!head) throw new Error(`Not a part: ${rest.toString()}`);
        const end = head[0].length + Number(head[1]);
        parts.push(JSON.parse(rest.subarray(head[0].length, end).toString()));
        rest = rest.subarray(end);
      }
    };

    it('fragments until everything else has been sent', async () => {
      const query = `query ($handle: String!) {
        shop { name ...Where @defer(label: "where") }
        product(handle: $handle) { title ... on Product @defer { description } }
      }
      fragment Where on Shop { primaryDomain { host } }`;
      expect(await partsOf(await post(query, { handle: 'bellows' }))).toEqual([
        {
          data: { shop: { name: 'Dev Shop' }, product: { title: 'Bellows' } },
          extensions: { cost: { requestedQueryCost: 3 } },
          hasNext: true,
        },
        {
          incremental: [
            {
              path: ['shop'],
              label: 'where',
              data: { primaryDomain: { host: 'dev-shop.myshopify.com' } },
            },
          ],
          hasNext: true,
        },
        {
          incremental: [{ path: ['product'], data: { description: 'Größe: 2 m²' } }],
          hasNext: false,
        },
      ]);
    });

    it('fragments in lists, at the root and in one another', async () => {
      const query = `{
        ... @defer { shop { name ... @defer { id } } }
        products(first: 2) { nodes { handle ... @defer { title } } }
      }`;
      expect(await partsOf(await post(query))).toEqual([
        {
          data: { products: { nodes: [{ handle: 'anvil' }, { handle: 'bellows' }] } },
          extensions: { cost: { requestedQueryCost: 4 } },
          hasNext: true,
        },
        { incremental: [{ path: [], data: { shop: { name: 'Dev Shop' } } }], hasNext: true },
        {
          incremental: [{ path: ['products', 'nodes', 0], data: { title: 'Anvil' } }],
          hasNext: true,
        },
        {
          incremental: [{ path: ['products', 'nodes', 1], data: { title: 'Bellows' } }],
          hasNext: true,
        },
        {
          incremental: [{ path: ['shop'], data: { id: `gid://shopify/Shop/${shop.id}` } }],
          hasNext: false,
        },
      ]);
    });

    it('the error of a fragment together with it', async () => {
      const query =
        '{ product(handle: "anvil") { title ... @defer { variants(first: 999) { nodes { sku } } } ... @defer { handle } } }';
      const [first, ...later] = (await partsOf(await post(query))) as Array<{
        data?: unknown;
        incremental?: unknown[];
      }>;
      expect(first).toMatchObject({ data: { product: { title: 'Anvil' } }, hasNext: true });
      const message = 'first cannot exceed 250';
      expect(later).toEqual([
        {
          incremental: [
            { path: ['product'], data: null, errors: [expect.objectContaining({ message })] },
          ],
          hasNext: true,
        },
        { incremental: [{ path: ['product'], data: { handle: 'anvil' } }], hasNext: false },
      ]);
    });

    it('nothing when it is told not to', async () => {
      const query =
        'query ($later: Boolean!) { shop { name ... @defer(if: $later) { id } ... @defer(if: false) { moneyFormat } } }';
      const reply = await post(query, { later: false });
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await reply.json()).toEqual({
        data: {
          shop: {
            name: 'Dev Shop',
            id: `gid://shopify/Shop/${shop.id}`,
            moneyFormat: '€{{amount}}',
          },
        },
        extensions: { cost: { requestedQueryCost: 1 } },
      });
      expect(await partsOf(await post(query, { later: true }))).toHaveLength(2);
    });
  });

  it('leaves its calls in the event log, without tokens', async () => {
    await run('{ shop { name ... @defer { id } } }').catch(() => undefined);
    expect(shop.events.at(-1)).toMatchObject({
      kind: 'api',
      status: 200,
      summary: 'POST /api/2026-07/graphql.json query shop, in 2 parts',
    });
    expect(JSON.stringify(shop.events)).not.toContain(token);
  });
});
