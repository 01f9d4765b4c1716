import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const APP_PAYLOAD = `codeAppDiscount { __typename discountId title status usageLimit
  combinesWith { orderDiscounts } codes(first: 5) { nodes { code } }
  appDiscountType { appKey functionId } } userErrors { field message code }`;

describe('the discounts of a simulated shop, from their creation to their end', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['discounts', 'products']);
  });
  afterAll(() => fixture.devStore.close());

  const create = async (code: string, input: object = {}): Promise<string> => {
    const { payload } = await fixture.call(
      `mutation ($input: DiscountCodeBasicInput!) {
        payload: discountCodeBasicCreate(basicCodeDiscount: $input) { codeDiscountNode { id } } }`,
      {
        input: {
          ...{ title: code, code, startsAt: '2020-01-01T00:00:00Z' },
          customerGets: { value: { percentage: 0.1 }, items: { all: true } },
          ...input,
        },
      },
    );
    return (payload!['codeDiscountNode'] as { id: string }).id;
  };
  const read = async (id: string): Promise<unknown> => {
    const { codeDiscountNode } = await fixture.call(
      `query ($id: ID!) { codeDiscountNode(id: $id) { codeDiscount { __typename ... on DiscountCodeBasic {
        status discountClasses minimumRequirement { __typename } context { __typename }
        codes(first: 5) { nodes { id code } } codesCount { count precision } } } } }`,
      { id },
    );
    return codeDiscountNode && codeDiscountNode['codeDiscount'];
  };

  it('have the status of their dates, the class of their items, and all buyers', async () => {
    const id = await create('LATER', { startsAt: '2099-01-01T00:00:00Z' });
    expect(await read(id)).toEqual({
      ...{ __typename: 'DiscountCodeBasic', status: 'SCHEDULED', discountClasses: ['ORDER'] },
      minimumRequirement: null,
      context: { __typename: 'DiscountBuyerSelectionAll' },
      codes: { nodes: [{ id: expect.stringMatching(/DiscountRedeemCode/), code: 'LATER' }] },
      codesCount: { count: 1, precision: 'EXACT' },
    });
    const { discountNodesCount } = await fixture.call(
      '{ discountNodesCount(query: "status:scheduled") { count } }',
    );
    expect(discountNodesCount).toEqual({ count: 1 });
    const { payload } = await fixture.call(
      `mutation ($input: DiscountAutomaticFreeShippingInput!) {
        payload: discountAutomaticFreeShippingCreate(freeShippingAutomaticDiscount: $input) {
          automaticDiscountNode { automaticDiscount { ... on DiscountAutomaticFreeShipping {
            discountClasses appliesOnOneTimePurchase destinationSelection {
              ... on DiscountCountries { countries includeRestOfWorld } } } } } } }`,
      {
        input: {
          ...{ title: 'Free', startsAt: '2020-01-01T00:00:00Z' },
          destination: { countries: { add: ['CA'] } },
        },
      },
    );
    expect(payload).toEqual({
      automaticDiscountNode: {
        automaticDiscount: {
          ...{ discountClasses: ['SHIPPING'], appliesOnOneTimePurchase: true },
          destinationSelection: { countries: ['CA'], includeRestOfWorld: false },
        },
      },
    });
  });

  it('get further codes after the call, of which the bad ones fail', async () => {
    const id = await create('BASE');
    const add = (codes: readonly string[], discountId = id): Promise<Record<string, unknown>> =>
      fixture.call(
        `mutation ($discountId: ID!, $codes: [DiscountRedeemCodeInput!]!) {
          discountRedeemCodeBulkAdd(discountId: $discountId, codes: $codes) {
            bulkCreation { id done codesCount importedCount failedCount }
            userErrors { field message code } } }`,
        { discountId, codes: codes.map((code) => ({ code })) },
      );
    const data = await add(['', 'a\nb', 'X'.repeat(256), 'ONE', 'one', 'base', 'TWO']);
    expect(data['discountRedeemCodeBulkAdd']).toEqual({
      bulkCreation: {
        id: expect.any(String),
        ...{ done: false, codesCount: 7, importedCount: 0, failedCount: 0 },
      },
      userErrors: [],
    });
    const { bulkCreation } = data['discountRedeemCodeBulkAdd'] as {
      bulkCreation: { id: string };
    };
    const { discountRedeemCodeBulkCreation } = await fixture.call(
      `query ($id: ID!) { discountRedeemCodeBulkCreation(id: $id) { done importedCount failedCount
        codes(first: 10) { nodes { errors { field message code } discountRedeemCode { code } } } } }`,
      { id: bulkCreation.id },
    );
    const failed = (message: string): object => ({
      errors: [{ field: ['code'], message, code: null }],
      discountRedeemCode: null,
    });
    const imported = (code: string): object => ({ errors: [], discountRedeemCode: { code } });
    expect(discountRedeemCodeBulkCreation).toEqual({
      ...{ done: true, importedCount: 2, failedCount: 5 },
      codes: {
        nodes: [
          failed('is too short (minimum is 1 character)'),
          failed('cannot contain newline characters.'),
          failed('is too long (maximum is 255 characters)'),
          imported('ONE'),
          failed('Codes must be unique within BulkDiscountCodeCreation'),
          failed('must be unique. Please try a different code.'),
          imported('TWO'),
        ],
      },
    });
    const { codes } = (await read(id)) as { codes: { nodes: Array<{ id: string; code: string }> } };
    expect(codes.nodes.map(({ code }) => code)).toEqual(['BASE', 'ONE', 'TWO']);
    const { removed, found } = await fixture.call(
      `mutation ($id: ID!, $ids: [ID!]!) { removed: discountCodeRedeemCodeBulkDelete(
        discountId: $id, ids: $ids) { job { done } userErrors { message } } }`,
      { id, ids: [codes.nodes[1]!.id] },
    );
    expect({ removed, found }).toEqual({ removed: { job: { done: true }, userErrors: [] } });
    expect(
      await fixture.call(
        '{ one: codeDiscountNodeByCode(code: "one") { id } two: codeDiscountNodeByCode(code: "two") { id } }',
      ),
    ).toEqual({ one: null, two: { id } });
    await add(['THREE', 'FOUR']);
    const left = async (): Promise<string[]> => {
      const { codes: all } = (await read(id)) as { codes: { nodes: Array<{ code: string }> } };
      return all.nodes.map(({ code }) => code);
    };
    const remove = async (args: string): Promise<unknown> => {
      const { payload } = await fixture.call(
        `mutation { payload: discountCodeRedeemCodeBulkDelete(discountId: "${id}" ${args}) {
          job { done } userErrors { code } } }`,
      );
      return payload;
    };
    expect(await remove('search: "colour:red"')).toEqual({
      job: null,
      userErrors: [{ code: 'INVALID' }],
    });
    expect(await left()).toEqual(['BASE', 'TWO', 'THREE', 'FOUR']);
    await remove('search: "code:two OR code:three"');
    expect(await left()).toEqual(['BASE', 'FOUR']);
    const fields = { query: 'code:four', name: 'Four', resourceType: 'DISCOUNT_REDEEM_CODE' };
    const saved = fixture.shop.nodes.create('SavedSearch', fields);
    expect(await remove(`savedSearchId: "${saved.id}"`)).toMatchObject({ job: { done: true } });
    expect(await left()).toEqual(['BASE']);
    await remove('search: "base"');
    expect(await left()).toEqual([]);
    await fixture.call(
      `mutation { discountCodeBasicUpdate(id: "${id}", basicCodeDiscount: { code: "NEW" }) {
        userErrors { message } } }`,
    );
    expect(await left()).toEqual(['NEW']);
    expect((await add([]))['discountRedeemCodeBulkAdd']).toEqual({
      bulkCreation: null,
      userErrors: [{ field: ['codes'], message: "Codes can't be blank", code: 'BLANK' }],
    });
    const unknown = await add(['NEW'], 'gid://shopify/DiscountCodeNode/0');
    expect(unknown['discountRedeemCodeBulkAdd']).toMatchObject({
      userErrors: [
        { field: ['discountId'], message: 'Code discount does not exist.', code: 'INVALID' },
      ],
    });
  });

  it('are ended and deleted many at once, by ids or by a search', async () => {
    const [first, second] = [await create('MANY-1'), await create('MANY-2')];
    await fixture.call(
      `mutation ($ids: [ID!]) { discountCodeBulkDeactivate(ids: $ids) { job { done } } }`,
      { ids: [first] },
    );
    expect(await read(first)).toMatchObject({ status: 'EXPIRED' });
    expect(await read(second)).toMatchObject({ status: 'ACTIVE' });
    const { discountCodeBulkDelete } = await fixture.call(
      'mutation { discountCodeBulkDelete(search: "status:expired") { job { done } userErrors { message } } }',
    );
    expect(discountCodeBulkDelete).toEqual({ job: { done: false }, userErrors: [] });
    expect(await read(first)).toBeNull();
    const { payload } = await fixture.call(
      `mutation { payload: discountAutomaticDelete(id: "${second}") {
        deletedAutomaticDiscountId userErrors { field message code } } }`,
    );
    expect(payload).toEqual({
      deletedAutomaticDiscountId: null,
      userErrors: [
        { field: ['id'], message: 'Automatic discount does not exist.', code: 'INVALID' },
      ],
    });
  });

  it('come from functions, of which the shop knows those that a test declares', async () => {
    const write = async (input: object): Promise<Record<string, unknown>> => {
      const { payload } = await fixture.call(
        `mutation ($input: DiscountCodeAppInput!) {
          payload: discountCodeAppCreate(codeAppDiscount: $input) { ${APP_PAYLOAD} } }`,
        { input: { title: 'Volume', code: 'VOLUME', startsAt: '2020-01-01T00:00:00Z', ...input } },
      );
      return payload!;
    };
    const refused = async (input: object): Promise<unknown> => (await write(input))['userErrors'];
    const { codeAppDiscount } = await write({
      ...{ functionHandle: 'volume', discountClasses: ['ORDER'], usageLimit: 10 },
      combinesWith: { orderDiscounts: true },
    });
    expect(codeAppDiscount).toEqual({
      __typename: 'DiscountCodeApp',
      discountId: expect.stringMatching(/DiscountCodeNode/),
      ...{ title: 'Volume', status: 'ACTIVE', usageLimit: 10 },
      combinesWith: { orderDiscounts: true },
      codes: { nodes: [{ code: 'VOLUME' }] },
      appDiscountType: { appKey: 'key', functionId: 'volume' },
    });
    const own = { code: 'OWN', functionHandle: 'volume' };
    expect(await refused({ ...own, title: '', code: '', discountClasses: [] })).toEqual([
      { field: ['codeAppDiscount', 'title'], message: "can't be blank", code: 'INVALID' },
      {
        field: ['codeAppDiscount', 'code'],
        message: "Discount code can't be blank.",
        code: 'INVALID',
      },
      {
        field: ['codeAppDiscount', 'discountClasses'],
        message: "Discount classes can't be empty.",
        code: 'INVALID',
      },
    ]);
    expect(await refused({ code: 'OWN' })).toEqual([
      {
        field: ['codeAppDiscount', 'functionHandle'],
        message: "Function id can't be blank.",
        code: 'MISSING_FUNCTION_IDENTIFIER',
      },
    ]);
    expect(await refused({ ...own, functionId: 'volume' })).toMatchObject([
      { field: ['codeAppDiscount'], code: 'MULTIPLE_FUNCTION_IDENTIFIERS' },
    ]);
    fixture.shop.nodes.create('ShopifyFunction', { handle: 'bundle', apiType: 'cart_transform' });
    expect(await refused(own)).toMatchObject([
      { field: ['codeAppDiscount', 'functionHandle'], code: 'INVALID' },
    ]);
    expect(await refused({ ...own, functionHandle: 'bundle' })).toMatchObject([
      { message: expect.stringMatching(/^Unexpected Function API\./), code: null },
    ]);
    const { discountId } = codeAppDiscount as { discountId: string };
    const { payload } = await fixture.call(
      `mutation ($id: ID!) { payload: discountCodeAppUpdate(id: $id
        codeAppDiscount: { title: "Bulk", code: "BULK" }) { ${APP_PAYLOAD} } }`,
      { id: discountId },
    );
    expect(payload).toMatchObject({
      codeAppDiscount: { discountId, title: 'Bulk', codes: { nodes: [{ code: 'BULK' }] } },
      userErrors: [],
    });
  });
});
