import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';

import { APP_URL, page } from '../auth/auth.fixture.js';
import { PLANS, createBilling, decide, openPlatform } from './billing.fixture.js';
import type { BillingApp, Verdict } from './billing.fixture.js';
import { subscribed } from './shop.charges.js';

// Many walks through a shop, on a machine that may be busy.
jest.setTimeout(120_000);

/**
 * What a merchant does on a confirmation page, and what happens to the shop before they open the
 * app.
 */
type Step =
  | { readonly does: 'approve'; readonly delay: number; readonly meanwhile: 'ACCEPTED' | 'PENDING' }
  | { readonly does: 'decline' | 'go away' }
  | { readonly does: 'cancel' | 'expire' | 'freeze' | 'subscribe elsewhere' | 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('approve' as const),
    delay: fc.constantFrom(0, 1, 3, 5, 9, Infinity),
    meanwhile: fc.constantFrom('ACCEPTED' as const, 'PENDING' as const),
  }),
  fc.record({ does: fc.constantFrom('decline' as const, 'go away' as const) }),
  fc.record({
    does: fc.constantFrom(
      'cancel' as const,
      'expire' as const,
      'freeze' as const,
      'subscribe elsewhere' as const,
      'wait' as const,
    ),
  }),
);

/** More than a browser ever does by itself between two decisions of a merchant. */
const PATIENCE = 6;

/**
 * Opens a page and goes wherever the app leads without anybody doing anything.
 * @returns where that ends: the app's page, a page that says no, or a confirmation page
 */
async function follow(
  app: BillingApp,
  address: string,
): Promise<{ end: 'granted' | 'refused' } | { end: 'confirmation'; url: string }> {
  let target = address;
  for (let hop = 0; hop < PATIENCE; hop++) {
    const decision = await app.gate.require(page(target.slice(APP_URL.length)), app.session, {
      plans: ['Pro', 'Setup'],
    });
    if (decision.kind === 'granted') return { end: 'granted' };
    if (decision.kind === 'redirect') return { end: 'confirmation', url: decision.location };
    const html = decision.kind === 'document' ? decision.html : '';
    const [, next] = /http-equiv="refresh" content="\d+;url=([^"]*)"/.exec(html) ?? [];
    if (next === undefined) return { end: 'refused' };
    target = next.replaceAll('&amp;', '&');
  }
  throw new Error(`${address} leads on for ever`);
}

function change(app: BillingApp, does: string): void {
  const { billing } = app.shop;
  const first = (wanted: string) =>
    billing.subscriptionsOf(app.config.apiKey).find(({ status }) => status === wanted);
  const [running, pending] = [first('ACTIVE'), first('PENDING')];
  if (does === 'cancel' && running) billing.cancel(running.id);
  if (does === 'freeze' && running) billing.freeze(running.id);
  if (does === 'expire' && pending) billing.expire(pending.id);
  if (does === 'subscribe elsewhere') subscribed(app, { name: 'Basic' });
  app.cache.forget(app.session.shop);
}

describe('a merchant who approves, declines, cancels and comes back', () => {
  it('is never led in circles, nor asked for two charges at a time', async () => {
    const platform = await openPlatform();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (steps, isEmbeddedApp) => {
          // Each run is an app of its own, which the charges of the others are none of.
          const app = await createBilling(
            PLANS,
            { isEmbeddedApp, apiKey: `app-${++runs}` },
            { platform },
          );
          const subscriptions = () => app.shop.billing.subscriptionsOf(app.config.apiKey);
          const home = `${APP_URL}/reports`;
          // What the browser shows; the merchant opens the app anew when it is nothing that can be
          // decided.
          let shown = await follow(app, home);
          for (const { does, ...how } of steps) {
            if (shown.end !== 'confirmation' || (does !== 'approve' && does !== 'decline')) {
              change(app, does);
              shown = await follow(app, home);
              continue;
            }
            const verdict: Verdict = { isApproved: does === 'approve', ...how };
            const before = subscriptions().length;
            const { search } = decide(app, shown.url, verdict);
            shown = await follow(app, home + search);
            // Nobody who comes back from a charge is asked for another one before they say so.
            expect(shown.end).not.toBe('confirmation');
            expect(subscriptions().length).toBe(before);
            if (does === 'decline') expect(shown.end).toBe('refused');
            if (does === 'approve' && verdict.delay !== Infinity) expect(shown.end).toBe('granted');
          }
          // Whatever has happened, a shop that pays gets in and no other.
          app.cache.forget(app.session.shop);
          const { end } = await follow(app, home);
          const withStatus = (wanted: string) =>
            subscriptions().filter(({ name, status }) => name === 'Pro' && status === wanted);
          expect(end === 'granted').toBe(withStatus('ACTIVE').length > 0);
          expect(withStatus('PENDING').length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 100 },
    );
  });
});
