import { expect, it } from '@jest/globals';
import { openNodeShop } from '../nodes/node-shop.fixture.js';

it('lists of locations leave those of fulfillment services out, unless they are asked for', async () => {
  const { devStore, call } = await openNodeShop(['fulfillments', 'locations']);
  const { fulfillmentServiceCreate } = await call(
    `mutation { fulfillmentServiceCreate(name: "Carrier", trackingSupport: true, inventoryManagement: true) {
      fulfillmentService { location { name isFulfillmentService } } userErrors { message } } }`,
  );
  expect(fulfillmentServiceCreate).toEqual({
    fulfillmentService: { location: { name: 'Carrier', isFulfillmentService: true } },
    userErrors: [],
  });
  const { own, all } = await call(
    `{ own: locations(first: 5) { nodes { name } }
      all: locations(first: 5, includeLegacy: true, sortKey: NAME) { nodes { name } } }`,
  );
  expect(own).toEqual({ nodes: [{ name: 'Shop location' }] });
  expect(all).toEqual({ nodes: [{ name: 'Carrier' }, { name: 'Shop location' }] });
  await devStore.close();
});
