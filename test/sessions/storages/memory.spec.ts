import { describe, expect, it } from '@jest/globals';

import { Clock, systemClock } from '../../../lib/core/clock.js';
import { describeInstallationStore } from '../../../lib/sessions/installation.store.suite.js';
import { describeLock } from '../../../lib/sessions/lock.suite.js';
import { describeSessionStorage } from '../../../lib/sessions/session.storage.suite.js';
import { MemoryInstallationStore } from '../../../lib/sessions/storages/memory/memory-installation.store.js';
import { MemoryLock } from '../../../lib/sessions/storages/memory/memory.lock.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { MemoryWebhookInbox } from '../../../lib/sessions/storages/memory/memory-webhook.inbox.js';
import { describeWebhookInbox } from '../../../lib/sessions/webhook.inbox.suite.js';

describeSessionStorage('MemorySessionStorage', () => new MemorySessionStorage(), { describe, it });
describeLock('MemoryLock', () => new MemoryLock(systemClock), { describe, it });
describeInstallationStore('MemoryInstallationStore', () => new MemoryInstallationStore(), { describe, it });
describeWebhookInbox('MemoryWebhookInbox, over the suite', () => new MemoryWebhookInbox(systemClock), { describe, it });

class ManualClock extends Clock {
  time = Date.UTC(2026, 0, 1);
  now(): Date {
    return new Date(this.time);
  }
  async sleep(ms: number): Promise<void> {
    this.time += ms;
  }
}

const DAY = 24 * 60 * 60 * 1000;
const KEY = { app: 'key', shop: 'shop.myshopify.com', webhookId: 'w-1' };

describe('MemoryWebhookInbox', () => {
  it('gives a delivery to one at a time', async () => {
    const inbox = new MemoryWebhookInbox(new ManualClock());
    const claims = await Promise.all([inbox.claim(KEY, 1000), inbox.claim(KEY, 1000), inbox.claim(KEY, 1000)]);
    expect(claims.map(({ state }) => state)).toEqual(['claimed', 'busy', 'busy']);
  });

  it('keeps apps, shops and deliveries apart', async () => {
    const inbox = new MemoryWebhookInbox(new ManualClock());
    await inbox.claim(KEY, 1000);
    for (const other of [{ app: 'k' }, { shop: 'other.myshopify.com' }, { webhookId: 'w-2' }]) {
      expect((await inbox.claim({ ...KEY, ...other }, 1000)).state).toBe('claimed');
    }
  });

  it('gives a delivery out again when the lease ends without an outcome', async () => {
    const clock = new ManualClock();
    const inbox = new MemoryWebhookInbox(clock);
    const first = await inbox.claim(KEY, 1000);
    clock.time += 999;
    expect((await inbox.claim(KEY, 1000)).state).toBe('busy');
    clock.time += 1;
    const second = await inbox.claim(KEY, 1000);
    expect(second.state).toBe('claimed');
    expect(second).not.toEqual(first);
  });

  it('lets one who lost the lease change nothing', async () => {
    const clock = new ManualClock();
    const inbox = new MemoryWebhookInbox(clock);
    const late = await tokenOf(inbox.claim(KEY, 1000));
    clock.time += 1000;
    const current = await tokenOf(inbox.claim(KEY, 1000));
    await inbox.release(KEY, late, ['a']);
    await inbox.complete(KEY, late);
    expect(await inbox.renew(KEY, late, 1000)).toBe(false);
    expect((await inbox.claim(KEY, 1000)).state).toBe('busy');
    await inbox.complete(KEY, current);
    expect((await inbox.claim(KEY, 1000)).state).toBe('done');
  });

  it('gives a released delivery out at once', async () => {
    const inbox = new MemoryWebhookInbox(new ManualClock());
    await inbox.release(KEY, await tokenOf(inbox.claim(KEY, 1000)), []);
    expect((await inbox.claim(KEY, 1000)).state).toBe('claimed');
  });

  it('extends a claim from the moment it is renewed', async () => {
    const clock = new ManualClock();
    const inbox = new MemoryWebhookInbox(clock);
    const token = await tokenOf(inbox.claim(KEY, 1000));
    clock.time += 900;
    expect(await inbox.renew(KEY, token, 1000)).toBe(true);
    clock.time += 999;
    expect((await inbox.claim(KEY, 1000)).state).toBe('busy');
    clock.time += 1;
    expect((await inbox.claim(KEY, 1000)).state).toBe('claimed');
  });

  it('renews no claim that has been completed or released', async () => {
    const inbox = new MemoryWebhookInbox(new ManualClock());
    const completed = await tokenOf(inbox.claim(KEY, 1000));
    await inbox.complete(KEY, completed);
    const other = { ...KEY, webhookId: 'w-2' };
    const released = await tokenOf(inbox.claim(other, 1000));
    await inbox.release(other, released, []);
    expect([await inbox.renew(KEY, completed, 1000), await inbox.renew(other, released, 1000)]).toEqual([false, false]);
    expect([(await inbox.claim(KEY, 1000)).state, (await inbox.claim(other, 1000)).state]).toEqual(['done', 'claimed']);
  });

  it('tells who claims a released delivery which handlers are done with it, also when a lease ended in between', async () => {
    const clock = new ManualClock();
    const inbox = new MemoryWebhookInbox(clock);
    const first = await inbox.claim(KEY, 1000);
    const handled = ['a', 'b'];
    await inbox.release(KEY, await tokenOf(Promise.resolve(first)), handled);
    handled.push('c');
    const second = await inbox.claim(KEY, 1000);
    clock.time += 1000;
    const third = await inbox.claim(KEY, 1000);
    expect([first, second, third]).toMatchObject([[], ['a', 'b'], ['a', 'b']].map((done) => ({ state: 'claimed', handled: done })));
  });

  it('remembers for seven days what is done', async () => {
    const clock = new ManualClock();
    const inbox = new MemoryWebhookInbox(clock);
    await inbox.complete(KEY, await tokenOf(inbox.claim(KEY, 1000)));
    clock.time += 7 * DAY - 1;
    expect((await inbox.claim(KEY, 1000)).state).toBe('done');
    clock.time += 1;
    expect((await inbox.claim(KEY, 1000)).state).toBe('claimed');
  });

  it('forgets the oldest when there are more than it holds', async () => {
    const inbox = new MemoryWebhookInbox(new ManualClock(), 2);
    for (const webhookId of ['1', '2', '3']) {
      await inbox.complete({ ...KEY, webhookId }, await tokenOf(inbox.claim({ ...KEY, webhookId }, 1000)));
    }
    expect((await inbox.claim({ ...KEY, webhookId: '3' }, 1000)).state).toBe('done');
    expect((await inbox.claim({ ...KEY, webhookId: '1' }, 1000)).state).toBe('claimed');
  });
});

async function tokenOf(claim: ReturnType<MemoryWebhookInbox['claim']>): Promise<string> {
  const claimed = await claim;
  if (claimed.state !== 'claimed') throw new Error(`not claimed but ${claimed.state}`);
  return claimed.token;
}
