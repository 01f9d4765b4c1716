import { describe, expect, it } from '@jest/globals';

import { BillingStateCache } from '../../lib/billing/billing-state-cache.js';
import type { BillingState } from '../../lib/billing/billing-state.js';
import { ManualClock } from '../support/manual.clock.js';

const MINUTE = 60_000;
const STATE: BillingState = { activeSubscriptions: [], oneTimePurchases: [], charges: [] };

describe('BillingStateCache', () => {
  it('knows what was read for a minute, also when the clock is set back', async () => {
    const clock = new ManualClock();
    const cache = new BillingStateCache(clock);
    await cache.refresh('shop', async () => STATE);
    clock.time -= 60 * MINUTE;
    await expect(cache.get('shop')).resolves.toBe(STATE);
    clock.time += MINUTE;
    expect(cache.get('shop')).toBeUndefined();
  });

  it('does not remember what could not be read, nor what was read before a change', async () => {
    const cache = new BillingStateCache(new ManualClock());
    await expect(cache.refresh('shop', () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(cache.get('shop')).toBeUndefined();
    const reading = cache.refresh('shop', async () => STATE);
    cache.forget('shop');
    await reading;
    expect(cache.get('shop')).toBeUndefined();
  });
});
