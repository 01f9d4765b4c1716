import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, it } from '@jest/globals';

import { HookFailedError } from '../../../lib/auth/lifecycle/lifecycle.errors.js';
import { installLock, tokenLock } from '../../../lib/auth/installations/installation-records.js';
import { EncryptedSessionStorage } from '../../../lib/sessions/encryption/encrypted-session.storage.js';
import { Session } from '../../../lib/sessions/session.js';
import type { SessionStorage } from '../../../lib/sessions/session.storage.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, SHOP } from '../../support/app.js';
import { gate } from '../../support/gate.js';
import type { Gate } from '../../support/gate.js';
import { JumpingClock } from '../../webhooks/webhooks.fixture.js';
import { AppProcess, offline } from './lifecycle.fixture.js';
import type { WholeStorage } from './lifecycle.fixture.js';

const OTHER = 'other.myshopify.com';
const HOUR = 60 * 60_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let told: string[] = [];
const note = (what: string) => (): void => void told.push(what);
beforeEach(() => void (told = []));

const tokensOf = async (app: AppProcess, shop = SHOP): Promise<(string | undefined)[]> =>
  (await app.storage.findSessionsByShop(shop)).map(({ accessToken }) => accessToken).sort();

describe('Uninstallation', () => {
  it("tells the app while the shop's sessions are there, then deletes them and no others", async () => {
    const app = new AppProcess({
      hooks: {
        onUninstall: async ({ shop }) => void told.push(...(await tokensOf(app, shop)).map(String)),
      },
    });
    await app.grant('token-1');
    await app.storage.storeSession(
      new Session({ ...offline('users-token').toObject(), id: `${SHOP}_1`, isOnline: true }),
    );
    await app.storage.storeSession(offline('other-token', { id: `offline_${OTHER}`, shop: OTHER }));
    await app.uninstalled();
    expect(told).toEqual(['token-1', 'users-token']);
    expect([await tokensOf(app), await tokensOf(app, OTHER)]).toEqual([[], ['other-token']]);
    expect(await app.records.of(SHOP)).toMatchObject({ status: 'uninstalled', generation: 1 });
  });

  it('is done with when the hook succeeds: until then the sessions stay, and it is told again', async () => {
    let isBroken = true;
    const app = new AppProcess({
      hooks: {
        onUninstall: () => (isBroken ? Promise.reject(new Error('no')) : note('onUninstall')()),
      },
    });
    await app.grant('token-1');
    await expect(app.uninstalled()).rejects.toBeInstanceOf(HookFailedError);
    expect(await tokensOf(app)).toEqual(['token-1']);
    isBroken = false;
    await app.uninstalled();
    await app.uninstalled();
    expect([told, await tokensOf(app)]).toEqual([['onUninstall'], []]);
  });

  it('does not make those handlers run again that are done with it', async () => {
    let isBroken = true;
    const app = new AppProcess({ hooks: { onUninstall: note('first') } });
    app.handlers.add('uninstalled', {
      name: 'Shops.gone',
      run: () => (isBroken ? Promise.reject(new Error('no')) : note('second')()),
    });
    await app.grant('token-1');
    await expect(app.uninstalled()).rejects.toMatchObject({ handler: 'Shops.gone' });
    isBroken = false;
    await app.uninstalled();
    expect(told).toEqual(['first', 'second']);
  });

  it('touches nothing while the platform says that the shop has the app, whatever is known of the shop', async () => {
    const app = new AppProcess({ hooks: { onUninstall: note('onUninstall') } });
    app.asked = async () => 'installed';
    expect(await app.uninstalled()).toBe('installed');
    await app.lifecycle.deliverPendingEvents(await app.grant('token-1'));
    const before = await app.records.of(SHOP);
    expect(await app.uninstalled()).toBe('installed');
    expect([told, await tokensOf(app), await app.records.of(SHOP)]).toEqual([
      [],
      ['token-1'],
      before,
    ]);
  });

  it('is not known when the platform does not say', async () => {
    const app = new AppProcess({ hooks: { onUninstall: note('onUninstall') } });
    app.asked = async () => 'unknown';
    await app.grant('token-1');
    expect([await app.uninstalled(), told, await tokensOf(app)]).toEqual([
      'unknown',
      [],
      ['token-1'],
    ]);
  });

  it('waits three seconds for the platform: who delivers hangs up after five', async () => {
    const clock = new JumpingClock();
    const app = new AppProcess({ clock });
    app.asked = () => new Promise(() => {});
    await app.grant('token-1');
    const answer = app.uninstallation.confirm(SHOP);
    while (clock.alarms === 0) await clock.sleep(1);
    clock.advance(3000);
    expect(await answer).toBe('unknown');
    expect(app.lines.matching('did not say in time')).toHaveLength(1);
  });

  it('is asked about once for all who say so meanwhile, and anew for who comes later', async () => {
    // Each of any number of forged deliveries was a call to the platform of its own.
    const app = new AppProcess();
    await app.grant('token-1');
    const asked: Gate[] = [];
    app.asked = async () => {
      const question = gate();
      // What is answered to the first is from before the shop has uninstalled the app.
      const presence = asked.push(question) === 1 ? 'installed' : 'uninstalled';
      await question.opened;
      return presence;
    };
    const first = app.uninstallation.confirm(SHOP);
    while (asked.length === 0) await turn();
    const later = Array.from({ length: 100 }, () => app.uninstallation.confirm(SHOP));
    const other = app.uninstallation.confirm(OTHER);
    while (asked.length === 1) await turn();
    asked[1]!.open();
    await other;
    asked[0]!.open();
    expect(await first).toBe('installed');
    while (asked.length === 2) await turn();
    asked[2]!.open();
    expect(new Set(await Promise.all(later))).toEqual(new Set(['uninstalled']));
    expect(asked).toHaveLength(3);
  });

  it('is asked about anew after a question that failed', async () => {
    const app = new AppProcess();
    await app.grant('token-1');
    app.asked = () => Promise.reject(new Error('no database'));
    const first = app.uninstallation.confirm(SHOP);
    const next = app.uninstallation.confirm(SHOP);
    await expect(first).rejects.toThrow('no database');
    app.asked = async () => 'installed';
    expect(await next).toBe('installed');
    expect(await app.uninstallation.confirm(SHOP)).toBe('installed');
  });

  it('fails with what keeps the platform from being asked', async () => {
    const app = new AppProcess();
    app.asked = () => Promise.reject(new Error('no database'));
    await expect(app.uninstallation.confirm(SHOP)).rejects.toThrow('no database');
  });

  it('is asked about again when the app is installed again while the platform is asked', async () => {
    const app = new AppProcess({ hooks: { onUninstall: note('onUninstall') } });
    await app.grant('token-1');
    app.asked = async () => {
      await app.grant('token-2');
      return 'uninstalled';
    };
    expect(await app.uninstalled()).toBe('unknown');
    expect([told, await tokensOf(app)]).toEqual([[], ['token-2']]);
    expect((await app.records.of(SHOP))?.status).toBe('installed');
  });

  it('leaves the sessions alone when the app is installed again before it is told', async () => {
    // As while the app's own handlers of the delivery run.
    const app = new AppProcess({
      hooks: { onUninstall: note('onUninstall'), onReinstall: note('onReinstall') },
    });
    await app.grant('token-1');
    expect(await app.uninstallation.confirm(SHOP)).toBe('uninstalled');
    const session = await app.grant('token-2');
    await app.uninstallation.run(SHOP);
    expect([told, await tokensOf(app)]).toEqual([[], ['token-2']]);
    expect(app.lines.matching('the new sessions stand')).toHaveLength(1);
    await app.lifecycle.deliverPendingEvents(session);
    expect(told).toEqual(['onUninstall', 'onReinstall']);
  });

  it('leaves the sessions alone when the app is installed again while it is told', async () => {
    const clock = new JumpingClock();
    const app = new AppProcess({
      clock,
      hooks: {
        onUninstall: async () => {
          told.push('onUninstall');
          clock.advance(1000);
          await app.grant('token-2');
        },
        onReinstall: note('onReinstall'),
      },
    });
    await app.lifecycle.deliverPendingEvents(await app.grant('token-1'));
    await app.uninstalled();
    await app.lifecycle.deliverPendingEvents(offline('token-2'));
    expect([told, await tokensOf(app)]).toEqual([['onUninstall', 'onReinstall'], ['token-2']]);
  });

  // A grant is noted before its session is stored: seen in between, the shop had none to ask with.
  it('waits for a grant under way, and asks with what that stores', async () => {
    const app = new AppProcess();
    await app.grant('token-1');
    const { lock } = app.storage.companions;
    const name = tokenLock(API_KEY, SHOP);
    await lock.take(name, 'granting', HOUR);
    let asked: (string | undefined)[] = [];
    app.asked = async () => {
      asked = await tokensOf(app);
      return 'installed';
    };
    await app.records.granted(SHOP, {
      scope: 'write_products',
      grantedAt: app.clock.now(),
      isKnown: true,
    });
    const ended = app.uninstalled();
    for (let turn = 0; turn < 5; turn++) await app.clock.sleep(1);
    await app.storage.storeSession(offline('token-2'));
    await lock.release(name, 'granting');
    expect([await ended, asked]).toEqual(['installed', ['token-2']]);
  });

  // What was pending of a kind kept its place: the new installation was told of before the old
  // one's end.
  it('is told before the installation that follows it, whatever had failed before', async () => {
    const clock = new JumpingClock();
    let isBroken = false;
    const hook = (what: string) => () =>
      isBroken ? Promise.reject(new Error('no')) : note(what)();
    const app = new AppProcess({
      clock,
      hooks: {
        onUninstall: hook('onUninstall'),
        onReinstall: hook('onReinstall'),
        afterAuth: hook('afterAuth'),
      },
    });
    await app.lifecycle.deliverPendingEvents(await app.grant('token-1'));
    await app.uninstalled();
    clock.advance(HOUR);
    isBroken = true;
    await expect(
      app.lifecycle.deliverPendingEvents(await app.grant('token-2', { authenticated: true })),
    ).rejects.toBeInstanceOf(HookFailedError);
    clock.advance(HOUR);
    await expect(app.uninstalled()).rejects.toBeInstanceOf(HookFailedError);
    clock.advance(HOUR);
    isBroken = false;
    await app.lifecycle.deliverPendingEvents(await app.grant('token-3', { authenticated: true }));
    expect(told).toEqual(['onUninstall', 'onUninstall', 'onReinstall', 'afterAuth']);
  });

  it('is told of a shop nothing was known about, whose next installation is not the first', async () => {
    const app = new AppProcess({
      hooks: {
        onInstall: note('onInstall'),
        onUninstall: note('onUninstall'),
        onReinstall: note('onReinstall'),
      },
    });
    await app.storage.storeSession(offline('token-1'));
    await app.uninstalled();
    expect(await tokensOf(app)).toEqual([]);
    await app.lifecycle.deliverPendingEvents(await app.grant('token-2'));
    expect(told).toEqual(['onUninstall', 'onReinstall']);
  });

  it('is told once, however many deliveries arrive at once', async () => {
    const app = new AppProcess({ hooks: { onUninstall: note('onUninstall') } });
    await app.grant('token-1');
    await Promise.all(Array.from({ length: 5 }, () => app.uninstalled()));
    expect(told).toEqual(['onUninstall']);
  });

  it('also deletes sessions whose key is lost', async () => {
    const inner = new MemorySessionStorage();
    const under = (id: string) =>
      new EncryptedSessionStorage(inner, { keys: [{ id, key: randomBytes(32) }] });
    await under('lost').storeSession(offline('users-token', { id: `${SHOP}_1`, isOnline: true }));
    const app = new AppProcess({
      storage: under('new') as SessionStorage as WholeStorage,
      hooks: { onUninstall: note('onUninstall') },
    });
    await app.grant('token-1');
    await app.uninstalled();
    expect([told, await inner.findSessionsByShop(SHOP)]).toEqual([['onUninstall'], []]);
  });

  it('answers nobody when the app throws a response, and forgets the shop', async () => {
    const app = new AppProcess({
      hooks: { onUninstall: () => Promise.reject(new Response('goodbye')) },
    });
    await app.grant('token-1');
    await app.uninstalled();
    expect(await app.storage.findSessionsByShop(SHOP)).toEqual([]);
    expect(await app.pending()).not.toContain('uninstalled');
  });

  it('leaves no lock behind, also when it fails', async () => {
    const app = new AppProcess({ hooks: { onUninstall: () => Promise.reject(new Error('no')) } });
    await expect(app.uninstalled()).rejects.toThrow(HookFailedError);
    const { lock } = app.storage.companions;
    for (const name of [installLock(API_KEY, SHOP), tokenLock(API_KEY, SHOP)])
      expect(await lock.take(name, 'me', 1)).toBe(true);
  });
});
