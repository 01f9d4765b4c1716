import { describe, expect, it } from '@jest/globals';

import { placeOf } from '../../../lib/webhooks/queue/bullmq/ordering/shop-order.js';
import { SHOP } from '../../support/app.js';

const RECEIVED = Date.UTC(2026, 6, 1);

function at(triggeredAt?: string): number {
  const facts = {
    webhookType: 'webhooks' as const,
    topic: 'PRODUCTS_CREATE',
    shop: SHOP,
    webhookId: '1',
    apiVersion: '2026-07',
    triggeredAt,
  };
  return placeOf(facts, RECEIVED);
}

describe('the place of a delivery among those of its shop', () => {
  it('is the moment of its event, to the microsecond', () => {
    const second = Date.UTC(2026, 6, 1, 12) * 1_000;
    expect(at('2026-07-01T12:00:00Z')).toBe(second);
    expect(at('2026-07-01T12:00:00.5Z')).toBe(second + 500_000);
    expect(at('2026-07-01T12:00:00.123456789Z')).toBe(second + 123_456);
    expect(at('2026-07-01T14:00:00.000001+02:00')).toBe(second + 1);
  });

  it.each([
    undefined,
    '',
    'yesterday',
    '2026-07-01',
    '2026-13-41T12:00:00Z',
    '+275760-09-13T00:00:00Z',
    `2026-07-01T12:00:00.${'1'.repeat(100_000)}Z`,
    `${'1'.repeat(100_000)}Z`,
  ])(
    'is the moment of its arrival where the platform gives none that can be read',
    (triggeredAt) => {
      expect(at(triggeredAt)).toBe(RECEIVED * 1_000);
    },
  );
});
