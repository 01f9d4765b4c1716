import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore, type Call, type Data } from '../custom-data.fixture.js';

// The refusals are those of the platform, with their words.

const USER_ERRORS = 'userErrors { field message code }';
const PARENT = { adjustment: { type: 'PERCENTAGE_DECREASE', value: 10 } };

type Conditions = { regionsCondition: { regions: { nodes: Array<{ code: string }> } } } | null;

describe('markets', () => {
  let devStore: DevStore;
  let call: Call;
  let number = 0;
  let name: string;

  beforeAll(async () => {
    const opened = await openStore({ limits: { graphql: 'off' } });
    devStore = opened.devStore;
    call = opened.call('own', 'write_markets,write_products,write_publications');
  });
  afterAll(() => devStore.close());
  beforeEach(() => {
    name = `Number ${++number}`;
  });

  const run = async (
    field: string,
    type: string,
    result: string,
    variables: Record<string, unknown>,
  ): Promise<Data> => {
    const id = 'id' in variables ? ['$id: ID!, ', 'id: $id, '] : ['', ''];
    const { data, errors } = await call(
      `mutation (${id[0]}$input: ${type}!) {
        ${field}(${id[1]}input: $input) { ${result} ${USER_ERRORS} } }`,
      variables,
    );
    expect(errors).toBeUndefined();
    return data[field];
  };
  const MARKET = `market { id name handle status enabled type
    currencySettings { baseCurrency { currencyCode currencyName } localCurrencies }
    priceInclusions { inclusiveTaxPricingStrategy inclusiveDutiesPricingStrategy }
    conditions { conditionTypes regionsCondition { regions(first: 5) {
      nodes { __typename id name ... on MarketRegionCountry { code } } } } }
    catalogs(first: 5) { nodes { id } } webPresences(first: 5) { nodes { id } } }`;
  const create = (input: object) => run('marketCreate', 'MarketCreateInput', MARKET, { input });
  const priceList = (input: object) =>
    run(
      'priceListCreate',
      'PriceListCreateInput',
      'priceList { id name currency catalog { id } }',
      {
        input,
      },
    );
  const catalog = (input: object) =>
    run(
      'catalogCreate',
      'CatalogCreateInput',
      `catalog { id title status priceList { id }
        ... on MarketCatalog { markets(first: 5) { nodes { name } } } }`,
      { input: { title: name, status: 'ACTIVE', ...input } },
    );
  const refusal = (field: string[] | null, message: string, code: string) => [
    { field, message, code },
  ];

  it('are drafts without conditions, unless it is said otherwise', async () => {
    expect((await create({ name })).market).toMatchObject({
      handle: `number-${number}`,
      status: 'DRAFT',
      enabled: false,
      type: 'NONE',
      conditions: null,
    });
    const { market } = await create({ name: `${name}!`, enabled: true });
    expect(market).toMatchObject({
      handle: `number-${number}-1`,
      status: 'ACTIVE',
      enabled: true,
    });
  });

  it('have the countries of their regions, a currency and what prices include', async () => {
    const { market } = await create({
      name,
      conditions: { regionsCondition: { regions: [{ countryCode: 'CA' }] } },
      currencySettings: { baseCurrency: 'CAD', localCurrencies: true },
      priceInclusions: {
        taxPricingStrategy: 'INCLUDES_TAXES_IN_PRICE',
        dutiesPricingStrategy: 'ADD_DUTIES_AT_CHECKOUT',
      },
    });
    expect(market).toMatchObject({
      type: 'REGION',
      currencySettings: {
        baseCurrency: { currencyCode: 'CAD', currencyName: 'Canadian Dollar' },
        localCurrencies: true,
      },
      priceInclusions: {
        inclusiveTaxPricingStrategy: 'INCLUDES_TAXES_IN_PRICE',
        inclusiveDutiesPricingStrategy: 'ADD_DUTIES_AT_CHECKOUT',
      },
      conditions: {
        conditionTypes: ['REGION'],
        regionsCondition: {
          regions: { nodes: [{ __typename: 'MarketRegionCountry', name: 'Canada', code: 'CA' }] },
        },
      },
    });
  });

  it.each([
    [
      { name: 'Mismatch', status: 'DRAFT', enabled: true },
      refusal(
        ['input'],
        'Invalid status and enabled combination.',
        'INVALID_STATUS_AND_ENABLED_COMBINATION',
      ),
    ],
    [
      { name: '' },
      [
        ...refusal(['input', 'name'], "Name can't be blank", 'BLANK'),
        ...refusal(['input', 'name'], 'Name is too short (minimum is 2 characters)', 'TOO_SHORT'),
      ],
    ],
    [{ name: 'Number 1' }, refusal(['input', 'name'], 'Name has already been taken', 'TAKEN')],
    [
      { name: 'Nowhere', regions: [{ countryCode: 'CU' }] },
      refusal(
        ['input', 'regions', '0', 'countryCode'],
        'CU is not a supported country or region code.',
        'UNSUPPORTED_COUNTRY_REGION',
      ),
    ],
    [
      {
        name: 'Shops',
        conditions: { locationsCondition: { locationIds: ['gid://shopify/Location/1'] } },
        priceInclusions: { taxPricingStrategy: 'INCLUDES_TAXES_IN_PRICE' },
      },
      refusal(
        ['input', 'priceInclusions'],
        'Inclusive pricing cannot be added to a market with the specified condition types.',
        'INCLUSIVE_PRICING_NOT_COMPATIBLE_WITH_CONDITION_TYPES',
      ),
    ],
  ])('are refused: %j', async (input, userErrors) => {
    expect(await create(input)).toEqual({ market: null, userErrors });
  });

  it('change, and are deleted once', async () => {
    const { id } = (await create({ name })).market;
    const changed = await run('marketUpdate', 'MarketUpdateInput', MARKET, {
      id,
      input: { name: `${name} new`, status: 'ACTIVE' },
    });
    expect(changed.market).toMatchObject({ name: `${name} new`, enabled: true });
    const remove = () =>
      call(`mutation ($id: ID!) { marketDelete(id: $id) { deletedId ${USER_ERRORS} } }`, { id });
    expect((await remove()).data.marketDelete).toEqual({ deletedId: id, userErrors: [] });
    const userErrors = refusal(['id'], 'Market does not exist', 'MARKET_NOT_FOUND');
    expect((await remove()).data.marketDelete).toEqual({ deletedId: null, userErrors });
  });

  const update = (id: string, input: object) =>
    run('marketUpdate', 'MarketUpdateInput', MARKET, { id, input });
  const codesOf = ({ market: { conditions } }: { market: { conditions: Conditions } }) =>
    conditions?.regionsCondition.regions.nodes.map(({ code }) => code);
  const regions = (...codes: string[]) => ({
    regionsCondition: { regions: codes.map((countryCode) => ({ countryCode })) },
  });

  it('gain and lose countries one by one', async () => {
    const { market } = await create({ name, conditions: regions('DE') });
    const added = await update(market.id, {
      conditions: { conditionsToAdd: regions('FR', 'DE', 'AT') },
    });
    expect(codesOf(added)).toEqual(['DE', 'FR', 'AT']);
    const [{ id: germany }] = added.market.conditions.regionsCondition.regions.nodes;
    const byCode = { conditionsToAdd: regions('ES'), conditionsToDelete: regions('FR') };
    expect(codesOf(await update(market.id, { conditions: byCode }))).toEqual(['DE', 'AT', 'ES']);
    const byId = { conditionsToDelete: { regionsCondition: { regionIds: [germany] } } };
    expect(codesOf(await update(market.id, { conditions: byId }))).toEqual(['AT', 'ES']);
    const { data } = await call(
      `mutation ($id: ID!) { marketRegionsCreate(marketId: $id, regions: [{ countryCode: IT }]) {
        ${MARKET} ${USER_ERRORS} } }`,
      { id: market.id },
    );
    expect(codesOf(data.marketRegionsCreate)).toEqual(['AT', 'ES', 'IT']);
    const none = await update(market.id, {
      conditions: { conditionsToDelete: regions('AT', 'ES', 'IT') },
    });
    expect(none.market).toMatchObject({ type: 'NONE', conditions: null });
  });

  it.each([
    ['catalogsToAdd', 'Catalog not found.', 'CUSTOMIZATIONS_NOT_FOUND'],
    ['webPresencesToAdd', "The market web presence wasn't found.", 'WEB_PRESENCE_NOT_FOUND'],
  ])('change nothing for %s that are none', async (list, message, code) => {
    const { market } = await create({ name });
    const { id } = devStore.shop().nodes.create('Order', { name: '#1' });
    expect(
      await update(market.id, {
        name: `${name} new`,
        conditions: { conditionsToAdd: regions('DE') },
        [list]: [id],
      }),
    ).toEqual({ market: null, userErrors: refusal(['input', list, '0'], message, code) });
    expect(devStore.shop().nodes.find(id)?.fields).toEqual({ name: '#1' });
    const read = await update(market.id, {});
    expect(read.market).toMatchObject({ name, conditions: null });
  });

  it('have places of business that are there', async () => {
    const [location] = devStore.shop().nodes.all(['Location']);
    const of = (...locationIds: string[]) => ({ locationsCondition: { locationIds } });
    const { market } = await create({ name, conditions: of(location!.id) });
    expect(market).toMatchObject({
      type: 'LOCATION',
      conditions: { conditionTypes: ['LOCATION'] },
    });
    const wrong = { conditionsToAdd: of('gid://shopify/Location/9') };
    const path = ['input', 'conditions', 'conditionsToAdd', 'locationsCondition'];
    expect((await update(market.id, { conditions: wrong })).userErrors).toEqual(
      refusal([...path, 'locationIds', '0'], 'Location not found.', 'CONDITIONS_NOT_FOUND'),
    );
  });

  it('have currencies that are named by their code alone', async () => {
    const { market } = await create({ name, currencySettings: { baseCurrency: 'USDC' } });
    expect(market.currencySettings.baseCurrency).toEqual({
      currencyCode: 'USDC',
      currencyName: 'USDC',
    });
  });

  it('have catalogs, which have one price list and one context', async () => {
    const { market } = await create({ name });
    const context = { marketIds: [market.id] };
    const list = (await priceList({ name, currency: 'USD', parent: PARENT })).priceList;
    const made = (await catalog({ context, priceListId: list.id })).catalog;
    expect(made).toMatchObject({ priceList: { id: list.id }, markets: { nodes: [{ name }] } });
    expect((await catalog({ context, priceListId: list.id })).userErrors).toEqual(
      refusal(['input', 'priceListId'], 'Price list has already been taken', 'TAKEN'),
    );
    const one = 'Must provide exactly one context type.';
    const code = 'MUST_PROVIDE_EXACTLY_ONE_CONTEXT_TYPE';
    expect((await catalog({ context: {} })).userErrors).toEqual(
      refusal(['input', 'context'], one, code),
    );
    const both = { ...context, companyLocationIds: ['gid://shopify/CompanyLocation/9'] };
    expect((await catalog({ context: both })).userErrors).toEqual(
      refusal(['input', 'context'], one, code),
    );
    expect((await catalog({ context, title: '' })).userErrors).toEqual(
      refusal(['input', 'title'], "Title can't be blank", 'BLANK'),
    );
    const nowhere = { marketIds: ['gid://shopify/Market/9'] };
    expect((await catalog({ context: nowhere })).userErrors).toEqual(
      refusal(['input', 'context', 'marketIds', '0'], 'Market not found.', 'MARKET_NOT_FOUND'),
    );
    const unknown = 'gid://shopify/PriceList/9';
    expect((await catalog({ context, priceListId: unknown })).userErrors).toEqual(
      refusal(['input', 'priceListId'], 'Price list not found.', 'PRICE_LIST_NOT_FOUND'),
    );
    const { data } = await call(
      `query ($id: ID!, $list: ID!) {
        market(id: $id) { catalogs(first: 5) { nodes { id } } }
        priceList(id: $list) { catalog { id } } catalogsCount(type: MARKET) { count } }`,
      { id: market.id, list: list.id },
    );
    expect(data).toEqual({
      market: { catalogs: { nodes: [{ id: made.id }] } },
      priceList: { catalog: { id: made.id } },
      catalogsCount: { count: 1 },
    });
  });

  it('have catalogs, of which one alone has a publication', async () => {
    const { market } = await create({ name: 'Published' });
    const context = { marketIds: [market.id] };
    const publicationId = devStore.shop().nodes.create('Publication', {}).id;
    expect((await catalog({ context, publicationId })).userErrors).toEqual([]);
    expect((await catalog({ context, publicationId })).userErrors).toEqual(
      refusal(['input', 'publicationId'], 'Publication has already been taken', 'TAKEN'),
    );
  });

  it('add and remove what catalogs are for, and what is deleted takes its list along', async () => {
    const markets = [await create({ name }), await create({ name: `${name} B` })];
    const [first, second] = markets.map(({ market }) => market.id);
    const list = (await priceList({ name, currency: 'USD', parent: PARENT })).priceList.id;
    const { id } = (await catalog({ context: { marketIds: [first] }, priceListId: list })).catalog;
    const context = (variables: object) =>
      call(
        `mutation ($id: ID!, $add: CatalogContextInput, $remove: CatalogContextInput) {
          catalogContextUpdate(catalogId: $id, contextsToAdd: $add, contextsToRemove: $remove) {
            catalog { ... on MarketCatalog { markets(first: 5) { nodes { name } } } }
            ${USER_ERRORS} } }`,
        { id, ...variables },
      );
    const swapped = await context({ add: { marketIds: [second] }, remove: { marketIds: [first] } });
    expect(swapped.data.catalogContextUpdate).toEqual({
      catalog: { markets: { nodes: [{ name: `${name} B` }] } },
      userErrors: [],
    });
    expect((await context({})).data.catalogContextUpdate.userErrors).toEqual(
      refusal(
        ['contextsToAdd'],
        'Must have `contexts_to_add` or `contexts_to_remove` argument.',
        'REQUIRES_CONTEXTS_TO_ADD_OR_REMOVE',
      ),
    );
    const gone = await context({ id: 'gid://shopify/MarketCatalog/9', add: { marketIds: [] } });
    expect(gone.data.catalogContextUpdate.userErrors).toEqual(
      refusal(['catalogId'], 'Catalog does not exist', 'CATALOG_NOT_FOUND'),
    );
    const { data } = await call(
      `mutation ($id: ID!, $list: ID!) {
        catalogDelete(id: $id) { deletedId ${USER_ERRORS} }
        priceListDelete(id: $list) { deletedId ${USER_ERRORS} } }`,
      { id, list },
    );
    expect(data).toEqual({
      catalogDelete: { deletedId: id, userErrors: [] },
      priceListDelete: {
        deletedId: null,
        userErrors: refusal(['id'], 'Price list does not exist.', 'PRICE_LIST_NOT_FOUND'),
      },
    });
  });

  it.each([
    [{ name: '' }, ['name'], "Name can't be blank", 'BLANK'],
    [
      { name: 'L'.repeat(256) },
      ['name'],
      'Name is too long (maximum is 255 characters)',
      'TOO_LONG',
    ],
    [{ name: 'Taken' }, ['name'], 'Name has already been taken', 'TAKEN'],
    [
      { name: 'A', catalogId: 'gid://shopify/MarketCatalog/9' },
      ['catalogId'],
      'Catalog does not exist.',
      'CATALOG_DOES_NOT_EXIST',
    ],
    [
      { name: 'A', parent: { adjustment: { type: 'PERCENTAGE_DECREASE', value: 250 } } },
      ['parent', 'adjustment', 'value'],
      'The adjustment value must be a positive value and not be greater than 100% for PERCENTAGE_DECREASE and not be greater than 1000% for PERCENTAGE_INCREASE.',
      'INVALID_ADJUSTMENT_VALUE',
    ],
  ])('have price lists, which are refused: %j', async (input, field, message, code) => {
    if (
      devStore
        .shop()
        .nodes.all(['PriceList'])
        .every(({ fields }) => fields.name !== 'Taken')
    )
      await priceList({ name: 'Taken', currency: 'CAD', parent: PARENT });
    expect(await priceList({ currency: 'USD', parent: PARENT, ...input })).toEqual({
      priceList: null,
      userErrors: refusal(['input', ...field], message, code),
    });
  });

  it('have addresses in their languages', async () => {
    const presence = (input: object) =>
      run(
        'webPresenceCreate',
        'WebPresenceCreateInput',
        `webPresence { id subfolderSuffix domain { id } defaultLocale { locale name primary }
          alternateLocales { locale } rootUrls { locale url } }`,
        { input },
      );
    const made = await presence({
      defaultLocale: 'en',
      alternateLocales: ['fr'],
      subfolderSuffix: 'ca',
    });
    const { domain } = devStore.shop();
    expect(made.webPresence).toMatchObject({
      subfolderSuffix: 'ca',
      domain: null,
      defaultLocale: { locale: 'en', name: 'English', primary: true },
      alternateLocales: [{ locale: 'fr' }],
      rootUrls: [
        { locale: 'en', url: `https://${domain}/en-ca/` },
        { locale: 'fr', url: `https://${domain}/fr-ca/` },
      ],
    });
    const wrong = { domainId: 'gid://shopify/Domain/9', defaultLocale: 'english' };
    expect((await presence({ ...wrong, subfolderSuffix: '../ca' })).userErrors).toEqual([
      ...refusal(['input', 'domainId'], 'Domain does not exist', 'DOMAIN_NOT_FOUND'),
      ...refusal(['input', 'defaultLocale'], 'Invalid locale codes: english', 'INVALID'),
    ]);
    expect((await presence({ defaultLocale: 'en' })).userErrors).toEqual(
      refusal(
        ['input'],
        'One of `subfolderSuffix` or `domainId` is required.',
        'REQUIRES_DOMAIN_OR_SUBFOLDER',
      ),
    );
    expect((await presence({ defaultLocale: 'en', subfolderSuffix: 'x' })).userErrors).toEqual(
      refusal(
        ['input', 'subfolderSuffix'],
        'Subfolder suffix must be at least 2 letters',
        'SUBFOLDER_SUFFIX_MUST_BE_AT_LEAST_2_LETTERS',
      ),
    );
    const { data } = await call(
      `mutation ($id: ID!, $gone: ID!) {
        webPresenceUpdate(id: $gone, input: { defaultLocale: "en" }) { ${USER_ERRORS} }
        first: webPresenceDelete(id: $id) { deletedId }
        again: webPresenceDelete(id: $id) { deletedId ${USER_ERRORS} } }`,
      { id: made.webPresence.id, gone: 'gid://shopify/MarketWebPresence/9' },
    );
    const userErrors = refusal(
      ['id'],
      "The market web presence wasn't found.",
      'WEB_PRESENCE_NOT_FOUND',
    );
    expect(data).toEqual({
      webPresenceUpdate: { userErrors },
      first: { deletedId: made.webPresence.id },
      again: { deletedId: null, userErrors },
    });
  });
});
