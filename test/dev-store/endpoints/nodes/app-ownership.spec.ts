import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from './node-shop.fixture.js';

describe('what belongs to an app of a simulated shop', () => {
  let fixture: NodeShopFixture;
  let other: string;
  const SCOPES =
    'marketing_events cart_transforms validations shipping payment_customizations'.split(' ');
  beforeAll(async () => {
    fixture = await openNodeShop(SCOPES);
    const scopes = SCOPES.map((scope) => `write_${scope}`);
    other = fixture.shop.install('other', { scopes });
  });
  afterAll(() => fixture.devStore.close());

  const run = async (call: string, accessToken?: string): Promise<Data> => {
    const { payload } = await fixture.call(`mutation { payload: ${call} }`, {}, accessToken);
    return payload!;
  };
  const ERRORS = 'userErrors { code }';

  it('are its marketing activities, whatever other apps call theirs', async () => {
    const upsert = (title: string, accessToken?: string): Promise<Data> =>
      run(
        `marketingActivityUpsertExternal(input: { title: "${title}", remoteId: "r"
          status: ACTIVE, tactic: NEWSLETTER, marketingChannelType: EMAIL
          remoteUrl: "https://app.example/1" utm: { campaign: "c", source: "s", medium: "m" } }) {
          marketingActivity { id } ${ERRORS} }`,
        accessToken,
      );
    const titles = (): unknown[] =>
      fixture.shop.nodes.all(['MarketingActivity']).map(({ fields }) => fields['title']);
    const { marketingActivity } = await upsert('Own');
    const { id } = marketingActivity as Data;
    const update = `marketingActivityUpdateExternal(marketingActivityId: "${String(id)}"
      input: { title: "Taken" }) { ${ERRORS} }`;
    expect(await run(update, other)).toEqual({
      userErrors: [{ code: 'MARKETING_ACTIVITY_DOES_NOT_EXIST' }],
    });
    await upsert('Other', other);
    expect(titles()).toEqual(['Own', 'Other']);
    await run('marketingActivitiesDeleteAllExternal { job { id } }', other);
    expect(titles()).toEqual(['Own']);
    expect(fixture.shop.nodes.all(['MarketingEvent'])).toHaveLength(1);
  });

  it('is all that it is shown of what each app has of its own', async () => {
    const { nodes } = fixture.shop;
    const lists = 'cartTransforms marketingActivities marketingEvents'.split(' ');
    const shown = async (accessToken?: string): Promise<Record<string, string[]>> => {
      const query = `{ ${lists.map((list) => `${list}(first: 9) { nodes { id } }`).join(' ')} }`;
      const data = await fixture.call(query, {}, accessToken);
      const ids = ({ nodes: all }: Data): string[] => (all as Array<{ id: string }>).map(idOf);
      return Object.fromEntries(Object.entries(data).map(([list, page]) => [list, ids(page)]));
    };
    const idOf = ({ id }: { id: string }): string => id;
    const made = async (name: string, accessToken?: string): Promise<string[]> => {
      const { cartTransform } = await run(
        `cartTransformCreate(functionHandle: "${name}") { cartTransform { id } }`,
        accessToken,
      );
      const { marketingActivity } = await run(
        `marketingActivityCreateExternal(input: { title: "Mail", remoteId: "${name}"
          status: ACTIVE, tactic: NEWSLETTER, marketingChannelType: EMAIL
          remoteUrl: "https://app.example/1"
          utm: { campaign: "${name}", source: "s", medium: "m" } }) {
          marketingActivity { id marketingEvent { id } } }`,
        accessToken,
      );
      const activity = marketingActivity as { id: string; marketingEvent: { id: string } };
      return [(cartTransform as { id: string }).id, activity.id, activity.marketingEvent.id];
    };
    const before = [await shown(), await shown(other)];
    const ofAll = nodes.create('CartTransform', { functionId: 'of a test' }).id;
    const own = await made('one');
    const others = await made('two', other);
    const added = [own, others].map((ids, app) =>
      Object.fromEntries(
        lists.map((list, index) => [
          list,
          [...before[app]![list]!, ...(index === 0 ? [ofAll] : []), ids[index]],
        ]),
      ),
    );
    expect([await shown(), await shown(other)]).toEqual(added);
    const found = await fixture.call('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: [...own, ...others],
    });
    expect(found).toEqual({ nodes: [...own.map((id) => ({ id })), null, null, null] });
  });

  it('is out of the reach of other apps, as if it were not there', async () => {
    const { nodes } = fixture.shop;
    const event = nodes.create('MarketingEvent', { appKey: 'key', tags: ['own'] }).id;
    const metafield = { namespace: '$app', key: 'own', type: 'boolean', value: 'true' };
    const fields = { appKey: 'key', metafields: [metafield] };
    const owner = nodes.create('CartTransform', fields).id;
    const place = `ownerId: "${owner}", namespace: "shared", key: "kk"`;
    const metafieldsSet = `metafieldsSet(metafields: [{ ${place}, type: "boolean", value: "true" }]) {
      metafields { id owner { __typename } } userErrors { code message } }`;
    const remove = `metafieldsDelete(metafields: [{ ${place} }]) { deletedMetafields { key } }`;
    const notThere = [{ code: 'INVALID', message: 'Owner does not exist.' }];
    expect(await run(metafieldsSet, other)).toEqual({ metafields: [], userErrors: notThere });
    const { metafields } = (await run(metafieldsSet)) as { metafields: [{ id: string }] };
    await run(
      `metafieldDefinitionCreate(definition: { name: "K", namespace: "shared", key: "kk"
        type: "boolean", ownerType: CARTTRANSFORM }) { ${ERRORS} }`,
    );
    const READ = `query ($id: ID!) { node(id: $id) { id }
      metafieldDefinitions(ownerType: CARTTRANSFORM, first: 1) { nodes {
        metafieldsCount metafields(first: 2) { nodes { owner { __typename } } } } } }`;
    const read = (accessToken?: string): Promise<unknown> =>
      fixture.call(READ, { id: metafields[0].id }, accessToken);
    const known = (node: object | null, owners: readonly object[]): object => ({
      node,
      metafieldDefinitions: {
        nodes: [{ metafieldsCount: owners.length, metafields: { nodes: owners } }],
      },
    });
    expect(await read(other)).toEqual(known(null, []));
    expect(await read()).toEqual(
      known({ id: metafields[0].id }, [{ owner: { __typename: 'CartTransform' } }]),
    );
    expect(await run(remove, other)).toEqual({ deletedMetafields: [null] });
    expect(await run(remove)).toEqual({ deletedMetafields: [{ key: 'kk' }] });
    const { node } = await fixture.call(
      `query ($id: ID!) { node(id: $id) {
        ... on CartTransform { metafield(namespace: "$app", key: "own") { value } } } }`,
      { id: owner },
    );
    expect(node).toEqual({ metafield: { value: 'true' } });
    for (const field of ['tagsAdd', 'tagsRemove'])
      expect(
        await run(
          `${field}(id: "${event}", tags: ["own", "taken"]) { node { id } userErrors { message } }`,
          other,
        ),
      ).toEqual({ node: null, userErrors: [{ message: 'Marketing event does not exist' }] });
    expect(nodes.find(event)?.fields['tags']).toEqual(['own']);
    for (const id of [event, owner]) nodes.delete(id);
  });

  it('are the activities of its extensions', async () => {
    const { marketingActivity } = await run(
      `marketingActivityCreate(input: { status: DRAFT
        marketingActivityExtensionId: "gid://shopify/MarketingActivityExtension/1" }) {
        marketingActivity { id } }`,
    );
    const { id } = marketingActivity as Data;
    const paused = async (accessToken?: string): Promise<Data> =>
      run(
        `marketingActivityUpdate(input: { id: "${String(id)}", status: PAUSED }) {
          marketingActivity { status } }`,
        accessToken,
      );
    expect(await paused(other)).toEqual({ marketingActivity: null });
    expect(fixture.shop.nodes.find(String(id))?.fields).toMatchObject({ status: 'DRAFT' });
    expect(await paused()).toEqual({ marketingActivity: { status: 'PAUSED' } });
    fixture.shop.nodes.delete(String(id));
  });

  it('are its carrier services', async () => {
    const { carrierService } = await run(
      `carrierServiceCreate(input: { name: "Hermes", active: true, supportsServiceDiscovery: true
        callbackUrl: "https://rates.example" }) { carrierService { id } ${ERRORS} }`,
    );
    const { id } = carrierService as { id: string };
    const update = `carrierServiceUpdate(input: { id: "${id}", name: "Iris" }) { ${ERRORS} }`;
    const remove = `carrierServiceDelete(id: "${id}") { ${ERRORS} }`;
    expect(await run(update, other)).toEqual({
      userErrors: [{ code: 'CARRIER_SERVICE_UPDATE_FAILED' }],
    });
    expect(await run(remove, other)).toEqual({
      userErrors: [{ code: 'CARRIER_SERVICE_DELETE_FAILED' }],
    });
    expect(await run(update)).toEqual({ userErrors: [] });
    expect(await run(remove)).toEqual({ userErrors: [] });
  });

  it('are its cart transforms, which do not keep others from having the same', async () => {
    const create = `cartTransformCreate(functionHandle: "shared") { cartTransform { id } ${ERRORS} }`;
    const made = { cartTransform: { id: expect.any(String) }, userErrors: [] };
    const taken = { cartTransform: null, userErrors: [{ code: 'FUNCTION_ALREADY_REGISTERED' }] };
    for (const accessToken of [undefined, other]) {
      expect(await run(create, accessToken)).toEqual(made);
      expect(await run(create, accessToken)).toEqual(taken);
    }
  });

  it('are its functions, and what runs them', async () => {
    const made = { handle: 'gifts', title: 'Gifts' };
    for (const [id, apiType] of [
      ['f-cart', 'cart_transform'],
      ['f-check', 'cart_checkout_validation'],
    ])
      fixture.shop.nodes.create('ShopifyFunction', { ...made, id, apiType, appKey: 'key' });
    const listed = (accessToken?: string): Promise<unknown> =>
      fixture.call(
        '{ shopifyFunctions(first: 9) { nodes { apiType } } shopifyFunction(id: "f-cart") { id } }',
        {},
        accessToken,
      );
    expect(await listed()).toEqual({
      shopifyFunctions: {
        nodes: [{ apiType: 'cart_transform' }, { apiType: 'cart_checkout_validation' }],
      },
      shopifyFunction: { id: 'f-cart' },
    });
    expect(await listed(other)).toEqual({ shopifyFunctions: { nodes: [] }, shopifyFunction: null });
    const customize = `paymentCustomizationCreate(paymentCustomization: {
      title: "T", enabled: true, functionHandle: "gifts" }) { ${ERRORS} }`;
    expect(await run(customize, other)).toEqual({ userErrors: [{ code: 'FUNCTION_NOT_FOUND' }] });
    expect(await run(customize)).toEqual({ userErrors: [] });
    const rules = [
      ['cartTransform', '(functionId: "f-cart")'],
      ['validation', '(validation: { functionId: "f-check" })'],
    ] as const;
    for (const [noun, args] of rules) {
      const create = `${noun}Create${args} { ${noun} { id } ${ERRORS} }`;
      expect(await run(create, other)).toMatchObject({ [noun]: null, userErrors: [{}] });
      const { id } = (await run(create))[noun] as { id: string };
      const remove = `${noun}Delete(id: "${id}") { ${ERRORS} }`;
      expect(await run(remove, other)).toEqual({ userErrors: [{ code: 'NOT_FOUND' }] });
      expect(await run(remove)).toEqual({ userErrors: [] });
    }
  });
});
