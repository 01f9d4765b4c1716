import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('marketing outside a simulated shop', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['marketing_events']);
  });
  afterAll(() => fixture.devStore.close());

  const run = async (call: string, variables?: object, types = ''): Promise<unknown> => {
    const { payload } = await fixture.call(
      `mutation ${types} { payload: ${call} }`,
      variables ?? {},
    );
    return payload;
  };
  const ERRORS = 'userErrors { field message code }';
  const input = {
    ...{ title: 'Mail', remoteId: 'r-1', status: 'ACTIVE', tactic: 'NEWSLETTER' },
    ...{ marketingChannelType: 'EMAIL', remoteUrl: 'https://app.example/1' },
    utm: { campaign: 'c', source: 's', medium: 'm' },
  };
  const upsert = (more: object = {}): Promise<unknown> =>
    run(
      `marketingActivityUpsertExternal(input: $input) { marketingActivity { title isExternal status
        adSpend { amount } utmParameters { campaign } marketingEvent { remoteId manageUrl utmSource } }
        ${ERRORS} }`,
      { input: { ...input, ...more } },
      '($input: MarketingActivityUpsertExternalInput!)',
    );

  it('has activities, each with its event', async () => {
    expect(await upsert()).toEqual({
      marketingActivity: {
        ...{ title: 'Mail', isExternal: true, status: 'ACTIVE', adSpend: null },
        utmParameters: { campaign: 'c' },
        marketingEvent: { remoteId: 'r-1', manageUrl: input.remoteUrl, utmSource: 's' },
      },
      userErrors: [],
    });
    expect(await upsert({ title: 'Letter' })).toMatchObject({
      marketingActivity: { title: 'Letter' },
    });
    const { marketingActivities } = await fixture.call(
      '{ marketingActivities(first: 5, remoteIds: ["r-1"]) { nodes { title } } }',
    );
    expect(marketingActivities).toEqual({ nodes: [{ title: 'Letter' }] });
    expect(await upsert({ remoteId: 'r-2', channelHandle: 'none' })).toMatchObject({
      userErrors: [{ field: ['input'], code: 'INVALID_CHANNEL_HANDLE' }],
    });
    await expect(upsert({ remoteUrl: 'ftp://app.example/1' })).rejects.toThrow(
      'The URL scheme must be one of the following: https,http',
    );
  });

  it('has engagements of what there is', async () => {
    const engage = (names: string): Promise<unknown> =>
      run(
        `marketingEngagementCreate(${names} marketingEngagement: { occurredOn: "2026-01-02"
          utcOffset: "+00:00", isCumulative: false, viewsCount: 3 }) {
          marketingEngagement { viewsCount occurredOn marketingActivity { title } } ${ERRORS} }`,
      );
    expect(await engage('remoteId: "r-1",')).toEqual({
      marketingEngagement: {
        ...{ viewsCount: 3, occurredOn: '2026-01-02' },
        marketingActivity: { title: 'Letter' },
      },
      userErrors: [],
    });
    for (const [names, code] of [
      ['', 'INVALID_MARKETING_ENGAGEMENT_ARGUMENT_MISSING'],
      ['remoteId: "r-1", channelHandle: "mail",', 'INVALID_MARKETING_ENGAGEMENT_ARGUMENTS'],
      ['remoteId: "none",', 'MARKETING_ACTIVITY_DOES_NOT_EXIST'],
      ['channelHandle: "none",', 'INVALID_CHANNEL_HANDLE'],
    ] as const)
      expect(await engage(names)).toMatchObject({
        marketingEngagement: null,
        userErrors: [{ code }],
      });
    const remove = (args: string): Promise<unknown> =>
      run(`marketingEngagementsDelete${args} { result ${ERRORS} }`);
    expect(await remove('')).toMatchObject({
      userErrors: [{ field: null, code: 'INVALID_DELETE_ENGAGEMENTS_ARGUMENTS' }],
    });
    expect(await remove('(deleteEngagementsForAllChannels: true)')).toEqual({
      result: 'Engagement data marked for deletion for 0 channel(s)',
      userErrors: [],
    });
  });

  it('has amounts of one currency', async () => {
    const create = (remoteId: string, adSpend = 'USD'): Promise<unknown> =>
      run(
        `marketingActivityCreateExternal(input: $input) { marketingActivity { title } ${ERRORS} }`,
        {
          input: {
            ...{ ...input, remoteId, utm: { ...input.utm, campaign: remoteId } },
            budget: { budgetType: 'DAILY', total: { amount: '5', currencyCode: 'USD' } },
            adSpend: { amount: '1', currencyCode: adSpend },
          },
        },
        '($input: MarketingActivityCreateExternalInput!)',
      );
    expect(await create('r-3', 'EUR')).toMatchObject({
      userErrors: [
        { field: ['input'], message: 'Currency code is not matching between budget and ad spend' },
      ],
    });
    expect(await create('r-3')).toMatchObject({ userErrors: [] });
    const engage = (remoteId: string, ...codes: string[]): Promise<unknown> =>
      run(
        `marketingEngagementCreate(remoteId: "${remoteId}", marketingEngagement: {
          occurredOn: "2026-01-02", utcOffset: "+00:00", isCumulative: false,
          adSpend: { amount: "1", currencyCode: ${codes[0]} },
          sales: { amount: "1", currencyCode: ${codes[1]} } }) {
          marketingEngagement { occurredOn } ${ERRORS} }`,
      );
    expect(await engage('none', 'USD', 'EUR')).toMatchObject({
      userErrors: [{ field: ['marketingEngagement'], code: 'CURRENCY_CODE_MISMATCH_INPUT' }],
    });
    expect(await engage('r-3', 'EUR', 'EUR')).toMatchObject({
      userErrors: [
        { field: ['marketingEngagement'], code: 'MARKETING_ACTIVITY_CURRENCY_CODE_MISMATCH' },
      ],
    });
    expect(await engage('r-3', 'USD', 'USD')).toMatchObject({ userErrors: [] });
  });

  it('keeps what an activity is known by', async () => {
    const create = (more: object): Promise<unknown> =>
      run(
        `marketingActivityCreateExternal(input: $input) { marketingActivity { title } ${ERRORS} }`,
        { input: { ...input, ...more } },
        '($input: MarketingActivityCreateExternalInput!)',
      );
    const refused = (message: string, code: string | null = null): object => ({
      marketingActivity: null,
      userErrors: [{ field: ['input'], message, code }],
    });
    expect(await create({})).toEqual(
      refused(
        'Validation failed: Remote ID has already been taken, Utm campaign has already been taken',
      ),
    );
    expect(await create({ remoteId: 'r-4', utm: null })).toEqual(
      refused(
        'Non-hierarchical marketing activities must have UTM parameters or a URL parameter value.',
        'NON_HIERARCHIAL_REQUIRES_UTM_URL_PARAMETER',
      ),
    );
    for (const [more, message, code] of [
      [{ channelHandle: 'mail' }, 'Channel handle cannot be modified.', 'IMMUTABLE_CHANNEL_HANDLE'],
      [
        { urlParameterValue: 'u' },
        'URL parameter value cannot be modified.',
        'IMMUTABLE_URL_PARAMETER',
      ],
      [
        { utm: { ...input.utm, campaign: 'other' } },
        'UTM parameters cannot be modified.',
        'IMMUTABLE_UTM_PARAMETERS',
      ],
      [
        { parentRemoteId: 'none' },
        'Remote ID does not correspond to an activity.',
        'INVALID_REMOTE_ID',
      ],
      [
        { hierarchyLevel: 'AD_GROUP' },
        'Hierarchy level cannot be modified.',
        'IMMUTABLE_HIERARCHY_LEVEL',
      ],
    ] as const)
      expect(await upsert(more)).toEqual(refused(message, code));
    await upsert({ status: 'INACTIVE', title: 'Mail' });
    const { marketingEvents } = await fixture.call(
      '{ marketingEvents(first: 1) { nodes { description endedAt } } }',
    );
    expect(marketingEvents).toEqual({
      nodes: [{ description: 'Mail', endedAt: expect.any(String) }],
    });
  });

  it('ends with its activities', async () => {
    const remove = (): Promise<unknown> =>
      run(
        `marketingActivityDeleteExternal(remoteId: "r-1") { deletedMarketingActivityId ${ERRORS} }`,
      );
    expect(await remove()).toMatchObject({ userErrors: [] });
    expect(await remove()).toEqual({
      deletedMarketingActivityId: null,
      userErrors: [
        {
          field: null,
          message: 'Marketing activity does not exist.',
          code: 'MARKETING_ACTIVITY_DOES_NOT_EXIST',
        },
      ],
    });
    await upsert();
    expect(
      await run('marketingActivitiesDeleteAllExternal { job { done } userErrors { code } }'),
    ).toEqual({ job: { done: false }, userErrors: [] });
    expect(fixture.shop.nodes.all(['MarketingActivity', 'MarketingEvent'])).toEqual([]);
  });
});
