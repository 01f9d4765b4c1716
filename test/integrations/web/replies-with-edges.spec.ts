import { describe, expect, it } from '@jest/globals';

import { BillingInterval, DeliveryMethod } from '../../../lib/integrations/remix/index.js';
import { SHOP } from '../../support/app.js';
import { offlineSession } from '../../support/offline-session.js';
import { Platform, ROUTES, installed, script } from './web.fixture.js';

/** A page of a connection, as the tests of apps answer it that were written for another library. */
const edges = (nodes: readonly object[]) => ({
  edges: nodes.map((node) => ({ node })),
  pageInfo: { hasNextPage: false, endCursor: null },
});
const Pro = {
  amount: 5,
  currencyCode: 'USD',
  interval: BillingInterval.Every30Days,
} as const;

describe.each(ROUTES)('pages of connections with edges alone, on $name', ({ open }) => {
  it('say what the shop pays', async () => {
    const platform = new Platform();
    const subscription = { id: 'gid://1', name: 'Pro', test: false };
    const purchase = { id: 'gid://2', name: 'Setup', test: false, status: 'ACTIVE' };
    platform.graphql = () =>
      Response.json({
        data: {
          currentAppInstallation: {
            activeSubscriptions: [subscription],
            oneTimePurchases: edges([purchase]),
          },
        },
      });
    const { fetch } = platform;
    const app = open({ fetch, sessionStorage: await installed(), billing: { Pro } });
    const { billing } = await app.authenticate.admin(script());
    await expect(billing.check()).resolves.toMatchObject({
      hasActivePayment: true,
      appSubscriptions: [subscription],
      oneTimePurchases: [purchase],
    });
    expect(platform.queries).toHaveLength(1);
  });

  it('say what the shop is subscribed to', async () => {
    const platform = new Platform();
    platform.graphql = (query) =>
      Response.json({
        data: query.includes('webhookSubscriptions')
          ? { webhookSubscriptions: edges([]) }
          : {
              webhookSubscriptionCreate: {
                webhookSubscription: { id: 'gid://3' },
                userErrors: [],
              },
            },
      });
    const app = open({
      fetch: platform.fetch,
      webhooks: {
        PRODUCTS_CREATE: { deliveryMethod: DeliveryMethod.Http, callbackUrl: '/webhooks' },
      },
    });
    const session = offlineSession({ id: `offline_${SHOP}`, shop: SHOP });
    await expect(app.registerWebhooks({ session })).resolves.toMatchObject({
      PRODUCTS_CREATE: [{ success: true, operation: 'create' }],
    });
    expect(platform.queries[0]).toContain('webhookSubscriptions');
  });
});
