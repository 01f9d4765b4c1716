import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('inventory items', () => {
  let store: NodeShopFixture;
  let id: string;

  beforeAll(async () => {
    store = await openNodeShop(['products', 'inventory', 'locations']);
    const { productCreate } = await store.call(
      `mutation { productCreate(product: { title: "Tin" }) { product {
        variants(first: 1) { nodes { inventoryItem { id } } } } } }`,
    );
    const { variants } = productCreate!['product'] as {
      variants: { nodes: Array<{ inventoryItem: { id: string } }> };
    };
    id = variants.nodes[0]!.inventoryItem.id;
  });
  afterAll(() => store.devStore.close());

  const update = async (input: object): Promise<unknown> => {
    const { inventoryItemUpdate } = await store.call(
      `mutation ($id: ID!, $input: InventoryItemInput!) { inventoryItemUpdate(id: $id, input: $input) {
        inventoryItem { countryCodeOfOrigin harmonizedSystemCode measurement { weight { value unit } } }
        userErrors { field message } } }`,
      { id, input },
    );
    return inventoryItemUpdate;
  };
  const weight = (value: number, unit: string) => ({ measurement: { weight: { value, unit } } });

  it.each([
    [{ cost: '-5.00' }, ['cost'], 'Cost must be greater than or equal to 0'],
    [
      weight(-1, 'KILOGRAMS'),
      ['measurement', 'weight'],
      'Measurement weight value -1 kg must be >= 0 kg',
    ],
    [
      weight(-2.5, 'OUNCES'),
      ['measurement', 'weight'],
      'Measurement weight value -2.5 oz must be >= 0 oz',
    ],
    [{ countryCodeOfOrigin: 'ZZ' }, ['countryCodeOfOrigin'], 'Country code of origin is invalid'],
    [
      { harmonizedSystemCode: '12' },
      ['harmonizedSystemCode'],
      'Harmonized system code must be a number between six and thirteen digits',
    ],
  ])('are refused: %j', async (input, field, message) => {
    expect(await update(input)).toEqual({
      inventoryItem: null,
      userErrors: [{ field: ['input', ...field], message }],
    });
  });

  it('have a weight, a country and a code', async () => {
    const codes = { countryCodeOfOrigin: 'IE', harmonizedSystemCode: '0901.21' };
    expect(await update({ ...weight(0, 'GRAMS'), ...codes })).toEqual({
      inventoryItem: { ...codes, ...weight(0, 'GRAMS') },
      userErrors: [],
    });
  });

  it('have levels that are searched, by fields that there are', async () => {
    const levels = async (query: string): Promise<number> => {
      const { inventoryItem } = await store.call(
        `query ($id: ID!, $query: String) { inventoryItem(id: $id) {
          inventoryLevels(first: 5, query: $query) { nodes { id } } } }`,
        { id, query },
      );
      return (inventoryItem!['inventoryLevels'] as { nodes: object[] }).nodes.length;
    };
    expect(await levels(`inventory_item_id:${id.split('/').at(-1)}`)).toBe(1);
    expect(await levels('inventory_item_id:1')).toBe(0);
    expect(await levels('created_at:<2000-01-01')).toBe(0);
    expect(await levels('location_id:1')).toBe(1);
  });
});
