import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the segments of a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['customers', 'orders']);
  });
  afterAll(() => fixture.devStore.close());

  const write = async (
    args: string,
    verb = 'Create',
  ): Promise<{ segment: { id: string; name: string } | null; userErrors: unknown }> => {
    const { payload } = await fixture.call(
      `mutation { payload: segment${verb}(${args}) {
        segment { id name query } userErrors { field message } } }`,
    );
    return payload as never;
  };
  const refused = (
    ...errors: ReadonlyArray<readonly [field: string, message: string]>
  ): object => ({
    segment: null,
    userErrors: errors.map(([field, message]) => ({ field: [field], message })),
  });
  const ALL = '"number_of_orders >= 0"';

  it('have a name of their own', async () => {
    expect(await write(`name: " ", query: ${ALL}`)).toEqual(
      refused(['name', "Name can't be blank"]),
    );
    expect(await write('name: "", query: ""')).toEqual(
      refused(['name', "Name can't be blank"], ['query', "Query can't be blank"]),
    );
    expect(await write(`name: "${'x'.repeat(256)}", query: ${ALL}`)).toEqual(
      refused(['name', 'Name is too long (maximum is 255 characters)']),
    );
    const kept = await write(`name: "Kept", query: ${ALL}`);
    expect(await write(`id: "${kept.segment!.id}"`, 'Update')).toEqual({
      segment: null,
      userErrors: [{ field: null, message: 'At least one attribute to change must be present' }],
    });
    const names: unknown[] = [];
    for (let count = 0; count < 3; count++)
      names.push((await write(`name: "All", query: ${ALL}`)).segment?.name);
    expect(names).toEqual(['All', 'All (2)', 'All (3)']);
    expect(await write('id: "gid://shopify/Segment/9", name: "None"', 'Update')).toEqual(
      refused(['id', 'Segment does not exist']),
    );
  });

  it('have a query that must be one', async () => {
    expect(await write('name: "Bad", query: "not a valid segment query ???"')).toEqual(
      refused(
        ['query', "Query Line 1 Column 6: 'valid' is unexpected."],
        ['query', "Query Line 1 Column 4: 'a' filter cannot be found."],
      ),
    );
    expect(await write(`name: "Long", query: "${'x'.repeat(5001)}"`)).toEqual(
      refused(['query', 'Query is too long (maximum is 5000 characters)']),
    );
    for (const query of [
      "customer_tags CONTAINS 'a' AND (amount_spent > 5.00 OR NOT number_of_orders = 1)",
      'last_order_date >= -30d OR last_order_date IS NULL',
      'customer_added_date BETWEEN 2024-01-01 AND today',
      "customer_countries IN ('US', 'CA') AND products_purchased(id: (1, 2)) = true",
      "metafields.custom.color = 'red'",
    ])
      expect(await write(`name: "Good", query: "${query}"`)).toMatchObject({ userErrors: [] });
    for (const query of ['number_of_orders', '(number_of_orders = 1', 'customer_tags CONTAINS ('])
      expect((await write(`name: "Bad", query: "${query}"`)).segment).toBeNull();
  });

  it('have the customers that their query finds', async () => {
    const { create } = fixture.shop.nodes;
    const add = (fields: object) => create.call(fixture.shop.nodes, 'Customer', { ...fields }).id;
    const vip = add({ firstName: 'Vi', lastName: 'Pi', tags: ['vip'], email: 'v@vip.example' });
    const plain = add({ firstName: 'Pat', tags: ['plain'] });
    create.call(fixture.shop.nodes, 'Order', { customer: vip });
    const found = async (query: string): Promise<unknown> => {
      const { customerSegmentMembers } = await fixture.call(
        `query ($query: String) { customerSegmentMembers(first: 5, query: $query) { totalCount
          edges { node { displayName } } statistics { attributeStatistics(attributeName: "amount_spent") {
          average sum } } } }`,
        { query },
      );
      const { edges, totalCount } = customerSegmentMembers as {
        edges: Array<{ node: { displayName: string } }>;
        totalCount: number;
      };
      expect(edges).toHaveLength(totalCount);
      return edges.map(({ node }) => node.displayName);
    };
    expect(await found("customer_tags CONTAINS 'VIP'")).toEqual(['Vi Pi']);
    expect(await found("customer_tags NOT CONTAINS 'vip'")).toEqual(['Pat']);
    expect(await found('number_of_orders > 0')).toEqual(['Vi Pi']);
    expect(await found('number_of_orders BETWEEN 0 AND 3')).toEqual(['Vi Pi', 'Pat']);
    expect(
      await found("customer_email_domain IN ('vip.example') AND last_order_date >= -1d"),
    ).toEqual(['Vi Pi']);
    expect(await found('customer_email_domain IS NULL AND customer_added_date <= today')).toEqual([
      'Pat',
    ]);
    expect(await found("rfm_group = 'LOYAL' OR NOT number_of_orders <= 1")).toEqual([]);
    const { segment } = await write(`name: "VIPs", query: "customer_tags CONTAINS 'vip'"`);
    const { one, other } = await fixture.call(
      `query ($one: ID!, $other: ID!, $ids: [ID!]!) {
        one: customerSegmentMembership(customerId: $one, segmentIds: $ids) {
          memberships { segmentId isMember } }
        other: customerSegmentMembership(customerId: $other, segmentIds: $ids) {
          memberships { isMember } } }`,
      { one: vip, other: plain, ids: [segment?.id, 'gid://shopify/Segment/9'] },
    );
    expect(one).toEqual({ memberships: [{ segmentId: segment?.id, isMember: true }] });
    expect(other).toEqual({ memberships: [{ isMember: false }] });
  });

  it('look at no other customer to tell whether one is in them', async () => {
    const { nodes } = fixture.shop;
    const { id: customerId } = nodes.create('Customer', { tags: ['asked'] });
    const other = nodes.create('Customer', { tags: [] });
    let reads = 0;
    Object.defineProperty(other.fields, 'tags', {
      configurable: true,
      get: () => {
        reads++;
        return ['asked'];
      },
    });
    const { segment } = await write(`name: "Asked", query: "customer_tags CONTAINS 'asked'"`);
    const isMember = async (id: string): Promise<unknown> => {
      const { customerSegmentMembership } = await fixture.call(
        `query ($id: ID!, $ids: [ID!]!) { customerSegmentMembership(customerId: $id
          segmentIds: $ids) { memberships { isMember } } }`,
        { id, ids: [segment?.id] },
      );
      return customerSegmentMembership!['memberships'];
    };
    expect(await isMember(customerId)).toEqual([{ isMember: true }]);
    for (const id of ['gid://shopify/Customer/9', segment!.id])
      expect(await isMember(id)).toEqual([{ isMember: false }]);
    expect(reads).toBe(0);
    expect(await isMember(other.id)).toEqual([{ isMember: true }]);
    nodes.delete(customerId);
    nodes.delete(other.id);
  });

  it.each([
    ['a value that objects have a member of', "customer_tags = 'constructor'", 0],
    ['a filter that objects have a member of', '__proto__ = 1', 0],
    ['a date that no calendar has', 'last_order_date > -999999y', 1],
    ['brackets', `${'('.repeat(20)}number_of_orders >= 0${')'.repeat(20)}`, 2],
    ['too many brackets', `${'('.repeat(2000)}number_of_orders >= 0${')'.repeat(2000)}`, 0],
    ['too many letters', `number_of_orders >= 0${' '.repeat(5000)}`, 0],
  ])('are found by a query with %s', async (_what, query, count) => {
    const { customerSegmentMembers } = await fixture.call(
      'query ($query: String) { customerSegmentMembers(first: 5, query: $query) { totalCount } }',
      { query },
    );
    expect(customerSegmentMembers).toEqual({ totalCount: count });
  });

  it('are not counted for a query that is too long', async () => {
    const { payload } = await fixture.call(
      `mutation ($query: String) { payload: customerSegmentMembersQueryCreate(
        input: { query: $query }) { customerSegmentMembersQuery { id }
        userErrors { field message code } } }`,
      { query: `number_of_orders >= 0${' '.repeat(5000)}` },
    );
    expect(payload).toEqual({
      customerSegmentMembersQuery: null,
      userErrors: [
        {
          ...{ field: null, code: 'INVALID' },
          message: 'Query is too long (maximum is 5000 characters)',
        },
      ],
    });
  });

  it('are asked for in the background', async () => {
    const ask = async (input: object): Promise<Record<string, unknown>> => {
      const { payload } = await fixture.call(
        `mutation ($input: CustomerSegmentMembersQueryInput!) {
          payload: customerSegmentMembersQueryCreate(input: $input) {
            customerSegmentMembersQuery { id done currentCount } userErrors { field message code } } }`,
        { input },
      );
      return payload!;
    };
    const error = (message: string): object => ({
      customerSegmentMembersQuery: null,
      userErrors: [{ field: null, message, code: 'INVALID' }],
    });
    expect(await ask({ query: 'not a valid segment query ???' })).toEqual(
      error("Line 1 Column 6: 'valid' is unexpected."),
    );
    for (const [names, message] of [
      [{}, 'You must provide one of segment_id or query.'],
      [
        { segmentId: 'gid://shopify/Segment/9', query: 'number_of_orders > 0' },
        'Providing both segment_id and query is not supported.',
      ],
    ] as const)
      expect(await ask(names)).toMatchObject({
        customerSegmentMembersQuery: null,
        userErrors: [{ field: ['input'], message, code: 'INVALID' }],
      });
    expect(await ask({ segmentId: 'gid://shopify/Segment/9' })).toEqual(
      error('Invalid segment ID.'),
    );
    const { customerSegmentMembersQuery: query } = await ask({ query: 'number_of_orders >= 0' });
    expect(query).toMatchObject({ done: false, currentCount: 0 });
    const { id } = query as { id: string };
    expect(
      await fixture.call(
        `query ($id: ID!) { customerSegmentMembersQuery(id: $id) { done }
          customerSegmentMembers(first: 5, queryId: $id) { totalCount } }`,
        { id },
      ),
    ).toEqual({
      customerSegmentMembersQuery: { done: true },
      customerSegmentMembers: { totalCount: 2 },
    });
  });
});
