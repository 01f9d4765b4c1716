import { setImmediate } from 'node:timers/promises';

import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { AuthService } from '../../../lib/auth/auth.service.js';
import { TokenManager } from '../../../lib/auth/tokens/token-manager.js';
import { BillingInterval } from '../../../lib/billing/billing-plans.js';
import { BillingService } from '../../../lib/billing/billing.service.js';
import { InFlight } from '../../../lib/core/concurrency/in-flight.js';
import { PlatformError } from '../../../lib/core/core.errors.js';
import { systemClock } from '../../../lib/core/time/clock.js';
import { DevStore } from '../../../lib/dev-store/index.js';
import type { Resolver } from '../../../lib/platform/kernel/resolver.js';
import { Session } from '../../../lib/sessions/session.js';
import { WebhookReceiver } from '../../../lib/webhooks/deliveries/webhook.receiver.js';
import { WebhookRegistry } from '../../../lib/webhooks/handlers/webhook.registry.js';
import { script } from '../../auth/auth.fixture.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../../support/app.js';
import { HurriedClock } from '../../support/hurried.clock.js';
import { resolverOf } from '../../support/resolver.js';
import { delivery } from '../../webhooks/webhooks.fixture.js';
import { FAULTS, FaultyPorts, InjectedError } from './faulty-ports.js';

jest.setTimeout(120_000);

/** An app over a simulated store, whose ports fail when they are told to. */
interface World {
  readonly store: DevStore;
  readonly ports: FaultyPorts;
  readonly app: Resolver;
  readonly offline: Session;
}

/** Something that the app does. */
interface Scenario {
  readonly name: string;
  /** What was there before: without faults. */
  prepare?(world: World): Promise<unknown>;
  run(world: World): Promise<unknown>;
  /** Calls that the scenario is about. */
  readonly includes?: readonly string[];
}

const SCENARIOS: readonly Scenario[] = [
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

let open: DevStore | undefined;
afterEach(() => open?.close());

async function worldOf({ prepare }: Scenario): Promise<World> {
  await open?.close();
  const store = (open = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  }));
  const ports = new FaultyPorts();
  const { lock, installations, inbox } = ports.storage.companions;
  const app = resolverOf({
    clock: new HurriedClock(systemClock),
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

/** Whether an error says what it is: one of ours, or what the port itself failed with. */
const isTyped = (error: unknown): boolean =>
  error instanceof PlatformError || error instanceof InjectedError;

// A rejection that nobody handles fails its test: jest sees to that.
describe.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  '%s',
  (_, scenario) => {
    it.each(FAULTS)('is answered whichever call fails: %s', async (fault) => {
      const first = await worldOf(scenario);
      const answer = await scenario.run(first);
      const calls = [...first.ports.calls];
      expect(calls.length).toBeGreaterThan(0);
      if (scenario.includes) expect(calls).toEqual(expect.arrayContaining([...scenario.includes]));
      const wrong: string[] = [];
      for (const [at, call] of calls.entries()) {
        const world = await worldOf(scenario);
        const { ports, app } = world;
        ports.arm(at, fault);
        const outcome = await scenario.run(world).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        const place = `${call} (${at + 1} of ${calls.length})`;
        if ('error' in outcome && !isTyped(outcome.error))
          wrong.push(`${place}: ${String(outcome.error)}`);
        ports.disarm();
        // Nothing is in the way of the next attempt, unless a name has to wait for its lease to end.
        if (ports.held.size === 0)
          await scenario.run(world).catch((error: unknown) => {
            wrong.push(`${place}, and then: ${String(error)}`);
          });
        await app.get(InFlight).drain();
        await setImmediate();
        // What is not given back because giving it back failed is free when its lease ends.
        if (call !== 'lock.release' && ports.held.size > 0)
          wrong.push(`${place} left held: ${[...ports.held].join()}`);
      }
      expect(wrong).toEqual([]);
      expect(answer).toBeDefined();
    });
  },
);
