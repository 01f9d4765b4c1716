import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('services and settings of shipping in a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    const scopes = ['shipping', 'fulfillments', 'locations', 'orders'];
    fixture = await openNodeShop([...scopes, 'merchant_managed_fulfillment_orders'], '2026-04');
  });
  afterAll(() => fixture.devStore.close());

  const unknown = (type: string): string => `gid://shopify/${type}/999999999999`;

  describe('carrier services', () => {
    const FIELDS = 'carrierService { id name formattedName active callbackUrl }';
    const write = async (verb: 'Create' | 'Update', input: object): Promise<Data> => {
      const { payload } = await fixture.call(
        `mutation ($input: DeliveryCarrierService${verb}Input!) {
          payload: carrierService${verb}(input: $input) { ${FIELDS}
            userErrors { field message code } } }`,
        { input },
      );
      return payload!;
    };
    const INPUT = {
      ...{ name: 'Hermes', callbackUrl: 'https://rates.example/quote', active: false },
      supportsServiceDiscovery: true,
    };
    const refused = (verb: string, message: string): object => ({
      carrierService: null,
      userErrors: [{ field: null, message, code: `CARRIER_SERVICE_${verb}_FAILED` }],
    });

    it('are added, changed, listed and deleted', async () => {
      const { carrierService, userErrors } = await write('Create', INPUT);
      expect(userErrors).toEqual([]);
      expect(carrierService).toMatchObject({
        ...{ name: 'Hermes', active: false, callbackUrl: INPUT.callbackUrl },
        formattedName: 'Hermes (Rates provided by app)',
      });
      const { id } = carrierService as Data;
      expect(await write('Update', { id, name: 'Iris', active: true })).toMatchObject({
        carrierService: {
          ...{ name: 'Iris', active: true, callbackUrl: INPUT.callbackUrl },
          formattedName: 'Iris (Rates provided by app)',
        },
      });
      const read = await fixture.call(
        `{ carrierServices(first: 5, query: "active:true") { nodes { name } }
          availableCarrierServices { carrierService { name } locations { name } } }`,
      );
      expect(read).toEqual({
        carrierServices: { nodes: [{ name: 'Iris' }] },
        availableCarrierServices: [
          { carrierService: { name: 'Iris' }, locations: [{ name: 'Shop location' }] },
        ],
      });
      const remove = async (gid: unknown): Promise<unknown> => {
        const { carrierServiceDelete } = await fixture.call(
          `mutation ($id: ID!) { carrierServiceDelete(id: $id) { deletedId
            userErrors { field message code } } }`,
          { id: gid },
        );
        return carrierServiceDelete!;
      };
      expect(await remove(id)).toEqual({ deletedId: id, userErrors: [] });
      expect(await remove(id)).toEqual({
        deletedId: null,
        userErrors: [
          {
            ...{ field: ['id'], message: 'The carrier or app could not be found.' },
            code: 'CARRIER_SERVICE_DELETE_FAILED',
          },
        ],
      });
    });

    it('are refused as on the platform', async () => {
      expect(await write('Create', { ...INPUT, name: '' })).toEqual(
        refused('CREATE', "Shipping rate provider name can't be blank"),
      );
      expect(await write('Create', { ...INPUT, callbackUrl: 'http://rates.example' })).toEqual(
        refused('CREATE', 'Shipping rate provider callback url must use HTTPS'),
      );
      for (const callbackUrl of ['https://shopify.com/rates', 'https://['])
        expect(await write('Create', { ...INPUT, callbackUrl })).toEqual(
          refused('CREATE', 'Shipping rate provider callback url invalid host'),
        );
      await write('Create', { ...INPUT, name: 'Atlas' });
      expect(await write('Create', { ...INPUT, name: 'atlas' })).toEqual(
        refused('CREATE', 'Atlas is already configured'),
      );
      expect(await write('Update', { id: unknown('DeliveryCarrierService'), name: 'X' })).toEqual(
        refused('UPDATE', 'The carrier or app could not be found.'),
      );
    });
  });

  describe('fulfillment services', () => {
    const FIELDS = `fulfillmentService { id handle serviceName type trackingSupport
      location { id name isFulfillmentService shipsInventory } }`;
    const run = async (field: string, variables: object = {}, given = ''): Promise<Data> => {
      const { payload } = await fixture.call(
        `mutation ${given} { payload: ${field} { ${FIELDS} userErrors { field message } } }`,
        variables,
      );
      return payload!;
    };
    const create = (name: string): Promise<Data> =>
      run('fulfillmentServiceCreate(name: $name)', { name }, '($name: String!)');
    const remove = async (id: unknown, more: string): Promise<unknown> => {
      const { fulfillmentServiceDelete } = await fixture.call(
        `mutation ($id: ID!) { fulfillmentServiceDelete(id: $id ${more}) { deletedId
          userErrors { field message } } }`,
        { id },
      );
      return fulfillmentServiceDelete!;
    };

    it('have a location that is called like them', async () => {
      const { fulfillmentService } = await create('Café__3PL!');
      expect(fulfillmentService).toMatchObject({
        ...{ handle: 'cafe__3pl', serviceName: 'Café__3PL!', type: 'THIRD_PARTY' },
        location: { name: 'Café__3PL!', isFulfillmentService: true, shipsInventory: false },
      });
      const { id, location } = fulfillmentService as { id: string; location: Data };
      const updated = await run(
        'fulfillmentServiceUpdate(id: $id, name: "Second", trackingSupport: true)',
        { id: `${id}?id=true` },
        '($id: ID!)',
      );
      expect(updated).toMatchObject({
        fulfillmentService: {
          ...{ handle: 'cafe__3pl', serviceName: 'Second', trackingSupport: true },
          location: { id: location['id'], name: 'Second' },
        },
      });
      const { shop } = await fixture.call(
        '{ shop { fulfillmentServices { handle type location { name } } } }',
      );
      expect(shop!['fulfillmentServices']).toEqual([
        { handle: 'manual', type: 'MANUAL', location: { name: 'Shop location' } },
        { handle: 'cafe__3pl', type: 'THIRD_PARTY', location: { name: 'Second' } },
      ]);
      expect(await remove(id, 'inventoryAction: DELETE')).toEqual({
        deletedId: id,
        userErrors: [],
      });
      const read = await fixture.call('query ($id: ID!) { location(id: $id) { id } }', location);
      expect(read['location']).toBeNull();
    });

    it.each([
      ['ftp://carrier.test/orders', 'Callback url protocol ftp:// is not supported'],
      ['https://shopify.com/orders', 'Callback url is not allowed'],
    ])('cannot have the callback %s', async (url, message) => {
      const userErrors = [{ field: ['callbackUrl'], message }];
      const refused = { fulfillmentService: null, userErrors };
      const given = '($url: URL!)';
      const made = 'fulfillmentServiceCreate(name: "Told", callbackUrl: $url)';
      expect(await run(made, { url }, given)).toEqual(refused);
      const { fulfillmentService } = await create('Untold');
      const { id } = fulfillmentService as Data;
      const told = `fulfillmentServiceUpdate(id: "${String(id)}", callbackUrl: $url)`;
      expect(await run(told, { url }, given)).toEqual(refused);
      expect(await run(told, { url: 'http://carrier.test/' }, given)).toMatchObject({
        userErrors: [],
      });
      await remove(id, 'inventoryAction: DELETE');
    });

    it('are named by what they ship', async () => {
      const ordered = await fixture.call(`mutation { orderCreate(order: {
        lineItems: [{ title: "Kite", quantity: 2, requiresShipping: true }] }) { order {
          fulfillmentOrders(first: 1) { nodes { id lineItems(first: 1) { nodes { id } } } } } } }`);
      type Nodes = { readonly nodes: ReadonlyArray<{ readonly id: string; lineItems: Nodes }> };
      const { fulfillmentOrders } = ordered['orderCreate']!['order'] as {
        fulfillmentOrders: Nodes;
      };
      const [{ id, lineItems }] = fulfillmentOrders.nodes as [Nodes['nodes'][0]];
      const ship = async (): Promise<unknown> => {
        const part = { fulfillmentOrderId: id };
        const lines = [{ id: lineItems.nodes[0]!.id, quantity: 1 }];
        const { fulfillmentCreate } = await fixture.call(
          `mutation ($fulfillment: FulfillmentInput!) { fulfillmentCreate(fulfillment: $fulfillment) {
            fulfillment { location { name } service { handle type location { name } } }
            userErrors { message } } }`,
          {
            fulfillment: {
              lineItemsByFulfillmentOrder: [{ ...part, fulfillmentOrderLineItems: lines }],
            },
          },
        );
        return fulfillmentCreate;
      };
      const shop = { name: 'Shop location' };
      expect(await ship()).toEqual({
        fulfillment: {
          location: shop,
          service: { handle: 'manual', type: 'MANUAL', location: shop },
        },
        userErrors: [],
      });
      const { fulfillmentService } = await create('Shipper');
      const { id: service, location } = fulfillmentService as { id: string; location: Data };
      fixture.shop.nodes.update(id, { assignedLocation: { location: location['id'] } });
      const away = { name: 'Shipper' };
      expect(await ship()).toMatchObject({
        fulfillment: {
          ...{
            location: away,
            service: { handle: 'shipper', type: 'THIRD_PARTY', location: away },
          },
        },
      });
      await remove(service, 'inventoryAction: DELETE');
    });

    it.each([
      ['', "Name can't be blank"],
      [' First', 'Name cannot begin with a whitespace character'],
      ['First ', 'Name cannot end with a whitespace character'],
      ['Manual', 'Name is reserved'],
      ['Gift_Card', 'Name is reserved'],
    ])('cannot be called %j', async (name, message) => {
      expect(await create(name)).toEqual({
        fulfillmentService: null,
        userErrors: [{ field: ['name'], message }],
      });
    });

    it('have names of their own, and end at a location that is the merchant’s', async () => {
      const { fulfillmentService } = await create('North Pole');
      const { id } = fulfillmentService as Data;
      for (const name of ['NORTH POLE', 'north-pole'])
        expect(await create(name)).toMatchObject({
          userErrors: [{ field: ['name'], message: 'Name has already been taken' }],
        });
      const error = (field: string[] | null, message: string): object => ({
        deletedId: null,
        userErrors: [{ field, message }],
      });
      const location = fixture.shop.nodes.first('Location')!.id;
      expect(await remove(unknown('FulfillmentService'), '')).toEqual(
        error(['id'], 'Fulfillment service could not be found.'),
      );
      expect(await remove(id, '')).toEqual(error(null, 'Invalid destination location.'));
      const kept = `inventoryAction: KEEP destinationLocationId: "${location}"`;
      expect(await remove(id, kept)).toEqual(
        error(
          ['inventoryAction'],
          'Inventory action Destination location id should not be present when deleting/keeping the inventory of the fulfillment service.',
        ),
      );
      const moved = `inventoryAction: TRANSFER destinationLocationId: "${location}"`;
      expect(await remove(id, moved)).toEqual({ deletedId: id, userErrors: [] });
    });
  });

  it('let customers pick up at an active location', async () => {
    const locationId = fixture.shop.nodes.first('Location')!.id;
    const enable = async (id: string, pickupTime: string): Promise<unknown> => {
      const { locationLocalPickupEnable } = await fixture.call(
        `mutation ($given: DeliveryLocationLocalPickupEnableInput!) {
          locationLocalPickupEnable(localPickupSettings: $given) {
            localPickupSettings { pickupTime instructions } userErrors { field message code } } }`,
        { given: { locationId: id, pickupTime, instructions: 'Ring' } },
      );
      return locationLocalPickupEnable!;
    };
    const refused = (message: string, code: string): object => ({
      localPickupSettings: null,
      userErrors: [{ field: ['localPickupSettings'], message, code }],
    });
    expect(await enable(locationId, 'CUSTOM')).toEqual(
      refused(
        'Custom pickup time is not allowed for local pickup settings.',
        'CUSTOM_PICKUP_TIME_NOT_ALLOWED',
      ),
    );
    expect(await enable(unknown('Location'), 'ONE_HOUR')).toEqual(
      refused(
        'Unable to find an active location for location ID 999999999999',
        'ACTIVE_LOCATION_NOT_FOUND',
      ),
    );
    const settings = { pickupTime: 'TWO_HOURS', instructions: 'Ring' };
    expect(await enable(locationId, 'TWO_HOURS')).toEqual({
      localPickupSettings: settings,
      userErrors: [],
    });
    const read = async (): Promise<unknown> => {
      const { location } = await fixture.call(
        `query ($id: ID!) { location(id: $id) { localPickupSettingsV2 {
          pickupTime instructions } } }`,
        { id: locationId },
      );
      return location!['localPickupSettingsV2'];
    };
    expect(await read()).toEqual(settings);
    const { locationLocalPickupDisable } = await fixture.call(
      `mutation ($id: ID!) { locationLocalPickupDisable(locationId: $id) { locationId
        userErrors { field } } }`,
      { id: locationId },
    );
    expect(locationLocalPickupDisable).toEqual({ locationId, userErrors: [] });
    expect(await read()).toBeNull();
  });

  it('have packages, one of them the default', async () => {
    const { nodes } = fixture.shop;
    const [box, bag] = ['Box', 'Bag'].map((name) => nodes.create('ShippingPackage', { name }).id);
    const run = (field: string, id = box): ReturnType<typeof fixture.answer> =>
      fixture.answer(`mutation ($id: ID!) { ${field} { userErrors { field message } } }`, { id });
    const { data } = await run('shippingPackageMakeDefault(id: $id)', bag);
    expect(data).toEqual({ shippingPackageMakeDefault: { userErrors: [] } });
    await run('shippingPackageMakeDefault(id: $id)');
    expect([box, bag].map((id) => nodes.find(id!)!.fields['default'])).toEqual([true, false]);
    await run('shippingPackageUpdate(id: $id, shippingPackage: { name: "Crate" })');
    expect(nodes.find(box!)!.fields).toMatchObject({ name: 'Crate' });
    await run('shippingPackageDelete(id: $id)');
    expect(nodes.find(box!)).toBeUndefined();
    expect((await run('shippingPackageDelete(id: $id)')).errors).toMatchObject([
      { message: 'invalid id', extensions: { code: 'RESOURCE_NOT_FOUND' } },
    ]);
  });
});
