import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

let fixture: NodeShopFixture;
beforeAll(async () => {
  fixture = await openNodeShop(['pixels', 'script_tags']);
});
afterAll(() => fixture.devStore.close());

const mutate = async (field: string, selection: string): Promise<Data> => {
  const { payload } = await fixture.call(
    `mutation { payload: ${field} { ${selection} userErrors { field code } } }`,
  );
  return payload!;
};

it('gives an app one web pixel, whose settings are the text of an object', async () => {
  expect((await fixture.call('{ webPixel { id } }'))['webPixel']).toBeNull();
  const created = await mutate(
    'webPixelCreate(webPixel: { settings: { accountID: "1" } })',
    'webPixel { id settings }',
  );
  expect(created).toMatchObject({ webPixel: { settings: '{"accountID":"1"}' }, userErrors: [] });
  expect(await mutate('webPixelCreate(webPixel: { settings: "{}" })', 'webPixel { id }')).toEqual({
    webPixel: null,
    userErrors: [{ field: ['webPixel'], code: 'TAKEN' }],
  });
  const { id } = created['webPixel'] as { id: string };
  expect(
    await mutate(
      `webPixelUpdate(id: "${id}", webPixel: { settings: "{\\"accountID\\":\\"2\\"}" })`,
      'webPixel { settings }',
    ),
  ).toMatchObject({ webPixel: { settings: '{"accountID":"2"}' } });
  expect(
    await mutate(`webPixelUpdate(id: "${id}", webPixel: { settings: "[" })`, 'webPixel { id }'),
  ).toMatchObject({ userErrors: [{ code: 'INVALID_CONFIGURATION_JSON' }] });
  expect((await fixture.call('{ webPixel { settings } }'))['webPixel']).toEqual({
    settings: '{"accountID":"2"}',
  });
  expect(await mutate(`webPixelDelete(id: "${id}")`, 'deletedWebPixelId')).toMatchObject({
    deletedWebPixelId: id,
  });
  expect(await mutate(`webPixelDelete(id: "${id}")`, 'deletedWebPixelId')).toMatchObject({
    deletedWebPixelId: null,
    userErrors: [{ code: 'NOT_FOUND' }],
  });
});

it('keeps script tags by convention', async () => {
  const { payload } = await fixture.call(`mutation {
    payload: scriptTagCreate(input: { src: "https://a.test/a.js", displayScope: ONLINE_STORE }) {
      scriptTag { id src displayScope cache } userErrors { message }
    }
  }`);
  expect(payload).toMatchObject({
    scriptTag: { src: 'https://a.test/a.js', displayScope: 'ONLINE_STORE', cache: false },
    userErrors: [],
  });
  const { scriptTags } = await fixture.call('{ scriptTags(first: 1) { nodes { src } } }');
  expect(scriptTags).toEqual({ nodes: [{ src: 'https://a.test/a.js' }] });
});
