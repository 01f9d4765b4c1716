import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('delivery profiles of a simulated shop', () => {
  let fixture: NodeShopFixture;
  let location: string;
  beforeAll(async () => {
    fixture = await openNodeShop(['shipping', 'products', 'locations'], '2026-04');
    location = fixture.shop.nodes.first('Location')!.id;
  });
  afterAll(() => fixture.devStore.close());

  const FIELDS = `profile { id name version default originLocationCount zoneCountryCount
    activeMethodDefinitionsCount productVariantsCount { count }
    profileItems(first: 5) { nodes { product { title } variants(first: 5) { nodes { id } } } }
    profileLocationGroups { locationGroup { id locations(first: 5) { nodes { id } } }
      locationGroupZones(first: 5) { nodes { zone { id name countries {
        code { countryCode restOfWorld } name } }
        methodDefinitions(first: 5) { nodes { id name active
          rateProvider { ... on DeliveryRateDefinition { id price { amount currencyCode } } }
          methodConditions { id field operator conditionCriteria { __typename
            ... on Weight { value unit } ... on MoneyV2 { amount } } } } } } } } }
    userErrors { field message }`;
  const write = async (profile: object, id?: string): Promise<Data> => {
    const verb = id ? 'Update(id: $id, profile: $profile)' : 'Create(profile: $profile)';
    const { payload } = await fixture.call(
      `mutation (${id ? '$id: ID!, ' : ''}$profile: DeliveryProfileInput!) {
        payload: deliveryProfile${verb} { ${FIELDS} } }`,
      { id, profile },
    );
    return payload!;
  };
  const zone = (more: object = {}): object => ({
    ...{ name: 'Home', countries: [{ code: 'US', includeAllProvinces: true }] },
    methodDefinitionsToCreate: [
      {
        ...{ name: 'Standard', active: true },
        rateDefinition: { price: { amount: '7.25', currencyCode: 'EUR' } },
        weightConditionsToCreate: [
          { operator: 'GREATER_THAN_OR_EQUAL_TO', criteria: { value: 1, unit: 'KILOGRAMS' } },
        ],
      },
    ],
    ...more,
  });
  const remove = async (id: string): Promise<unknown> => {
    const { deliveryProfileRemove } = await fixture.call(
      `mutation ($id: ID!) { deliveryProfileRemove(id: $id) { job { done }
        userErrors { field message } } }`,
      { id },
    );
    return deliveryProfileRemove!;
  };

  it('say where products are shipped from and to, and how', async () => {
    const { product } = fixture.shop.createProduct({ title: 'Boat', variants: [{ price: '9' }] });
    const variant = `gid://shopify/ProductVariant/${product!.variants[0]!.id}`;
    const { profile: made, userErrors } = await write({
      name: 'Fragile',
      locationGroupsToCreate: [{ locations: [location], zonesToCreate: [zone()] }],
      variantsToAssociate: [variant],
    });
    expect(userErrors).toEqual([]);
    expect(made).toMatchObject({
      ...{ name: 'Fragile', version: 1, default: false, originLocationCount: 1 },
      ...{ zoneCountryCount: 1, activeMethodDefinitionsCount: 1 },
      productVariantsCount: { count: 1 },
      profileItems: {
        nodes: [{ product: { title: 'Boat' }, variants: { nodes: [{ id: variant }] } }],
      },
      profileLocationGroups: [
        {
          locationGroup: { locations: { nodes: [{ id: location }] } },
          locationGroupZones: {
            nodes: [
              {
                zone: {
                  name: 'Home',
                  countries: [
                    { code: { countryCode: 'US', restOfWorld: false }, name: 'United States' },
                  ],
                },
                methodDefinitions: {
                  nodes: [
                    {
                      ...{ name: 'Standard', active: true },
                      rateProvider: { price: { amount: '7.25', currencyCode: 'EUR' } },
                      methodConditions: [
                        {
                          ...{ field: 'TOTAL_WEIGHT', operator: 'GREATER_THAN_OR_EQUAL_TO' },
                          conditionCriteria: { __typename: 'Weight', value: 1, unit: 'KILOGRAMS' },
                        },
                      ],
                    },
                  ],
                },
              },
            ],
          },
        },
      ],
    });

    const { id, profileLocationGroups } = made as {
      id: string;
      profileLocationGroups: Array<{
        locationGroup: { id: string };
        locationGroupZones: {
          nodes: Array<{
            zone: { id: string };
            methodDefinitions: { nodes: Array<{ id: string; methodConditions: Data[] }> };
          }>;
        };
      }>;
    };
    const group = profileLocationGroups[0]!;
    const inZone = group.locationGroupZones.nodes[0]!;
    const method = inZone.methodDefinitions.nodes[0]!;
    const { profile: updated } = await write(
      {
        name: 'Sturdy',
        variantsToDissociate: [variant],
        conditionsToDelete: [method.methodConditions[0]!['id']],
        locationGroupsToUpdate: [
          {
            id: group.locationGroup.id,
            zonesToUpdate: [
              {
                ...{ id: inZone.zone.id, name: 'Away' },
                methodDefinitionsToUpdate: [
                  {
                    ...{ id: method.id, name: 'Slow', active: false },
                    rateDefinition: { price: { amount: '8.50', currencyCode: 'EUR' } },
                  },
                ],
              },
            ],
          },
        ],
      },
      id,
    );
    expect(updated).toMatchObject({
      ...{ name: 'Sturdy', version: 2, activeMethodDefinitionsCount: 0 },
      productVariantsCount: { count: 0 },
      profileItems: { nodes: [] },
      profileLocationGroups: [
        {
          locationGroupZones: {
            nodes: [
              {
                zone: { id: inZone.zone.id, name: 'Away' },
                methodDefinitions: {
                  nodes: [
                    {
                      ...{ id: method.id, name: 'Slow', active: false, methodConditions: [] },
                      rateProvider: { price: { amount: '8.5' } },
                    },
                  ],
                },
              },
            ],
          },
        },
      ],
    });
    expect(await remove(id)).toEqual({ job: { done: false }, userErrors: [] });
    const read = await fixture.call('query ($id: ID!) { deliveryProfile(id: $id) { id } }', { id });
    expect(read['deliveryProfile']).toBeNull();
  });

  it.each<[object, string[] | null, string]>([
    [{ name: '' }, ['profile', 'name'], 'Add a profile name'],
    [
      { name: 'x'.repeat(128) },
      ['profile', 'name'],
      'Profile name must be less than 128 characters long',
    ],
    [
      { name: 'A', locationGroupsToCreate: [{ locations: ['gid://shopify/Location/9'] }] },
      null,
      'The Location could not be found for this shop.',
    ],
    [
      { name: 'A', locationGroupsToCreate: [{ zonesToCreate: [{ name: 'Z', countries: [] }] }] },
      null,
      'Profile is invalid: cannot create LocationGroupZone without countries.',
    ],
  ])('are refused with %j', async (profile, field, message) => {
    expect(await write(profile)).toEqual({ profile: null, userErrors: [{ field, message }] });
  });

  it('change nothing but their own parts', async () => {
    const { nodes } = fixture.shop;
    const order = nodes.create('Order', { name: '#1' }).id;
    const zones = { locations: [location], zonesToCreate: [zone()] };
    const { profile } = await write({ name: 'Own', locationGroupsToCreate: [zones] });
    const { id, profileLocationGroups } = profile as {
      id: string;
      profileLocationGroups: Array<{
        locationGroup: { id: string };
        locationGroupZones: {
          nodes: Array<{ zone: { id: string }; methodDefinitions: { nodes: Data[] } }>;
        };
      }>;
    };
    const { locationGroup, locationGroupZones } = profileLocationGroups[0]!;
    const [inZone] = locationGroupZones.nodes;
    const method = inZone!.methodDefinitions.nodes[0]!['id'];
    await write(
      {
        ...{ zonesToDelete: [order], locationGroupsToDelete: [order] },
        ...{ conditionsToDelete: [order], methodDefinitionsToDelete: [order] },
        locationGroupsToUpdate: [
          {
            id: locationGroup.id,
            zonesToUpdate: [
              {
                id: inZone!.zone.id,
                methodDefinitionsToUpdate: [
                  { id: method, conditionsToUpdate: [{ id: order, criteria: 5 }] },
                ],
              },
            ],
          },
        ],
      },
      id,
    );
    expect(nodes.find(order)?.fields).toEqual({ name: '#1' });
    const { errors } = await fixture.answer(
      `mutation ($id: ID!, $profile: DeliveryProfileInput!) {
        deliveryProfileUpdate(id: $id, profile: $profile) { profile { id } } }`,
      { id, profile: { variantsToAssociate: [order] } },
    );
    expect(errors).toMatchObject([{ message: `Invalid id: ${order}` }]);
  });

  it('are neither changed nor removed when they are not there, or the default one', async () => {
    const id = 'gid://shopify/DeliveryProfile/999999999999';
    const error = (message: string): object => ({ userErrors: [{ field: null, message }] });
    expect(await write({ name: 'Nope' }, id)).toMatchObject(error('Profile could not be updated.'));
    expect(await remove(id)).toEqual({
      job: null,
      ...error('The Delivery Profile cannot be found for the shop.'),
    });
    const own = fixture.shop.nodes.create('DeliveryProfile', { name: 'General', default: true });
    expect(await remove(own.id)).toMatchObject(error('Cannot delete the default profile.'));
  });
});
