import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import pg from 'pg';

import { describeRecordStore } from '../../lib/sessions/conformance/record-store.conformance.js';
import { Session } from '../../lib/sessions/session.js';
import { PostgreSQLSessionStorage } from '../../lib/sessions/storages/postgresql/postgresql-session.storage.js';
import { SHOP, offlineSession } from '../support/offline-session.js';
import { callsUnderWay, failuresOf } from '../sessions/storages/closing.suite.js';
import { describePorts } from './ports.suite.js';
import {
  POSTGRESQL,
  TABLE,
  TestDatabase,
  officialTable,
  oldestTable,
  onServer,
  urlOf,
} from './postgresql/databases.js';

describePorts(POSTGRESQL);

const SESSION = offlineSession({ accessToken: 'access-token-of-a-shop' });
let database: TestDatabase;
beforeEach(async () => {
  database = await TestDatabase.create();
});
afterEach(() => database.drop());

describeRecordStore('the records of PostgreSQL', () => database.open().records, {
  describe,
  it,
  shared: true,
});

describe('data of the official storage', () => {
  const MIGRATIONS = [
    'addUserInfoColumns',
    'migrateScopeFieldToVarchar1024',
    'migrateToCaseSensitivity',
    'migrateToRefreshTokens',
  ];
  const recorded = (
    table = 'shopify_sessions_migrations',
    column = 'migration_name',
  ): Promise<unknown[]> => database.column(`SELECT ${column} FROM ${table} ORDER BY 1`);

  const ONLINE = {
    id: `${SHOP}_3`,
    shop: SHOP,
    state: 's',
    isOnline: true,
    scope: 'read_products',
    accessToken: 'official',
    expires: new Date(1767323045_000),
    refreshToken: 'refresh',
    refreshTokenExpires: new Date(1767323045_678),
    onlineAccessInfo: {
      associated_user: {
        id: 9_025_416_350_000,
        first_name: 'Ann',
        account_owner: true,
        collaborator: false,
      },
    },
  };
  const OFFICIAL_ROW = `INSERT INTO "${TABLE}" ("id", "shop", "state", "isOnline", "scope", "accessToken", "expires", "refreshToken", "refreshTokenExpires",
    "userId", "firstName", "accountOwner", "collaborator")
    VALUES ('${SHOP}_3', '${SHOP}', 's', true, 'read_products', 'official', 1767323045, 'refresh', 1767323045678, 9025416350000, 'Ann', true, false)`;
  const LEGACY_ROWS = `VALUES ('${SHOP}_77', '${SHOP}', '', true, 'read_products', 1767323045, '77', 'old'),
    ('${SESSION.id}', '${SHOP}', '', false, 'read_products', NULL, NULL, '${SESSION.accessToken}')`;
  const LEGACY_SESSIONS = [
    SESSION.toObject(),
    {
      id: `${SHOP}_77`,
      shop: SHOP,
      state: '',
      isOnline: true,
      scope: 'read_products',
      accessToken: 'old',
      expires: new Date(1767323045_000),
      onlineAccessInfo: { associated_user: { id: 77 } },
    },
  ];

  async function allOf(storage: PostgreSQLSessionStorage): Promise<unknown[]> {
    return (await storage.listSessions({ limit: 10 })).map((session) => session.toObject());
  }

  it('is read as it is, and its columns are widened', async () => {
    await database.rows(officialTable());
    await database.rows(OFFICIAL_ROW);
    expect(await allOf(database.open())).toEqual([ONLINE]);
    expect(await database.types()).toMatchObject({
      id: 'text',
      scope: 'text',
      accessToken: 'text',
      expires: 'bigint',
      isOnline: 'boolean',
    });
    expect(Object.values(await database.types())).not.toContain('character varying');
    expect(await recorded()).toEqual(MIGRATIONS);
  });

  it('is written as the official storage reads it: one time in seconds, the other in milliseconds', async () => {
    await database
      .open()
      .storeSession(new Session({ ...ONLINE, expires: new Date(1767323045_678) }));
    expect(await database.rows(`SELECT * FROM "${TABLE}"`)).toEqual([
      {
        ...{
          id: ONLINE.id,
          shop: SHOP,
          state: 's',
          isOnline: true,
          scope: 'read_products',
          accessToken: 'official',
        },
        ...{
          expires: '1767323045',
          refreshToken: 'refresh',
          refreshTokenExpires: '1767323045678',
          userId: '9025416350000',
        },
        ...{
          firstName: 'Ann',
          lastName: null,
          email: null,
          accountOwner: true,
          locale: null,
          collaborator: false,
          emailVerified: null,
        },
      },
    ]);
  });

  it('is brought up to date from the first version, whose columns were folded to lower case', async () => {
    await database.rows(oldestTable());
    await database.rows(`INSERT INTO ${TABLE} ${LEGACY_ROWS}`);
    const storage = database.open();
    expect(await allOf(storage)).toEqual(LEGACY_SESSIONS);
    await storage.storeSession(new Session({ ...SESSION, refreshToken: 'new' }));
    expect((await storage.loadSession(SESSION.id))?.refreshToken).toBe('new');
    expect(Object.keys(await database.types())).not.toContain('onlineaccessinfo');
    await storage.verify();
  });

  it('is brought up to date from the versions that kept the id of a user alone', async () => {
    await database.rows(`CREATE TABLE "${TABLE}" ("id" varchar(255) NOT NULL PRIMARY KEY, "shop" varchar(255) NOT NULL, "state" varchar(255) NOT NULL,
      "isOnline" boolean NOT NULL, "scope" varchar(1024), "expires" integer, "onlineAccessInfo" varchar(255), "accessToken" varchar(255))`);
    await database.rows(
      `INSERT INTO "${TABLE}" ${LEGACY_ROWS}, ('odd', '${SHOP}', '', true, NULL, NULL, 'no number', NULL)`,
    );
    expect(await allOf(database.open())).toEqual([
      {
        id: 'odd',
        shop: SHOP,
        state: '',
        isOnline: true,
        onlineAccessInfo: { associated_user: {} },
      },
      ...LEGACY_SESSIONS,
    ]);
  });

  it('moves to a table name with capitals from the table that was folded to lower case', async () => {
    await database.rows(oldestTable('My_Sessions'));
    await database.rows(`INSERT INTO my_sessions ${LEGACY_ROWS}`);
    expect(await allOf(database.open({ sessionTableName: 'My_Sessions' }))).toEqual(
      LEGACY_SESSIONS,
    );
    expect(await database.types('my_sessions')).toEqual({});
  });

  it('is not looked for in a table of somebody else whose name differs in case alone', async () => {
    await database.rows(`CREATE TABLE session (id varchar(255) PRIMARY KEY, shop varchar(255), state varchar(255), isonline boolean, scope varchar(255),
      expires integer, onlineaccessinfo varchar(255), accesstoken varchar(255), cart jsonb)`);
    await database.rows(
      `INSERT INTO session VALUES ('theirs', 'x', '', false, NULL, NULL, NULL, NULL, '{}')`,
    );
    const storage = database.open({ sessionTableName: 'Session' });
    await storage.storeSession(SESSION);
    expect(await allOf(storage)).toEqual([SESSION.toObject()]);
    expect(await database.column('SELECT id FROM session')).toEqual(['theirs']);
  });

  it('keeps its rows where a migration of it was left half-way', async () => {
    await database.rows(oldestTable('my_sessions'));
    await database.rows(`INSERT INTO my_sessions ${LEGACY_ROWS}`);
    await database.rows(officialTable('"My_Sessions"'));
    await database.rows(
      `INSERT INTO "My_Sessions" (id, shop, state, "isOnline", "accessToken") VALUES ('${SESSION.id}', '${SHOP}', '', false, 'newer')`,
    );
    const storage = database.open({ sessionTableName: 'My_Sessions' });
    expect((await storage.loadSession(SESSION.id))?.accessToken).toBe('newer');
    expect(await storage.findSessionsByShop(SHOP)).toHaveLength(2);
  });

  it('notes what it has done where it was told to note it', async () => {
    await database.open({
      migratorOptions: { migrationDBIdentifier: 'My_Migrations', migrationNameColumnName: 'Name' },
    }).ready;
    expect(await recorded('my_migrations', 'name')).toEqual(MIGRATIONS);
  });

  it('is left alone where it is no table of sessions', async () => {
    await database.rows('CREATE TABLE customers (id serial PRIMARY KEY, shop text, state text)');
    await expect(database.open({ sessionTableName: 'customers' }).ready).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
      message: 'The table customers is no table of sessions: it has no column isOnline.',
    });
    await database.rows(
      'CREATE TABLE session (id text PRIMARY KEY, shop text, state text, "isOnline" boolean, expires timestamp)',
    );
    await expect(database.open({ sessionTableName: 'session' }).ready).rejects.toThrow(
      /column expires is of type timestamp without time zone/,
    );
    expect(await database.types('customers')).toEqual({
      id: 'integer',
      shop: 'text',
      state: 'text',
    });
    expect(await database.types('shopwright_migrations')).toEqual({});
  });
});

describe('the tables', () => {
  it('are found, and made, through the search path of the connection', async () => {
    await database.rows('CREATE SCHEMA app');
    await database.rows(officialTable('app.shopify_sessions'));
    await database.rows(officialTable('public.shopify_sessions'));
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=app,public');
    const storage = database.open({}, url);
    await storage.storeSession(SESSION);
    await storage.verify();
    expect(await database.column('SELECT id FROM app.shopify_sessions')).toEqual([SESSION.id]);
    expect(await database.column('SELECT id FROM public.shopify_sessions')).toEqual([]);
    expect(
      await database.column("SELECT tablename FROM pg_tables WHERE schemaname = 'app' ORDER BY 1"),
    ).toEqual([
      'shopify_sessions',
      'shopify_sessions_migrations',
      'shopify_sessions_records',
      'shopwright_migrations',
    ]);
    // Of those of the other schema nothing has been done.
    const other = database.open();
    await expect(other.verify()).rejects.toThrow('migration shopify_sessions/sessions');
    expect(await other.loadSession(SESSION.id)).toBeUndefined();
  });

  it('of different names are kept apart, whatever characters they have', async () => {
    const names = [TABLE, 'my-sessions', 'My "Sessions"', 'größe.sessions'];
    const storages = names.map((sessionTableName) => database.open({ sessionTableName }));
    const scope = 'x'.repeat(2000);
    await Promise.all(
      storages.map((storage, index) =>
        storage.storeSession(new Session({ ...SESSION, scope, accessToken: `${index}` })),
      ),
    );
    const stored = await Promise.all(storages.map((storage) => storage.findSessionsByShop(SHOP)));
    expect(stored.map((sessions) => sessions.map(({ accessToken }) => accessToken))).toEqual([
      ['0'],
      ['1'],
      ['2'],
      ['3'],
    ]);
    for (const storage of storages) {
      await storage.verify();
      expect(await storage.companions.lock.take('name', 'holder', 60_000)).toBe(true);
    }
  });

  it.each(['serializable', 'repeatable read'])(
    'are made once by several that begin at once, where transactions are %s by default',
    async (isolation) => {
      await onServer(
        `ALTER DATABASE "${database.name}" SET default_transaction_isolation = '${isolation}'`,
      );
      const storages = Array.from({ length: 6 }, () => database.open());
      const opened = await Promise.allSettled(storages.map((storage) => storage.ready));
      expect(opened.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'));
      expect(await storages[0]!.storeSession(SESSION)).toBe(true);
    },
  );

  it('are searched by index', async () => {
    await database.open().ready;
    await database.rows('SET enable_seqscan = off');
    const planOf = async (condition: string): Promise<string> =>
      (await database.column(`EXPLAIN SELECT * FROM "${TABLE}" WHERE ${condition}`)).join('\n');
    expect(await planOf("shop = 'x'")).toContain(`${TABLE}_shop_idx`);
    expect(await planOf("id >= 'x' ORDER BY id LIMIT 3")).toMatch(
      /Limit[^]*Index Scan using shopify_sessions_pkey/,
    );
    expect(await planOf("id >= 'x' ORDER BY id LIMIT 3")).not.toContain('Sort');
  });

  it('are verified: what is missing is named, and nothing is made', async () => {
    const storage = database.open();
    await expect(storage.verify()).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
      message: expect.stringMatching(
        /^The table shopify_sessions lacks migration shopify_sessions\/sessions, .*await storage\.ready/,
      ),
    });
    expect(await database.types()).toEqual({});
    await storage.ready;
    await storage.verify();
    await database.rows(
      `ALTER TABLE "${TABLE}" DROP COLUMN "refreshToken", DROP CONSTRAINT shopify_sessions_pkey`,
    );
    await database.rows(`DROP TABLE shopify_sessions_records`);
    await expect(storage.verify()).rejects.toThrow(
      /lacks key shopify_sessions\.id, column shopify_sessions\.refreshToken, column shopify_sessions_records\.kind/,
    );
  });

  it('need no right to change tables once they are there', async () => {
    await database.open().ready;
    const role = `reader_${database.name}`;
    await onServer(`CREATE ROLE "${role}" LOGIN PASSWORD 'p'`);
    try {
      await database.rows(
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "${role}"`,
      );
      const url = Object.assign(new URL(database.url), {
        username: encodeURIComponent(role),
        password: 'p',
      });
      const storage = database.open({}, url);
      await storage.storeSession(SESSION);
      expect(await storage.loadSession(SESSION.id)).toBeDefined();
      await storage.close();
    } finally {
      await database.rows(`DROP OWNED BY "${role}"`);
      await onServer(`DROP ROLE "${role}"`);
    }
  });
});

describe('a PostgreSQL connection', () => {
  it('is made of credentials and a database name with special characters', async () => {
    const [role, name] = [`us&r#1 ${database.name}`, `shop&t/st ä ${database.name.slice(-8)}`];
    await onServer(
      `CREATE ROLE "${role}" LOGIN PASSWORD 'p#ss/w%rd'`,
      `CREATE DATABASE "${name}" OWNER "${role}"`,
    );
    const storage = PostgreSQLSessionStorage.withCredentials(
      database.url.host,
      name,
      role,
      'p#ss/w%rd',
    );
    try {
      await storage.storeSession(SESSION);
      expect(await storage.loadSession(SESSION.id)).toBeDefined();
    } finally {
      await storage.close();
      await onServer(`DROP DATABASE "${name}" WITH (FORCE)`, `DROP ROLE "${role}"`);
    }
  });

  it('takes the parameters of the URL and the options of the pool', async () => {
    const url = new URL(database.url);
    url.searchParams.set('application_name', 'from-url');
    const storage = database.open(
      { pool: { max: 1, application_name: 'from-options', statement_timeout: 1234 } },
      url,
    );
    await storage.storeSession(SESSION);
    expect(
      await database.column(
        "SELECT application_name FROM pg_stat_activity WHERE query LIKE 'INSERT%' AND datname = current_database()",
      ),
    ).toEqual(['from-url']);
    // This server speaks no TLS: who asks for it must not be served without.
    url.searchParams.set('sslmode', 'verify-full');
    await expect(database.open({}, url).ready).rejects.toThrow(/does not support SSL/);
  });

  it('is the one of a pool that was passed, which stays open', async () => {
    const pool = new pg.Pool({
      host: database.url.hostname,
      port: Number(database.url.port),
      user: 'postgres',
      password: 'p',
      database: database.name,
      max: 1,
    });
    const storage = database.keep(new PostgreSQLSessionStorage(pool));
    await storage.storeSession(SESSION);
    // A lock that is held keeps nobody from the only connection.
    expect(await storage.companions.lock.take('name', 'holder', 60_000)).toBe(true);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await storage.close();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(await storage.loadSession(SESSION.id)).toBeDefined();
    await storage.close();
    await pool.end();
  });

  it('works behind a pooler that knows nothing of prepared statements', async () => {
    const pool = new pg.Pool({ connectionString: database.url.href, max: 1 });
    const storage = database.keep(new PostgreSQLSessionStorage(pool));
    await storage.storeSession(SESSION);
    await storage.loadSession(SESSION.id);
    await pool.query('DEALLOCATE ALL');
    expect(await storage.loadSession(SESSION.id)).toBeDefined();
    await storage.storeSession(SESSION);
    await storage.close();
    await pool.end();
  });

  it('that is cut is replaced, and nothing that was locked over it is lost', async () => {
    const storage = database.open();
    const { lock } = storage.companions;
    await Promise.all(Array.from({ length: 5 }, () => storage.findSessionsByShop(SHOP)));
    expect(await lock.take('name', 'holder', 60_000)).toBe(true);
    await database.cutConnections();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => storage.loadSession(SESSION.id)),
    );
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'ERR_SESSION_STORAGE' });
    // The pool learns of each cut connection a moment later.
    while (!(await storage.storeSession(SESSION).catch(() => false)));
    expect(await storage.loadSession(SESSION.id)).toBeDefined();
    expect(await lock.take('name', 'another', 60_000)).toBe(false);
    expect(await lock.renew('name', 'holder', 60_000)).toBe(true);
  });

  it('is opened again after it was closed', async () => {
    const storage = database.open();
    await storage.storeSession(SESSION);
    expect(await storage.companions.lock.take('name', 'holder', 60_000)).toBe(true);
    await storage.disconnect();
    await storage.disconnect();
    expect(await storage.companions.lock.renew('name', 'holder', 60_000)).toBe(true);
    expect(await storage.loadSession(SESSION.id)).toBeDefined();
  });

  // Calls that waited for a connection of the pool were never answered.
  it('is left open by nobody when the storage is closed while calls wait for one', async () => {
    const storage = database.open({ pool: { max: 1 } });
    // The second time deliveries are known, which takes more trips.
    await Promise.all(callsUnderWay(storage));
    const calls = callsUnderWay(storage);
    await storage.close();
    expect(await failuresOf(calls)).toEqual([]);
    const others =
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    expect(await database.column(others)).toEqual([]);
  });

  it('is tried again by the next call when it could not be made', async () => {
    const name = `later-${database.name.slice(-12)}`;
    const storage = database.open({}, urlOf(name));
    await expect(storage.ready).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
      message: expect.stringContaining(`/${name} could not set up`),
    });
    await expect(storage.companions.lock.take('name', 'holder', 1000)).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
    });
    await onServer(`CREATE DATABASE "${name}"`);
    try {
      await storage.storeSession(SESSION);
      expect(await storage.companions.lock.take('name', 'holder', 1000)).toBe(true);
      await storage.close();
    } finally {
      await onServer(`DROP DATABASE "${name}" WITH (FORCE)`);
    }
  });
});

describe('sessions in PostgreSQL', () => {
  it('that are asked for by several at once are not shared among them', async () => {
    const storage = database.open();
    await storage.storeSession(SESSION);
    const sessions = await Promise.all(
      Array.from({ length: 10 }, () => storage.loadSession(SESSION.id)),
    );
    expect(new Set(sessions).size).toBe(10);
    expect(sessions.every((session) => session?.equals(SESSION))).toBe(true);
  });

  it('of one id are stored in the order they were given, as they were then', async () => {
    const storage = database.open();
    const session = new Session({ ...SESSION });
    const stores = Array.from({ length: 30 }, (_, index) => {
      session.accessToken = `token-${index}`;
      return storage.storeSession(session);
    });
    session.accessToken = 'changed afterwards';
    expect(await Promise.all(stores)).toEqual(Array(30).fill(true));
    expect((await storage.loadSession(SESSION.id))?.accessToken).toBe('token-29');
  });

  it('that are refused do not keep others from being stored, and do not show in the error', async () => {
    const storage = database.open();
    await storage.ready;
    const secret = 'shpat_secret-of-a-shop';
    const sessions = Array.from(
      { length: 9 },
      (_, index) => new Session({ ...SESSION, id: `${index}`, accessToken: secret }),
    );
    sessions[2]!.state = undefined as unknown as string;
    sessions[5]!.scope = 'cut\0off';
    const outcomes = await Promise.allSettled(
      sessions.map((session) => storage.storeSession(session)),
    );
    expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual(
      [2, 5],
    );
    expect(await storage.findSessionsByShop(SHOP)).toHaveLength(7);
    for (const outcome of [outcomes[2], outcomes[5]]) {
      const { reason } = outcome as PromiseRejectedResult;
      expect(reason).toMatchObject({
        code: 'ERR_SESSION_STORAGE',
        message: expect.stringContaining('could not store a session'),
      });
      expect(inspect(reason, { depth: 9, showHidden: true })).not.toContain('secret');
    }
  });

  describe('while somebody else has some of them', () => {
    let client: pg.Client;
    beforeEach(async () => {
      client = new pg.Client({ connectionString: database.url.href });
      await client.connect();
      await database.open().ready;
      // In the order in which the table has them.
      for (const id of ['c', 'b', 'a'])
        await database.rows(
          `INSERT INTO "${TABLE}" (id, shop, state, "isOnline", expires) VALUES ($1, '${SHOP}', '', true, 1600000000)`,
          [id],
        );
      await client.query(
        `BEGIN; SET LOCAL deadlock_timeout = '1min'; SELECT FROM "${TABLE}" WHERE id = 'b' FOR UPDATE`,
      );
    });
    afterEach(() => client.end());

    /** Resolves when another connection waits for a row. */
    async function somebodyWaits(): Promise<void> {
      const waiting =
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      while ((await database.rows(waiting)).length === 0)
        await new Promise((resolve) => setImmediate(resolve));
    }

    it('are deleted in the order in which they are stored', async () => {
      const deleted = database.open().deleteSessions(['c', 'a', 'b']);
      await somebodyWaits();
      expect(await database.column(`SELECT id FROM "${TABLE}" FOR UPDATE SKIP LOCKED`)).toEqual([
        'c',
      ]);
      await client.query('COMMIT');
      expect(await deleted).toBe(true);
      expect(await database.rows(`SELECT FROM "${TABLE}"`)).toEqual([]);
    });

    // Up to a hundred sessions of unrelated shops failed with the one that was in the way.
    it('are tried again when the server undoes a statement in favour of another', async () => {
      const storage = database.open();
      const deleted = storage.deleteSessions(['a', 'b']);
      await somebodyWaits();
      await client.query(`UPDATE "${TABLE}" SET state = 'new' WHERE id = 'a'; COMMIT`);
      expect(await deleted).toBe(true);
      expect(await database.column(`SELECT id FROM "${TABLE}"`)).toEqual(['c']);
    });

    it('are swept a thousand at a time, but for those', async () => {
      await database.rows(`INSERT INTO "${TABLE}" (id, shop, state, "isOnline", expires)
        SELECT number, '${SHOP}', '', true, 1600000000 FROM generate_series(1, 2500) AS number`);
      await database.rows('CREATE TABLE parts (size integer)');
      await database.rows(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN INSERT INTO parts SELECT count(*) FROM deleted; RETURN NULL; END'`);
      await database.rows(
        `CREATE TRIGGER noted AFTER DELETE ON "${TABLE}" REFERENCING OLD TABLE AS deleted EXECUTE FUNCTION note()`,
      );
      expect(await database.open().deleteExpiredSessions(new Date())).toBe(2502);
      expect(await database.column('SELECT size FROM parts')).toEqual([1000, 1000, 502]);
      expect(await database.column(`SELECT id FROM "${TABLE}"`)).toEqual(['b']);
    });
  });

  it('are asked for by ids that are texts, whatever they are', async () => {
    const storage = database.open();
    await storage.storeSession(SESSION);
    expect(await storage.loadSession({ $ne: null } as never)).toBeUndefined();
    await expect(storage.loadSession('offline\0')).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
    });
    await storage.deleteSessions([{ toString: () => SESSION.id }] as never);
    expect(await storage.loadSession(SESSION.id)).toBeUndefined();
  });
});

describe('deliveries in PostgreSQL', () => {
  it('are forgotten seven days after they were done, or last claimed', async () => {
    const age = (what: string): Promise<unknown> =>
      database.rows(
        `UPDATE shopify_sessions_records SET
           lease_end = lease_end - extract(epoch from interval '${what}') * 1000,
           expires = expires - extract(epoch from interval '${what}') * 1000`,
      );
    const keyOf = (webhookId: string) => ({ app: 'app', shop: SHOP, webhookId });
    const { inbox } = database.open().companions;
    for (const webhookId of ['done', 'failed']) {
      const claim = await inbox.claim(keyOf(webhookId), 60_000);
      if (claim.state !== 'claimed') throw new Error(claim.state);
      if (webhookId === 'done') await inbox.complete(keyOf(webhookId), claim.token);
      else await inbox.release(keyOf(webhookId), claim.token, ['first']);
    }
    const [lease] = await database.column(
      `SELECT to_timestamp(expires / 1000.0) - now() > interval '6 days 23 hours'
       FROM shopify_sessions_records WHERE state = 'done'`,
    );
    expect(lease).toBe(true);
    const idsAfterNewcomer = async (left: number): Promise<unknown[]> => {
      // Each process tidies up at its first claim.
      await database.open().companions.inbox.claim(keyOf('newcomer'), 60_000);
      while ((await database.rows('SELECT FROM shopify_sessions_records')).length > left)
        await new Promise((resolve) => setImmediate(resolve));
      return database.column('SELECT state FROM shopify_sessions_records ORDER BY expires');
    };
    await age('6 days');
    expect(await idsAfterNewcomer(3)).toEqual(['done', null, null]);
    await age('1 day');
    expect(await idsAfterNewcomer(1)).toEqual([null]);
    expect(await inbox.claim(keyOf('failed'), 60_000)).toMatchObject({
      state: 'claimed',
      handled: [],
    });
  });
});
