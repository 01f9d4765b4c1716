import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'libsql';

import { MissingRequiredArgument } from '../../../lib/core/core.errors.js';
import { Clock, systemClock } from '../../../lib/core/time/clock.js';
import { describeInstallationStore } from '../../../lib/sessions/conformance/installation-store.conformance.js';
import { describeLock } from '../../../lib/sessions/conformance/lock.conformance.js';
import { describeRecordStore } from '../../../lib/sessions/conformance/record-store.conformance.js';
import { describeSessionStorage } from '../../../lib/sessions/conformance/session-storage.conformance.js';
import { Session } from '../../../lib/sessions/session.js';
import { SqliteSessionStorage } from '../../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import type { SqliteSessionStorageOptions } from '../../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { SqliteFile } from '../../../lib/sessions/storages/sqlite/sqlite-file.js';
import type { SqliteDatabase } from '../../../lib/sessions/storages/sqlite/sqlite.driver.js';
import type { DeliveryKey } from '../../../lib/sessions/coordination/webhook.inbox.js';
import { describeWebhookInbox } from '../../../lib/sessions/conformance/webhook-inbox.conformance.js';
import { SHOP, offlineSession } from '../../support/offline-session.js';
import { transpile } from '../../support/transpile.js';
import { JumpingClock } from '../../webhooks/webhooks.fixture.js';
import { describeClosing } from './closing.suite.js';
import { whileReadOnly } from './read-only.disk.js';

const run = promisify(execFile);
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const SESSION = offlineSession();
/** The table as the official SQLite storage creates it. */
const OFFICIAL_TABLE = `CREATE TABLE shopify_sessions (
  id varchar(255) NOT NULL PRIMARY KEY, shop varchar(255) NOT NULL, state varchar(255) NOT NULL, isOnline integer NOT NULL,
  expires integer, scope varchar(1024), accessToken varchar(255), userId integer, firstName varchar(255), lastName varchar(255),
  email varchar(255), accountOwner integer, locale varchar(255), collaborator integer, emailVerified integer,
  refreshToken varchar(255), refreshTokenExpires integer)`;

let folder: string;
let files = 0;
const aFile = (): string => join(folder, `${++files}.db`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shopwright-sqlite-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const close = (storage: SqliteSessionStorage): Promise<void> => storage.close();
describeSessionStorage(
  'SqliteSessionStorage in a file',
  () => new SqliteSessionStorage(join(folder, 'suite.db')),
  {
    describe,
    it,
    close,
    shared: true,
  },
);
describeSessionStorage(
  'SqliteSessionStorage in memory',
  () => new SqliteSessionStorage(':memory:'),
  { describe, it, close },
);

describeClosing('SqliteSessionStorage', () => new SqliteSessionStorage(join(folder, 'closing.db')));

const { records, lock, installations, inbox } = {
  records: companionOf((storage) => storage.records),
  lock: companionOf(({ companions }) => companions.lock),
  installations: companionOf(({ companions }) => companions.installations),
  inbox: companionOf(({ companions }) => companions.inbox),
};
describeRecordStore('The records of a SQLite file', records.open, {
  describe,
  it,
  close: records.close,
  shared: true,
});
describeLock('The lock of a SQLite file', lock.open, {
  describe,
  it,
  close: lock.close,
  shared: true,
});
describeInstallationStore('The installations of a SQLite file', installations.open, {
  describe,
  it,
  close: installations.close,
  shared: true,
});
describeWebhookInbox('The inbox of a SQLite file', inbox.open, {
  describe,
  it,
  close: inbox.close,
  shared: true,
});

it("ends a storage's leases by its own clock, whoever opened the file first", async () => {
  const [file, clock] = [aFile(), new JumpingClock()];
  const first = new SqliteSessionStorage(file);
  const second = new SqliteSessionStorage(file, { sessionTableName: 'others', clock });
  try {
    await first.ready;
    const { lock } = second.companions;
    expect(await lock.take('name', 'one', 1_000)).toBe(true);
    expect(await lock.take('name', 'two', 1_000)).toBe(false);
    clock.advance(60_000);
    expect(await lock.take('name', 'two', 1_000)).toBe(true);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});

/** Opens one companion of a storage of its own over the same file, and closes the storage. */
function companionOf<T extends object>(
  pick: (storage: SqliteSessionStorage) => T,
): { open: () => T; close: (companion: T) => Promise<void> } {
  const storages = new Map<T, SqliteSessionStorage>();
  return {
    open: () => {
      const storage = new SqliteSessionStorage(join(folder, 'companions.db'));
      const companion = pick(storage);
      storages.set(companion, storage);
      return companion;
    },
    close: async (companion) => storages.get(companion)?.close(),
  };
}

/** Opens the storage for one test and closes it whatever happens. */
async function using<T>(
  storage: SqliteSessionStorage,
  use: (storage: SqliteSessionStorage) => Promise<T>,
): Promise<T> {
  try {
    return await use(storage);
  } finally {
    await storage.close();
  }
}

async function execute(file: string, sql: string): Promise<void> {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

function rowsOf(file: string, sql: string): Record<string, unknown>[] {
  const database = new Database(file);
  const rows = database.prepare(sql).all() as Record<string, unknown>[];
  database.close();
  return rows;
}

describe('a SQLite file', () => {
  it('keeps sessions after it was closed, for other storages and for the same', async () => {
    const file = aFile();
    const storage = new SqliteSessionStorage(file);
    await storage.storeSession(SESSION);
    await storage.close();
    await using(new SqliteSessionStorage(file), async (other) =>
      expect((await other.loadSession(SESSION.id))?.equals(SESSION)).toBe(true),
    );
    await using(storage, async () => {
      expect((await storage.loadSession(SESSION.id))?.equals(SESSION)).toBe(true);
      await storage.disconnect();
      expect(await storage.companions.lock.take('name', 'holder', 1000)).toBe(true);
    });
  });

  it('is shared by the storages of a process: one may be closed while the other goes on', async () => {
    const file = aFile();
    const [one, other] = [new SqliteSessionStorage(file), new SqliteSessionStorage(file)];
    await one.storeSession(SESSION);
    await other.ready;
    await one.close();
    await using(other, async () => expect(await other.loadSession(SESSION.id)).toBeDefined());
  });

  // The storage that was closed first left its own writes waiting for the file.
  it('has all that a storage wrote when that is closed, whoever else uses it', async () => {
    const [file, clock] = [aFile(), new JumpingClock()];
    const [storage, other] = [
      new SqliteSessionStorage(file, { clock }),
      new SqliteSessionStorage(file),
    ];
    await Promise.all([storage.ready, other.ready]);
    const holder = new Database(file);
    holder.exec('BEGIN IMMEDIATE');
    const events: string[] = [];
    const stored = storage.storeSession(SESSION).then(() => events.push('stored'));
    const closed = storage.close().then(() => events.push('closed'));
    while (clock.slept.length < 3) await new Promise(setImmediate);
    holder.exec('COMMIT');
    await Promise.all([stored, closed, other.close()]);
    holder.close();
    expect(events).toEqual(['stored', 'closed']);
  });

  it('keeps tables of different names apart', async () => {
    const file = aFile();
    await using(new SqliteSessionStorage(file), (storage) => storage.storeSession(SESSION));
    await using(
      new SqliteSessionStorage(file, { sessionTableName: 'other "table"' }),
      async (storage) => {
        expect(await storage.loadSession(SESSION.id)).toBeUndefined();
        await storage.storeSession(SESSION);
        expect(await storage.findSessionsByShop(SHOP)).toHaveLength(1);
      },
    );
  });

  it('keeps times in seconds and flags as numbers, as the official storage does', async () => {
    const file = aFile();
    const expires = new Date('2026-01-02T03:04:05.678Z');
    const user = { id: 9, email_verified: true, account_owner: false };
    const online = new Session({
      ...SESSION,
      isOnline: true,
      expires,
      refreshTokenExpires: expires,
      onlineAccessInfo: { expires_in: 1, associated_user_scope: '', associated_user: user },
    });
    await using(new SqliteSessionStorage(file), async (storage) => {
      await storage.storeSession(online);
      expect((await storage.loadSession(online.id))?.expires).toEqual(
        new Date('2026-01-02T03:04:05.000Z'),
      );
    });
    expect(rowsOf(file, 'SELECT * FROM shopify_sessions')).toEqual([
      expect.objectContaining({
        isOnline: 1,
        expires: 1767323045,
        refreshTokenExpires: 1767323045,
        userId: 9,
        emailVerified: 1,
        accountOwner: 0,
        collaborator: null,
      }),
    ]);
  });

  it('reads what the official storage wrote, and tells it that its migrations are done', async () => {
    const file = aFile();
    const official = new Database(file);
    official.exec(OFFICIAL_TABLE);
    official.exec(`INSERT INTO shopify_sessions (id, shop, state, isOnline, expires, accessToken, userId, firstName, accountOwner)
      VALUES ('${SHOP}_3', '${SHOP}', 's', 1, 1767323045, 'official', 3, 'Ann', 1)`);
    official.close();
    await using(new SqliteSessionStorage(file), async (storage) => {
      const expected = {
        id: `${SHOP}_3`,
        shop: SHOP,
        state: 's',
        isOnline: true,
        expires: new Date(1767323045000),
        accessToken: 'official',
        onlineAccessInfo: { associated_user: { id: 3, first_name: 'Ann', account_owner: true } },
      };
      expect((await storage.findSessionsByShop(SHOP)).map((session) => session.toObject())).toEqual(
        [expected],
      );
    });
    expect(
      rowsOf(file, 'SELECT migration_name FROM shopify_sessions_migrations ORDER BY 1').map(
        (row) => row['migration_name'],
      ),
    ).toEqual(['addRefreshTokenFields', 'addUserInfoColumns', 'migrateScopeFieldToVarchar1024']);
  });

  it('brings a table of the oldest official storage up to date', async () => {
    const file = aFile();
    const old = new Database(file);
    old.exec(`CREATE TABLE shopify_sessions (id varchar(255) NOT NULL PRIMARY KEY, shop varchar(255) NOT NULL, state varchar(255) NOT NULL,
      isOnline integer NOT NULL, expires integer, scope varchar(255), accessToken varchar(255), onlineAccessInfo varchar(255))`);
    old.exec(`INSERT INTO shopify_sessions VALUES ('${SHOP}_77', '${SHOP}', '', 1, NULL, 'read_products', 'old', '77'),
      ('${SESSION.id}', '${SHOP}', '', 0, NULL, 'read_products', 'token', NULL)`);
    old.close();
    await using(new SqliteSessionStorage(file), async (storage) => {
      expect((await storage.loadSession(`${SHOP}_77`))?.onlineAccessInfo).toEqual({
        associated_user: { id: 77 },
      });
      expect((await storage.loadSession(SESSION.id))?.equals(SESSION)).toBe(true);
      await storage.storeSession(new Session({ ...SESSION, refreshToken: 'new' }));
      expect((await storage.loadSession(SESSION.id))?.refreshToken).toBe('new');
    });
  });

  // SQLite made the file, and those beside it, readable for everybody on the machine.
  it('notes what it has done where it was told to note it', async () => {
    const file = aFile();
    const options: SqliteSessionStorageOptions = {
      migratorOptions: { migrationDBIdentifier: 'my_migrations', migrationNameColumnName: 'name' },
    };
    await using(new SqliteSessionStorage(file, options), (storage) => storage.ready);
    const database = new Database(file);
    const noted = database.prepare('SELECT name FROM my_migrations ORDER BY name').all();
    database.close();
    expect(noted.map((row) => (row as { name: string }).name)).toEqual([
      'addRefreshTokenFields',
      'addUserInfoColumns',
      'migrateScopeFieldToVarchar1024',
    ]);
  });

  it('is made for the eyes of its owner only, with those beside it; one that is there keeps its mode', async () => {
    if (process.platform === 'win32') return; // files have no such modes
    const [file, existing] = [aFile(), aFile()];
    await writeFile(existing, '');
    await chmod(existing, 0o640);
    const modeOf = async (path: string): Promise<string> =>
      ((await stat(path)).mode & 0o777).toString(8);
    await using(new SqliteSessionStorage(file), async (storage) => {
      await storage.storeSession(SESSION);
      expect(await Promise.all([file, `${file}-wal`, `${file}-shm`].map(modeOf))).toEqual([
        '600',
        '600',
        '600',
      ]);
    });
    await using(new SqliteSessionStorage(existing), (storage) => storage.storeSession(SESSION));
    expect(await modeOf(existing)).toBe('640');
  });

  it('finds the sessions of a shop through an index', async () => {
    const file = aFile();
    await using(new SqliteSessionStorage(file), (storage) => storage.ready);
    const plan = rowsOf(file, "EXPLAIN QUERY PLAN SELECT * FROM shopify_sessions WHERE shop = 'x'");
    expect(String(plan[0]?.['detail'])).toContain('USING INDEX shopify_sessions_shop');
  });

  it('finds expired online sessions through an index', async () => {
    const file = aFile();
    await using(new SqliteSessionStorage(file), (storage) => storage.ready);
    const plan = rowsOf(
      file,
      'EXPLAIN QUERY PLAN DELETE FROM shopify_sessions WHERE isOnline = 1 AND expires > 0 AND expires < 1.5',
    );
    expect(String(plan[0]?.['detail'])).toContain('USING INDEX shopify_sessions_expires');
  });

  it('is verified without being changed, and says which migrations and columns are missing', async () => {
    const file = aFile();
    const official = new Database(file);
    official.exec(OFFICIAL_TABLE);
    official.close();
    await using(new SqliteSessionStorage(file), async (storage) => {
      await expect(storage.verify()).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
        message: expect.stringMatching(
          /migration shopify_sessions\/sessions, .*migration shopify_sessions\/records/,
        ),
      });
      expect(rowsOf(file, 'SELECT name FROM sqlite_schema WHERE sql IS NOT NULL')).toEqual([
        { name: 'shopify_sessions' },
      ]);
      expect(rowsOf(file, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'delete' }]);
      await storage.ready;
      await storage.verify();
      const vandal = new Database(file);
      vandal.exec(
        'ALTER TABLE shopify_sessions DROP COLUMN refreshToken; DROP TABLE shopify_sessions_records',
      );
      vandal.close();
      await expect(storage.verify()).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
        message: expect.stringMatching(
          /column shopify_sessions\.refreshToken, column shopify_sessions_records\.kind/,
        ),
      });
    });
  });

  it('is not made when it is verified, but reported as missing', async () => {
    const parent = await mkdtemp(join(folder, 'empty-'));
    await using(new SqliteSessionStorage(join(parent, 'sessions.db')), async (storage) => {
      await expect(storage.verify()).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
        message: `There is no file ${join(parent, 'sessions.db')}. It is made on first use: await storage.ready.`,
      });
      expect(await readdir(parent)).toEqual([]);
      await storage.ready;
      await storage.verify();
    });
  });

  // One statement stopped the event loop for seconds where a million sessions had expired, and kept
  // other processes from writing.
  it('loses expired sessions a thousand at a time, with turns for others in between', async () => {
    const file = aFile();
    await using(new SqliteSessionStorage(file), async (storage) => {
      await storage.ready;
      const observer = new Database(file);
      try {
        observer.exec(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500)
          INSERT INTO shopify_sessions (id, shop, state, isOnline, expires) SELECT n, '${SHOP}', '', 1, 1600000000 FROM numbers`);
        const count = observer.prepare('SELECT count(*) FROM shopify_sessions').raw();
        const seen = new Set<unknown>();
        let isOver = false;
        const sweep = storage.deleteExpiredSessions(new Date()).finally(() => (isOver = true));
        while (!isOver) {
          seen.add(count.get());
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(await sweep).toBe(2500);
        expect([...seen]).toEqual(expect.arrayContaining([[1500], [500]]));
      } finally {
        observer.close();
      }
    });
  });

  it('forgets deliveries a week after they are done, and a week after the last attempt when they never were', async () => {
    const file = aFile();
    const clock = new ClockInSteps();
    const delivery = (webhookId: string): DeliveryKey => ({ app: 'app', shop: SHOP, webhookId });
    await using(
      new SqliteSessionStorage(file, { clock }),
      async ({ companions: { inbox: deliveries } }) => {
        const tokenOf = async (webhookId: string): Promise<string> => {
          const claim = await deliveries.claim(delivery(webhookId), 1000);
          if (claim.state !== 'claimed') throw new Error(claim.state);
          return claim.token;
        };
        await deliveries.complete(delivery('done'), await tokenOf('done'));
        await deliveries.release(delivery('released'), await tokenOf('released'), ['first']);
        await clock.sleep(7 * DAY - 1);
        expect(await deliveries.claim(delivery('done'), 1000)).toEqual({ state: 'done' });
        expect(rowsOf(file, 'SELECT id FROM shopify_sessions_records')).toHaveLength(2);
        await clock.sleep(2 * HOUR);
        await deliveries.claim(delivery('other'), 1000);
        // Writes have their turn, and what is old is removed after the claim that occasioned it.
        expect(await deliveries.claim(delivery('other'), 1000)).toEqual({ state: 'busy' });
        expect(rowsOf(file, 'SELECT id FROM shopify_sessions_records')).toHaveLength(1);
      },
    );
  });

  it('stores what careless callers put into a session instead of ending the process', async () => {
    await using(new SqliteSessionStorage(aFile()), async (storage) => {
      const careless = {
        ...SESSION,
        state: true,
        scope: { toString: () => 'read_all' },
        accessToken: 12n,
        onlineAccessInfo: undefined,
      };
      await storage.storeSession(new Session(careless as unknown as Session));
      expect((await storage.loadSession(SESSION.id))?.toObject()).toEqual({
        ...SESSION.toObject(),
        state: 'true',
        scope: 'read_all',
        accessToken: '12',
      });
      await expect(
        storage.storeSession(new Session({ ...SESSION, state: undefined as unknown as string })),
      ).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
        message: expect.stringContaining('state'),
      });
    });
  });

  it('refuses a text that it would cut off', async () => {
    await using(new SqliteSessionStorage(aFile()), async (storage) => {
      await expect(
        storage.storeSession(new Session({ ...SESSION, id: 'offline\0x' })),
      ).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
      });
      await expect(storage.loadSession(`${SESSION.id}\0x`)).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
      });
    });
  });
});

describe('a SQLite file that cannot be used', () => {
  it('rejects with the path when it cannot be opened, and is used once it can', async () => {
    const parent = join(folder, 'not-yet-there');
    await using(new SqliteSessionStorage(join(parent, 'x.db')), async (storage) => {
      await expect(storage.ready).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
        message: expect.stringContaining(parent),
      });
      await expect(storage.loadSession('x')).rejects.toMatchObject({ code: 'ERR_SESSION_STORAGE' });
      await mkdir(parent);
      await storage.storeSession(SESSION);
      expect(await storage.loadSession(SESSION.id)).toBeDefined();
    });
  });

  // SQLite opens such a file for reading only, and the connection was kept: nothing was stored
  // until the process ended.
  it.each([
    ['a file of the official storage', (file: string) => execute(file, OFFICIAL_TABLE)],
    [
      'a file that is up to date',
      (file: string) => using(new SqliteSessionStorage(file), (storage) => storage.ready),
    ],
    ['no file', async () => {}],
  ])('is used when its disk was read-only and no longer is: %s', async (_, prepare) => {
    const disk = join(folder, `disk-${++files}`);
    const file = join(disk, 'x.db');
    await mkdir(disk);
    await prepare(file);
    await using(new SqliteSessionStorage(file), async (storage) => {
      await whileReadOnly(disk, async () => {
        await expect(storage.storeSession(SESSION)).rejects.toMatchObject({
          code: 'ERR_SESSION_STORAGE',
        });
        await expect(storage.storeSession(SESSION)).rejects.toMatchObject({
          code: 'ERR_SESSION_STORAGE',
        });
      });
      await storage.storeSession(SESSION);
      expect(await storage.loadSession(SESSION.id)).toBeDefined();
    });
  });

  // It said that a file name is needed, and not why an open database is none.
  it.each([
    ['sqlite3', { filename: '/data/app.db', run: () => {} }, 'pass "/data/app.db".'],
    ['better-sqlite3', { name: 'app.db', prepare: () => {} }, 'pass "app.db".'],
    ['sqlite3 in a file without a name', { filename: '' }, 'pass the name of its file.'],
  ])('refuses an open database of %s, and says what to pass', (_, database, advice) => {
    const create = () => new SqliteSessionStorage(database as unknown as string);
    expect(create).toThrow(MissingRequiredArgument);
    expect(create).toThrow(advice);
  });

  // The file was closed and opened anew, and the call repeated, whatever it was that failed.
  it.each([
    [
      'breaks a rule of its table',
      (database: SqliteDatabase) => void database.prepare('INSERT INTO t VALUES (?)').run([null]),
    ],
    ['is no SQL', (database: SqliteDatabase) => void database.exec('SELEKT')],
    [
      'throws by itself',
      () => {
        throw new TypeError('no');
      },
    ],
  ])('stays open after a call that %s, which is not repeated', async (_, fail) => {
    const file = SqliteFile.at(aFile());
    const opened = await file.write(systemClock, (database) => {
      database.exec('CREATE TABLE t (x text NOT NULL)');
      return database;
    });
    const used: SqliteDatabase[] = [];
    const call = file.write(systemClock, (database) => {
      used.push(database);
      fail(database);
    });
    await expect(call).rejects.toMatchObject({ code: 'ERR_SESSION_STORAGE' });
    // Compared here: the driver ends the process when a database that is closed is looked into.
    expect(used.map((database) => database === opened)).toEqual([true]);
    expect(await file.write(systemClock, (database) => database === opened)).toBe(true);
    await file.close();
  });

  it('fails no call when it was opened, and only read, while its disk was read-only', async () => {
    const disk = join(folder, `disk-${++files}`);
    const file = join(disk, 'x.db');
    await mkdir(disk);
    await execute(file, OFFICIAL_TABLE);
    await using(new SqliteSessionStorage(file), async (storage) => {
      await whileReadOnly(disk, () => expect(storage.verify()).rejects.toThrow(/lacks migration/));
      await storage.storeSession(SESSION);
      expect(await storage.loadSession(SESSION.id)).toBeDefined();
    });
  });

  it('rejects when it is no database, and leaves it alone', async () => {
    const file = aFile();
    await writeFile(file, 'precious text, not a database. '.repeat(100));
    await using(new SqliteSessionStorage(file), async (storage) => {
      await expect(storage.storeSession(SESSION)).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
        cause: { code: 'SQLITE_NOTADB' },
      });
    });
  });

  it('is refused without a name', () => {
    expect(() => new SqliteSessionStorage('')).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT_MISSING' }),
    );
  });

  /** Calls `use` with an open storage while another connection, the holder, has its file locked. */
  async function whileLocked(
    clock: Clock,
    use: (storage: SqliteSessionStorage, holder: Database.Database) => Promise<void>,
  ): Promise<void> {
    const file = aFile();
    await using(new SqliteSessionStorage(file, { clock }), async (storage) => {
      await storage.ready;
      const holder = new Database(file);
      try {
        holder.exec('BEGIN IMMEDIATE');
        await use(storage, holder);
      } finally {
        holder.close();
      }
    });
  }

  it('waits for a lock that another connection holds, in the order of the writes', async () => {
    const clock = new ClockInSteps();
    await whileLocked(clock, async (storage, holder) => {
      clock.onSleep = (count) => count === 3 && holder.exec('COMMIT');
      const writes = ['first', 'second', 'third'].map((accessToken) =>
        storage.storeSession(new Session({ ...SESSION, accessToken })),
      );
      await Promise.all(writes);
      expect(clock.sleeps).toBe(3);
      expect((await storage.loadSession(SESSION.id))?.accessToken).toBe('third');
    });
  });

  it('gives up on a lock after five seconds, and goes on when it is released', async () => {
    const clock = new ClockInSteps(1000);
    await whileLocked(clock, async (storage, holder) => {
      await expect(storage.storeSession(SESSION)).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
        message: expect.stringContaining('locked'),
      });
      expect(clock.sleeps).toBe(5);
      expect(await storage.loadSession(SESSION.id)).toBeUndefined();
      holder.exec('COMMIT');
      await storage.storeSession(SESSION);
      expect(await storage.loadSession(SESSION.id)).toBeDefined();
    });
  });

  // Each write of a queue waited for the same lock five seconds of its own, after the ones before
  // it: 5, 10, 15 s.
  it('gives up on all writes that wait for a lock together, five seconds after they were asked for', async () => {
    const clock = new ClockInSteps(1000);
    await whileLocked(clock, async (storage) => {
      const start = clock.now().getTime();
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => storage.storeSession(SESSION)));
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      // What lets the event loop breathe between two writes is a sleep as well, and a second on
      // this clock.
      expect(clock.now().getTime() - start).toBeLessThanOrEqual(8_000);
    });
  });

  it('asks for the driver by name when it is not installed', async () => {
    const { folder: outside } = await transpile('lib/sessions/storages/sqlite/index.ts', folder);
    const script = join(outside, 'child.mjs');
    await writeFile(
      script,
      `import { SqliteSessionStorage } from './lib/sessions/storages/sqlite/index.js';
       await new SqliteSessionStorage('x.db').loadSession('x').catch(({ code, message }) => console.log(code, message));`,
    );
    const { stdout } = await run(process.execPath, [script], { cwd: outside });
    expect(stdout).toMatch(/^ERR_DRIVER_MISSING .*npm install libsql/);
  });
});

describe('a SQLite file of several processes', () => {
  it.each([
    ['an empty file', ''],
    [
      'a file of the official storage',
      `${OFFICIAL_TABLE}; INSERT INTO shopify_sessions (id, shop, state, isOnline, accessToken) VALUES ('${SESSION.id}', '${SHOP}', '', 0, 'token')`,
    ],
  ])(
    'is ready for six that start at once on %s, and gives each thing to one of them',
    async (_, sql) => {
      const file = aFile();
      const before = new Database(file);
      before.exec(sql);
      before.close();
      const { folder: copy, remove } = await transpile('lib/sessions/storages/sqlite/index.ts');
      try {
        const script = join(copy, 'child.mjs');
        await writeFile(script, STARTER);
        const outputs = await Promise.all(
          Array.from({ length: 6 }, (_none, index) =>
            run(process.execPath, [script, file, String(index)]),
          ),
        );
        const won = outputs.map(
          ({ stdout, stderr }) => JSON.parse(stdout + stderr) as Record<string, boolean>,
        );
        const winners = ['name', 'record', 'delivery', 'session'].map(
          (thing) => won.filter((outcome) => outcome[thing]).length,
        );
        expect(winners).toEqual([1, 1, 1, sql ? 1 : 0]);
      } finally {
        await remove();
      }
      expect(rowsOf(file, 'SELECT name FROM shopwright_migrations')).toHaveLength(5);
    },
  );

  it('is set up once and loses none of 1,600 writes when four processes start and write at the same time', async () => {
    const file = aFile();
    const { folder: copy, remove } = await transpile('lib/sessions/storages/sqlite/index.ts');
    try {
      const script = join(copy, 'child.mjs');
      await writeFile(script, WRITER);
      const children = Array.from({ length: 4 }, (_, index) =>
        run(process.execPath, [script, file, String(index)]),
      );
      const outputs = await Promise.all(children);
      expect(outputs.map(({ stdout, stderr }) => stdout + stderr)).toEqual(
        Array(4).fill('400 stored\n'),
      );
    } finally {
      await remove();
    }
    expect(rowsOf(file, 'SELECT count(*) AS count FROM shopify_sessions')).toEqual([
      { count: 1600 },
    ]);
    await using(new SqliteSessionStorage(file), async (storage) => {
      expect(await storage.findSessionsByShop('writer-2.myshopify.com')).toHaveLength(400);
    });
  }, 60_000);
});

const STARTER = `
import { SqliteSessionStorage } from './lib/sessions/storages/sqlite/index.js';
import { Session } from './lib/sessions/session.js';
const [file, index] = process.argv.slice(2);
const storage = new SqliteSessionStorage(file);
await storage.ready;
await storage.verify();
const shop = 'shop.myshopify.com';
const { lock, installations, inbox } = storage.companions;
const record = { app: 'app', shop, generation: 1, status: 'installed', scope: index, grantedAt: new Date(0), pending: [], version: 1 };
const previous = new Session({ id: 'offline_' + shop, shop, state: '', isOnline: false, accessToken: 'token' });
console.log(JSON.stringify({
  name: await lock.take('name', index, 60_000),
  record: await installations.save(record),
  delivery: (await inbox.claim({ app: 'app', shop, webhookId: 'w' }, 60_000)).state === 'claimed',
  session: await storage.replaceSession(new Session({ ...previous, accessToken: 'token-' + index }), previous),
}));
await storage.close();
`;

const WRITER = `
import { SqliteSessionStorage } from './lib/sessions/storages/sqlite/index.js';
import { Session } from './lib/sessions/session.js';
const [file, writer] = process.argv.slice(2);
const storage = new SqliteSessionStorage(file);
const shop = 'writer-' + writer + '.myshopify.com';
let stored = 0;
for (let batch = 0; batch < 40; batch++) {
  const ids = Array.from({ length: 10 }, (_, index) => writer + '-' + (batch * 10 + index));
  await Promise.all(ids.map((id) => storage.storeSession(new Session({ id, shop, state: '', isOnline: false, accessToken: 't' })).then(() => stored++)));
}
await storage.close();
console.log(stored + ' stored');
`;

/** Sleeps at once, and moves on by a fixed step (or as long as it was asked to) each time. */
class ClockInSteps extends Clock {
  sleeps = 0;
  onSleep: (count: number) => unknown = () => {};
  #time = Date.UTC(2026, 0, 1);

  constructor(private readonly step?: number) {
    super();
  }

  now(): Date {
    return new Date(this.#time);
  }

  async sleep(ms: number): Promise<void> {
    this.#time += this.step ?? ms;
    this.onSleep(++this.sleeps);
  }
}
