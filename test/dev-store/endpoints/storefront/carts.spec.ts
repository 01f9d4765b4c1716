import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { CartStore } from '../../../../lib/dev-store/state/carts/cart-store.js';

type Json = Record<string, unknown>;

const PAYLOAD = `cart {
  id checkoutUrl note totalQuantity attributes { key value }
  buyerIdentity { email countryCode customer { id } }
  discountCodes { code applicable }
  cost { subtotalAmount { amount currencyCode } totalAmount { amount } totalTaxAmount { amount } }
  lines(first: 10) { nodes {
    id quantity attributes { key value }
    merchandise { ... on ProductVariant { sku product { title } } }
    cost { amountPerQuantity { amount } subtotalAmount { amount } totalAmount { amount } }
    discountAllocations { discountedAmount { amount } ... on CartCodeDiscountAllocation { code } }
  } }
} userErrors { field message code } warnings { code target }`;

interface Cart {
  readonly id: string;
  readonly lines: { readonly nodes: ReadonlyArray<{ readonly id: string } & Json> };
}

interface Payload {
  readonly cart: (Cart & Json) | null;
  readonly userErrors: unknown[];
  readonly warnings: unknown[];
}

describe('the carts of a simulated storefront', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;
  let gid: (index: number) => string;
  beforeAll(async () => {
    devStore = await DevStore.open({
      shops: [
        {
          domain: 'dev-shop.myshopify.com',
          products: [
            { title: 'Anvil', price: '12.50', sku: 'A' },
            { title: 'Bellows', price: '7.00', sku: 'B', tags: ['hot'], productType: 'Tool' },
            { title: 'Draft', price: '1.00', status: 'draft' },
          ],
        },
      ],
    });
    shop = devStore.shop();
    token = shop.storefrontToken();
    gid = (index) => `gid://shopify/ProductVariant/${shop.products[index]!.variants[0]!.id}`;
  });
  afterAll(() => devStore.close());

  const post = async (
    query: string,
    variables: object = {},
    as = token,
  ): Promise<{ data: Json; errors?: Json[]; extensions: Json }> => {
    const response = await fetch(`${shop.origin}/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Storefront-Access-Token': as, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as { data: Json; extensions: Json };
  };
  const mutate = async (field: string, types: string, variables: object): Promise<Payload> => {
    const args = Object.keys(variables).map((name) => `${name}: $${name}`);
    const { data, errors } = await post(
      `mutation (${types}) { payload: ${field}(${args.join(', ')}) { ${PAYLOAD} } }`,
      variables,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data['payload'] as Payload;
  };
  const create = (input: object): Promise<Payload> =>
    mutate('cartCreate', '$input: CartInput', { input });
  const created = async (input: object): Promise<Cart & Json> => {
    const { cart, userErrors } = await create(input);
    expect(userErrors).toEqual([]);
    return cart!;
  };

  it('add up what is in them', async () => {
    const cart = await created({
      lines: [
        { merchandiseId: gid(0), quantity: 2, attributes: [{ key: 'size', value: 'L' }] },
        { merchandiseId: gid(1) },
      ],
      note: 'soon',
      attributes: [{ key: 'from', value: 'ad' }],
      buyerIdentity: { email: 'ada@a.test', countryCode: 'IE' },
    });
    expect(cart).toMatchObject({
      id: expect.stringMatching(/^gid:\/\/shopify\/Cart\/[0-9a-f]+\?key=[0-9a-f]{32}$/),
      checkoutUrl: expect.stringMatching(
        /^https:\/\/dev-shop\.myshopify\.com\/cart\/c\/\w+\?key=\w+$/,
      ),
      note: 'soon',
      totalQuantity: 3,
      attributes: [{ key: 'from', value: 'ad' }],
      buyerIdentity: { email: 'ada@a.test', countryCode: 'IE', customer: null },
      discountCodes: [],
      cost: {
        subtotalAmount: { amount: '32.0', currencyCode: 'EUR' },
        totalAmount: { amount: '32.0' },
        totalTaxAmount: null,
      },
      lines: {
        nodes: [
          {
            quantity: 2,
            attributes: [{ key: 'size', value: 'L' }],
            merchandise: { sku: 'A', product: { title: 'Anvil' } },
            cost: {
              amountPerQuantity: { amount: '12.5' },
              subtotalAmount: { amount: '25.0' },
              totalAmount: { amount: '25.0' },
            },
            discountAllocations: [],
          },
          { quantity: 1, merchandise: { sku: 'B' } },
        ],
      },
    });
    const { data, extensions } = await post(
      'query ($id: ID!) @inContext(country: DE, language: EN) { cart(id: $id) { totalQuantity attribute(key: "from") { value } deliveryGroups(first: 1) { nodes { id } } } }',
      { id: cart.id },
    );
    expect(data).toEqual({
      cart: { totalQuantity: 3, attribute: { value: 'ad' }, deliveryGroups: { nodes: [] } },
    });
    expect(extensions).toMatchObject({ cost: { requestedQueryCost: expect.any(Number) } });
  });

  it('get more, other and fewer lines', async () => {
    const { id: cartId, lines } = await created({ lines: [{ merchandiseId: gid(0) }] });
    const types = '$cartId: ID!, $lines: [CartLineInput!]!';
    const added = await mutate('cartLinesAdd', types, {
      cartId,
      lines: [
        { merchandiseId: gid(0), quantity: 2 },
        { merchandiseId: gid(0), attributes: [{ key: 'gift', value: 'yes' }] },
      ],
    });
    expect(added.cart!.lines.nodes.map(({ quantity }) => quantity)).toEqual([3, 1]);
    const [first, second] = added.cart!.lines.nodes;
    expect(first!.id).toBe(lines.nodes[0]!.id);
    const updated = await mutate(
      'cartLinesUpdate',
      '$cartId: ID!, $lines: [CartLineUpdateInput!]!',
      {
        cartId,
        lines: [
          { id: first!.id, quantity: 0 },
          { id: second!.id, quantity: 4, merchandiseId: gid(1) },
        ],
      },
    );
    expect(updated.cart).toMatchObject({
      totalQuantity: 4,
      lines: { nodes: [{ merchandise: { sku: 'B' } }] },
    });
    const removed = await mutate('cartLinesRemove', '$cartId: ID!, $lineIds: [ID!]', {
      cartId,
      lineIds: [second!.id],
    });
    expect(removed.cart).toMatchObject({
      totalQuantity: 0,
      cost: { totalAmount: { amount: '0.0' } },
    });
  });

  it('keep notes, attributes and who buys', async () => {
    const { id: cartId } = await created({});
    await mutate('cartNoteUpdate', '$cartId: ID!, $note: String!', { cartId, note: 'x' });
    await mutate('cartAttributesUpdate', '$cartId: ID!, $attributes: [AttributeInput!]!', {
      cartId,
      attributes: [{ key: 'a', value: '1' }],
    });
    const { cart } = await mutate(
      'cartBuyerIdentityUpdate',
      '$cartId: ID!, $buyerIdentity: CartBuyerIdentityInput!',
      {
        cartId,
        buyerIdentity: { countryCode: 'DE' },
      },
    );
    expect(cart).toMatchObject({
      note: 'x',
      attributes: [{ key: 'a', value: '1' }],
      buyerIdentity: { email: null, countryCode: 'DE' },
    });
  });

  describe('take discount codes', () => {
    const discount = (code: string, fields: object): void => {
      shop.nodes.create('DiscountCodeNode', { codeDiscount: { code, title: code, ...fields } });
    };
    const percentage = {
      value: { __typename: 'DiscountPercentage', percentage: 0.2 },
      items: { allItems: true },
    };
    beforeAll(() => {
      discount('ALL', { customerGets: percentage });
      discount('OVER', { customerGets: percentage, endsAt: '2020-01-01T00:00:00Z' });
      discount('MUCH', {
        customerGets: percentage,
        minimumRequirement: { greaterThanOrEqualToSubtotal: '1000' },
      });
      discount('MANY', {
        customerGets: percentage,
        minimumRequirement: { greaterThanOrEqualToQuantity: '9' },
      });
      discount('FIVE', { customerGets: { value: { amount: '5.00' }, items: { allItems: true } } });
      const product = `gid://shopify/Product/${shop.products[1]!.id}`;
      discount('BELLOWS', { customerGets: { ...percentage, items: { products: [product] } } });
    });
    it.each([
      ['all', true, '25.6', ['5.0', '1.4'], []],
      ['FIVE', true, '27.0', ['3.91', '1.09'], []],
      ['BELLOWS', true, '30.6', [undefined, '1.4'], []],
      ['OVER', false, '32.0', [undefined, undefined], ['DISCOUNT_CURRENTLY_INACTIVE']],
      ['MUCH', false, '32.0', [undefined, undefined], ['DISCOUNT_PURCHASE_NOT_IN_RANGE']],
      ['MANY', false, '32.0', [undefined, undefined], ['DISCOUNT_QUANTITY_NOT_IN_RANGE']],
      ['NONE', false, '32.0', [undefined, undefined], ['DISCOUNT_NOT_FOUND']],
    ])('%s', async (code, applicable, total, amounts, warnings) => {
      const { id: cartId } = await created({
        lines: [{ merchandiseId: gid(0), quantity: 2 }, { merchandiseId: gid(1) }],
      });
      const payload = await mutate(
        'cartDiscountCodesUpdate',
        '$cartId: ID!, $discountCodes: [String!]!',
        {
          cartId,
          discountCodes: [code, code.toLowerCase()],
        },
      );
      expect(payload.cart).toMatchObject({
        discountCodes: [{ code, applicable }],
        cost: { totalAmount: { amount: total } },
      });
      const allocated = payload.cart!.lines.nodes.map(({ discountAllocations }) => {
        const [one] = discountAllocations as Array<{ discountedAmount: { amount: string } }>;
        return one?.discountedAmount.amount;
      });
      expect(allocated).toEqual(amounts);
      expect(payload.warnings).toEqual(
        warnings.map((warning) => ({ code: warning, target: cartId })),
      );
    });
  });

  it('refuse what is not sold, not there or not theirs', async () => {
    const none = 'gid://shopify/ProductVariant/1';
    expect(await create({ lines: [{ merchandiseId: gid(0) }, { merchandiseId: none }] })).toEqual({
      cart: null,
      userErrors: [
        {
          field: ['input', 'lines', '1', 'merchandiseId'],
          message: `The merchandise with id ${none} does not exist.`,
          code: 'INVALID',
        },
      ],
      warnings: [],
    });
    expect(await create({ lines: [{ merchandiseId: gid(2) }] })).toMatchObject({ cart: null });
    expect(await create({ lines: [{ merchandiseId: gid(0), quantity: -1 }] })).toMatchObject({
      userErrors: [{ field: ['input', 'lines', '0', 'quantity'] }],
    });
    expect(await create({ buyerIdentity: { customerAccessToken: 'x' } })).toMatchObject({
      cart: null,
    });
    const cart = await created({ lines: [{ merchandiseId: gid(0) }] });
    const note = (cartId: string): Promise<Payload> =>
      mutate('cartNoteUpdate', '$cartId: ID!, $note: String!', { cartId, note: 'x' });
    const missing = {
      cart: null,
      userErrors: [
        { field: ['cartId'], message: 'The specified cart does not exist.', code: 'INVALID' },
      ],
    };
    expect(await note('gid://shopify/Cart/1?key=2')).toMatchObject(missing);
    expect(await note(cart.id.replace(/key=.*/, `key=${'0'.repeat(32)}`))).toMatchObject(missing);
    expect(await note(cart.id.replace(/\?.*/, ''))).toMatchObject(missing);
    expect(await note('gid://shopify/Product/1')).toMatchObject(missing);
    const line = 'gid://shopify/CartLine/1?cart=2';
    for (const [field, type, args] of [
      ['cartLinesRemove', '$lineIds: [ID!]', { lineIds: [line] }],
      [
        'cartLinesUpdate',
        '$lines: [CartLineUpdateInput!]!',
        { lines: [{ id: line, quantity: 1 }] },
      ],
    ] as const)
      expect(
        await mutate(field, `$cartId: ID!, ${type}`, { cartId: cart.id, ...args }),
      ).toMatchObject({
        cart: null,
        userErrors: [{ code: 'INVALID_MERCHANDISE_LINE' }],
      });
  });

  it('show what is reduced, and what is sold out', async () => {
    const [variant] = shop.createProduct({ title: 'Rare', variants: [{ price: '10' }] }).product!
      .variants;
    Object.assign(variant!, { compareAtPrice: '15.00', tracked: true });
    const { data } = await post(
      `query ($id: ID!) { node(id: $id) { ... on Product { variants(first: 1) { nodes {
        availableForSale quantityAvailable compareAtPrice { amount } selectedOptions { name value }
      } } } } }`,
      { id: `gid://shopify/Product/${shop.products.at(-1)!.id}` },
    );
    expect(data['node']).toEqual({
      variants: {
        nodes: [
          {
            availableForSale: false,
            quantityAvailable: 0,
            compareAtPrice: { amount: '15.0' },
            selectedOptions: [{ name: 'Title', value: 'Default Title' }],
          },
        ],
      },
    });
  });

  it('need the scope of checkouts', async () => {
    const other = shop.storefrontToken('public', ['unauthenticated_read_product_listings']);
    const { errors } = await post('mutation { cartCreate { cart { id } } }', {}, other);
    expect(errors).toMatchObject([{ extensions: { code: 'ACCESS_DENIED' } }]);
  });

  it('stand beside searches, which find products and content', async () => {
    const page = shop.nodes.create('Page', { title: 'All about bellows' });
    const collection = shop.nodes.create('Collection', {
      title: 'Hot things',
      products: [`gid://shopify/Product/${shop.products[1]!.id}`],
    });
    const { data } = await post(`{
      search(query: "bellows", first: 5) { totalCount nodes { __typename ... on Product { title } ... on Page { title } } }
      predictiveSearch(query: "bell") { products { title } collections { title } queries { text } }
      hot: predictiveSearch(query: "hot", types: [COLLECTION]) { products { title } collections { title } }
      collections(first: 5) { nodes { id title products(first: 5) { nodes { title } } } }
      productTags(first: 5) { nodes }
      productTypes(first: 5) { edges { node } }
      productByHandle(handle: "bellows") { title }
    }`);
    expect(data).toEqual({
      search: {
        totalCount: 2,
        nodes: [
          { __typename: 'Product', title: 'Bellows' },
          { __typename: 'Page', title: 'All about bellows' },
        ],
      },
      predictiveSearch: { products: [{ title: 'Bellows' }], collections: [], queries: [] },
      hot: { products: [], collections: [{ title: 'Hot things' }] },
      collections: {
        nodes: [
          { id: collection.id, title: 'Hot things', products: { nodes: [{ title: 'Bellows' }] } },
        ],
      },
      productTags: { nodes: ['hot'] },
      productTypes: { edges: [{ node: 'Tool' }] },
      productByHandle: { title: 'Bellows' },
    });
    shop.nodes.delete(page.id);
  });

  it('have no lines of nothing, and none of more than a million', async () => {
    const line = (quantity: number): object => ({ merchandiseId: gid(0), quantity });
    const { cart } = await mutate('cartCreate', '$input: CartInput', { input: {} });
    const add = (...lines: object[]): Promise<Payload> =>
      mutate('cartLinesAdd', '$cartId: ID!, $lines: [CartLineInput!]!', {
        cartId: cart!.id,
        lines,
      });
    expect((await add(line(0))).cart).toMatchObject({ totalQuantity: 0, lines: { nodes: [] } });
    expect(await add(line(2147483647))).toMatchObject({
      cart: null,
      userErrors: [{ field: ['lines', '0', 'quantity'], code: 'INVALID' }],
    });
    const most = await add(line(1_000_000), line(1_000_000));
    expect(most.cart).toMatchObject({ totalQuantity: 1_000_000 });
  });

  it('are forgotten, the oldest first, when there are more than a thousand', () => {
    const carts = new CartStore(() => new Date(0));
    const first = carts.create();
    for (let count = 1; count < 1000; count++) carts.create();
    expect(carts.find(first.token, first.key)).toBe(first);
    carts.create();
    expect(carts.find(first.token, first.key)).toBeUndefined();
  });
});
