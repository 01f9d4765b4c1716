import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { Session } from '../../../lib/sessions/session.js';
import { DevStore } from '../../../lib/dev-store/index.js';
import type { WebhookHandlerMap } from '../../../lib/webhooks/handlers/handlers-by-topic.js';
import { WebhookRegistry } from '../../../lib/webhooks/handlers/webhook.registry.js';
import type { SubscriptionPlan } from '../../../lib/webhooks/subscriptions/subscription-plan.js';
import { WebhookRegistrar } from '../../../lib/webhooks/subscriptions/webhook.registrar.js';
import { API_KEY, API_SECRET, APP_URL } from '../../support/app.js';
import { resolverOf } from '../../support/resolver.js';

const ARN = 'arn:aws:events:us-east-1::event-source/aws.partner/shopify.com/1/source';
const http = { deliveryMethod: 'http' } as const;
const PUB_SUB = {
  deliveryMethod: 'pubsub',
  pubSubProject: 'project',
  pubSubTopic: 'topic',
} as const;

let store: DevStore;
let session: Session;
beforeEach(async () => {
  store = await DevStore.open({
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  });
  const { domain: shop } = store.shop();
  const accessToken = store.shop().install(API_KEY, { scopes: ['write_products'] });
  session = new Session({ id: `offline_${shop}`, shop, state: '', isOnline: false, accessToken });
});
afterEach(() => store.close());

/** An app that declares these, and answers the webhook path or not. */
function appOf(
  webhooks: WebhookHandlerMap,
  { receives = false, ownTopics = false }: { receives?: boolean; ownTopics?: boolean } = {},
): WebhookRegistrar {
  const resolver = resolverOf({
    shopOrigin: store.shopOrigin,
    webhooks: { ...webhooks, ...(!ownTopics && { ownTopics: false }) },
  });
  if (receives) resolver.get(WebhookRegistry).receive();
  return resolver.get(WebhookRegistrar);
}

/** Each subscription of a plan as one line. */
const linesOf = ({ subscriptions }: SubscriptionPlan): string[] =>
  subscriptions.map(({ operation, topic, uri, differences, isDeclared }) =>
    [
      operation,
      topic,
      uri,
      ...differences.map(
        ({ detail, existing, desired }) =>
          `${detail}: ${JSON.stringify(existing)} → ${JSON.stringify(desired)}`,
      ),
      ...(isDeclared ? [] : ['undeclared']),
    ].join(' '),
  );
const remote = (): string[] =>
  store
    .shop()
    .subscriptions.map(({ topic, endpoint }) => [topic, ...Object.values(endpoint)].join(' '));

describe('a plan of the webhook subscriptions of a shop', () => {
  it('says for each kind of address what is created, and creates nothing', async () => {
    const app = appOf({
      PRODUCTS_CREATE: http,
      PRODUCTS_UPDATE: [PUB_SUB, { deliveryMethod: 'eventbridge', arn: ARN }],
      CUSTOMERS_REDACT: http,
    });
    const plan = await app.plan(session);
    expect(linesOf(plan)).toEqual([
      `create PRODUCTS_CREATE ${APP_URL}/webhooks`,
      'create PRODUCTS_UPDATE pubsub://project:topic',
      `create PRODUCTS_UPDATE ${ARN}`,
    ]);
    expect([plan.shop, plan.topics]).toEqual([
      session.shop,
      ['PRODUCTS_CREATE', 'PRODUCTS_UPDATE', 'CUSTOMERS_REDACT'],
    ]);
    expect(remote()).toEqual([]);

    const results = await app.apply(session, plan);
    expect(
      Object.values(results)
        .flat()
        .map(({ operation, success }) => [operation, success]),
    ).toEqual([1, 2, 3].map(() => ['create', true]));
    expect(Object.keys(results)).toEqual(plan.topics);
    expect(remote()).toHaveLength(3);
    expect(linesOf(await app.plan(session))).toEqual([
      `keep PRODUCTS_CREATE ${APP_URL}/webhooks`,
      'keep PRODUCTS_UPDATE pubsub://project:topic',
      `keep PRODUCTS_UPDATE ${ARN}`,
    ]);
  });

  it.each<[string, object, object, string]>([
    [
      'fields',
      { includeFields: ['id'] },
      { includeFields: ['id', 'title'] },
      'includeFields: ["id"] → ["id","title"]',
    ],
    [
      'fields that are all wanted',
      { includeFields: ['id'] },
      {},
      'includeFields: ["id"] → undefined',
    ],
    [
      'namespaces of metafields',
      {},
      { metafieldNamespaces: ['a'] },
      'metafieldNamespaces: [] → ["a"]',
    ],
    [
      'metafields',
      {},
      { metafields: [{ namespace: 'a', key: 'b' }] },
      'metafields: [] → [{"namespace":"a","key":"b"}]',
    ],
    ['a filter', { filter: 'id:1' }, { filter: 'id:2' }, 'filter: "id:1" → "id:2"'],
    ['a name', {}, { name: 'a' }, 'name: undefined → "a"'],
  ])('says what an update changes: %s', async (_, before, after, difference) => {
    for (const address of [http, PUB_SUB, { deliveryMethod: 'eventbridge', arn: ARN } as const]) {
      await appOf({ PRODUCTS_CREATE: { ...address, ...before } }).register(session, {
        prune: true,
      });
      const app = appOf({ PRODUCTS_CREATE: { ...address, ...after } });
      const plan = await app.plan(session, { prune: true });
      expect(plan.subscriptions.map(({ operation }) => operation)).toEqual(['update']);
      expect(linesOf(plan)[0]).toMatch(/^update PRODUCTS_CREATE /);
      // What is not set comes back as nothing or as an empty list.
      expect(linesOf(plan)[0]!.replace(/: undefined →/, ': [] →')).toContain(
        difference.replace(/: undefined →/, ': [] →'),
      );
      await app.apply(session, plan);
      expect((await app.plan(session)).subscriptions).toMatchObject([
        { operation: 'keep', differences: [] },
      ]);
    }
  });

  it('asks once for each metafield that several handlers want', async () => {
    const app = appOf({
      PRODUCTS_CREATE: [
        { ...http, metafields: [{ key: 'a' }, { namespace: 'b', key: 'c' }] },
        {
          ...http,
          metafields: [
            { namespace: '$app', key: 'a' },
            { namespace: 'b', key: 'd' },
          ],
        },
      ],
    });
    await app.register(session);
    expect(store.shop().subscriptions).toMatchObject([
      {
        metafields: [
          { namespace: expect.stringMatching(/^app--\d+$/), key: 'a' },
          { namespace: 'b', key: 'c' },
          { namespace: 'b', key: 'd' },
        ],
      },
    ]);
    expect((await app.plan(session)).subscriptions).toMatchObject([{ operation: 'keep' }]);
  });

  it.each([[{ key: '' }], [{ namespace: 1, key: 'a' }], ['a.b'], 'a.b'])(
    'refuses what is no list of metafields: %j',
    (metafields) => {
      const handlers = { PRODUCTS_CREATE: { ...http, metafields } } as unknown as WebhookHandlerMap;
      expect(() => appOf(handlers)).toThrow(/PRODUCTS_CREATE\.metafields/);
    },
  );

  it('moves an address of the app, and removes what it does not know only when it is told to prune', async () => {
    await appOf({
      PRODUCTS_CREATE: [
        { ...http, callbackUrl: '/old' },
        { ...PUB_SUB, filter: 'id:1' },
      ],
      PRODUCTS_DELETE: http,
    }).register(session);
    const app = appOf({ PRODUCTS_CREATE: http });
    const changes = [
      `create PRODUCTS_CREATE ${APP_URL}/webhooks`,
      `delete PRODUCTS_CREATE ${APP_URL}/old undeclared`,
    ];
    const plan = await app.plan(session);
    expect(linesOf(plan)).toEqual([
      ...changes,
      'keep PRODUCTS_CREATE pubsub://project:topic undeclared',
      `keep PRODUCTS_DELETE ${APP_URL}/webhooks undeclared`,
    ]);
    expect(plan.subscriptions[2]).toMatchObject({ subscription: { ...PUB_SUB, filter: 'id:1' } });
    expect(linesOf(await app.plan(session, { prune: true }))).toEqual([
      ...changes,
      'delete PRODUCTS_CREATE pubsub://project:topic undeclared',
      `delete PRODUCTS_DELETE ${APP_URL}/webhooks undeclared`,
    ]);
    await app.apply(session, plan);
    expect(remote()).toHaveLength(3);
  });

  // A command that loaded an app without its server took `APP_UNINSTALLED` away.
  it('keeps what a process that answers the webhook path subscribes to for the toolkit', async () => {
    const server = appOf({ PRODUCTS_CREATE: http }, { receives: true, ownTopics: true });
    await server.register(session);
    const own = `keep APP_UNINSTALLED ${APP_URL}/webhooks undeclared`;
    const other = appOf({}, { ownTopics: true });
    const lines = linesOf(await other.plan(session, { prune: true }));
    expect(lines).toContain(own);
    expect(lines).toContain(`delete PRODUCTS_CREATE ${APP_URL}/webhooks undeclared`);
    const queue = appOf({ APP_UNINSTALLED: PUB_SUB }, { ownTopics: true });
    expect(linesOf(await queue.plan(session, { prune: true }))).toContain(own);
    const without = appOf({}, { ownTopics: false });
    expect(linesOf(await without.plan(session, { prune: true }))).toContain(
      `delete APP_UNINSTALLED ${APP_URL}/webhooks undeclared`,
    );
  });
});
