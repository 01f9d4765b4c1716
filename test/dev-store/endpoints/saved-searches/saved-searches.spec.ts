import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the saved searches of a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['products', 'orders']);
  });
  afterAll(() => fixture.devStore.close());

  const write = async (verb: string, input: object): Promise<Record<string, unknown>> => {
    const { payload } = await fixture.call(
      `mutation ($input: SavedSearch${verb}Input!) { payload: savedSearch${verb}(input: $input) {
        savedSearch { id name query searchTerms filters { key value } }
        userErrors { field message } } }`,
      { input },
    );
    return payload!;
  };
  const create = (name: string, query: string, resourceType = 'PRODUCT') =>
    write('Create', { name, query, resourceType });
  const refused = (
    ...errors: ReadonlyArray<readonly [field: string | null, message: string]>
  ): object => ({
    savedSearch: null,
    userErrors: errors.map(([field, message]) => ({ field: field?.split('.') ?? null, message })),
  });

  it('have a name of their own', async () => {
    expect(await create('Shoes', 'shoe')).toMatchObject({ userErrors: [] });
    expect(await create('Shoes', 'shoe')).toEqual(
      refused(['input.name', 'Name has already been taken']),
    );
    expect(await create('All products', '')).toEqual(
      refused(['input.name', 'Name has already been taken']),
    );
    expect(await create('Shoes', '', 'ORDER')).toMatchObject({ userErrors: [] });
    expect(await create('x'.repeat(41), 'colour:red')).toEqual(
      refused(
        ['input.name', 'Name is too long (maximum is 40 characters)'],
        ['input.query', "Query is invalid, 'colour' is not a valid filter"],
      ),
    );
    expect(await create('Kay', '', 'CUSTOMER')).toEqual(
      refused([
        null,
        'Customer saved searches have been deprecated. Use Segmentation API instead.',
      ]),
    );
  });

  it('have words and filters, of which not all go together', async () => {
    expect(await create('Mix', 'red shoe tag:"big sale" -vendor:Acme')).toMatchObject({
      savedSearch: {
        searchTerms: 'red shoe',
        filters: [
          { key: 'tag', value: 'big sale' },
          { key: 'vendor_not', value: 'Acme' },
        ],
      },
    });
    expect(
      await create('Stock', 'inventory_total:>2 inventory_total:<=10 sku:* -inventory_total:<3'),
    ).toMatchObject({
      savedSearch: {
        searchTerms: '',
        filters: [
          { key: 'inventory_total_min', value: '2' },
          { key: 'inventory_total_max', value: '10' },
          { key: 'sku', value: 'true' },
          { key: 'inventory_total_min', value: '3' },
        ],
      },
    });
    expect(await create('In', 'collection_id:1 tag:a')).toEqual(
      refused(['input.query', 'Query has incompatible filters: collection_id, tag']),
    );
    expect(await create('At', 'reference_location_id:1', 'ORDER')).toEqual(
      refused([
        'input.query',
        "Search terms is invalid, 'reference_location_id' is a reserved filter name",
      ]),
    );
  });

  it('are there for orders from the start, and can be changed as any', async () => {
    const read = async (): Promise<Array<{ id: string; name: string }>> => {
      const { orderSavedSearches } = await fixture.call(`{ orderSavedSearches(first: 9) {
        nodes { id name query filters { key value } } } }`);
      return orderSavedSearches!['nodes'] as Array<{ id: string; name: string }>;
    };
    const [first] = await read();
    expect(first).toMatchObject({
      name: 'Unfulfilled',
      query: 'status:open fulfillment_status:unshipped,partial',
      filters: [
        { key: 'status', value: 'open' },
        { key: 'fulfillment_status', value: 'unshipped,partial' },
      ],
    });
    expect(await write('Update', { id: first!.id, name: 'To send' })).toMatchObject({
      savedSearch: { name: 'To send' },
      userErrors: [],
    });
    expect((await read()).map(({ name }) => name).slice(0, 4)).toEqual([
      'To send',
      'Unpaid',
      'Open',
      'Archived',
    ]);
  });

  it('are listed by what they find, and answer a refused change as if it were kept', async () => {
    const { savedSearch } = await create('Files', 'logo', 'FILE');
    const { id } = savedSearch as { id: string };
    expect(await write('Update', { id, name: 'x'.repeat(41), query: 'colour:red' })).toMatchObject({
      savedSearch: { id, name: 'Files', query: 'colour:red', searchTerms: '' },
      userErrors: [{ field: ['input', 'name'] }, { field: ['input', 'query'] }],
    });
    expect(await write('Update', { id, query: 'banner' })).toMatchObject({
      savedSearch: { name: 'Files', query: 'banner', searchTerms: 'banner' },
    });
    const read = async (): Promise<unknown> => {
      const { fileSavedSearches } = await fixture.call(
        '{ fileSavedSearches(first: 5) { nodes { name query } } }',
      );
      return fileSavedSearches!['nodes'];
    };
    expect(await read()).toEqual([{ name: 'Files', query: 'banner' }]);
    const remove = `mutation ($id: ID!) { savedSearchDelete(input: { id: $id }) {
      deletedSavedSearchId shop { name } userErrors { field message } } }`;
    expect(await fixture.call(remove, { id })).toMatchObject({
      savedSearchDelete: { deletedSavedSearchId: id, userErrors: [] },
    });
    expect(await read()).toEqual([]);
    expect(await fixture.call(remove, { id })).toEqual({
      savedSearchDelete: {
        deletedSavedSearchId: null,
        shop: { name: fixture.shop.name },
        userErrors: [{ field: ['input', 'id'], message: 'Saved Search does not exist' }],
      },
    });
    expect(await write('Update', { id, name: 'None' })).toEqual(
      refused(['input.id', 'Saved Search does not exist']),
    );
  });
});
