import { AuthService } from '../../../lib/auth/auth.service.js';
import { TokenManager } from '../../../lib/auth/tokens/token-manager.js';
import { BillingInterval } from '../../../lib/billing/billing-plans.js';
import { BillingService } from '../../../lib/billing/billing.service.js';
import { systemClock } from '../../../lib/core/time/clock.js';
import { DevStore } from '../../../lib/dev-store/index.js';
import type { Resolver } from '../../../lib/platform/kernel/resolver.js';
import { Session } from '../../../lib/sessions/session.js';
import { WebhookReceiver } from '../../../lib/webhooks/deliveries/webhook.receiver.js';
import { WebhookRegistry } from '../../../lib/webhooks/handlers/webhook.registry.js';
import { cookiesAfter, page, script } from '../../auth/auth.fixture.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../../support/app.js';
import { HurriedClock } from '../../support/hurried.clock.js';
import { resolverOf } from '../../support/resolver.js';
import { delivery } from '../../webhooks/webhooks.fixture.js';
import { FaultyPorts } from './faulty-ports.js';

/** An app over a simulated store, whose ports fail when they are told to. */
export interface World {
  readonly store: DevStore;
  readonly ports: FaultyPorts;
  readonly app: Resolver;
  readonly offline: Session;
}

/** Something that the app does. */
export interface Scenario {
  readonly name: string;
  /** What was there before: without faults. */
  prepare?(world: World): Promise<unknown>;
  run(world: World): Promise<unknown>;
  /** Calls that the scenario is about. */
  readonly includes?: readonly string[];
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'the exchange of a session token for the first session of a shop',
    run: ({ app, store }) => app.get(AuthService).authenticateAdmin(signedIn(store)),
  },
  {
    name: 'a request of a shop whose session has expired',
    prepare: expire,
    run: ({ app, store }) => app.get(AuthService).authenticateAdmin(signedIn(store)),
  },
  {
    name: 'the renewal of a token for a job',
    prepare: expire,
    run: ({ app }) => app.get(TokenManager).session(SHOP),
  },
  {
    name: 'the callback of OAuth for the first session of a shop',
    run: callback,
    includes: ['fetch', 'lock.take', 'storage.storeSession', 'hook afterAuth'],
  },
  {
    name: 'a webhook',
    prepare: ({ ports, offline }) => ports.storage.storeSession(offline),
    run: ({ app }) => app.get(WebhookReceiver).receive(delivery()),
  },
  {
    name: 'the webhook of an uninstallation',
    async prepare({ ports, offline, store }) {
      await ports.storage.storeSession(offline);
      await store.shop(SHOP).uninstall(API_KEY);
    },
    run: ({ app }) =>
      app
        .get(WebhookReceiver)
        .receive(delivery({ topic: 'app/uninstalled', payload: { myshopify_domain: SHOP } })),
    includes: ['lock.take', 'hook onUninstall', 'storage.deleteSessions', 'inbox.complete'],
  },
  {
    name: 'a check of the plan and a request for one',
    prepare: ({ ports, offline }) => ports.storage.storeSession(offline),
    async run({ app, offline }) {
      const billing = app.get(BillingService);
      await billing.check({ session: offline, plans: ['Pro'], isTest: true });
      return billing.request({ session: offline, plan: 'Pro', isTest: true });
    },
  },
];

const signedIn = (store: DevStore) =>
  script('/api/products', store.shop(SHOP).sessionToken(API_KEY));

/** The shop has a token that can be renewed, and has to be. */
async function expire({ ports: { storage }, app, offline }: World): Promise<void> {
  await storage.storeSession(offline);
  const session = (await app.get(TokenManager).migrate(SHOP))!;
  await storage.storeSession(new Session({ ...session, expires: new Date(Date.now() - 1000) }));
}

/** Walks to the consent page and back from it; only the callback calls a port. */
async function callback({ app }: World): Promise<unknown> {
  const auth = app.get(AuthService);
  const begun = await auth.begin(page(`/auth?shop=${SHOP}`));
  if (begun.kind !== 'redirect') throw new Error(`OAuth did not begin: ${begun.reason}`);
  const consented = await fetch(begun.location, { redirect: 'manual' });
  const { pathname, search } = new URL(consented.headers.get('location')!);
  return auth.callback(page(pathname + search, { cookie: cookiesAfter(begun.headers) }));
}

/**
 * The world of a scenario, before it runs.
 * @param standsStill whether what the app waits for passes by `store.advance` alone
 */
export async function openWorld({ prepare }: Scenario, standsStill = false): Promise<World> {
  const store = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  });
  const clock = standsStill ? new HurriedClock(store.clock) : undefined;
  const ports = new FaultyPorts(clock);
  const { lock, installations, inbox } = ports.storage.companions;
  const app = resolverOf({
    clock: clock ?? new HurriedClock(systemClock),
    shopOrigin: store.shopOrigin,
    sessionStorage: ports.over('storage', ports.storage),
    lock: ports.over('lock', ports.watched(lock)),
    installations: ports.over('installations', installations),
    inbox: ports.over('inbox', inbox),
    fetch: ports.call('fetch', globalThis.fetch as never) as unknown as typeof fetch,
    hooks: {
      afterAuth: ports.call('hook afterAuth', () => {}),
      onUninstall: ports.call('hook onUninstall', () => {}),
    },
    billing: {
      Pro: { amount: 5, currencyCode: 'USD', interval: BillingInterval.Every30Days },
    },
  });
  app.get(WebhookRegistry).add({
    kind: 'handler',
    topic: 'PRODUCTS_CREATE',
    subscription: { deliveryMethod: 'http' },
    name: 'handler of the app',
    run: ports.call('handler', async () => {}),
  });
  const granted = store.shop(SHOP).install(API_KEY, { scopes: ['write_products'] });
  const offline = new Session({
    id: `offline_${SHOP}`,
    shop: SHOP,
    state: '',
    isOnline: false,
    scope: 'write_products',
    accessToken: granted,
  });
  const world = { store, ports, app, offline };
  await prepare?.(world);
  ports.disarm();
  return world;
}
