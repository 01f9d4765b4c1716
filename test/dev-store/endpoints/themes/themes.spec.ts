import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type Data, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

const NONE = 'gid://shopify/OnlineStoreTheme/1';

describe('the themes of a simulated shop', () => {
  let fixture: NodeShopFixture;
  let main: string;
  beforeAll(async () => {
    fixture = await openNodeShop(['themes']);
    ({ id: main } = (await themes('roles: [MAIN]'))[0]!);
  });
  afterAll(() => fixture.devStore.close());

  const themes = async (
    args: string,
  ): Promise<Array<{ id: string; name: string; role: string }>> => {
    const { themes: page } = await fixture.call(
      `{ themes(first: 20, ${args}) { nodes { id name role processing } } }`,
    );
    return page!['nodes'] as Array<{ id: string; name: string; role: string }>;
  };
  const mutate = async (field: string, selection: string): Promise<Data> => {
    const { payload } = await fixture.call(
      `mutation { payload: ${field} { ${selection} userErrors { field message code } } }`,
    );
    return payload!;
  };
  const files = async (id: string, args = ''): Promise<unknown> => {
    const { theme } = await fixture.call(
      `query ($id: ID!) { theme(id: $id) { files${args} { nodes {
        filename contentType size checksumMd5
        body { ... on OnlineStoreThemeFileBodyText { content } ... on OnlineStoreThemeFileBodyBase64 { contentBase64 } }
      } } } }`,
      { id },
    );
    return (theme!['files'] as Data)['nodes'];
  };
  const upsert = async (id: string, list: readonly object[]): Promise<Data> => {
    const { themeFilesUpsert } = await fixture.call(
      `mutation ($id: ID!, $files: [OnlineStoreThemeFilesUpsertFileInput!]!) {
        themeFilesUpsert(themeId: $id, files: $files) {
          job { id done } upsertedThemeFiles { filename size checksumMd5 }
          userErrors { field message code filename }
        }
      }`,
      { id, files: list },
    );
    return themeFilesUpsert!;
  };

  it('are one main theme at first, which has files', async () => {
    expect(await themes('')).toEqual([
      { id: main, name: 'Main theme', role: 'MAIN', processing: false },
    ]);
    expect(await themes('roles: [UNPUBLISHED]')).toEqual([]);
    expect(await themes('names: ["Main*"]')).toHaveLength(1);
    expect(await themes('names: ["Other*"]')).toEqual([]);
    expect(await files(main, '(filenames: ["layout/*"])')).toEqual([
      {
        filename: 'layout/theme.liquid',
        contentType: 'application/x-liquid',
        size: expect.stringMatching(/^\d+$/),
        checksumMd5: expect.stringMatching(/^[0-9a-f]{32}$/),
        body: { content: expect.stringContaining('content_for_layout') },
      },
    ]);
  });

  it('are created, renamed, duplicated with their files, published and deleted', async () => {
    const { theme } = await mutate(
      'themeCreate(source: "https://example.com/theme.zip", name: "New")',
      'theme { id name role processing }',
    );
    const { id } = theme as { id: string };
    expect(theme).toMatchObject({ name: 'New', role: 'UNPUBLISHED', processing: true });
    expect(
      await mutate(
        `themeUpdate(id: "${id}", input: { name: "Newer" })`,
        'theme { name processing }',
      ),
    ).toEqual({ theme: { name: 'Newer', processing: false }, userErrors: [] });
    await upsert(id, [{ filename: 'assets/own.css', body: { type: 'TEXT', value: 'a{}' } }]);
    const { newTheme } = await mutate(
      `themeDuplicate(id: "${id}")`,
      'newTheme { id name role files(filenames: ["assets/own.css"]) { nodes { filename } } }',
    );
    expect(newTheme).toMatchObject({
      name: 'Copy of Newer',
      role: 'UNPUBLISHED',
      files: { nodes: [{ filename: 'assets/own.css' }] },
    });
    expect(await mutate(`themePublish(id: "${id}")`, 'theme { role }')).toEqual({
      theme: { role: 'MAIN' },
      userErrors: [],
    });
    expect(await themes('roles: [MAIN]')).toMatchObject([{ id }]);
    const removed = await mutate(`themeDelete(id: "${id}")`, 'deletedThemeId');
    expect(removed).toMatchObject({ deletedThemeId: null, userErrors: [{ field: ['id'] }] });
    await mutate(`themePublish(id: "${main}")`, 'theme { id }');
    expect(await mutate(`themeDelete(id: "${id}")`, 'deletedThemeId')).toEqual({
      deletedThemeId: id,
      userErrors: [],
    });
  });

  it.each([
    [`themeUpdate(id: "${NONE}", input: { name: "x" })`, 'theme { id }', 'NOT_FOUND'],
    [`themePublish(id: "${NONE}")`, 'theme { id }', 'NOT_FOUND'],
    [`themeDelete(id: "${NONE}")`, 'deletedThemeId', 'NOT_FOUND'],
    [`themeDuplicate(id: "${NONE}")`, 'newTheme { id }', 'NOT_FOUND'],
    [
      `themeFilesDelete(themeId: "${NONE}", files: ["a"])`,
      'deletedThemeFiles { size }',
      'NOT_FOUND',
    ],
    [
      'themeCreate(source: "https://example.com/a.zip", role: MAIN)',
      'theme { id }',
      'INVALID_THEME_ROLE_FOR_THEME_CREATION',
    ],
  ])('refuse %s', async (field, selection, code) => {
    const payload = await mutate(field, selection);
    expect(payload['userErrors']).toMatchObject([{ code }]);
    expect(Object.values(payload)).toContain(null);
  });

  it('have files that are written, copied and deleted', async () => {
    const body = { type: 'BASE64', value: Buffer.from([1, 2, 3]).toString('base64') };
    const written = await upsert(main, [
      { filename: 'sections/hero.liquid', body: { type: 'TEXT', value: '<b>ö</b>' } },
      { filename: 'assets/dot.png', body },
    ]);
    expect(written).toMatchObject({
      upsertedThemeFiles: [
        { filename: 'sections/hero.liquid', size: '9' },
        { filename: 'assets/dot.png', size: '3', checksumMd5: '5289df737df57326fcdd22597afb1fac' },
      ],
      userErrors: [],
    });
    const { id } = written['job'] as { id: string };
    const { job } = await fixture.call('query ($id: ID!) { job(id: $id) { done } }', { id });
    expect(job).toEqual({ done: true });
    await mutate(
      `themeFilesCopy(themeId: "${main}", files: [{ srcFilename: "assets/dot.png", dstFilename: "assets/two.png" }])`,
      'copiedThemeFiles { filename }',
    );
    expect(await files(main, '(filenames: ["assets/two.png"])')).toMatchObject([
      { contentType: 'image/png', body: { contentBase64: 'AQID' } },
    ]);
    expect(
      await mutate(
        `themeFilesDelete(themeId: "${main}", files: ["assets/two.png"])`,
        'deletedThemeFiles { filename }',
      ),
    ).toEqual({ deletedThemeFiles: [{ filename: 'assets/two.png' }], userErrors: [] });
    expect(await files(main, '(filenames: ["assets/two.png"])')).toEqual([]);
  });

  it.each([
    [[{ filename: '../secret', body: { type: 'TEXT', value: '' } }], 'FILE_VALIDATION_ERROR'],
    [[{ filename: 'assets/../x.css', body: { type: 'TEXT', value: '' } }], 'FILE_VALIDATION_ERROR'],
    [[{ filename: 'config/a.json', body: { type: 'TEXT', value: '{' } }], 'FILE_VALIDATION_ERROR'],
    [[{ filename: 'assets/a.css', body: { type: 'URL', value: 'https://a.test' } }], 'ERROR'],
    [
      Array(51).fill({ filename: 'assets/a.css', body: { type: 'TEXT', value: '' } }),
      'LESS_THAN_OR_EQUAL_TO',
    ],
  ])('refuse files %#', async (list, code) => {
    const before = await files(main);
    expect(await upsert(main, list)).toMatchObject({
      upsertedThemeFiles: null,
      userErrors: [{ code }],
    });
    expect(await files(main)).toEqual(before);
  });

  it('copy no file to where no file of a theme is', async () => {
    expect(
      await mutate(
        `themeFilesCopy(themeId: "${main}", files: [{ srcFilename: "layout/theme.liquid", dstFilename: "../../etc/passwd" }])`,
        'copiedThemeFiles { filename }',
      ),
    ).toMatchObject({
      copiedThemeFiles: null,
      userErrors: [{ code: 'FILE_VALIDATION_ERROR', field: ['files', '0', 'dstFilename'] }],
    });
  });

  it('need their scope', async () => {
    const without = fixture.shop.install('key', { scopes: 'write_products' });
    const { errors } = await fixture.answer('{ themes(first: 1) { nodes { id } } }', {}, without);
    expect(errors![0]!.message).toContain('`read_themes`');
  });
});
