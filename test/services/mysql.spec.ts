import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool } from 'mysql2';
import { createPool as createPromisePool } from 'mysql2/promise';

import { systemClock } from '../../lib/core/time/clock.js';
import { describeRecordStore } from '../../lib/sessions/conformance/record-store.conformance.js';
import { Session } from '../../lib/sessions/session.js';
import { MySQLSessionStorage } from '../../lib/sessions/storages/mysql/mysql-session.storage.js';
import { SHOP, offlineSession } from '../support/offline-session.js';
import { callsUnderWay, failuresOf } from '../sessions/storages/closing.suite.js';
import { LEGACY_TABLE, MYSQL, OFFICIAL_TABLE, SERVER, TestDatabase } from './mysql/databases.js';
import { describePorts } from './ports.suite.js';

describePorts(MYSQL);

const SESSION = offlineSession();
let database: TestDatabase;

/** Gives each test of a group a database of its own. */
function useDatabases(): void {
  beforeEach(async () => {
    database = await TestDatabase.create();
  });
  afterEach(() => database.drop());
}

const OFFICIAL_MIGRATIONS = [
  'addRefreshTokenFields',
  'addUserInfoColumns',
  'migrateScopeFieldToVarchar1024',
];

describe('tables of the official storage', () => {
  useDatabases();

  it.each([
    ['its own character set and collation', '', ''],
    ['a server of long ago', 'CHARACTER SET latin1 COLLATE latin1_swedish_ci', 'ENGINE=MyISAM'],
    [
      'row formats with no room for long keys',
      'CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_ci',
      'ENGINE=InnoDB ROW_FORMAT=COMPACT',
    ],
  ])(
    'are read as they are and upgraded in place, with %s',
    async (_, databaseOptions, tableOptions) => {
      if (databaseOptions) await database.rows(`ALTER DATABASE ${databaseOptions}`);
      await database.rows(`${OFFICIAL_TABLE} ${tableOptions}`);
      await database.rows(
        `INSERT INTO shopify_sessions VALUES
        ('offline_${SHOP}', '${SHOP}', '123', 0, 'read_products', 1893456000, 'access', 'refresh', 1896048000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        ('${SHOP}_9', '${SHOP}', '', 1, NULL, 0, NULL, NULL, NULL, 9025416350000, 'Zoë', 'O''Neil', 'zoe@example.com', 1, 'de', 0, 1)`,
      );
      await database.rows(
        'CREATE TABLE shopify_sessions_migrations (migration_name varchar(255) NOT NULL PRIMARY KEY)',
      );
      await database.rows('INSERT INTO shopify_sessions_migrations VALUES (?)', [
        OFFICIAL_MIGRATIONS[0],
      ]);
      const storage = database.open();
      const times = {
        expires: new Date('2030-01-01T00:00:00Z'),
        refreshTokenExpires: new Date('2030-01-31T00:00:00Z'),
      };
      expect({ ...(await storage.loadSession(SESSION.id)) }).toEqual({
        ...offlineSession({
          state: '123',
          accessToken: 'access',
          refreshToken: 'refresh',
          ...times,
        }),
      });
      const user = {
        ...{
          id: 9_025_416_350_000,
          first_name: 'Zoë',
          last_name: "O'Neil",
          email: 'zoe@example.com',
          locale: 'de',
        },
        ...{ account_owner: true, collaborator: false, email_verified: true },
      };
      expect({ ...(await storage.loadSession(`${SHOP}_9`)) }).toEqual({
        ...{ id: `${SHOP}_9`, shop: SHOP, state: '', isOnline: true },
        onlineAccessInfo: { associated_user: user },
      });
      await storage.verify();
      expect(await storage.loadSession(`OFFLINE_${SHOP}`)).toBeUndefined();
      const wide = new Session({
        ...SESSION,
        accessToken: '漢'.repeat(300),
        state: 's'.repeat(300),
        expires: new Date('2045-01-01T00:00:00Z'),
      });
      await storage.storeSession(wide);
      expect((await storage.loadSession(wide.id))?.equals(wide)).toBe(true);
      expect(
        await database.rows(
          'SELECT migration_name AS name FROM shopify_sessions_migrations ORDER BY 1',
        ),
      ).toEqual(OFFICIAL_MIGRATIONS.map((name) => ({ name })));
    },
  );

  it('keep the user of whom they have the id alone, and lose the column that has it', async () => {
    await database.rows(LEGACY_TABLE);
    await database.rows(
      `INSERT INTO shopify_sessions VALUES ('online', '${SHOP}', '', 1, 'read_products', 1893456000, '9025416350000', 'access'),
        ('odd', '${SHOP}', '', 1, NULL, NULL, 'unknown', NULL), ('offline', '${SHOP}', '', 0, 'read_products', NULL, NULL, 'access')`,
    );
    const storage = database.open();
    expect((await storage.loadSession('online'))?.onlineAccessInfo?.associated_user).toEqual({
      id: 9_025_416_350_000,
    });
    expect((await storage.loadSession('odd'))?.onlineAccessInfo).toEqual({ associated_user: {} });
    expect((await storage.loadSession('offline'))?.accessToken).toBe('access');
    expect(
      (await database.rows('SHOW COLUMNS FROM shopify_sessions')).map(({ Field }) => Field),
    ).not.toContain('onlineAccessInfo');
    await storage.verify();
  });

  it('are written so that the official storage reads them: seconds, 0 and 1, nothing where nothing is known', async () => {
    const storage = database.open();
    const times = {
      expires: new Date(1_893_456_000_999),
      refreshTokenExpires: new Date(1_896_048_000_001),
    };
    await storage.storeSession(new Session({ ...SESSION, ...times, refreshToken: 'refresh' }));
    const user = { id: 9, account_owner: true, email_verified: false };
    await storage.storeSession(
      new Session({
        ...SESSION,
        id: 'online',
        isOnline: true,
        onlineAccessInfo: { associated_user: user },
      } as Session),
    );
    const nobody = Object.fromEntries(
      ['firstName', 'lastName', 'email', 'locale', 'collaborator'].map((name) => [name, null]),
    );
    expect(await database.rows('SELECT * FROM shopify_sessions ORDER BY isOnline')).toEqual([
      {
        ...{
          ...nobody,
          id: SESSION.id,
          shop: SHOP,
          state: '',
          isOnline: 0,
          scope: 'read_products',
          accessToken: 'token',
        },
        ...{ expires: 1_893_456_000, refreshToken: 'refresh', refreshTokenExpires: 1_896_048_000 },
        ...{ userId: null, accountOwner: null, emailVerified: null },
      },
      {
        ...{
          ...nobody,
          id: 'online',
          shop: SHOP,
          state: '',
          isOnline: 1,
          scope: 'read_products',
          accessToken: 'token',
        },
        ...{
          expires: null,
          refreshToken: null,
          refreshTokenExpires: null,
          userId: 9,
          accountOwner: 1,
          emailVerified: 0,
        },
      },
    ]);
  });

  it('are noted as migrated where the official storage was told to note it', async () => {
    await database.open({
      migratorOptions: { migrationDBIdentifier: 'my-migrations', migrationNameColumnName: 'name' },
    }).ready;
    expect(await database.rows('SELECT name FROM `my-migrations` ORDER BY 1')).toEqual(
      OFFICIAL_MIGRATIONS.map((name) => ({ name })),
    );
  });

  it.each([
    [
      'of another kind',
      'CREATE TABLE shopify_sessions (id varchar(255), data text)',
      /no column shop, state, isOnline/,
    ],
    [
      'of an ORM',
      OFFICIAL_TABLE.replace('expires integer', 'expires timestamp NULL'),
      /its column expires is of type timestamp, not bigint/,
    ],
  ])('are not taken for them when they are %s', async (_, sql, message) => {
    await database.rows(sql);
    const before = await database.rows('SHOW CREATE TABLE shopify_sessions');
    await expect(database.open().ready).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
      message: expect.stringMatching(message),
    });
    expect(await database.rows('SHOW CREATE TABLE shopify_sessions')).toEqual(before);
  });
});

describe('MySQLSessionStorage', () => {
  useDatabases();

  const runner = { describe, it, shared: true };
  describeRecordStore('the records of MySQL', () => database.open().records, runner);

  it('keeps the sessions of tables with unusual names in one database apart', async () => {
    const names = ['My-Sessions', 'my-sessions', 'größe `?` "of" it', 'x'.repeat(56)];
    const all = names.map((sessionTableName) => database.open({ sessionTableName }));
    for (const [index, storage] of all.entries()) {
      await storage.storeSession(new Session({ ...SESSION, accessToken: names[index]! }));
      expect(await storage.companions.lock.take('name', 'holder', 60_000)).toBe(true);
      await storage.verify();
    }
    for (const [index, storage] of all.entries()) {
      expect(
        (await storage.findSessionsByShop(SHOP)).map(({ accessToken }) => accessToken),
      ).toEqual([names[index]]);
    }
  });

  it('shares no lock with the same table of another database', async () => {
    const other = await TestDatabase.create();
    expect(await database.open().companions.lock.take('name', 'a', 60_000)).toBe(true);
    expect(await other.open().companions.lock.take('name', 'b', 60_000)).toBe(true);
    await other.drop();
  });

  it('makes nothing when it is verified, and says which migrations, columns and keys are missing', async () => {
    await database.rows(OFFICIAL_TABLE);
    const storage = database.open();
    await expect(storage.verify()).rejects.toThrow(
      /lacks migration shopify_sessions\/sessions, .*migration shopify_sessions\/records/,
    );
    expect(await database.rows('SHOW TABLES')).toHaveLength(1);
    await storage.ready;
    await storage.verify();
    await database.rows(
      'ALTER TABLE shopify_sessions MODIFY id varchar(255) COLLATE utf8mb4_general_ci NOT NULL',
    );
    await expect(storage.verify()).rejects.toThrow(
      /lacks case-sensitive ids in shopify_sessions\./,
    );
    await database.rows(
      'ALTER TABLE shopify_sessions MODIFY id varchar(255) COLLATE utf8mb4_bin, DROP PRIMARY KEY, DROP COLUMN refreshToken',
    );
    await database.rows('DROP TABLE shopify_sessions_records');
    await expect(storage.verify()).rejects.toThrow(
      /lacks key shopify_sessions.id, column shopify_sessions.refreshToken, column shopify_sessions_records.kind/,
    );
  });

  it('finds sessions by shop, and those that expired, through an index', async () => {
    await database.open().ready;
    const keyOf = async (condition: string): Promise<unknown> =>
      (await database.rows(`EXPLAIN SELECT id FROM shopify_sessions WHERE ${condition}`))[0]?.[
        'key'
      ];
    expect(await keyOf("shop = 'x'")).toBe('shopwright_shop');
    expect(await keyOf('isOnline = 1 AND expires > 0 AND expires < 5')).toBe('shopwright_expires');
  });

  it('deletes more than one statement takes, and no more than it was told', async () => {
    const storage = database.open();
    const ids = Array.from({ length: 130 }, (_, index) => `id-${index}`);
    await Promise.all(
      [...ids, 'other'].map((id) => storage.storeSession(new Session({ ...SESSION, id }))),
    );
    await storage.deleteSessions(ids);
    expect((await storage.findSessionsByShop(SHOP)).map(({ id }) => id)).toEqual(['other']);
  });

  it('goes on when a table it has prepared statements for is changed', async () => {
    const storage = database.open();
    await storage.storeSession(SESSION);
    expect(await storage.loadSession(SESSION.id)).toBeDefined();
    await database.rows(
      'ALTER TABLE shopify_sessions ADD COLUMN note text, MODIFY scope varchar(1024) FIRST',
    );
    expect((await storage.loadSession(SESSION.id))?.toObject()).toEqual(SESSION.toObject());
  });

  it('connects with credentials that have a meaning in a URL', async () => {
    const [name, password] = [`user@${randomUUID().slice(0, 8)}`, 'p@ss:w/rd?#%'];
    await database.rows(`CREATE USER '${name}'@'%' IDENTIFIED BY '${password}'`);
    try {
      await database.rows(`GRANT ALL ON \`${database.name}\`.* TO '${name}'@'%'`);
      const storage = MySQLSessionStorage.withCredentials(
        SERVER.host,
        database.name,
        name,
        password,
      );
      database.keep(storage);
      await storage.ready;
      const stranger = MySQLSessionStorage.withCredentials(
        SERVER.host,
        database.name,
        name,
        'wrong-password',
      );
      database.keep(stranger);
      await expect(stranger.ready).rejects.toMatchObject({
        message: expect.stringMatching(/could not .*: ER_ACCESS_DENIED_ERROR\./),
      });
      await expect(stranger.ready).rejects.not.toThrow(/wrong-password/);
    } finally {
      await database.rows(`DROP USER '${name}'@'%'`);
    }
  });

  it('takes the parameters of the URL, and encrypts when they ask for it', async () => {
    const named = new MySQLSessionStorage(
      database.url('?connectAttributes={"program_name":"a%20test"}&connectionLimit=3'),
      {
        connectionPoolLimit: 2,
      },
    );
    database.keep(named);
    await named.ready;
    await Promise.all(Array.from({ length: 8 }, () => named.loadSession('x')));
    expect(
      await database.rows('SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ?', [
        database.name,
      ]),
    ).toHaveLength(3);
    const encrypted = new MySQLSessionStorage(database.url('?ssl-mode=REQUIRED'));
    database.keep(encrypted);
    // The server of these tests has no certificate.
    await expect(encrypted.ready).rejects.toMatchObject({
      message: expect.stringContaining('secure connection'),
      cause: { code: 'HANDSHAKE_NO_SSL_SUPPORT' },
    });
  });

  it('says which column refuses a session, and nothing of what is in it', async () => {
    const storage = database.open();
    const session = new Session({ ...SESSION, id: 'i'.repeat(300), accessToken: 'very-secret' });
    const error = await storage.storeSession(session).catch((error: unknown) => error);
    expect(error).toMatchObject({
      code: 'ERR_SESSION_STORAGE',
      message: `MySQL at ${SERVER.host}/${database.name} could not store a session: ER_DATA_TOO_LONG (column id).`,
      cause: { code: 'ER_DATA_TOO_LONG' },
    });
    expect(JSON.stringify(Object.entries((error as Error).cause as Error))).not.toContain(
      'very-secret',
    );
  });

  it('opens again after it was closed', async () => {
    const storage = database.open();
    await storage.storeSession(SESSION);
    await storage.companions.lock.take('name', 'a', 60_000);
    await storage.close();
    await storage.disconnect();
    expect(await storage.loadSession(SESSION.id)).toBeDefined();
    expect(await storage.companions.lock.renew('name', 'a', 60_000)).toBe(true);
  });

  it('leaves no connection behind when it is closed while calls wait for one', async () => {
    const storage = database.open({ connectionPoolLimit: 1 });
    // The second time deliveries are known, which takes more trips.
    await Promise.all(callsUnderWay(storage));
    const calls = callsUnderWay(storage);
    await storage.close();
    expect(await failuresOf(calls)).toEqual([]);
    const others =
      'SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ? AND ID <> CONNECTION_ID()';
    await eventually(async () => expect(await database.rows(others, [database.name])).toEqual([]));
  });

  it('forgets deliveries a week after they are done', async () => {
    const deliveries = 'shopify_sessions_records';
    const [old, recent] = ['old', 'recent'].map((webhookId) => ({
      app: 'app',
      shop: 'shop',
      webhookId,
    }));
    const { inbox } = database.open().companions;
    for (const key of [old!, recent!]) {
      const claim = await inbox.claim(key, 60_000);
      if (claim.state === 'claimed') await inbox.complete(key, claim.token);
      if (key === old)
        await database.rows(`UPDATE ${deliveries} SET expires = expires - ?`, [
          7 * 24 * 60 * 60 * 1000,
        ]);
    }
    expect(await inbox.claim(recent!, 60_000)).toEqual({ state: 'done' });
    // Another process has not tidied up yet.
    const another = database.open().companions.inbox;
    expect(await another.claim(recent!, 60_000)).toEqual({ state: 'done' });
    while ((await database.rows(`SELECT id FROM ${deliveries}`)).length > 1)
      await systemClock.sleep(5);
    expect(await another.claim(old!, 60_000)).toMatchObject({ state: 'claimed', handled: [] });
  });
});

describe('a pool of the app', () => {
  useDatabases();

  it.each([
    ['with callbacks', createPool],
    ['with promises', createPromisePool],
  ])('%s is used, however it shapes rows, and is left open', async (_, create) => {
    const pool = create({
      uri: database.url(),
      connectionLimit: 1,
      rowsAsArray: true,
      typeCast: () => 'cast',
      namedPlaceholders: true,
    });
    try {
      const storage = new MySQLSessionStorage(pool);
      await storage.storeSession(SESSION);
      const { lock } = storage.companions;
      expect(await lock.take('name', 'a', 60_000)).toBe(true);
      expect((await storage.loadSession(SESSION.id))?.toObject()).toEqual(SESSION.toObject());
      expect(await lock.renew('name', 'a', 60_000)).toBe(true);
      await storage.close();
      expect(await database.open().companions.lock.take('name', 'b', 60_000)).toBe(false);
      expect(await storage.loadSession(SESSION.id)).toBeDefined();
    } finally {
      await new Promise<void>(
        (resolve) => void Promise.resolve(pool.end(() => resolve())).then(() => resolve()),
      );
    }
  });
});

describe('connections that are lost', () => {
  useDatabases();

  const kill = async (): Promise<void> => {
    const connections = await database.rows(
      'SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ? AND ID <> CONNECTION_ID()',
      [database.name],
    );
    expect(connections.length).toBeGreaterThan(0);
    for (const { ID } of connections) await database.rows(`KILL ${String(ID)}`);
  };

  it('are replaced, and nothing that was locked over them is lost', async () => {
    const storage = database.open();
    const { lock } = storage.companions;
    await storage.storeSession(SESSION);
    await lock.take('name', 'a', 60_000);
    await lock.take('other', 'a', 60_000);
    await kill();
    await eventually(async () =>
      expect((await storage.loadSession(SESSION.id))?.id).toBe(SESSION.id),
    );
    expect(await lock.renew('name', 'a', 60_000)).toBe(true);
    const rival = database.open().companions.lock;
    expect(await rival.take('name', 'b', 60_000)).toBe(false);
    await lock.release('name', 'a');
    expect(await rival.take('name', 'b', 60_000)).toBe(true);
    expect(await lock.renew('other', 'a', 60_000)).toBe(true);
  });
});

/** Tries again until it holds, for ten seconds. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + 10_000; ; await systemClock.sleep(20)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
