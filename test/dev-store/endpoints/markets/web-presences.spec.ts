import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore, type Call, type Data } from '../custom-data.fixture.js';

// The refusals are those of the platform, with their words.

const LOCALE = 'locale name primary published';
const PRESENCE = `id subfolderSuffix domain { id host url sslEnabled } rootUrls { locale url }
  defaultLocale { ${LOCALE} } alternateLocales { ${LOCALE} }`;

describe('web presences', () => {
  let devStore: DevStore;
  let call: Call;
  let url: string;

  beforeAll(async () => {
    const opened = await openStore({ limits: { graphql: 'off' } });
    devStore = opened.devStore;
    url = `https://${devStore.shop().domain}`;
    call = opened.call('own', 'write_markets,write_locales');
  });
  afterAll(() => devStore.close());

  const create = async (input: object): Promise<Data> => {
    const { data } = await call(
      `mutation ($input: WebPresenceCreateInput!) { webPresenceCreate(input: $input) {
        webPresence { ${PRESENCE} } userErrors { field message code } } }`,
      { input },
    );
    return data.webPresenceCreate;
  };
  const update = async (id: string, input: object): Promise<Data> => {
    const { data } = await call(
      `mutation ($id: ID!, $input: WebPresenceUpdateInput!) {
        webPresenceUpdate(id: $id, input: $input) {
          webPresence { ${PRESENCE} } userErrors { field message code } } }`,
      { id, input },
    );
    return data.webPresenceUpdate;
  };
  const refused = (field: string, message: string, code: string): object => ({
    webPresence: null,
    userErrors: [{ field: ['input', field], message, code }],
  });

  it('begin with that of the primary domain, which stays', async () => {
    const { data } = await call(`{ shop { primaryDomain { id } }
      shopLocales { locale marketWebPresences { id } }
      webPresences(first: 5) { nodes { ${PRESENCE} markets(first: 1) { nodes { id } } } } }`);
    const [main] = data.webPresences.nodes;
    const english = { locale: 'en', name: 'English', primary: true, published: true };
    expect(data.webPresences.nodes).toEqual([
      {
        id: main.id,
        subfolderSuffix: null,
        domain: { id: data.shop.primaryDomain.id, host: url.slice(8), url, sslEnabled: true },
        rootUrls: [{ locale: 'en', url: `${url}/` }],
        defaultLocale: english,
        alternateLocales: [],
        markets: { nodes: [] },
      },
    ]);
    expect(data.shopLocales).toEqual([{ locale: 'en', marketWebPresences: [{ id: main.id }] }]);
    const changed = await update(main.id, { alternateLocales: ['fr'] });
    expect(changed.webPresence).toMatchObject({
      domain: { url },
      rootUrls: [
        { locale: 'en', url: `${url}/` },
        { locale: 'fr', url: `${url}/fr/` },
      ],
    });
    const deleted = await call(
      `mutation ($id: ID!) { webPresenceDelete(id: $id) {
        deletedId userErrors { field message code } } }`,
      { id: main.id },
    );
    expect(deleted.data.webPresenceDelete).toEqual({
      deletedId: null,
      userErrors: [
        {
          field: ['id'],
          message: 'The shop must have a web presence that uses the primary domain.',
          code: 'SHOP_MUST_HAVE_PRIMARY_DOMAIN_WEB_PRESENCE',
        },
      ],
    });
  });

  it.each([
    [['us2', 'us-east'], 'must contain only letters', 'SUBFOLDER_SUFFIX_MUST_CONTAIN_ONLY_LETTERS'],
    [['x'], 'must be at least 2 letters', 'SUBFOLDER_SUFFIX_MUST_BE_AT_LEAST_2_LETTERS'],
  ])('refuse the suffix %p: %s', async (suffixes, problem, code) => {
    for (const subfolderSuffix of suffixes)
      expect(await create({ defaultLocale: 'en', subfolderSuffix })).toEqual(
        refused('subfolderSuffix', `Subfolder suffix ${problem}`, code),
      );
  });

  it('refuse the suffix of another market', async () => {
    const { webPresence } = await create({ defaultLocale: 'en', subfolderSuffix: 'taken' });
    const other = await create({ defaultLocale: 'en', subfolderSuffix: 'other' });
    await call(
      `mutation ($input: MarketCreateInput!) { marketCreate(input: $input) { market { id } } }`,
      { input: { name: 'Taken', webPresences: [webPresence.id] } },
    );
    const taken = refused('subfolderSuffix', 'Subfolder suffix has already been taken', 'TAKEN');
    expect(await create({ defaultLocale: 'en', subfolderSuffix: 'taken' })).toEqual(taken);
    expect(await update(other.webPresence.id, { subfolderSuffix: 'taken' })).toEqual(taken);
    expect((await update(webPresence.id, { subfolderSuffix: 'taken' })).userErrors).toEqual([]);
  });

  it('refuse languages that are none, twice or not published', async () => {
    const inAll = (main: string, others: string[]): Promise<object> =>
      create({ defaultLocale: main, alternateLocales: others, subfolderSuffix: 'languages' });
    const twice = (list: string): object => ({
      field: ['input', 'alternateLocales'],
      message: `Alternate locales Duplicates were found in the following languages: ${list}`,
      code: 'DUPLICATE_LANGUAGES',
    });
    const also = (code: string): object => ({
      field: ['input', 'defaultLocale'],
      message: `Default locale The alternate languages already include ${code}.`,
      code: 'DUPLICATE_LANGUAGES',
    });
    expect(await inAll('en', ['zz', 'yy'])).toEqual(
      refused('alternateLocales', 'Invalid locale codes: zz and yy', 'INVALID'),
    );
    expect(await inAll('en', ['en', 'fr'])).toMatchObject({
      userErrors: [also('en'), twice('en, en, and fr')],
    });
    expect(await inAll('en', ['en', 'en'])).toMatchObject({
      userErrors: [also('en'), twice('en and en')],
    });
    const { webPresence } = await create({
      defaultLocale: 'en',
      alternateLocales: ['fr', 'de'],
      subfolderSuffix: 'intl',
    });
    expect(webPresence).toMatchObject({
      alternateLocales: [{ locale: 'fr' }, { locale: 'de' }],
      rootUrls: ['en', 'de', 'fr'].map((locale) => ({ locale, url: `${url}/${locale}-intl/` })),
    });
    expect((await update(webPresence.id, { defaultLocale: 'fr' })).userErrors).toEqual([
      also('fr'),
    ]);
    await call('mutation { shopLocaleEnable(locale: "it") { userErrors { message } } }');
    expect(await inAll('it', [])).toEqual(
      refused(
        'defaultLocale',
        "Default locale The default language isn't published to the store: Italian",
        'UNPUBLISHED_LANGUAGE',
      ),
    );
  });

  it('have the languages of the shop that are placed there', async () => {
    const { webPresence } = await create({ defaultLocale: 'en', subfolderSuffix: 'placed' });
    const { id } = webPresence;
    const shopLocale = '{ shopLocale { marketWebPresences { id } } userErrors { message } }';
    const { data } = await call(
      `mutation ($ids: [ID!]) { shopLocaleEnable(locale: "nl", marketWebPresenceIds: $ids)
        ${shopLocale} }`,
      { ids: [id] },
    );
    expect(data.shopLocaleEnable).toEqual({
      shopLocale: { marketWebPresences: [{ id }] },
      userErrors: [],
    });
    const read = async (): Promise<object> =>
      (
        await call(
          `query ($id: ID!) { node(id: $id) { ...on MarketWebPresence { ${PRESENCE} } } }`,
          { id },
        )
      ).data.node;
    const dutch = { locale: 'nl', name: 'Dutch', primary: false, published: false };
    expect(await read()).toMatchObject({
      alternateLocales: [dutch],
      rootUrls: [{ locale: 'en' }, { locale: 'nl', url: `${url}/nl-placed/` }],
    });
    const change = (input: string): Promise<unknown> =>
      call(`mutation { shopLocaleUpdate(locale: "nl", shopLocale: ${input}) ${shopLocale} }`);
    await change('{ published: true }');
    expect(await read()).toMatchObject({ alternateLocales: [{ ...dutch, published: true }] });
    await change('{ marketWebPresenceIds: [] }');
    expect(await read()).toMatchObject({ alternateLocales: [], rootUrls: [{ locale: 'en' }] });
  });

  it.each([
    ['fr-CA', 'fr', 'fr'],
    ['en-us', 'en', 'en'],
    ['pt-BR', 'pt-BR', 'pt'],
  ])('take %s for the language %s at %s-', async (defaultLocale, locale, path) => {
    const { webPresence } = await create({ defaultLocale, subfolderSuffix: 'region' });
    expect(webPresence).toMatchObject({
      defaultLocale: { locale },
      rootUrls: [{ locale: defaultLocale, url: `${url}/${path}-region/` }],
    });
  });
});
