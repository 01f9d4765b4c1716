import { randomUUID } from 'node:crypto';

import { assert } from './lazy-assert.js';
import { systemClock } from '../../core/time/clock.js';
import { describeCases } from './port.conformance.js';
import type { Cases, SuiteRunner } from './port.conformance.js';
import { aShop } from './session-samples.js';
import type { DeliveryKey, GrantedClaim, WebhookInbox } from '../coordination/webhook.inbox.js';

/** Milliseconds: over soon, and never over within a case. */
const SHORT = 300;
const LONG = 60_000;
/** How long a case waits for a lease to end, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Declares the tests every inbox must pass. It need not be empty. What it keeps for seven days is
 * not waited for.
 * @param open called once per case, twice when the runner says `shared`
 */
export function describeWebhookInbox<Opened extends WebhookInbox>(
  name: string,
  open: () => Opened | Promise<Opened>,
  runner: SuiteRunner<Opened>,
): void {
  describeCases<WebhookInbox, Opened>(name, CASES, open, runner);
}

const CASES: Cases<WebhookInbox> = {
  'gives a delivery to one of many that claim it at once': async (inbox, other) => {
    const key = aDelivery();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? inbox : other).claim(key, LONG)),
    );
    const states = claims.map(({ state }) => state).sort();
    assert.deepEqual(states, [...Array<string>(19).fill('busy'), 'claimed']);
  },

  'keeps apps, shops and deliveries apart, by case too': async (inbox) => {
    const id = randomUUID();
    const key = { app: `App-${id}`, shop: aShop(), webhookId: `Id-${id}` };
    const others: Partial<DeliveryKey>[] = [
      {},
      { app: key.app.toLowerCase() },
      { shop: aShop() },
      { webhookId: key.webhookId.toLowerCase() },
      { webhookId: `${key.webhookId} ` },
      { webhookId: `${key.webhookId}${'x'.repeat(300)}` },
      { app: `${key.app}:${key.shop}`, shop: '' },
      { app: key.app, shop: '', webhookId: `${key.shop}:${key.webhookId}'"\\漢` },
    ];
    for (const other of others) await claimOf(inbox, { ...key, ...other });
    for (const other of others)
      assert.equal((await inbox.claim({ ...key, ...other }, LONG)).state, 'busy');
  },

  'gives out no delivery again that is done': async (inbox, other) => {
    const key = aDelivery();
    const { token, handled } = await claimOf(inbox, key);
    assert.deepEqual(handled, []);
    await inbox.complete(key, token);
    assert.equal((await other.claim(key, LONG)).state, 'done');
    await inbox.release(key, token, []);
    assert.equal((await inbox.claim(key, LONG)).state, 'done');
  },

  'gives out a released delivery at once, with the names of the handlers that are done with it':
    async (inbox, other) => {
      const key = aDelivery();
      await inbox.release(key, (await claimOf(inbox, key)).token, ['first', 'sécond "handler"']);
      const second = await claimOf(other, key);
      assert.deepEqual([...second.handled].sort(), ['first', 'sécond "handler"']);
      await other.release(key, second.token, []);
      assert.deepEqual((await claimOf(inbox, key)).handled, []);
    },

  'gives out a delivery again when its lease ends without an outcome': async (inbox, other) => {
    const key = aDelivery();
    await inbox.release(key, (await claimOf(inbox, key)).token, ['first']);
    const late = await claimOf(inbox, key, SHORT);
    const current = await claimEventually(other, key);
    assert.notEqual(current.token, late.token);
    assert.deepEqual(current.handled, ['first']);
  },

  'lets one who lost the delivery change nothing': async (inbox, other) => {
    const key = aDelivery();
    const late = await claimOf(inbox, key, SHORT);
    const current = await claimEventually(other, key);
    assert.equal(await inbox.renew(key, late.token, LONG), false);
    await inbox.release(key, late.token, ['late']);
    assert.equal((await inbox.claim(key, LONG)).state, 'busy');
    await inbox.complete(key, late.token);
    assert.equal((await inbox.claim(key, LONG)).state, 'busy');
    await other.complete(key, current.token);
    assert.equal((await inbox.claim(key, LONG)).state, 'done');
  },

  'extends a claim that is renewed': async (inbox, other) => {
    const key = aDelivery();
    const { token } = await claimOf(inbox, key, 1_000);
    assert.equal(await inbox.renew(key, token, LONG), true);
    await systemClock.sleep(1_500);
    assert.equal((await other.claim(key, LONG)).state, 'busy');
    assert.equal(await inbox.renew(key, token, SHORT), true);
    await claimEventually(other, key);
  },

  'renews no claim that was completed, released, or never made': async (inbox) => {
    const [completed, released, unknown] = [aDelivery(), aDelivery(), aDelivery()];
    const tokens = [
      (await claimOf(inbox, completed)).token,
      (await claimOf(inbox, released)).token,
    ] as const;
    await inbox.complete(completed, tokens[0]);
    await inbox.release(released, tokens[1], []);
    assert.equal(await inbox.renew(completed, tokens[0], LONG), false);
    assert.equal(await inbox.renew(released, tokens[1], LONG), false);
    assert.equal(await inbox.renew(unknown, tokens[0], LONG), false);
    assert.equal((await inbox.claim(completed, LONG)).state, 'done');
    for (const key of [released, unknown]) await claimOf(inbox, key);
  },
};

function aDelivery(): DeliveryKey {
  return { app: 'suite', shop: aShop(), webhookId: randomUUID() };
}

async function claimOf(
  inbox: WebhookInbox,
  key: DeliveryKey,
  leaseMs: number = LONG,
): Promise<GrantedClaim> {
  const claim = await inbox.claim(key, leaseMs);
  assert.ok(claim.state === 'claimed', `the delivery is ${claim.state}`);
  return claim;
}

async function claimEventually(inbox: WebhookInbox, key: DeliveryKey): Promise<GrantedClaim> {
  const deadline = systemClock.now().getTime() + PATIENCE;
  for (;;) {
    const claim = await inbox.claim(key, LONG);
    if (claim.state === 'claimed') return claim;
    assert.equal(claim.state, 'busy');
    assert.ok(
      systemClock.now().getTime() < deadline,
      `the lease did not end within ${PATIENCE} ms`,
    );
    await systemClock.sleep(50);
  }
}
