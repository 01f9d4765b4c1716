import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore, type Call } from '../custom-data.fixture.js';

// The refusals are those of the platform, with their words.

const UNCHANGED = "The primary locale of your store can't be changed through this endpoint.";

describe('translations', () => {
  let devStore: DevStore;
  let call: Call;
  let product: string;
  let number = 0;
  let title: string;

  beforeAll(async () => {
    const opened = await openStore({ limits: { graphql: 'off' } });
    devStore = opened.devStore;
    call = opened.call('own', 'write_products,write_locales,write_translations,write_markets');
  });
  afterAll(() => devStore.close());
  beforeEach(async () => {
    title = `Board ${++number}`;
    const { data } = await call(
      `mutation ($title: String!) { productCreate(product: { title: $title }) { product { id } }
        shopLocaleEnable(locale: "fr") { userErrors { message } } }`,
      { title },
    );
    product = data.productCreate.product.id;
  });

  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  const text = (changes: object = {}) => ({
    locale: 'fr',
    key: 'title',
    value: 'Planche',
    translatableContentDigest: digest(title),
    ...changes,
  });
  const register = async (translations: object[], resourceId = product) => {
    const { data } = await call(
      `mutation ($resourceId: ID!, $translations: [TranslationInput!]!) {
        translationsRegister(resourceId: $resourceId, translations: $translations) {
          translations { key value locale outdated market { id } }
          userErrors { field message code } } }`,
      { resourceId, translations },
    );
    return data.translationsRegister;
  };
  const remove = async (translationKeys: string[], locales: string[], resourceId = product) => {
    const { data } = await call(
      `mutation ($resourceId: ID!, $translationKeys: [String!]!, $locales: [String!]!) {
        translationsRemove(
          resourceId: $resourceId, translationKeys: $translationKeys, locales: $locales
        ) { translations { key value } userErrors { field message code } } }`,
      { resourceId, translationKeys, locales },
    );
    return data.translationsRemove;
  };
  const read = async () => {
    const { data } = await call(
      `query ($id: ID!) { translatableResource(resourceId: $id) {
        resourceId translatableContent { key value digest locale type }
        translations(locale: "fr") { key value outdated } } }`,
      { id: product },
    );
    return data.translatableResource;
  };
  const french = { key: 'title', value: 'Planche', locale: 'fr', outdated: false, market: null };

  it('are of the texts of a product, which have digests', async () => {
    const locale = 'en';
    expect(await read()).toEqual({
      resourceId: product,
      translatableContent: [
        {
          key: 'title',
          value: title,
          digest: digest(title),
          locale,
          type: 'SINGLE_LINE_TEXT_FIELD',
        },
        {
          key: 'handle',
          value: `board-${number}`,
          digest: digest(`board-${number}`),
          locale,
          type: 'URI',
        },
        {
          key: 'product_type',
          value: '',
          digest: digest(''),
          locale,
          type: 'SINGLE_LINE_TEXT_FIELD',
        },
      ],
      translations: [],
    });
  });

  it('are registered, read and removed', async () => {
    expect(await register([text()])).toEqual({ translations: [french], userErrors: [] });
    expect((await read()).translations).toEqual([
      { key: 'title', value: 'Planche', outdated: false },
    ]);
    const published = await call(
      `query ($id: ID!) { product(id: $id) { translations(locale: "fr") { key value } } }`,
      { id: product },
    );
    expect(published.data.product.translations).toEqual([{ key: 'title', value: 'Planche' }]);
    expect(await remove([], ['fr'])).toEqual({ translations: null, userErrors: [] });
    expect(await remove(['title'], ['fr'])).toEqual({
      translations: [{ key: 'title', value: 'Planche' }],
      userErrors: [],
    });
    expect(await remove(['title'], ['fr'])).toEqual({ translations: null, userErrors: [] });
  });

  it('are outdated when the text is another', async () => {
    await register([text()]);
    await call(
      `mutation ($id: ID!) {
        productUpdate(product: { id: $id, title: "Other" }) { product { id } } }`,
      { id: product },
    );
    expect((await read()).translations).toMatchObject([{ outdated: true }]);
  });

  it('are kept one by one', async () => {
    expect(await register([text(), text({ key: 'incorrect_key' })])).toEqual({
      translations: [french],
      userErrors: [
        {
          field: ['translations', '1', 'key'],
          message: 'Key incorrect_key is not a valid translatable field',
          code: 'INVALID_KEY_FOR_MODEL',
        },
      ],
    });
  });

  it.each([
    [
      { locale: 'it', value: '' },
      'locale',
      'Locale is not a valid locale for the shop',
      'INVALID_LOCALE_FOR_SHOP',
    ],
    [
      { locale: 'en', value: '' },
      'locale',
      "Locale cannot be the same as the shop's primary locale",
      'INVALID_LOCALE_FOR_SHOP',
    ],
    [{ value: '' }, 'value', "Value can't be blank", 'FAILS_RESOURCE_VALIDATION'],
    [
      { translatableContentDigest: 'stale' },
      'translatableContentDigest',
      'Translatable content hash is invalid',
      'INVALID_TRANSLATABLE_CONTENT',
    ],
  ])('are refused: %j', async (changes, field, message, code) => {
    expect(await register([text(changes)])).toEqual({
      translations: [],
      userErrors: [{ field: ['translations', '0', field], message, code }],
    });
  });

  it('are refused of what is not there, and too many at once', async () => {
    const id = 'gid://shopify/Collection/999';
    const userErrors = [
      {
        field: ['resourceId'],
        message: `Resource ${id} does not exist`,
        code: 'RESOURCE_NOT_FOUND',
      },
    ];
    expect(await register([text()], id)).toEqual({ translations: null, userErrors });
    expect(await remove(['title'], ['fr'], id)).toEqual({ translations: null, userErrors });
    expect((await register(Array.from({ length: 101 }, () => text()))).userErrors).toEqual([
      {
        field: ['resourceId'],
        message: 'Too many keys for resource - maximum 100 per mutation',
        code: 'TOO_MANY_KEYS_FOR_RESOURCE',
      },
    ]);
  });

  it('are listed by the type of what they are of', async () => {
    const { data } = await call(
      `query ($id: ID!) {
        translatableResources(first: 1, reverse: true, resourceType: PRODUCT) {
          nodes { resourceId } }
        translatableResourcesByIds(first: 5, resourceIds: [$id, "gid://shopify/Product/1"]) {
          nodes { resourceId } }
        none: translatableResources(first: 1, resourceType: EMAIL_TEMPLATE) { nodes { resourceId } }
        gone: translatableResource(resourceId: "gid://shopify/Product/1") { resourceId } }`,
      { id: product },
    );
    expect(data).toEqual({
      translatableResources: { nodes: [{ resourceId: product }] },
      translatableResourcesByIds: { nodes: [{ resourceId: product }] },
      none: { nodes: [] },
      gone: null,
    });
  });

  it('go with the language', async () => {
    await register([text()]);
    const { data } = await call(
      `mutation { shopLocaleDisable(locale: "fr") { locale userErrors { field message } } }`,
    );
    expect(data.shopLocaleDisable).toEqual({ locale: 'fr', userErrors: [] });
    await call(`mutation { shopLocaleEnable(locale: "fr") { userErrors { message } } }`);
    expect((await read()).translations).toEqual([]);
  });

  it('are into the languages of the shop', async () => {
    const { data } = await call(`mutation {
      de: shopLocaleEnable(locale: "de") {
        shopLocale { locale name primary published } userErrors { field message } }
      again: shopLocaleEnable(locale: "de") { shopLocale { locale } userErrors { field message } }
      tlh: shopLocaleEnable(locale: "tlh") { shopLocale { locale } userErrors { field message } }
      en: shopLocaleEnable(locale: "en") { shopLocale { locale } userErrors { field message } }
      update: shopLocaleUpdate(locale: "en", shopLocale: { published: false }) {
        shopLocale { locale } userErrors { field message } }
      zz: shopLocaleUpdate(locale: "zz", shopLocale: { published: false }) {
        shopLocale { locale } userErrors { field message } }
      shown: shopLocaleUpdate(locale: "de", shopLocale: { published: true }) {
        shopLocale { locale published } userErrors { field message } }
      disable: shopLocaleDisable(locale: "en") { locale userErrors { field message } } }`);
    const refused = (message: string) => ({
      shopLocale: null,
      userErrors: [{ field: ['locale'], message }],
    });
    expect(data).toEqual({
      de: {
        shopLocale: { locale: 'de', name: 'German', primary: false, published: false },
        userErrors: [],
      },
      again: refused('Locale has already been taken'),
      tlh: refused('Locale is invalid'),
      en: refused(UNCHANGED),
      update: refused(UNCHANGED),
      zz: refused("The locale doesn't exist."),
      shown: { shopLocale: { locale: 'de', published: true }, userErrors: [] },
      disable: { locale: null, userErrors: [{ field: ['locale'], message: UNCHANGED }] },
    });
    const lists = await call(`{ shopLocales { locale } published: shopLocales(published: true) {
      locale name primary marketWebPresences { id } } availableLocales { isoCode name } }`);
    expect(lists.data.shopLocales.map(({ locale }: { locale: string }) => locale)).toEqual([
      'de',
      'en',
      'fr',
    ]);
    expect(lists.data.published[1]).toEqual({
      locale: 'en',
      name: 'English',
      primary: true,
      marketWebPresences: [{ id: expect.stringContaining('MarketWebPresence') }],
    });
    expect(lists.data.availableLocales).toHaveLength(137);
    expect(lists.data.availableLocales).toContainEqual({
      isoCode: 'zh-CN',
      name: 'Chinese (Simplified)',
    });
  });

  it('are of no resource of a market that is not there', async () => {
    const id = 'gid://shopify/Metafield/999999999999';
    const { data } = await call(
      `mutation ($id: ID!, $market: ID!) {
        marketLocalizationsRegister(resourceId: $id, marketLocalizations: [
          { marketId: $market, key: "value", value: "L", marketLocalizableContentDigest: "bad" }
        ]) { marketLocalizations { key } userErrors { field message code } }
        marketLocalizationsRemove(
          resourceId: $id, marketLocalizationKeys: ["value"], marketIds: [$market]
        ) { marketLocalizations { key } userErrors { field message code } } }`,
      { id, market: 'gid://shopify/Market/999999999999' },
    );
    const refused = {
      marketLocalizations: null,
      userErrors: [
        {
          field: ['resourceId'],
          message: `Resource ${id} does not exist`,
          code: 'RESOURCE_NOT_FOUND',
        },
      ],
    };
    expect(data).toEqual({
      marketLocalizationsRegister: refused,
      marketLocalizationsRemove: refused,
    });
  });
});
