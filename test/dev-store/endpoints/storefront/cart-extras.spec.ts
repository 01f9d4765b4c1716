import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

type Json = Record<string, unknown>;

interface Payload {
  readonly cart: (Json & { readonly id: string }) | null;
  readonly userErrors: Json[];
  readonly warnings?: Json[];
}

const CART = `id checkoutUrl totalQuantity
  cost { subtotalAmount { amount } totalAmount { amount } checkoutChargeAmount { amount } }
  delivery { addresses { id selected oneTimeUse address { ... on CartDeliveryAddress {
    address1 city countryCode name formatted
  } } } }
  deliveryGroups(first: 5) { nodes { id groupType
    deliveryAddress { city countryCodeV2 }
    deliveryOptions { handle title estimatedCost { amount } }
    selectedDeliveryOption { handle }
    cartLines(first: 5) { nodes { quantity } }
  } }
  appliedGiftCards { id lastCharacters balance { amount } amountUsed { amount } }
  lines(first: 5) { nodes { id quantity } }
  size: metafield(namespace: "custom", key: "size") { value type }`;

describe('a cart of a simulated storefront', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let token: string;
  const gid = (index: number): string =>
    `gid://shopify/ProductVariant/${shop.products[index]!.variants[0]!.id}`;
  beforeAll(async () => {
    devStore = await DevStore.open({
      shops: [
        {
          domain: 'dev-shop.myshopify.com',
          products: [
            { title: 'Anvil', price: '12.50' },
            { title: 'Bellows', price: '7.00' },
          ],
        },
      ],
    });
    shop = devStore.shop();
    token = shop.storefrontToken();
  });
  afterAll(() => devStore.close());

  const post = async (query: string, variables: object = {}): Promise<Json> => {
    const response = await fetch(`${shop.origin}/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Storefront-Access-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Json; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const mutate = async (field: string, types: string, variables: object): Promise<Payload> => {
    const args = Object.keys(variables).map((name) => `${name}: $${name}`);
    const query = `mutation (${types}) { payload: ${field}(${args.join(', ')}) {
      cart { ${CART} } userErrors { field message code } warnings { code message target } } }`;
    return (await post(query, variables))['payload'] as Payload;
  };
  const created = async (input: object): Promise<Json & { id: string }> => {
    const { cart, userErrors } = await mutate('cartCreate', '$input: CartInput', { input });
    expect(userErrors).toEqual([]);
    return cart!;
  };
  const lines = (): object[] => [{ merchandiseId: gid(0), quantity: 2 }, { merchandiseId: gid(1) }];
  const home = { deliveryAddress: { address1: '1 Road', city: 'Cork', countryCode: 'IE' } };
  const addressesOf = (cart: Json): Array<Json & { id: string }> =>
    (cart['delivery'] as { addresses: Array<Json & { id: string }> }).addresses;

  it('is delivered to the address that is selected, in the way that is chosen', async () => {
    const cart = await created({ lines: lines() });
    expect(cart['deliveryGroups']).toEqual({ nodes: [] });
    const add = (addresses: object[]): Promise<Payload> =>
      mutate(
        'cartDeliveryAddressesAdd',
        '$cartId: ID!, $addresses: [CartSelectableAddressInput!]!',
        { cartId: cart.id, addresses },
      );
    const added = await add([
      { address: home, selected: true },
      { address: { deliveryAddress: { city: 'Galway', countryCode: 'IE' } }, oneTimeUse: true },
    ]);
    const [first, second] = addressesOf(added.cart!);
    expect([first, second]).toMatchObject([
      { selected: true, address: { city: 'Cork', formatted: ['1 Road', 'Cork', 'IE'] } },
      { selected: false, oneTimeUse: true, address: { city: 'Galway' } },
    ]);
    const [group] = (added.cart!['deliveryGroups'] as { nodes: [Json & { id: string }] }).nodes;
    expect(group).toMatchObject({
      groupType: 'ONE_TIME_PURCHASE',
      deliveryAddress: { city: 'Cork', countryCodeV2: 'IE' },
      deliveryOptions: [
        { handle: 'standard', estimatedCost: { amount: '0.0' } },
        { handle: 'express', estimatedCost: { amount: '10.0' } },
      ],
      selectedDeliveryOption: { handle: 'standard' },
      cartLines: { nodes: [{ quantity: 2 }, { quantity: 1 }] },
    });
    const choose = (deliveryGroupId: string, deliveryOptionHandle: string): Promise<Payload> =>
      mutate(
        'cartSelectedDeliveryOptionsUpdate',
        '$cartId: ID!, $selectedDeliveryOptions: [CartSelectedDeliveryOptionInput!]!',
        {
          cartId: cart.id,
          selectedDeliveryOptions: [{ deliveryGroupId, deliveryOptionHandle }],
        },
      );
    expect((await choose(group.id, 'pigeon')).userErrors).toMatchObject([
      { code: 'INVALID_DELIVERY_OPTION' },
    ]);
    expect((await choose('gid://shopify/CartDeliveryGroup/1', 'express')).userErrors).toMatchObject(
      [{ code: 'INVALID_DELIVERY_GROUP' }],
    );
    expect((await choose(group.id, 'express')).cart).toMatchObject({
      cost: { subtotalAmount: { amount: '32.0' }, totalAmount: { amount: '42.0' } },
    });
    const update = (addresses: object[]): Promise<Payload> =>
      mutate(
        'cartDeliveryAddressesUpdate',
        '$cartId: ID!, $addresses: [CartSelectableAddressUpdateInput!]!',
        { cartId: cart.id, addresses },
      );
    const moved = await update([{ id: second!.id, selected: true }]);
    expect(addressesOf(moved.cart!).map(({ selected }) => selected)).toEqual([false, true]);
    expect(
      (await update([{ id: 'gid://shopify/CartSelectableAddress/1' }])).userErrors,
    ).toMatchObject([{ field: ['addresses', '0', 'id'], code: 'INVALID_DELIVERY_ADDRESS_ID' }]);
    const twice = [first!, second!].map(({ id }) => ({ id, selected: true }));
    expect((await update(twice)).userErrors).toMatchObject([
      { code: 'ONLY_ONE_DELIVERY_ADDRESS_CAN_BE_SELECTED' },
    ]);
    const many = Array.from({ length: 19 }, () => ({ address: home }));
    expect((await add(many)).userErrors).toMatchObject([{ code: 'TOO_MANY_DELIVERY_ADDRESSES' }]);
    const removed = await mutate(
      'cartDeliveryAddressesRemove',
      '$cartId: ID!, $addressIds: [ID!]!',
      { cartId: cart.id, addressIds: [second!.id] },
    );
    expect(removed.cart).toMatchObject({
      deliveryGroups: { nodes: [] },
      cost: { totalAmount: { amount: '32.0' } },
    });
    expect(addressesOf(removed.cart!)).toHaveLength(1);
  });

  it('is paid with gift cards, in their order', async () => {
    for (const [code, balance] of [
      ['AAAA BBBB', '20.00'],
      ['CCCC DDDD', '50.00'],
    ])
      shop.nodes.create('GiftCard', { code, balance });
    shop.nodes.create('GiftCard', { code: 'EEEE FFFF', balance: '50.00', enabled: false });
    const cart = await created({ lines: lines(), giftCardCodes: ['aaaabbbb'] });
    expect(cart['appliedGiftCards']).toMatchObject([
      { lastCharacters: 'bbbb', balance: { amount: '20.0' }, amountUsed: { amount: '20.0' } },
    ]);
    const change = (kind: string, giftCardCodes: string[]): Promise<Payload> =>
      mutate(`cartGiftCardCodes${kind}`, '$cartId: ID!, $giftCardCodes: [String!]!', {
        cartId: cart.id,
        giftCardCodes,
      });
    const both = await change('Add', ['CCCC DDDD']);
    const cards = both.cart!['appliedGiftCards'] as Array<{ id: string }>;
    expect(cards).toMatchObject([
      { amountUsed: { amount: '20.0' } },
      { lastCharacters: 'dddd', balance: { amount: '50.0' }, amountUsed: { amount: '12.0' } },
    ]);
    for (const code of ['EEEE FFFF', 'none', ''])
      expect((await change('Add', [code])).userErrors).toMatchObject([
        { field: ['giftCardCodes', '0'], code: 'INVALID' },
      ]);
    const remove = (id: string): Promise<Payload> =>
      mutate('cartGiftCardCodesRemove', '$cartId: ID!, $appliedGiftCardIds: [ID!]!', {
        cartId: cart.id,
        appliedGiftCardIds: [id],
      });
    expect((await remove(cards[0]!.id)).cart!['appliedGiftCards']).toHaveLength(1);
    expect((await remove(cards[0]!.id)).userErrors).toMatchObject([{ code: 'INVALID' }]);
    expect((await change('Update', [])).cart!['appliedGiftCards']).toEqual([]);
  });

  it('has metafields', async () => {
    const metafields = [{ key: 'size', type: 'number_integer', value: '5' }];
    const cart = await created({ metafields });
    expect(cart['size']).toEqual({ value: '5', type: 'number_integer' });
    const set = async (value: string, ownerId = cart.id): Promise<Json> =>
      (
        await post(
          `mutation ($metafields: [CartMetafieldsSetInput!]!) { cartMetafieldsSet(metafields: $metafields) {
            metafields { namespace key value } userErrors { field code elementIndex } } }`,
          { metafields: [{ ownerId, key: 'custom.size', type: 'number_integer', value }] },
        )
      )['cartMetafieldsSet'] as Json;
    expect(await set('7')).toEqual({
      metafields: [{ namespace: 'custom', key: 'size', value: '7' }],
      userErrors: [],
    });
    expect((await set('x'))['userErrors']).toEqual([
      { field: ['metafields', '0', 'value'], code: 'INVALID_VALUE', elementIndex: 0 },
    ]);
    expect((await set('7', 'gid://shopify/Cart/1'))['userErrors']).toMatchObject([
      { code: 'INVALID_OWNER' },
    ]);
    const remove = async (): Promise<Json> =>
      (
        await post(
          `mutation ($input: CartMetafieldDeleteInput!) { cartMetafieldDelete(input: $input) {
            deletedId userErrors { code } } }`,
          { input: { ownerId: cart.id, key: 'custom.size' } },
        )
      )['cartMetafieldDelete'] as Json;
    expect(await remove()).toEqual({ deletedId: expect.any(String), userErrors: [] });
    expect(await remove()).toEqual({
      deletedId: null,
      userErrors: [{ code: 'METAFIELD_DOES_NOT_EXIST' }],
    });
  });

  it('holds no more than there is, and what the rule of a variant allows', async () => {
    const [few] = shop.createProduct({
      title: 'Few',
      variants: [{ price: '1.00', tracked: true }],
    }).product!.variants;
    const id = `gid://shopify/ProductVariant/${few!.id}`;
    const buy = (quantity: number): Promise<Payload> =>
      mutate('cartCreate', '$input: CartInput', {
        input: { lines: [{ merchandiseId: id, quantity }] },
      });
    expect(await buy(1)).toMatchObject({
      cart: { totalQuantity: 0, lines: { nodes: [] } },
      warnings: [{ code: 'MERCHANDISE_OUT_OF_STOCK' }],
    });
    few!.levels[0]!.quantities.available = 3;
    expect(await buy(5)).toMatchObject({
      cart: { totalQuantity: 3 },
      warnings: [{ code: 'MERCHANDISE_NOT_ENOUGH_STOCK', message: expect.stringContaining('3') }],
    });
    shop.nodes.update(id, { quantityRule: { minimum: 2, maximum: 6, increment: 2 } });
    for (const [quantity, code] of [
      [1, 'MINIMUM_NOT_MET'],
      [8, 'MAXIMUM_EXCEEDED'],
      [3, 'INVALID_INCREMENT'],
    ] as const)
      expect(await buy(quantity)).toMatchObject({
        cart: null,
        userErrors: [{ field: ['input', 'lines', '0', 'quantity'], code }],
      });
    const { cart } = await buy(2);
    const [line] = (cart!['lines'] as { nodes: [{ id: string }] }).nodes;
    const changed = await mutate(
      'cartLinesUpdate',
      '$cartId: ID!, $lines: [CartLineUpdateInput!]!',
      { cartId: cart!.id, lines: [{ id: line.id, quantity: 3 }] },
    );
    expect(changed.userErrors).toMatchObject([{ code: 'INVALID_INCREMENT' }]);
    const { node } = await post(
      'query ($id: ID!) { node(id: $id) { ... on Product { variants(first: 1) { nodes { quantityRule { minimum maximum increment } } } } } }',
      { id: `gid://shopify/Product/${shop.products.at(-1)!.id}` },
    );
    expect(node).toEqual({
      variants: { nodes: [{ quantityRule: { minimum: 2, maximum: 6, increment: 2 } }] },
    });
  });

  it('has a page at its checkout address, for those who have its key', async () => {
    const cart = await created({ lines: lines() });
    const page = await devStore.fetch(String(cart['checkoutUrl']));
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain('Anvil');
    expect(text).toContain('Total 32.00 EUR');
    const wrong = String(cart['checkoutUrl']).replace(/key=.*/, 'key=0');
    expect((await devStore.fetch(wrong)).status).toBe(404);
  });
});
