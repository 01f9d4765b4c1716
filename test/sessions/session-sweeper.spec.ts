import { describe, expect, it } from '@jest/globals';

import { PlatformLogger, LogSeverity } from '../../lib/core/logger.js';
import { ForeignSessionStorage } from '../../lib/sessions/foreign-session.storage.js';
import { SessionSweeper } from '../../lib/sessions/session-sweeper.js';
import { Session } from '../../lib/sessions/session.js';
import { SessionStorageError } from '../../lib/sessions/sessions.errors.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { FiveMethods } from '../support/five-methods.js';
import { ManualClock } from '../support/manual.clock.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

function setUp(storage = new MemorySessionStorage()) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const logger = new PlatformLogger(
    { level: LogSeverity.Debug, log: (_: LogSeverity, line: string) => lines.push(line) },
    clock,
  );
  const store = (id: string, msAgo: number | undefined, isOnline = true): Promise<boolean> => {
    const expires = msAgo === undefined ? undefined : new Date(clock.time - msAgo);
    return storage.storeSession(
      new Session({
        id,
        shop: 'shop.myshopify.com',
        state: '',
        isOnline,
        expires,
        accessToken: 't',
      }),
    );
  };
  const ids = async (): Promise<string[]> =>
    (await storage.listSessions({ limit: 100 })).map(({ id }) => id);
  return {
    storage,
    clock,
    logger,
    lines,
    store,
    ids,
    sweeper: new SessionSweeper(storage, clock, logger),
  };
}

/** Until what was started in the background is over: memory answers within a few turns. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('SessionSweeper', () => {
  it('deletes the online sessions that expired more than a day ago, and answers how many', async () => {
    const { store, sweeper, ids } = setUp();
    await store('a-gone', DAY + 1);
    await store('b-gone', 30 * DAY);
    await store('c-a day ago', DAY);
    await store('d-live', -HOUR);
    await store('e-endless', undefined);
    await store('f-offline', 30 * DAY, false);
    expect(await sweeper.sweep()).toBe(2);
    expect(await ids()).toEqual(['c-a day ago', 'd-live', 'e-endless', 'f-offline']);
    expect(await sweeper.sweep()).toBe(0);
  });

  it('keeps expired sessions as long as it is told', async () => {
    const { storage, clock, logger, store, ids } = setUp();
    await store('a', 2 * HOUR);
    await store('b', HOUR);
    expect(await new SessionSweeper(storage, clock, logger, { keptFor: HOUR }).sweep()).toBe(1);
    expect(await ids()).toEqual(['b']);
  });

  it('sweeps in the background when a session was noticed, once an hour', async () => {
    const { store, sweeper, ids, clock, lines } = setUp();
    await store('a', 2 * DAY);
    sweeper.noticed();
    await settled();
    expect(await ids()).toEqual([]);
    expect(lines.filter((line) => line.includes('deleted'))).toHaveLength(1);
    await store('b', 2 * DAY);
    clock.time += HOUR - 1;
    sweeper.noticed();
    await settled();
    expect(await ids()).toEqual(['b']);
    clock.time += 1;
    sweeper.noticed();
    await settled();
    expect(await ids()).toEqual([]);
  });

  it('logs a failure and goes on an hour later', async () => {
    class Broken extends MemorySessionStorage {
      isBroken = true;
      override async deleteExpiredSessions(moment: Date): Promise<number> {
        if (this.isBroken) throw new SessionStorageError('The database is away.');
        return super.deleteExpiredSessions(moment);
      }
    }
    const storage = new Broken();
    const { store, sweeper, ids, clock, lines } = setUp(storage);
    await store('a', 2 * DAY);
    sweeper.noticed();
    await settled();
    expect(lines).toEqual([expect.stringMatching(/could not be deleted.*ERR_SESSION_STORAGE/)]);
    storage.isBroken = false;
    clock.time += HOUR;
    sweeper.noticed();
    await settled();
    expect(await ids()).toEqual([]);
  });

  it('does nothing over a storage that cannot', async () => {
    const { clock, logger, lines } = setUp();
    const sweeper = new SessionSweeper(new ForeignSessionStorage(new FiveMethods()), clock, logger);
    sweeper.noticed();
    expect(await sweeper.sweep()).toBe(0);
    expect(lines).toEqual([]);
  });
});
