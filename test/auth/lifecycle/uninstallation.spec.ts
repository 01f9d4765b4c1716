import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, it } from '@jest/globals';

import { HookFailedError } from '../../../lib/auth/lifecycle/lifecycle.errors.js';
import { installLock, tokenLock } from '../../../lib/auth/lifecycle/shop.locks.js';
import { EncryptedSessionStorage } from '../../../lib/sessions/encrypted-session.storage.js';
import { Session } from '../../../lib/sessions/session.js';
import type { SessionStorage } from '../../../lib/sessions/session.storage.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, SHOP } from '../../support/app.js';
import { JumpingClock } from '../../webhooks/webhooks.fixture.js';
import { AppProcess, offline } from './lifecycle.fixture.js';
import type { WholeStorage } from './lifecycle.fixture.js';

const OTHER = 'other.myshopify.com';
const HOUR = 60 * 60_000;

let told: string[] = [];
const note = (what: string) => (): void => void told.push(what);
beforeEach(() => void (told = []));

const tokensOf = async (app: AppProcess, shop = SHOP): Promise<(string | undefined)[]> =>
  (await app.storage.findSessionsByShop(shop)).map(({ accessToken }) => accessToken).sort();

describe('Uninstallation', () => {
  it("tells the app while the shop's sessions are there, then deletes them and no others", async () => {
    const app = new AppProcess({ hooks: { onUninstall: async ({ shop }) => void told.push(...(await tokensOf(app, shop)).map(String)) } });
    await app.grant('token-1');
    await app.storage.storeSession(new Session({ ...offline('users-token').toObject(), id: `${SHOP}_1`, isOnline: true }));
    await app.storage.storeSession(offline('other-token', { id: `offline_${OTHER}`, shop: OTHER }));
    await app.uninstallation.run(SHOP, app.clock.now());
    expect(told).toEqual(['token-1', 'users-token']);
    expect([await tokensOf(app), await tokensOf(app, OTHER)]).toEqual([[], ['other-token']]);
    expect(await app.records.of(SHOP)).toMatchObject({ status: 'uninstalled', generation: 1 });
  });

  it('is done with when the hook succeeds: until then the sessions stay, and it is told again', async () => {
    let isBroken = true;
    const app = new AppProcess({ hooks: { onUninstall: () => (isBroken ? Promise.reject(new Error('no')) : note('onUninstall')()) } });
    await app.grant('token-1');
    const at = app.clock.now();
    await expect(app.uninstallation.run(SHOP, at)).rejects.toBeInstanceOf(HookFailedError);
    expect(await tokensOf(app)).toEqual(['token-1']);
    isBroken = false;
    await app.uninstallation.run(SHOP, at);
    await app.uninstallation.run(SHOP, at);
    expect([told, await tokensOf(app)]).toEqual([['onUninstall'], []]);
  });

  it('does not make those handlers run again that are done with it', async () => {
    let isBroken = true;
    const app = new AppProcess({ hooks: { onUninstall: note('first') } });
    app.handlers.add('uninstalled', { name: 'Shops.gone', run: () => (isBroken ? Promise.reject(new Error('no')) : note('second')()) });
    await app.grant('token-1');
    await expect(app.uninstallation.run(SHOP, app.clock.now())).rejects.toMatchObject({ handler: 'Shops.gone' });
    isBroken = false;
    await app.uninstallation.run(SHOP, app.clock.now());
    expect(told).toEqual(['first', 'second']);
  });

  it('leaves the sessions of a later installation alone when it is told late', async () => {
    const clock = new JumpingClock();
    const app = new AppProcess({ clock, hooks: { onUninstall: note('onUninstall'), onReinstall: note('onReinstall') } });
    await app.lifecycle.settle(await app.grant('token-1'));
    clock.advance(HOUR);
    const uninstalled = clock.now();
    clock.advance(HOUR);
    await app.lifecycle.settle(await app.grant('token-2', { isRevoked: true }));
    clock.advance(HOUR);
    await app.uninstallation.run(SHOP, uninstalled);
    expect([told, await tokensOf(app)]).toEqual([['onReinstall'], ['token-2']]);
    expect(app.lines.matching('the present installation stands')).toHaveLength(1);
  });

  it('lets the app know of a later installation that nobody had noticed', async () => {
    const clock = new JumpingClock();
    const app = new AppProcess({ clock, hooks: { onUninstall: note('onUninstall'), onReinstall: note('onReinstall') } });
    await app.lifecycle.settle(await app.grant('token-1'));
    const uninstalled = clock.now();
    clock.advance(HOUR);
    await app.grant('token-2');
    await app.uninstallation.run(SHOP, uninstalled);
    await app.lifecycle.settle(offline('token-2'));
    expect([told, await tokensOf(app)]).toEqual([['onReinstall'], ['token-2']]);
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
    await app.lifecycle.settle(await app.grant('token-1'));
    await app.uninstallation.run(SHOP, clock.now());
    await app.lifecycle.settle(offline('token-2'));
    expect([told, await tokensOf(app)]).toEqual([['onUninstall', 'onReinstall'], ['token-2']]);
  });

  // One from before it that was noted after it brought the shop back.
  it.each([
    ['before it, and deletes what that stores', -1, []],
    ['after it, and leaves alone what that stores', 1, ['token-2']],
  ])('waits for a grant under way that was made %s', async (_, later, kept) => {
    const app = new AppProcess();
    await app.grant('token-1');
    const { lock } = app.storage.companions;
    const name = tokenLock(API_KEY, SHOP);
    await lock.take(name, 'granting', HOUR);
    const uninstalled = new Date(app.clock.now().getTime() + HOUR);
    const ended = app.uninstallation.run(SHOP, uninstalled);
    for (let turn = 0; turn < 20; turn++) await app.clock.sleep(1);
    const grantedAt = new Date(uninstalled.getTime() + later);
    await app.records.granted(SHOP, { scope: 'write_products', grantedAt, isKnown: true });
    await app.storage.storeSession(offline('token-2'));
    await lock.release(name, 'granting');
    await ended;
    expect(await tokensOf(app)).toEqual(kept);
    expect((await app.records.of(SHOP))?.status).toBe(kept.length > 0 ? 'installed' : 'uninstalled');
  });

  // What was pending of a kind kept its place: the new installation was told of before the old one's end.
  it('is told before the installation that follows it, whatever had failed before', async () => {
    const clock = new JumpingClock();
    let isBroken = false;
    const hook = (what: string) => () => (isBroken ? Promise.reject(new Error('no')) : note(what)());
    const app = new AppProcess({
      clock,
      hooks: { onUninstall: hook('onUninstall'), onReinstall: hook('onReinstall'), afterAuth: hook('afterAuth') },
    });
    await app.lifecycle.settle(await app.grant('token-1'));
    await app.uninstallation.run(SHOP, clock.now());
    clock.advance(HOUR);
    isBroken = true;
    await expect(app.lifecycle.settle(await app.grant('token-2', { authenticated: true }))).rejects.toBeInstanceOf(HookFailedError);
    clock.advance(HOUR);
    await expect(app.uninstallation.run(SHOP, clock.now())).rejects.toBeInstanceOf(HookFailedError);
    clock.advance(HOUR);
    isBroken = false;
    await app.lifecycle.settle(await app.grant('token-3', { authenticated: true }));
    expect(told).toEqual(['onUninstall', 'onUninstall', 'onReinstall', 'afterAuth']);
  });

  it('is told of a shop nothing was known about, whose next installation is not the first', async () => {
    const app = new AppProcess({
      hooks: { onInstall: note('onInstall'), onUninstall: note('onUninstall'), onReinstall: note('onReinstall') },
    });
    await app.storage.storeSession(offline('token-1'));
    await app.uninstallation.run(SHOP, app.clock.now());
    expect(await tokensOf(app)).toEqual([]);
    await app.lifecycle.settle(await app.grant('token-2'));
    expect(told).toEqual(['onUninstall', 'onReinstall']);
  });

  it('is told once, however many deliveries arrive at once', async () => {
    const app = new AppProcess({ hooks: { onUninstall: note('onUninstall') } });
    await app.grant('token-1');
    const at = app.clock.now();
    await Promise.all(Array.from({ length: 5 }, () => app.uninstallation.run(SHOP, at)));
    expect(told).toEqual(['onUninstall']);
  });

  it('also deletes sessions whose key is lost', async () => {
    const inner = new MemorySessionStorage();
    const under = (id: string) => new EncryptedSessionStorage(inner, { keys: [{ id, key: randomBytes(32) }] });
    await under('lost').storeSession(offline('users-token', { id: `${SHOP}_1`, isOnline: true }));
    const app = new AppProcess({ storage: under('new') as SessionStorage as WholeStorage, hooks: { onUninstall: note('onUninstall') } });
    await app.grant('token-1');
    await app.uninstallation.run(SHOP, app.clock.now());
    expect([told, await inner.findSessionsByShop(SHOP)]).toEqual([['onUninstall'], []]);
  });

  it('answers nobody when the app throws a response, and forgets the shop', async () => {
    const app = new AppProcess({ hooks: { onUninstall: () => Promise.reject(new Response('goodbye')) } });
    await app.grant('token-1');
    await app.uninstallation.run(SHOP, app.clock.now());
    expect(await app.storage.findSessionsByShop(SHOP)).toEqual([]);
    expect(await app.pending()).not.toContain('uninstalled');
  });

  it('leaves no lock behind, also when it fails', async () => {
    const app = new AppProcess({ hooks: { onUninstall: () => Promise.reject(new Error('no')) } });
    await expect(app.uninstallation.run(SHOP, app.clock.now())).rejects.toThrow(HookFailedError);
    const { lock } = app.storage.companions;
    for (const name of [installLock(API_KEY, SHOP), tokenLock(API_KEY, SHOP)]) expect(await lock.take(name, 'me', 1)).toBe(true);
  });
});
