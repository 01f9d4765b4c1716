import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore } from '../../../lib/dev-store/index.js';

const START = new Date('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

describe('The clock of a dev store', () => {
  let devStore: DevStore;

  beforeEach(async () => {
    const apps = [{ apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' }];
    devStore = await DevStore.open({ apps, clock: { now: () => START } });
  });
  afterEach(() => devStore.close());

  it('moves on from the time it is given', () => {
    devStore.advance(HOUR);
    devStore.advance(0.5);
    expect(devStore.clock.now()).toEqual(new Date('2026-03-01T13:00:00.000Z'));
  });

  it('is the time of signatures, tokens and the Date of every answer', async () => {
    devStore.advance(HOUR);
    const shop = devStore.shop();
    const [, claims = ''] = shop.sessionToken('key').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iat: START.getTime() / 1000 + 3600,
    });
    expect(new URL(shop.launchUrl('key')).searchParams.get('timestamp')).toBe(
      String(START.getTime() / 1000 + 3600),
    );
    const reply = await fetch(`${shop.origin}/admin/api/2026-07/shop.json`);
    expect(reply.headers.get('date')).toBe('Sun, 01 Mar 2026 13:00:00 GMT');
  });

  it.each([-1, Number.NaN, Infinity])('does not advance by %d', (ms) => {
    expect(() => devStore.advance(ms)).toThrow(RangeError);
    expect(devStore.clock.now()).toEqual(START);
  });

  it('wakes a sleeper when enough time has been advanced, and no sooner', async () => {
    const woken: string[] = [];
    const short = devStore.clock.sleep(HOUR).then(() => woken.push('short'));
    const long = devStore.clock.sleep(2 * HOUR).then(() => woken.push('long'));
    devStore.advance(HOUR);
    await short;
    expect(woken).toEqual(['short']);
    devStore.advance(HOUR);
    await long;
    expect(woken).toEqual(['short', 'long']);
  });

  it('wakes a sleeper by itself too', async () => {
    await expect(devStore.clock.sleep(1)).resolves.toBeUndefined();
  });

  it('lets a sleeper be called off, before it sleeps or later', async () => {
    const controller = new AbortController();
    const sleep = devStore.clock.sleep(HOUR, controller.signal);
    controller.abort(new Error('enough'));
    await expect(sleep).rejects.toThrow('enough');
    await expect(devStore.clock.sleep(HOUR, controller.signal)).rejects.toThrow('enough');
  });
});
