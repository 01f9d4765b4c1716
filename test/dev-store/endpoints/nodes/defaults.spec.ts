import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from './node-shop.fixture.js';

describe('what was never set of a node', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    const scopes = ['customers', 'orders', 'products', 'themes', 'files', 'locations'];
    fixture = await openNodeShop([...scopes, 'assigned_fulfillment_orders']);
  });
  afterAll(() => fixture.devStore.close());

  it('is of an enum what new objects have, not the first in the alphabet', async () => {
    const { nodes } = fixture.shop;
    const read = async (type: string, selection: string): Promise<unknown> => {
      const { id } = nodes.create(type);
      const { node } = await fixture.call(
        `query ($id: ID!) { node(id: $id) { ... on ${type} { ${selection} } } }`,
        { id },
      );
      return node;
    };
    expect(await read('Order', 'riskLevel returnStatus displayFulfillmentStatus')).toEqual({
      riskLevel: 'LOW',
      returnStatus: 'NO_RETURN',
      displayFulfillmentStatus: 'UNFULFILLED',
    });
    expect(await read('Collection', 'sortOrder')).toEqual({ sortOrder: 'BEST_SELLING' });
    expect(await read('Customer', 'productSubscriberStatus state')).toEqual({
      productSubscriberStatus: 'NEVER_SUBSCRIBED',
      state: 'DISABLED',
    });
    expect(await read('OnlineStoreTheme', 'role')).toEqual({ role: 'UNPUBLISHED' });
    expect(await read('Fulfillment', 'status')).toEqual({ status: 'SUCCESS' });
    expect(await read('FulfillmentOrder', 'status requestStatus')).toEqual({
      status: 'OPEN',
      requestStatus: 'UNSUBMITTED',
    });
    expect(await read('OrderTransaction', 'kind status')).toEqual({
      kind: 'SALE',
      status: 'SUCCESS',
    });
    expect(await read('MediaImage', 'fileStatus mediaContentType')).toEqual({
      fileStatus: 'READY',
      mediaContentType: 'IMAGE',
    });
  });

  it('is of an address the name of its country', async () => {
    const address = { address1: '1 Spadina', city: 'Toronto', countryCode: 'CA' };
    fixture.shop.nodes.update(fixture.shop.nodes.first('Location')!.id, { address });
    const { id } = fixture.shop.nodes.create('MailingAddress', { countryCode: 'IE' });
    const { location, node } = await fixture.call(
      `query ($id: ID!) { location { address { country formatted } }
        node(id: $id) { ... on MailingAddress { country } } }`,
      { id },
    );
    expect(location).toEqual({
      address: { country: 'Canada', formatted: ['1 Spadina', 'Toronto', 'Canada'] },
    });
    expect(node).toEqual({ country: 'Ireland' });
  });

  it('is so of objects that the store keeps elsewhere, and a value that is set stands', async () => {
    const { product } = fixture.shop.createProduct({ title: 'Kite' });
    const id = `gid://shopify/ProductVariant/${product!.variants[0]!.id}`;
    const theme = fixture.shop.nodes.create('OnlineStoreTheme', { role: 'MAIN' });
    const data = await fixture.call(
      `query ($id: ID!, $theme: ID!) {
        productVariant(id: $id) { inventoryPolicy } theme(id: $theme) { role }
      }`,
      { id, theme: theme.id },
    );
    expect(data).toEqual({
      productVariant: { inventoryPolicy: 'DENY' },
      theme: { role: 'MAIN' },
    });
  });
});
