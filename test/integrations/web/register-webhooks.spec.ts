import { afterEach, describe, expect, it } from '@jest/globals';

import type { RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import { SHOP } from '../../support/app.js';
import { Platform, ROUTES, installed } from './web.fixture.js';
import type { Routes } from './web.fixture.js';

const EMPTY = { webhookSubscriptions: { nodes: [], edges: [], pageInfo: { hasNextPage: false } } };
const created = (userErrors: readonly object[] = []) => ({
  webhookSubscriptionCreate: {
    userErrors,
    webhookSubscription:
      userErrors.length > 0 ? null : { id: 'gid://shopify/WebhookSubscription/1' },
  },
});
const webhook = { deliveryMethod: 'http', callbackUrl: '/webhooks' } as const;

describe.each(ROUTES)('registerWebhooks() on $name', ({ open }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app.close());

  /** What is answered when the platform answers each create so. */
  const register = async (topic: string, create: () => Response) => {
    const platform = new Platform();
    platform.graphql = (query) =>
      query.includes('webhookSubscriptionCreate') ? create() : Response.json({ data: EMPTY });
    const sessionStorage = await installed();
    const webhooks = { [topic]: webhook } as RemixAppOptions['webhooks'];
    app = open({ fetch: platform.fetch, sessionStorage, webhooks });
    const session = (await sessionStorage.loadSession(`offline_${SHOP}`))!;
    return { result: await app.registerWebhooks({ session }), queries: platform.queries };
  };

  // The third is that of uninstallations, which have to be heard.
  it('answers what was created, after one query and one call for each topic', async () => {
    const { result, queries } = await register('PRODUCTS_CREATE', () =>
      Response.json({ data: created() }),
    );
    expect(result['PRODUCTS_CREATE']).toMatchObject([{ success: true }]);
    expect(queries).toHaveLength(3);
  });

  it('answers what the platform refused, for a topic of any name', async () => {
    const { result } = await register('NOT_A_VALID_TOPIC', () =>
      Response.json({ data: created([{ field: ['topic'], message: 'is invalid' }]) }),
    );
    expect(result['NOT_A_VALID_TOPIC']).toMatchObject([{ success: false }]);
  });

  // The platform's own packages answer `undefined`, or throw.
  it('answers an error of the platform for each topic: nothing is lost without a word', async () => {
    const { result } = await register('PRODUCTS_CREATE', () =>
      Response.json({ errors: [{ message: 'Internal error' }] }),
    );
    expect(result['PRODUCTS_CREATE']).toMatchObject([{ success: false }]);
  });
});
