import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('the platform and the shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['products', 'locations', 'customers'], '2026-04');
  });
  afterAll(() => fixture.devStore.close());

  it('have four versions at a time, the next one and the unstable one', async () => {
    const { publicApiVersions } = await fixture.call(
      '{ publicApiVersions { handle displayName supported } }',
    );
    const versions = publicApiVersions as unknown as Array<Record<string, unknown>>;
    expect(versions.map(({ supported }) => supported)).toEqual([
      ...[true, true, true, true],
      ...[false, false],
    ]);
    const now = fixture.devStore.clock.now();
    const month = String(Math.floor(now.getUTCMonth() / 3) * 3 + 1).padStart(2, '0');
    const latest = `${now.getUTCFullYear()}-${month}`;
    expect(versions[3]).toMatchObject({ handle: latest, displayName: `${latest} (Latest)` });
    expect(versions[4]!['displayName']).toMatch(/^\d{4}-(?:01|04|07|10) \(Release candidate\)$/);
    expect(versions[5]!['displayName']).toBe('unstable');
  });

  it('are found by what they are: the shop, its domain, its address, its entity, the app', async () => {
    const { shop, businessEntities, businessEntity, app, installation } = await fixture.call(`{
      shop { id primaryDomain { id } shopAddress { id country countryCodeV2 formatted } }
      businessEntities { id primary address { countryCode } } businessEntity { id }
      app { id } installation: currentAppInstallation { id } }`);
    expect(shop).toMatchObject({
      shopAddress: { country: 'Ireland', countryCodeV2: 'IE', formatted: ['Ireland'] },
    });
    const entities = businessEntities as unknown as Array<{ id: string }>;
    expect(entities).toEqual([
      { ...businessEntity, primary: true, address: { countryCode: 'IE' } },
    ]);
    const ids = [
      shop,
      shop!['primaryDomain'],
      shop!['shopAddress'],
      businessEntity,
      app,
      installation,
    ];
    const wanted = ids.map((one) => (one as { id: string }).id);
    const { nodes, domain, none, noEntity } = await fixture.call(
      `query ($ids: [ID!]!, $domain: ID!) {
        nodes(ids: $ids) { id } domain(id: $domain) { host }
        none: domain(id: "gid://shopify/Domain/0") { id }
        noEntity: businessEntity(id: "gid://shopify/BusinessEntity/999") { id } }`,
      { ids: wanted, domain: wanted[1] },
    );
    expect(nodes).toEqual(wanted.map((id) => ({ id })));
    expect([domain, none, noEntity]).toEqual([{ host: fixture.shop.domain }, null, null]);
  });

  it('show no category of products, and no staff without the scope for it', async () => {
    const { data, errors } = await fixture.answer(`{
      taxonomy { categories(first: 1, search: "shirts") { nodes { id } pageInfo { hasNextPage } } }
      staffMember { id } staffMembers(first: 1) { nodes { id } } }`);
    expect(data).toEqual({
      taxonomy: { categories: { nodes: [], pageInfo: { hasNextPage: false } } },
      staffMember: null,
      staffMembers: null,
    });
    expect(errors!.map(({ extensions }) => extensions)).toEqual([
      expect.objectContaining({ code: 'ACCESS_DENIED' }),
      expect.objectContaining({ code: 'ACCESS_DENIED' }),
    ]);
  });

  it('have a first location, and find none by a metafield that is no id', async () => {
    const { data, errors } = await fixture.answer(`{
      location { id }
      unknown: locationByIdentifier(
        identifier: { customId: { namespace: "custom", key: "own", value: "x" } }) { id } }`);
    expect(data).toEqual({
      location: { id: fixture.shop.nodes.first('Location')!.id },
      unknown: null,
    });
    expect(errors).toEqual([
      expect.objectContaining({
        message: "Metafield definition of type 'id' is required when using custom ids.",
        extensions: { code: 'NOT_FOUND' },
        path: ['unknown'],
      }),
    ]);
  });
});
