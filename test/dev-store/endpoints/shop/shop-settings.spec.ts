import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the settings of a shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['legal_policies', 'markets'], '2026-04');
  });
  afterAll(() => fixture.devStore.close());

  const POLICY = `mutation ($shopPolicy: ShopPolicyInput!) {
    shopPolicyUpdate(shopPolicy: $shopPolicy) {
      shopPolicy { id title body type url }
      userErrors { field message code }
    }
  }`;
  const write = async (type: string, body: string): Promise<Record<string, unknown>> => {
    const { shopPolicyUpdate } = await fixture.call(POLICY, { shopPolicy: { type, body } });
    return shopPolicyUpdate!;
  };

  it('have one policy of each type, which the shop shows', async () => {
    const first = await write('REFUND_POLICY', '<p>One</p>');
    const second = await write('REFUND_POLICY', '<p>Two</p>');
    const { id } = first['shopPolicy'] as { id: string };
    expect(second).toMatchObject({
      shopPolicy: { id, title: 'Refund policy', body: '<p>Two</p>', type: 'REFUND_POLICY' },
      userErrors: [],
    });
    const url = new URL((second['shopPolicy'] as { url: string }).url);
    expect(url.pathname).toBe(`/policies/${id.split('/').at(-1)}.html`);
    const { shop } = await fixture.call('{ shop { shopPolicies { id body } } }');
    expect(shop).toEqual({ shopPolicies: [{ id, body: '<p>Two</p>' }] });
  });

  it.each([
    [
      'PRIVACY_POLICY',
      '{% unknownTag %}',
      "Body Liquid syntax error: Unknown tag 'unknownTag'",
      null,
    ],
    ['SUBSCRIPTION_POLICY', ' ', 'Purchase options cancellation policy required', null],
    ['CONTACT_INFORMATION', 'é'.repeat(262_145), 'Body is too big (maximum is 512 KB)', 'TOO_BIG'],
  ])('refuse a policy %s of %.20s', async (type, body, message, code) => {
    expect(await write(type, body)).toEqual({
      shopPolicy: null,
      userErrors: [{ field: ['shopPolicy', 'body'], message, code }],
    });
  });

  it('take a policy of the largest size, and Liquid that there is', async () => {
    expect(await write('CONTACT_INFORMATION', 'é'.repeat(262_144))).toMatchObject({
      userErrors: [],
    });
    expect(await write('PRIVACY_POLICY', '{%- if a -%}b{% endif %}')).toMatchObject({
      userErrors: [],
    });
  });

  it('have a region to fall back to: that of the shop, then another', async () => {
    const region = '{ __typename id name ... on MarketRegionCountry { code } }';
    const { backupRegion } = await fixture.call(`{ backupRegion ${region} }`);
    expect(backupRegion).toMatchObject({
      __typename: 'MarketRegionCountry',
      code: fixture.shop.country,
    });
    const update = (code: string): string => `mutation {
      backupRegionUpdate(region: { countryCode: ${code} }) {
        backupRegion ${region} userErrors { __typename field message code } } }`;
    const { backupRegionUpdate } = await fixture.call(update('CA'));
    expect(backupRegionUpdate).toMatchObject({
      backupRegion: { name: 'Canada', code: 'CA' },
      userErrors: [],
    });
    const unknown = await fixture.call(update('ZZ'));
    expect(unknown['backupRegionUpdate']).toEqual({
      backupRegion: null,
      userErrors: [
        {
          __typename: 'MarketUserError',
          field: ['region'],
          message: 'Region not found.',
          code: 'REGION_NOT_FOUND',
        },
      ],
    });
    const again = await fixture.call(`{ backupRegion ${region} }`);
    expect(again['backupRegion']).toEqual(backupRegionUpdate!['backupRegion']);
  });

  it.each([
    [{ body: '{"properties":{}}' }, ["Required field missing: 'trigger_id'."]],
    [{ body: '{"trigger_id":"abc","properties":{}}' }, ["Invalid trigger_id 'abc'."]],
    [{ body: '{"trigger_title":"foo","properties":{}}' }, ["Invalid trigger_title 'foo'."]],
    [
      { body: '{"properties":{},"resources":[{"url":"not-a-url"}],"unknown_root":1}' },
      [
        "Invalid field: 'unknown_root'.",
        "Required field missing: 'name'.",
        "Type error for field 'url': not-a-url is not an absolute URL.",
      ],
    ],
    [
      { body: JSON.stringify({ trigger_id: 'abc', properties: { a: 'x'.repeat(50_000) } }) },
      ['Properties size exceeds the limit of 50000 bytes.'],
    ],
    [
      { handle: 'own', payload: { a: 'x'.repeat(50_000) } },
      ['Properties size exceeds the limit of 50000 bytes.'],
    ],
    [{ handle: 'own', payload: { a: 'x' } }, ["Invalid handle 'own'."]],
    [{ body: 'no JSON' }, ['Invalid JSON.']],
  ])('know no Flow trigger, and say what is wrong with an event: %.60j', async (args, lines) => {
    const { flowTriggerReceive } = await fixture.call(
      `mutation ($body: String, $handle: String, $payload: JSON) {
        flowTriggerReceive(body: $body, handle: $handle, payload: $payload) {
          userErrors { field message } } }`,
      args,
    );
    const message = `Errors validating schema:\n${lines.map((line) => `  ${line}\n`).join('')}`;
    expect(flowTriggerReceive).toEqual({ userErrors: [{ field: ['body'], message }] });
  });
});
