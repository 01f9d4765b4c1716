import { beforeEach, describe, expect, it } from '@jest/globals';

import { ShopOrder, placeOf } from '../../../lib/webhooks/queue/bullmq/ordering/shop-order.js';
import { SHOP } from '../../support/app.js';
import { JumpingClock } from '../webhooks.fixture.js';
import { ListedTurns, listedBullmq } from './listed.bullmq.js';

const RECEIVED = Date.UTC(2026, 6, 1);

function facts(triggeredAt?: string) {
  return {
    webhookType: 'webhooks' as const,
    topic: 'PRODUCTS_CREATE',
    shop: SHOP,
    webhookId: '1',
    apiVersion: '2026-07',
    triggeredAt,
  };
}

const at = (triggeredAt?: string): number => placeOf(facts(triggeredAt), RECEIVED);

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

describe('the order of the deliveries of a shop', () => {
  const STORE_LIMIT = 3_000;
  let states: Map<string, string>;
  let clock: JumpingClock;
  let order: ShopOrder;

  let other: ShopOrder;

  beforeEach(() => {
    states = new Map();
    clock = new JumpingClock();
    const turns = new ListedTurns(clock);
    const ofProcess = (): ShopOrder =>
      new ShopOrder({ storeLimit: STORE_LIMIT, queue: listedBullmq(states), turns });
    order = ofProcess();
    other = ofProcess();
  });

  const join = (id: string, second: number): Promise<void> =>
    order.join(id, facts(), RECEIVED + second * 1_000);
  const take = (id: string, second: number): Promise<boolean> =>
    order.take(id, facts(), RECEIVED + second * 1_000);

  it('wakes the next one, past duplicates of what is done', async () => {
    states.set('running', 'active').set('next', 'delayed');
    states.set('done', 'completed').set('dead', 'failed');
    expect(await take('running', 3)).toBe(true);
    expect(await take('next', 4)).toBe(false);
    await join('done', 1);
    await join('dead', 2);
    await order.leave('running', facts());
    expect(states.get('next')).toBe('waiting');
    expect(await take('next', 4)).toBe(true);
  });

  it('wakes the one whose turn comes when another one finds that the first is done', async () => {
    states.set('next', 'delayed').set('last', 'active').set('done', 'completed');
    await join('done', 1);
    await join('next', 2);
    expect(await take('last', 3)).toBe(false);
    expect(states.get('next')).toBe('waiting');
  });

  it('keeps the turn of a delivery that is still being stored', async () => {
    states.set('later', 'active');
    await join('first', 1);
    expect(await take('later', 2)).toBe(false);
    clock.advance(2 * STORE_LIMIT);
    expect(await take('later', 2)).toBe(false);
    states.set('first', 'active');
    expect(await take('first', 1)).toBe(true);
    states.set('first', 'completed');
    await order.leave('first', facts());
    expect(await take('later', 2)).toBe(true);
  });

  it('keeps that turn, too, when the one before it leaves', async () => {
    states.set('running', 'active').set('later', 'delayed');
    expect(await take('running', 1)).toBe(true);
    await join('storing', 2);
    await join('later', 3);
    await order.leave('running', facts());
    expect(states.get('later')).toBe('delayed');
    states.set('storing', 'active');
    expect(await take('storing', 2)).toBe(true);
  });

  it('goes on after a while without a delivery that was never stored', async () => {
    states.set('running', 'active').set('next', 'active');
    expect(await take('running', 1)).toBe(true);
    await join('lost', 2);
    await join('next', 3);
    await order.leave('running', facts());
    expect(await take('next', 3)).toBe(false);
    clock.advance(2 * STORE_LIMIT + 1);
    expect(await take('next', 3)).toBe(true);
  });

  // Each process began to wait by itself, though the pauses between the looks grow to minutes.
  it('waits no longer for one that was never stored when another process looks', async () => {
    states.set('next', 'active');
    await join('lost', 1);
    await join('next', 2);
    expect(await take('next', 2)).toBe(false);
    clock.advance(2 * STORE_LIMIT + 1);
    expect(await other.take('next', facts(), RECEIVED + 2_000)).toBe(true);
  });
});
