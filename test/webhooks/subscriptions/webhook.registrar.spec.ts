import { afterEach, describe, expect, it } from '@jest/globals';

import type { ApiSession } from '../../../lib/core/api-session.js';
import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import { DevStore } from '../../../lib/dev-store/index.js';
import { AdminGraphqlClient } from '../../../lib/graphql-client/admin-graphql.client.js';
import type { PlatformOptions } from '../../../lib/platform/kernel/platform.options.js';
import type { BuiltInHandler } from '../../../lib/webhooks/handlers/webhook.registry.js';
import { WebhookRegistrar } from '../../../lib/webhooks/subscriptions/webhook.registrar.js';
import { WebhookRegistry } from '../../../lib/webhooks/handlers/webhook.registry.js';
import { apiCaller } from '../../support/api-caller.js';
import { API_KEY, API_SECRET, APP_URL, appOptions } from '../../support/app.js';
import { Lines } from '../webhooks.fixture.js';

const DEV_SHOP = 'dev-shop.myshopify.com';
const PUB_SUB = {
  deliveryMethod: 'pubsub',
  pubSubProject: 'project',
  pubSubTopic: 'topic',
} as const;
const ARN = 'arn:aws:events:us-east-1::event-source/aws.partner/shopify.com/1/source';
const http = { deliveryMethod: 'http' } as const;

interface Setup {
  readonly builtInHandlers: BuiltInHandler[];
  readonly registry: WebhookRegistry;
  readonly registrar: WebhookRegistrar;
  readonly lines: Lines;
}

function setup(options: Partial<PlatformOptions>): Setup {
  const lines = new Lines();
  const config = resolveConfig(appOptions(options));
  const graphql = new AdminGraphqlClient(config, apiCaller(options.fetch), lines.logger);
  const builtInHandlers: BuiltInHandler[] = [];
  const registry = new WebhookRegistry(
    lines.logger,
    {},
    builtInHandlers,
    new Set(['APP_UNINSTALLED']),
  );
  return {
    lines,
    registry,
    builtInHandlers,
    registrar: new WebhookRegistrar(config, graphql, registry, lines.logger),
  };
}

describe('WebhookRegistrar, against a simulated store', () => {
  const opened: DevStore[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((devStore) => devStore.close()));
  });

  async function open(): Promise<{
    session: ApiSession;
    register: (setup: Setup, options?: { prune?: boolean }) => Promise<unknown>;
    app: (options?: Partial<PlatformOptions>) => Setup;
    remote: () => unknown[];
    subscriptions: () => readonly unknown[];
  }> {
    const devStore = await DevStore.open({
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    });
    opened.push(devStore);
    const session = {
      shop: DEV_SHOP,
      accessToken: devStore.shop().install(API_KEY, { scopes: ['write_products'] }),
    };
    return {
      session,
      app: (options) => setup({ shopOrigin: devStore.shopOrigin, ...options }),
      register: async ({ registrar }, options) =>
        summary(await registrar.register(session, options)),
      subscriptions: () => devStore.shop().subscriptions,
      remote: () =>
        devStore
          .shop()
          .subscriptions.map(({ topic, endpoint }) =>
            [topic, ...Object.values(endpoint)].join(' '),
          ),
    };
  }

  /** What was done, in short: topic → operations, with `!` for what failed. */
  function summary(results: Awaited<ReturnType<WebhookRegistrar['register']>>): unknown {
    return Object.fromEntries(
      Object.entries(results).map(([topic, list]) => [
        topic,
        list.map(
          ({ operation, deliveryMethod, success }) =>
            `${operation} ${deliveryMethod}${success ? '' : '!'}`,
        ),
      ]),
    );
  }

  it('does not call the platform when there is no topic to subscribe', async () => {
    const { app, register } = await open();
    const offline = app({ fetch: () => Promise.reject(new Error('No call was expected')) });
    expect(await register(offline)).toEqual({});
    offline.registry.addHandlers({ CUSTOMERS_REDACT: http });
    expect(await register(offline)).toEqual({ CUSTOMERS_REDACT: [] });
    await expect(register(offline, { prune: true })).rejects.toThrow();
  });

  it('creates what is declared, once', async () => {
    const { app, register, remote } = await open();
    const mine = app();
    mine.registry.addHandlers({
      PRODUCTS_CREATE: [
        http,
        { ...http, callbackUrl: '/webhooks' },
        { ...http, callbackUrl: 'https://elsewhere.example/hooks' },
      ],
      PRODUCTS_UPDATE: [PUB_SUB, { deliveryMethod: 'eventbridge', arn: ARN }],
    });
    expect(await register(mine)).toEqual({
      PRODUCTS_CREATE: ['create http', 'create http'],
      PRODUCTS_UPDATE: ['create pubsub', 'create eventbridge'],
    });
    expect(remote()).toEqual([
      `products/create http ${APP_URL}/webhooks`,
      'products/create http https://elsewhere.example/hooks',
      'products/update pubsub project topic',
      `products/update eventbridge ${ARN}`,
    ]);
    expect(await register(mine)).toEqual({ PRODUCTS_CREATE: [], PRODUCTS_UPDATE: [] });
  });

  it('uses the configured webhook path', async () => {
    const { app, register, remote } = await open();
    const mine = app({ paths: { webhooks: '/api/hooks' } });
    mine.registry.addHandlers({ PRODUCTS_CREATE: http });
    await register(mine);
    expect(remote()).toEqual([`products/create http ${APP_URL}/api/hooks`]);
  });

  it.each([
    [
      'fields',
      { includeFields: ['id', 'title'] },
      { includeFields: ['title', 'id'] },
      { includeFields: ['id'] },
    ],
    [
      'metafield namespaces',
      { metafieldNamespaces: ['a', 'b'] },
      { metafieldNamespaces: ['b', 'a'] },
      { metafieldNamespaces: ['c'] },
    ],
    [
      'metafields',
      {
        metafields: [
          { key: 'a' },
          { namespace: '$app:kept', key: 'b' },
          { namespace: 'c', key: 'd' },
        ],
      },
      {
        metafields: [
          { namespace: 'c', key: 'd' },
          { namespace: '$app', key: 'a' },
          { namespace: '$app:kept', key: 'b' },
        ],
      },
      { metafields: [{ namespace: 'c', key: 'e' }] },
    ],
    ['filter', { filter: 'vendor:a' }, { filter: 'vendor:a' }, { filter: 'vendor:b' }],
    ['name', { name: 'one' }, { name: 'one' }, { name: 'two' }],
  ])(
    'updates when the %s differ, not when they only look different',
    async (_name, first, same, other) => {
      const { app, register } = await open();
      const registerWith = async (details: object): Promise<unknown> => {
        const mine = app();
        mine.registry.addHandlers({ PRODUCTS_CREATE: { ...http, ...details } });
        return register(mine);
      };
      expect(await registerWith(first)).toEqual({ PRODUCTS_CREATE: ['create http'] });
      expect(await registerWith(same)).toEqual({ PRODUCTS_CREATE: [] });
      expect(await registerWith(other)).toEqual({ PRODUCTS_CREATE: ['update http'] });
      expect(await registerWith(other)).toEqual({ PRODUCTS_CREATE: [] });
    },
  );

  it('clears what is no longer asked for, and is content then', async () => {
    const { app, register } = await open();
    const before = app();
    before.registry.addHandlers({
      PRODUCTS_CREATE: {
        ...http,
        includeFields: ['id'],
        filter: 'vendor:a',
        metafieldNamespaces: ['a'],
      },
    });
    await register(before);
    const after = app();
    after.registry.addHandlers({ PRODUCTS_CREATE: http });
    expect(await register(after)).toEqual({ PRODUCTS_CREATE: ['update http'] });
    expect(await register(after)).toEqual({ PRODUCTS_CREATE: [] });
  });

  it('asks for everything that one of several handlers wants', async () => {
    const { app, register } = await open();
    const mine = app();
    mine.registry.addHandlers({
      PRODUCTS_CREATE: [
        { ...http, includeFields: ['id'], filter: 'vendor:a' },
        { ...http, includeFields: ['title', 'id'], filter: 'vendor:b' },
      ],
      PRODUCTS_UPDATE: [
        { ...http, includeFields: ['id'], metafieldNamespaces: ['a'] },
        { ...http, metafieldNamespaces: ['b'] },
      ],
    });
    await register(mine);
    const equivalent = app();
    equivalent.registry.addHandlers({
      PRODUCTS_CREATE: { ...http, includeFields: ['id', 'title'] },
      PRODUCTS_UPDATE: { ...http, metafieldNamespaces: ['a', 'b'] },
    });
    expect(await register(equivalent)).toEqual({ PRODUCTS_CREATE: [], PRODUCTS_UPDATE: [] });
  });

  it('moves a subscription whose address has changed: the new one first', async () => {
    const { app, register, remote } = await open();
    const before = app({ paths: { webhooks: '/old' } });
    before.registry.addHandlers({ PRODUCTS_CREATE: http });
    await register(before);
    const after = app();
    after.registry.addHandlers({ PRODUCTS_CREATE: http });
    expect(await register(after)).toEqual({ PRODUCTS_CREATE: ['create http', 'delete http'] });
    expect(remote()).toEqual([`products/create http ${APP_URL}/webhooks`]);
  });

  it('leaves alone what it does not know, unless it is told to prune', async () => {
    const { app, register, remote } = await open();
    const other = app();
    other.registry.addHandlers({
      PRODUCTS_CREATE: [PUB_SUB, { ...http, callbackUrl: 'https://elsewhere.example/' }],
      PRODUCTS_DELETE: http,
    });
    await register(other);
    const mine = app();
    mine.registry.addHandlers({ PRODUCTS_CREATE: http });
    expect(await register(mine)).toEqual({ PRODUCTS_CREATE: ['create http'] });
    expect(remote()).toHaveLength(4);
    expect(await register(mine, { prune: true })).toEqual({
      PRODUCTS_CREATE: ['delete pubsub', 'delete http'],
      PRODUCTS_DELETE: ['delete http'],
    });
    expect(remote()).toEqual([`products/create http ${APP_URL}/webhooks`]);
  });

  const builtInHandler = (runsInRoutes: boolean): BuiltInHandler => ({
    topic: 'APP_UNINSTALLED',
    name: 'follow-up',
    runsInRoutes,
    run: async () => {},
  });
  const own = { ...http, callbackUrl: '/hooks/uninstalled' };
  const callback = (): void => {};
  const pubSub = 'app/uninstalled pubsub project topic';
  const atOurPath = `app/uninstalled http ${APP_URL}/webhooks`;
  const atItsOwn = `app/uninstalled http ${APP_URL}/hooks/uninstalled`;
  const elsewhere = { ...http, callbackUrl: 'https://elsewhere.example/x' };

  // With a handler of the app's at a path of its own there were two.
  it.each<[string, Parameters<WebhookRegistry['addHandlers']>[0], string[]]>([
    ['nothing', {}, [atOurPath]],
    ['a handler at the webhook path', { APP_UNINSTALLED: callback }, [atOurPath]],
    ['a handler at a path of its own', { APP_UNINSTALLED: { ...own, callback } }, [atItsOwn]],
    ['a route of its own', { 'app/uninstalled': own }, [atItsOwn, atOurPath]],
    ['two of them', { APP_UNINSTALLED: [own, callback] }, [atItsOwn, atOurPath]],
    ['a queue', { APP_UNINSTALLED: PUB_SUB }, [pubSub, atOurPath]],
    [
      'another server',
      { APP_UNINSTALLED: elsewhere },
      ['app/uninstalled http https://elsewhere.example/x', atOurPath],
    ],
    [
      'a handler behind another server',
      { APP_UNINSTALLED: { ...elsewhere, callback } },
      ['app/uninstalled http https://elsewhere.example/x'],
    ],
  ])(
    'subscribes once to what the toolkit follows up on, when the app declares %s for it',
    async (_title, handlers, expected) => {
      const { app, register, remote } = await open();
      const mine = app();
      mine.builtInHandlers.push(builtInHandler(false));
      mine.registry.receive();
      mine.registry.addHandlers(handlers);
      await register(mine);
      expect(remote()).toEqual(expected);
      expect(await register(mine)).toEqual({ APP_UNINSTALLED: [] });
    },
  );

  // An app without such a route was sent deliveries that it answered with 404.
  it.each<[string, Parameters<WebhookRegistry['addHandlers']>[0], string[]]>([
    ['nothing', {}, []],
    [
      'routes elsewhere',
      { PRODUCTS_CREATE: { ...http, callbackUrl: '/hooks' } },
      [`products/create http ${APP_URL}/hooks`],
    ],
    ['a queue', { PRODUCTS_CREATE: PUB_SUB }, ['products/create pubsub project topic']],
    [
      'a route at the webhook path',
      { PRODUCTS_CREATE: http },
      [`products/create http ${APP_URL}/webhooks`, atOurPath],
    ],
    [
      'a route at the URL of the webhook path',
      { PRODUCTS_CREATE: { ...http, callbackUrl: `${APP_URL}/webhooks` } },
      [`products/create http ${APP_URL}/webhooks`, atOurPath],
    ],
    ['a route for the topic itself', { APP_UNINSTALLED: own }, [atItsOwn]],
    ['a queue for the topic itself', { APP_UNINSTALLED: PUB_SUB }, [pubSub]],
  ])(
    'subscribes to it only beside what arrives at the webhook path where that is a route of the app: %s',
    async (_title, handlers, expected) => {
      const { app, register, remote } = await open();
      const mine = app();
      mine.builtInHandlers.push(builtInHandler(true));
      mine.registry.addHandlers(handlers);
      await register(mine);
      expect(remote()).toEqual(expected);
    },
  );

  it('takes back a second subscription that is there already', async () => {
    const { app, register, remote } = await open();
    const before = app();
    before.registry.addHandlers({ APP_UNINSTALLED: [http, own] });
    await register(before);
    const mine = app();
    mine.builtInHandlers.push(builtInHandler(false));
    mine.registry.receive();
    mine.registry.addHandlers({ APP_UNINSTALLED: { ...own, callback } });
    expect(await register(mine)).toEqual({ APP_UNINSTALLED: ['delete http'] });
    expect(remote()).toEqual([atItsOwn]);
  });

  it('asks for the whole of what the toolkit follows up on, whatever the handler of the app can do without', async () => {
    const { app, register, subscriptions } = await open();
    const mine = app();
    mine.builtInHandlers.push(builtInHandler(false));
    mine.registry.receive();
    mine.registry.addHandlers({
      APP_UNINSTALLED: { ...own, callback, filter: 'plan_name:basic', includeFields: ['id'] },
    });
    expect(await register(mine)).toEqual({ APP_UNINSTALLED: ['create http'] });
    expect(subscriptions()).toMatchObject([{ includeFields: [], filter: null }]);
  });

  it('keeps what the toolkit follows up on when it prunes', async () => {
    const { app, register, remote } = await open();
    const mine = app();
    mine.builtInHandlers.push(builtInHandler(false));
    mine.registry.receive();
    await register(mine);
    expect(await register(mine, { prune: true })).toEqual({ APP_UNINSTALLED: [] });
    expect(remote()).toEqual([atOurPath]);
  });

  it('never subscribes to privacy topics, but lists them', async () => {
    const { app, register, remote } = await open();
    const mine = app();
    mine.registry.addHandlers({
      CUSTOMERS_DATA_REQUEST: http,
      CUSTOMERS_REDACT: http,
      'shop/redact': http,
    });
    expect(await register(mine)).toEqual({
      CUSTOMERS_DATA_REQUEST: [],
      CUSTOMERS_REDACT: [],
      SHOP_REDACT: [],
    });
    expect(remote()).toEqual([]);
  });

  it('goes on when one subscription fails, and says why', async () => {
    const { app, session, remote } = await open();
    const mine = app();
    mine.registry.addHandlers({
      NO_SUCH_TOPIC: http,
      PRODUCTS_UPDATE: { ...http, callbackUrl: 'http://plain.example/hooks' },
      PRODUCTS_CREATE: http,
    });
    const results = await mine.registrar.register(session);
    expect(results).toMatchObject({
      NO_SUCH_TOPIC: [
        {
          topic: 'NO_SUCH_TOPIC',
          operation: 'create',
          success: false,
          errors: [{ message: expect.any(String) }],
        },
      ],
      PRODUCTS_UPDATE: [
        {
          operation: 'create',
          success: false,
          errors: [{ message: expect.stringContaining('protocol') }],
        },
      ],
      PRODUCTS_CREATE: [
        { operation: 'create', deliveryMethod: 'http', success: true, result: expect.anything() },
      ],
    });
    expect(remote()).toEqual([`products/create http ${APP_URL}/webhooks`]);
    expect(mine.lines.matching('create failed')).toHaveLength(2);
  });

  it('fails as a whole when it may not even read', async () => {
    const { app } = await open();
    const mine = app();
    mine.registry.addHandlers({ PRODUCTS_CREATE: http });
    await expect(
      mine.registrar.register({ shop: DEV_SHOP, accessToken: 'shpat_wrong' }),
    ).rejects.toMatchObject({
      code: 'ERR_HTTP_AUTHENTICATION',
    });
  });
});

describe('WebhookRegistrar, on the wire', () => {
  interface Call {
    readonly query: string;
    readonly variables: Record<string, unknown>;
  }

  /** A platform that answers reads with `pages` in turn, and everything else with success. */
  function recording(
    pages: readonly object[][],
    options: Partial<PlatformOptions> = {},
  ): Setup & { calls: Call[] } {
    const calls: Call[] = [];
    const rest = [...pages];
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      const call = JSON.parse(String(init?.body)) as Call;
      calls.push(call);
      if (!call.query.includes('query '))
        return Response.json({ data: { webhookSubscriptionCreate: { userErrors: [] } } });
      const nodes = rest.shift() ?? [];
      const pageInfo = {
        hasNextPage: rest.length > 0,
        endCursor: rest.length > 0 ? `cursor ${rest.length}` : null,
      };
      return Response.json({ data: { webhookSubscriptions: { nodes, pageInfo } } });
    };
    return { calls, ...setup({ ...options, fetch }) };
  }
  const session = { shop: DEV_SHOP, accessToken: 'shpat_1234567890' };
  const fieldOf = ({ query }: Call): string => /mutation[^{]+{\s+(\w+)/.exec(query)?.[1] ?? 'read';

  it('reads every page', async () => {
    const node = (n: number): object => ({
      id: `gid://${n}`,
      topic: 'PRODUCTS_CREATE',
      uri: `${APP_URL}/${n === 3 ? 'webhooks' : n}`,
      includeFields: [],
      metafieldNamespaces: [],
      filter: null,
    });
    const { registry, registrar, calls } = recording([[node(1)], [node(2)], [node(3)]]);
    registry.addHandlers({ PRODUCTS_CREATE: http });
    await registrar.register(session);
    expect(calls.map((call) => [fieldOf(call), call.variables])).toEqual([
      ['read', { first: 250, after: null }],
      ['read', { first: 250, after: 'cursor 2' }],
      ['read', { first: 250, after: 'cursor 1' }],
      ['webhookSubscriptionDelete', { id: 'gid://1' }],
      ['webhookSubscriptionDelete', { id: 'gid://2' }],
    ]);
  });

  it('sends nothing that was not asked for', async () => {
    const { registry, registrar, calls } = recording([]);
    registry.addHandlers({ PRODUCTS_CREATE: { ...http, filter: 'vendor:"a"' } });
    await registrar.register(session);
    expect(calls[1]!.variables).toEqual({
      topic: 'PRODUCTS_CREATE',
      webhookSubscription: { uri: `${APP_URL}/webhooks`, filter: 'vendor:"a"' },
    });
  });

  it.each([
    ['2025-07', 'callbackUrl', false],
    ['2025-10', 'uri', false],
    ['2026-01', 'uri', false],
    ['2026-04', 'uri', true],
    ['unstable', 'uri', true],
  ])('speaks of addresses and names as version %s does', async (apiVersion, address, named) => {
    const { registry, registrar, calls } = recording([], { apiVersion });
    registry.addHandlers({ PRODUCTS_CREATE: { ...http, name: 'n' } });
    await registrar.register(session);
    expect([/\buri\b/.test(calls[0]!.query), /\bname\b/.test(calls[0]!.query)]).toEqual([
      address === 'uri',
      named,
    ]);
    expect(calls[1]!.variables['webhookSubscription']).toEqual({
      [address]: `${APP_URL}/webhooks`,
      ...(named && { name: 'n' }),
    });
  });

  it('uses the mutations of each kind of endpoint where there is no common one', async () => {
    const remote = (id: string, topic: string, endpoint: object): object => ({
      id,
      topic,
      endpoint,
      includeFields: ['id'],
      metafieldNamespaces: [],
      filter: null,
    });
    const { registry, registrar, calls } = recording(
      [
        [
          remote('1', 'B', { arn: 'arn:b' }),
          remote('2', 'C', { pubSubProject: 'p', pubSubTopic: 't' }),
          remote('3', 'A', { callbackUrl: `${APP_URL}/old` }),
        ],
      ],
      { apiVersion: '2025-01' },
    );
    const queues = [
      { deliveryMethod: 'eventbridge', arn: 'arn:b' } as const,
      { ...PUB_SUB, pubSubProject: 'p', pubSubTopic: 't' },
    ];
    registry.addHandlers({ A: [http, ...queues], B: queues[0]!, C: queues[1]! });
    await registrar.register(session);
    const cleared = { includeFields: [], metafieldNamespaces: [], filter: null };
    expect(calls.slice(1).map((call) => [fieldOf(call), call.variables])).toEqual([
      [
        'webhookSubscriptionCreate',
        { topic: 'A', webhookSubscription: { callbackUrl: `${APP_URL}/webhooks` } },
      ],
      [
        'eventBridgeWebhookSubscriptionCreate',
        { topic: 'A', webhookSubscription: { arn: 'arn:b' } },
      ],
      [
        'pubSubWebhookSubscriptionCreate',
        { topic: 'A', webhookSubscription: { pubSubProject: 'p', pubSubTopic: 't' } },
      ],
      ['webhookSubscriptionDelete', { id: '3' }],
      [
        'eventBridgeWebhookSubscriptionUpdate',
        { id: '1', webhookSubscription: { arn: 'arn:b', ...cleared } },
      ],
      [
        'pubSubWebhookSubscriptionUpdate',
        { id: '2', webhookSubscription: { pubSubProject: 'p', pubSubTopic: 't', ...cleared } },
      ],
    ]);
  });

  it('keeps nothing of one shop for the next', async () => {
    const { registry, registrar, calls } = recording([
      [
        {
          id: 'gid://1',
          topic: 'PRODUCTS_CREATE',
          uri: `${APP_URL}/webhooks`,
          includeFields: ['x'],
          metafieldNamespaces: [],
          filter: null,
        },
      ],
    ]);
    registry.addHandlers({ PRODUCTS_CREATE: http });
    await registrar.register(session);
    await registrar.register({ ...session, shop: 'other.myshopify.com' });
    expect(calls.map(fieldOf)).toEqual([
      'read',
      'webhookSubscriptionUpdate',
      'read',
      'webhookSubscriptionCreate',
    ]);
    expect(calls[3]!.variables).toEqual({
      topic: 'PRODUCTS_CREATE',
      webhookSubscription: { uri: `${APP_URL}/webhooks` },
    });
  });
});
