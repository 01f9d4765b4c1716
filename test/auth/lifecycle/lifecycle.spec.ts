import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { beforeEach, describe, expect, it } from '@jest/globals';

import type {
  InstallContext,
  ScopesChangedContext,
} from '../../../lib/auth/lifecycle/lifecycle-handlers.js';
import { HookFailedError } from '../../../lib/auth/lifecycle/lifecycle.errors.js';
import { installLock, tokenLock } from '../../../lib/auth/installations/installation-records.js';
import { systemClock } from '../../../lib/core/time/clock.js';
import { LockTimeoutError } from '../../../lib/sessions/sessions.errors.js';
import type { Session } from '../../../lib/sessions/session.js';
import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
import { RecordInstallationStore } from '../../../lib/sessions/coordination/coordination-stores.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { SqliteSessionStorage } from '../../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { API_KEY, SHOP } from '../../support/app.js';
import { JumpingClock } from '../../webhooks/webhooks.fixture.js';
import { AppProcess, ofUser, offline } from './lifecycle.fixture.js';

const MINUTES = 60_000;

/** What was told, in order. */
let told: string[] = [];
const note = (what: string) => async (): Promise<void> => {
  await setImmediate();
  told.push(what);
};
const NOTING = { run: note('after install') };
beforeEach(() => void (told = []));

describe('Lifecycle', () => {
  it('tells of a first installation once: first its own part, then the app', async () => {
    const app = new AppProcess({
      afterInstall: NOTING,
      hooks: { onInstall: note('onInstall'), afterAuth: note('afterAuth') },
    });
    const session = await app.grant('token-1', { authenticated: true });
    await app.lifecycle.deliverPendingEvents(session);
    await app.lifecycle.deliverPendingEvents(session);
    expect(told).toEqual(['after install', 'onInstall', 'afterAuth']);
    expect(await app.pending()).toEqual([]);
  });

  it('tells of every generation, and of other scopes with those of before', async () => {
    const app = new AppProcess({
      afterInstall: NOTING,
      hooks: {
        onInstall: note('onInstall'),
        onReinstall: note('onReinstall'),
        onScopesChanged: ({ previousScopes, session }) =>
          void told.push(`${previousScopes.join('+')} to ${session.scope}`),
      },
    });
    await app.lifecycle.deliverPendingEvents(
      await app.grant('token-1', { scope: 'read_orders,write_products' }),
    );
    await app.lifecycle.deliverPendingEvents(await app.grant('token-2', { scope: 'read_orders' }));
    await app.uninstalled();
    await app.lifecycle.deliverPendingEvents(await app.grant('token-3', { scope: 'read_orders' }));
    expect(told).toEqual([
      ...['after install', 'onInstall'],
      ...['after install', 'read_orders+write_products to read_orders'],
      ...['after install', 'onReinstall'],
    ]);
  });

  it('gives the app the session and the API on its behalf', async () => {
    const contexts: InstallContext[] = [];
    const app = new AppProcess({ hooks: { onInstall: (context) => void contexts.push(context) } });
    await app.lifecycle.deliverPendingEvents(await app.grant('token-1'));
    expect(contexts).toMatchObject([
      { shop: SHOP, session: { id: `offline_${SHOP}`, accessToken: 'token-1' } },
    ]);
    expect(contexts[0]!.admin.session).toBe(contexts[0]!.session);
  });

  it("gives the app's offline session to all but what is told of a user's authentication", async () => {
    const app = new AppProcess({
      useOnlineTokens: true,
      afterInstall: {
        run: async (session) => void told.push(`after install ${session.accessToken}`),
      },
      hooks: {
        onInstall: ({ session }) => void told.push(`onInstall ${session.accessToken}`),
        afterAuth: ({ session }) => void told.push(`afterAuth ${session.accessToken}`),
      },
    });
    await app.grant('token-1', { authenticated: true });
    await app.lifecycle.deliverPendingEvents(ofUser(1, 'users-token'));
    expect(told).toEqual(['after install token-1', 'onInstall token-1', 'afterAuth users-token']);
  });

  it("tells of each user's authentication with that user's session, whoever else comes first", async () => {
    const app = new AppProcess({
      useOnlineTokens: true,
      hooks: {
        afterAuth: ({ session }) => {
          told.push(String(session.accessToken));
          if (told.length === 1) throw new Error('not now');
        },
      },
    });
    const [ada, bob, cid] = [ofUser(1, 'ada'), ofUser(2, 'bob'), ofUser(3, 'cid')];
    await app.grant('token-1');
    for (const session of [ada, bob]) await app.records.authenticated(session, true);
    await expect(app.lifecycle.deliverPendingEvents(ada)).rejects.toThrow(HookFailedError);
    for (const session of [cid, bob, ada, bob, cid])
      await app.lifecycle.deliverPendingEvents(session);
    expect(told).toEqual(['ada', 'bob', 'ada']);
    expect(await app.pending()).toEqual([]);
  });

  it('never tells with an older token than the one it tells of', async () => {
    const app = new AppProcess({
      hooks: { onScopesChanged: ({ session }) => void told.push(String(session.accessToken)) },
    });
    const old = await app.grant('token-1');
    await app.lifecycle.deliverPendingEvents(old);
    // A grant under way: noted, but not stored yet.
    const { lock } = app.storage.companions;
    expect(await lock.take(tokenLock(API_KEY, SHOP), 'granting', 5 * MINUTES)).toBe(true);
    await app.records.granted(SHOP, {
      scope: 'read_orders',
      grantedAt: app.clock.now(),
      isKnown: true,
    });
    const settling = new AppProcess({
      ...app,
      hooks: { onScopesChanged: ({ session }) => void told.push(String(session.accessToken)) },
    });
    const settled = settling.lifecycle.deliverPendingEvents(old);
    await setImmediate();
    await app.storage.storeSession(offline('token-2', { scope: 'read_orders' }));
    await lock.release(tokenLock(API_KEY, SHOP), 'granting');
    await settled;
    expect(told).toEqual(['token-2']);
  });

  it('has nothing to tell about a session without a token, or a shop without the app', async () => {
    const app = new AppProcess({
      hooks: { onInstall: note('onInstall'), onUninstall: () => Promise.reject(new Error('no')) },
    });
    const session = await app.grant('token-1');
    session.accessToken = undefined;
    await app.lifecycle.deliverPendingEvents(session);
    await expect(app.uninstalled()).rejects.toThrow();
    await app.lifecycle.deliverPendingEvents(offline('token-1'));
    expect(told).toEqual([]);
    expect(await app.pending()).toEqual(['after_install', 'installed', 'uninstalled']);
  });

  it('tells what an uninstallation has left before it tells of the next installation', async () => {
    let isBroken = true;
    const app = new AppProcess({
      hooks: {
        onUninstall: () =>
          isBroken ? Promise.reject(new Error('no')) : void told.push('onUninstall'),
        onReinstall: note('onReinstall'),
      },
    });
    await app.lifecycle.deliverPendingEvents(await app.grant('token-1'));
    await expect(app.uninstalled()).rejects.toThrow(HookFailedError);
    isBroken = false;
    await app.lifecycle.deliverPendingEvents(await app.grant('token-2'));
    expect(told).toEqual(['onUninstall', 'onReinstall']);
  });

  it('stops when its lock was lost while the app was at it, and goes on with the next request', async () => {
    const clock = new JumpingClock();
    const app = new AppProcess({
      clock,
      hooks: {
        onInstall: async () => {
          told.push('onInstall');
          // The process stood still for longer than a lease.
          clock.advance(20_000);
          await setImmediate();
        },
        afterAuth: note('afterAuth'),
      },
    });
    const session = await app.grant('token-1', { authenticated: true });
    await expect(app.lifecycle.deliverPendingEvents(session)).rejects.toBeInstanceOf(
      LockTimeoutError,
    );
    expect(told).toEqual(['onInstall']);
    await app.lifecycle.deliverPendingEvents(session);
    expect(told).toEqual(['onInstall', 'afterAuth']);
  });

  it('leaves no lock and no alarm behind', async () => {
    const clock = new JumpingClock();
    const app = new AppProcess({ clock, hooks: { onInstall: note('onInstall') } });
    await app.lifecycle.deliverPendingEvents(await app.grant('token-1'));
    expect(clock.alarms).toBe(0);
    expect(await app.storage.companions.lock.take(installLock(API_KEY, SHOP), 'me', 1)).toBe(true);
  });

  it('writes no token into its log', async () => {
    const app = new AppProcess({ hooks: { onInstall: () => Promise.reject(new Error('no')) } });
    const session = await app.grant('shpat_0123456789abcdef');
    await expect(app.lifecycle.deliverPendingEvents(session)).rejects.toThrow(/^(?!.*shpat_)/);
    expect(app.lines.matching('shpat_')).toEqual([]);
  });
});

describe('a request of a shop about which everything was told', () => {
  class CountingStore extends RecordInstallationStore {
    loads = 0;
    override load(app: string, shop: string): ReturnType<RecordInstallationStore['load']> {
      this.loads++;
      return super.load(app, shop);
    }
  }

  it('costs nothing, but one look into the storage every five minutes', async () => {
    const clock = new JumpingClock();
    const installations = new CountingStore(new MemoryRecordStore(clock));
    const storage = new MemorySessionStorage(clock);
    Object.assign(storage.companions, { installations });
    const app = new AppProcess({ clock, storage });
    const session = await app.grant('token-1');
    await app.lifecycle.deliverPendingEvents(session);
    const before = installations.loads;
    for (let request = 0; request < 100; request++)
      await app.lifecycle.deliverPendingEvents(session);
    expect(installations.loads - before).toBe(0);
    clock.advance(5 * MINUTES);
    for (let request = 0; request < 100; request++)
      await app.lifecycle.deliverPendingEvents(session);
    expect(installations.loads - before).toBe(1);
  });

  it('is looked at again when it comes with another token', async () => {
    const app = new AppProcess({ hooks: { afterAuth: note('afterAuth') } });
    for (const token of ['token-1', 'token-2'])
      await app.lifecycle.deliverPendingEvents(await app.grant(token, { authenticated: true }));
    expect(told).toEqual(['afterAuth', 'afterAuth']);
  });

  it('hears after five minutes at most what another process has found out', async () => {
    const clock = new JumpingClock();
    const app = new AppProcess({ clock, hooks: { onReinstall: note('onReinstall') } });
    await app.lifecycle.deliverPendingEvents(await app.grant('token-1'));
    clock.advance(MINUTES);
    const session = await app.grant('token-2');
    await app.lifecycle.deliverPendingEvents(session);
    await app.records.granted(SHOP, {
      scope: session.scope!,
      grantedAt: clock.now(),
      isKnown: true,
      isRevoked: true,
    });
    clock.advance(5 * MINUTES);
    await app.lifecycle.deliverPendingEvents(session);
    expect(told).toEqual(['onReinstall']);
    expect(await app.records.of(SHOP)).toMatchObject({
      generation: 2,
      status: 'installed',
      pending: [],
    });
  });
});

describe('a hook that fails', () => {
  it('fails the request, naming itself, and is told again by the next', async () => {
    const cause = new Error('no');
    let isBroken = true;
    const app = new AppProcess({
      hooks: { onInstall: () => (isBroken ? Promise.reject(cause) : note('onInstall')()) },
    });
    const session = await app.grant('token-1');
    const failure = await app.lifecycle
      .deliverPendingEvents(session)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HookFailedError);
    expect(failure).toMatchObject({
      code: 'ERR_HOOK_FAILED',
      handler: 'hooks.onInstall',
      event: 'installed',
      shop: SHOP,
      cause,
    });
    expect(await app.pending()).toEqual(['installed']);
    isBroken = false;
    await app.lifecycle.deliverPendingEvents(session);
    expect(told).toEqual(['onInstall']);
  });

  it('is told once to all requests that wait for it, and they fail together', async () => {
    let runs = 0;
    const app = new AppProcess({
      hooks: {
        onInstall: async () => {
          await setImmediate();
          if (++runs === 1) throw new Error('no');
        },
      },
    });
    const session = await app.grant('token-1');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => app.lifecycle.deliverPendingEvents(session)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, () => 'rejected'),
    );
    expect(runs).toBe(1);
    await Promise.all(
      Array.from({ length: 20 }, () => app.lifecycle.deliverPendingEvents(session)),
    );
    expect(runs).toBe(2);
  });

  it('does not make those run again that are done with the event', async () => {
    let isBroken = true;
    const app = new AppProcess({ hooks: { onInstall: note('hooks.onInstall') } });
    app.handlers.add('installed', { name: 'Shops.first', run: note('first') });
    app.handlers.add('installed', {
      name: 'Shops.first',
      run: () => (isBroken ? Promise.reject(new Error('no')) : note('second')()),
    });
    app.handlers.add('installed', { name: 'Shops.third', run: note('third') });
    const session = await app.grant('token-1');
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(app.lifecycle.deliverPendingEvents(session)).rejects.toMatchObject({
        handler: 'Shops.first (2)',
      });
    isBroken = false;
    await app.lifecycle.deliverPendingEvents(session);
    expect(told).toEqual(['hooks.onInstall', 'first', 'second', 'third']);
  });

  it('keeps what comes after it waiting', async () => {
    const app = new AppProcess({
      hooks: { onInstall: () => Promise.reject(new Error('no')), afterAuth: note('afterAuth') },
    });
    await expect(
      app.lifecycle.deliverPendingEvents(await app.grant('token-1', { authenticated: true })),
    ).rejects.toThrow(HookFailedError);
    expect(told).toEqual([]);
    expect(await app.pending()).toEqual(['installed', 'authenticated']);
  });

  // The event stayed pending: a redirect to a page of the app led there for ever.
  it('may throw a response, which everybody who waited can read, and with which the app has been told', async () => {
    let runs = 0;
    const app = new AppProcess({
      hooks: {
        afterAuth: () => {
          runs++;
          throw new Response('choose a plan', { status: 402 });
        },
      },
    });
    const session = await app.grant('token-1', { authenticated: true });
    const answer = (): Promise<unknown> =>
      app.lifecycle.deliverPendingEvents(session).catch((error: unknown) => error);
    const answers = (await Promise.all([answer(), answer(), answer()])) as Response[];
    expect(answers.map(({ status }) => status)).toEqual([402, 402, 402]);
    expect(await Promise.all(answers.map((response) => response.text()))).toEqual(
      Array.from({ length: 3 }, () => 'choose a plan'),
    );
    expect(runs).toBe(1);
    expect(await app.pending()).toEqual([]);
    expect(await answer()).toBeUndefined();
    expect(runs).toBe(1);
  });
});

describe('a hook that never returns', () => {
  it('holds up no request for longer than 30 s, and is told again when the lock is given up after an hour', async () => {
    // Requests of the same process waited for ever.
    const clock = new JumpingClock();
    let isStuck = true;
    const onInstall = (): Promise<void> => {
      told.push('onInstall');
      return isStuck ? new Promise(() => {}) : Promise.resolve();
    };
    const app = new AppProcess({ clock, hooks: { onInstall } });
    const session = await app.grant('token-1');
    const request = (): Promise<unknown> =>
      app.lifecycle.deliverPendingEvents(session).catch((error: unknown) => error);
    const waiting = [request(), request()];
    while (told.length === 0) await setImmediate();
    await pass(clock, 30_000);
    expect(await Promise.all([...waiting, request()])).toEqual(
      Array.from({ length: 3 }, () => expect.any(LockTimeoutError)),
    );
    expect(told).toEqual(['onInstall']);
    await pass(clock, 61 * MINUTES);
    isStuck = false;
    await app.lifecycle.deliverPendingEvents(session);
    expect([told, await app.pending()]).toEqual([['onInstall', 'onInstall'], []]);
  });

  /** Lets time go by in steps no longer than a lock's renewal. */
  async function pass(clock: JumpingClock, ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 5_000) {
      clock.advance(5_000);
      await setImmediate();
    }
  }
});

describe("the toolkit's own part of an installation", () => {
  it('lets the installation stand when it fails, and is tried again by a later request', async () => {
    const clock = new JumpingClock();
    let isBroken = true;
    const app = new AppProcess({
      clock,
      afterInstall: {
        run: () => (isBroken ? Promise.reject(new Error('no webhooks today')) : NOTING.run()),
      },
      hooks: { onInstall: note('onInstall') },
    });
    const session = await app.grant('token-1');
    await app.lifecycle.deliverPendingEvents(session);
    expect(told).toEqual(['onInstall']);
    expect(app.lines.matching('no webhooks today')).toHaveLength(1);
    expect(await app.pending()).toEqual(['after_install']);
    isBroken = false;
    clock.advance(5 * MINUTES);
    await app.lifecycle.deliverPendingEvents(session);
    expect(told).toEqual(['onInstall', 'after install']);
    expect(await app.pending()).toEqual([]);
  });

  it('is waited for no longer than ten seconds, and goes on in the background', async () => {
    const clock = new JumpingClock();
    let finish = (): void => {};
    const app = new AppProcess({
      clock,
      afterInstall: {
        run: () => new Promise<void>((resolve) => (finish = resolve)).then(NOTING.run),
      },
      hooks: { onInstall: note('onInstall') },
    });
    const settled = app.lifecycle.deliverPendingEvents(await app.grant('token-1'));
    // The lock's renewal, and the ends of both patiences.
    while (clock.alarms < 3) await setImmediate();
    clock.advance(10_000);
    await settled;
    expect(told).toEqual(['onInstall']);
    expect(app.lines.matching('goes on in the background')).toHaveLength(1);
    finish();
    while ((await app.pending()).length > 0) await setImmediate();
    expect(told).toEqual(['onInstall', 'after install']);
  });
});

describe('a shutdown', () => {
  const isPending = async (promise: Promise<unknown>): Promise<boolean> => {
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    return Promise.race([promise.then(() => false), setImmediate(true)]);
  };

  // It ended the process in the middle of both.
  it.each([
    ['what follows an installation', 10_000, 'afterInstall'],
    ['a hook', 30_000, 'onInstall'],
  ])('waits for %s after its request no longer does', async (_title, patience, slow) => {
    const clock = new JumpingClock();
    let finish = (): void => {};
    const run = (name: string) => () =>
      name === slow
        ? new Promise<void>((resolve) => (finish = resolve)).then(() => void told.push(name))
        : Promise.resolve();
    const app = new AppProcess({
      clock,
      afterInstall: { run: run('afterInstall') },
      hooks: { onInstall: run('onInstall') },
    });
    const settled = app.lifecycle
      .deliverPendingEvents(await app.grant('token-1'))
      .catch((error: unknown) => error);
    while (clock.alarms < (slow === 'onInstall' ? 2 : 3)) await setImmediate();
    clock.advance(patience);
    await settled;
    const drained = app.inFlight.drain();
    expect(await isPending(drained)).toBe(true);
    finish();
    await drained;
    expect(told).toEqual([slow]);
    expect(await app.pending()).toEqual([]);
  });
});

describe('three processes over one SQLite file', () => {
  const HOOKS = (name: string, broken?: () => boolean): object => ({
    onInstall: async (): Promise<void> => {
      await setImmediate();
      if (broken?.()) throw new Error('no');
      told.push(`onInstall in ${name}`);
    },
    onScopesChanged: ({ previousScopes }: ScopesChangedContext) =>
      void told.push(`scopes were ${previousScopes.join()} in ${name}`),
  });

  async function inThree(
    work: (processes: AppProcess[]) => Promise<void>,
    broken?: () => boolean,
  ): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'shopwright-lifecycle-'));
    const storages = ['A', 'B', 'C'].map(() => new SqliteSessionStorage(join(folder, 'app.db')));
    try {
      await work(
        storages.map(
          (storage, n) =>
            new AppProcess({ clock: systemClock, storage, hooks: HOOKS('ABC'[n]!, broken) }),
        ),
      );
    } finally {
      await Promise.all(storages.map((storage) => storage.close()));
      await rm(folder, { recursive: true, force: true });
    }
  }
  const requests = (
    processes: readonly AppProcess[],
    session: Session,
    seen?: (told: number) => void,
  ): Promise<void>[] =>
    Array.from({ length: 20 }, (_, n) =>
      processes[n % 3]!.lifecycle.deliverPendingEvents(session).then(() => seen?.(told.length)),
    );

  it('tell each event once, and every request finds it told', async () => {
    await inThree(async (processes) => {
      const seen: number[] = [];
      const session = await processes[0]!.grant('token-1');
      await Promise.all(requests(processes, session, (count) => seen.push(count)));
      const changed = await processes[1]!.grant('token-2', { scope: 'read_orders' });
      await Promise.all(requests(processes, changed, (count) => seen.push(count)));
      expect(told).toEqual([
        expect.stringContaining('onInstall'),
        expect.stringContaining('scopes were write_products'),
      ]);
      expect(seen).toEqual([
        ...Array.from({ length: 20 }, () => 1),
        ...Array.from({ length: 20 }, () => 2),
      ]);
    });
  });

  it('tell it again where it failed, until it succeeds', async () => {
    let failures = 0;
    await inThree(
      async (processes) => {
        const session = await processes[0]!.grant('token-1');
        const outcomes = await Promise.allSettled(requests(processes, session));
        // The requests of the process whose hook failed share its failure; the next process told it
        // again.
        expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
        expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
        expect(told).toHaveLength(1);
        await Promise.all(requests(processes, session));
        expect(told).toHaveLength(1);
      },
      () => failures++ === 0,
    );
    expect(failures).toBe(2);
  });
});
