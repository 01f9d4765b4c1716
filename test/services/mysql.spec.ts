import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool } from 'mysql2';
import { createConnection, createPool as createPromisePool } from 'mysql2/promise';
import type { Connection, RowDataPacket } from 'mysql2/promise';

import { systemClock } from '../../lib/core/clock.js';
import { describeInstallationStore } from '../../lib/sessions/installation.store.suite.js';
import { describeLock } from '../../lib/sessions/lock.suite.js';
import { Session } from '../../lib/sessions/session.js';
import { describeSessionStorage } from '../../lib/sessions/session.storage.suite.js';
import type { StorageCompanions } from '../../lib/sessions/session.storage.js';
import { MySQLSessionStorage } from '../../lib/sessions/storages/mysql/mysql-session.storage.js';
import type { MySQLSessionStorageOptions } from '../../lib/sessions/storages/mysql/mysql-session.storage.js';
import { describeWebhookInbox } from '../../lib/sessions/webhook.inbox.suite.js';
import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';
import { startServer, stopServer } from './servers.js';

const SERVER = new URL(process.env['MYSQL_URL']!);
const SHOP = 'shop.myshopify.com';
const SESSION = new Session({
  id: `offline_${SHOP}`,
  shop: SHOP,
  state: '',
  isOnline: false,
  scope: 'read_products',
  accessToken: 'token',
});

let admin: Connection;
const storages: MySQLSessionStorage[] = [];
const databases: string[] = [];
/** Made anew for each test that does not run a suite. */
let database: string;

beforeAll(async () => {
  admin = await createConnection(SERVER.href);
});
afterEach(() => Promise.all(storages.splice(0).map((storage) => storage.close())));
afterAll(async () => {
  for (const name of databases) await admin.query('DROP DATABASE IF EXISTS ??', [name]);
  await admin.end();
});

async function createDatabase(options = ''): Promise<string> {
  const name = `shopwright-${randomUUID()}`;
  databases.push(name);
  await admin.query(`CREATE DATABASE \`${name}\` ${options}`);
  await admin.query('USE ??', [name]);
  return name;
}

function urlOf(name: string, parameters = ''): string {
  const url = new URL(`${SERVER.href.split('?')[0]}`);
  url.pathname = encodeURIComponent(name);
  url.search = parameters;
  return url.href;
}

function open(options?: MySQLSessionStorageOptions, name = database): MySQLSessionStorage {
  const storage = new MySQLSessionStorage(urlOf(name), options);
  storages.push(storage);
  return storage;
}

async function rowsOf(sql: string, values: readonly string[] = []): Promise<RowDataPacket[]> {
  const [rows] = await admin.query<RowDataPacket[]>(sql, [...values]);
  return rows.map((row) => ({ ...row }) as RowDataPacket);
}

describe('a MySQL server', () => {
  let shared: string;
  beforeAll(async () => {
    shared = await createDatabase();
  });

  const runner = { describe, it, shared: true };
  const companion =
    <Name extends keyof StorageCompanions>(name: Name) =>
    (): StorageCompanions[Name] =>
      open({}, shared).companions[name];
  describeSessionStorage('MySQLSessionStorage', () => open({}, shared), runner);
  describeLock('MySQLLock', companion('lock'), runner);
  describeInstallationStore('MySQLInstallationStore', companion('installations'), runner);
  describeWebhookInbox('MySQLWebhookInbox', companion('inbox'), runner);
});

/** As the official storage creates it today, and after its migrations. */
const OFFICIAL_TABLE = `CREATE TABLE shopify_sessions (
  id varchar(255) NOT NULL PRIMARY KEY, shop varchar(255) NOT NULL, state varchar(255) NOT NULL, isOnline tinyint NOT NULL,
  scope varchar(1024), expires integer, accessToken varchar(255), refreshToken varchar(255), refreshTokenExpires integer, userId BIGINT,
  firstName varchar(255), lastName varchar(255), email varchar(255), accountOwner tinyint, locale varchar(255), collaborator tinyint,
  emailVerified tinyint)`;
/** As its versions before 4.1 created it. */
const LEGACY_TABLE = `CREATE TABLE shopify_sessions (
  id varchar(255) NOT NULL PRIMARY KEY, shop varchar(255) NOT NULL, state varchar(255) NOT NULL, isOnline tinyint NOT NULL,
  scope varchar(255), expires integer, onlineAccessInfo varchar(255), accessToken varchar(255))`;
const OFFICIAL_MIGRATIONS = ['addRefreshTokenFields', 'addUserInfoColumns', 'migrateScopeFieldToVarchar1024'];

describe('tables of the official storage', () => {
  it.each([
    ['its own character set and collation', '', ''],
    ['a server of long ago', 'CHARACTER SET latin1 COLLATE latin1_swedish_ci', 'ENGINE=MyISAM'],
    ['row formats with no room for long keys', 'CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_ci', 'ENGINE=InnoDB ROW_FORMAT=COMPACT'],
  ])('are read as they are and upgraded in place, with %s', async (_, databaseOptions, tableOptions) => {
    database = await createDatabase(databaseOptions);
    await admin.query(`${OFFICIAL_TABLE} ${tableOptions}`);
    await admin.query(
      `INSERT INTO shopify_sessions VALUES
        ('offline_${SHOP}', '${SHOP}', '123', 0, 'read_products', 1893456000, 'access', 'refresh', 1896048000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        ('${SHOP}_9', '${SHOP}', '', 1, NULL, 0, NULL, NULL, NULL, 9025416350000, 'Zoë', 'O''Neil', 'zoe@example.com', 1, 'de', 0, 1)`,
    );
    await admin.query('CREATE TABLE shopify_sessions_migrations (migration_name varchar(255) NOT NULL PRIMARY KEY)');
    await admin.query('INSERT INTO shopify_sessions_migrations VALUES (?)', [OFFICIAL_MIGRATIONS[0]]);
    const storage = open();
    expect({ ...(await storage.loadSession(`offline_${SHOP}`)) }).toEqual({
      id: `offline_${SHOP}`,
      shop: SHOP,
      state: '123',
      isOnline: false,
      scope: 'read_products',
      accessToken: 'access',
      expires: new Date('2030-01-01T00:00:00Z'),
      refreshToken: 'refresh',
      refreshTokenExpires: new Date('2030-01-31T00:00:00Z'),
    });
    const user = {
      ...{ id: 9_025_416_350_000, first_name: 'Zoë', last_name: "O'Neil", email: 'zoe@example.com', locale: 'de' },
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
    expect(await rowsOf('SELECT migration_name AS name FROM shopify_sessions_migrations ORDER BY 1')).toEqual(
      OFFICIAL_MIGRATIONS.map((name) => ({ name })),
    );
  });

  it('keep the user of whom they have the id alone, and lose the column that has it', async () => {
    database = await createDatabase();
    await admin.query(LEGACY_TABLE);
    await admin.query(
      `INSERT INTO shopify_sessions VALUES ('online', '${SHOP}', '', 1, 'read_products', 1893456000, '9025416350000', 'access'),
        ('odd', '${SHOP}', '', 1, NULL, NULL, 'unknown', NULL), ('offline', '${SHOP}', '', 0, 'read_products', NULL, NULL, 'access')`,
    );
    const storage = open();
    expect((await storage.loadSession('online'))?.onlineAccessInfo?.associated_user).toEqual({ id: 9_025_416_350_000 });
    expect((await storage.loadSession('odd'))?.onlineAccessInfo).toBeUndefined();
    expect((await storage.loadSession('offline'))?.accessToken).toBe('access');
    expect((await rowsOf('SHOW COLUMNS FROM shopify_sessions')).map(({ Field }) => Field)).not.toContain('onlineAccessInfo');
    await storage.verify();
  });

  it('are written so that the official storage reads them: seconds, 0 and 1, nothing where nothing is known', async () => {
    database = await createDatabase();
    const storage = open();
    const times = { expires: new Date(1_893_456_000_999), refreshTokenExpires: new Date(1_896_048_000_001) };
    await storage.storeSession(new Session({ ...SESSION, ...times, refreshToken: 'refresh' }));
    const user = { id: 9, account_owner: true, email_verified: false };
    await storage.storeSession(
      new Session({ ...SESSION, id: 'online', isOnline: true, onlineAccessInfo: { associated_user: user } } as Session),
    );
    const nobody = Object.fromEntries(['firstName', 'lastName', 'email', 'locale', 'collaborator'].map((name) => [name, null]));
    expect(await rowsOf('SELECT * FROM shopify_sessions ORDER BY isOnline')).toEqual([
      {
        ...{ ...nobody, id: SESSION.id, shop: SHOP, state: '', isOnline: 0, scope: 'read_products', accessToken: 'token' },
        ...{ expires: 1_893_456_000, refreshToken: 'refresh', refreshTokenExpires: 1_896_048_000 },
        ...{ userId: null, accountOwner: null, emailVerified: null },
      },
      {
        ...{ ...nobody, id: 'online', shop: SHOP, state: '', isOnline: 1, scope: 'read_products', accessToken: 'token' },
        ...{ expires: null, refreshToken: null, refreshTokenExpires: null, userId: 9, accountOwner: 1, emailVerified: 0 },
      },
    ]);
  });

  it('are noted as migrated where the official storage was told to note it', async () => {
    database = await createDatabase();
    await open({ migratorOptions: { migrationDBIdentifier: 'my-migrations', migrationNameColumnName: 'name' } }).ready;
    expect(await rowsOf('SELECT name FROM `my-migrations` ORDER BY 1')).toEqual(OFFICIAL_MIGRATIONS.map((name) => ({ name })));
  });

  it.each([
    ['of another kind', 'CREATE TABLE shopify_sessions (id varchar(255), data text)', /no column shop, state, isOnline/],
    [
      'of an ORM',
      OFFICIAL_TABLE.replace('expires integer', 'expires timestamp NULL'),
      /its column expires is of type timestamp, not bigint/,
    ],
  ])('are not taken for them when they are %s', async (_, sql, message) => {
    database = await createDatabase();
    await admin.query(sql);
    const before = await rowsOf('SHOW CREATE TABLE shopify_sessions');
    await expect(open().ready).rejects.toMatchObject({ code: 'ERR_SESSION_STORAGE', message: expect.stringMatching(message) });
    expect(await rowsOf('SHOW CREATE TABLE shopify_sessions')).toEqual(before);
  });
});

describe('MySQLSessionStorage', () => {
  beforeEach(async () => {
    database = await createDatabase();
  });

  it('keeps the sessions of tables with unusual names in one database apart', async () => {
    const names = ['My-Sessions', 'my-sessions', 'größe `?` "of" it', 'x'.repeat(50)];
    const all = names.map((sessionTableName) => open({ sessionTableName }));
    for (const [index, storage] of all.entries()) {
      await storage.storeSession(new Session({ ...SESSION, accessToken: names[index]! }));
      expect(await storage.companions.lock.take('name', 'holder', 60_000)).toBe(true);
      await storage.verify();
    }
    for (const [index, storage] of all.entries()) {
      expect((await storage.findSessionsByShop(SHOP)).map(({ accessToken }) => accessToken)).toEqual([names[index]]);
    }
  });

  it('shares no lock with the same table of another database', async () => {
    const other = open({}, await createDatabase());
    expect(await open().companions.lock.take('name', 'a', 60_000)).toBe(true);
    expect(await other.companions.lock.take('name', 'b', 60_000)).toBe(true);
  });

  it('makes nothing when it is verified, and says which migrations, columns and keys are missing', async () => {
    await admin.query(OFFICIAL_TABLE);
    const storage = open();
    await expect(storage.verify()).rejects.toThrow(/lacks migration shopify_sessions\/sessions, .*migration shopify_sessions\/companions/);
    expect(await rowsOf('SHOW TABLES')).toHaveLength(1);
    await storage.ready;
    await storage.verify();
    await admin.query('ALTER TABLE shopify_sessions MODIFY id varchar(255) COLLATE utf8mb4_general_ci NOT NULL');
    await expect(storage.verify()).rejects.toThrow(/lacks case-sensitive ids in shopify_sessions\./);
    await admin.query(
      'ALTER TABLE shopify_sessions MODIFY id varchar(255) COLLATE utf8mb4_bin, DROP PRIMARY KEY, DROP COLUMN refreshToken',
    );
    await admin.query('DROP TABLE shopify_sessions_webhooks');
    await expect(storage.verify()).rejects.toThrow(
      /lacks key shopify_sessions.id, column shopify_sessions.refreshToken, column shopify_sessions_web/,
    );
  });

  it('finds sessions by shop, and those that expired, through an index', async () => {
    await open().ready;
    const keyOf = async (condition: string): Promise<unknown> =>
      (await rowsOf(`EXPLAIN SELECT id FROM shopify_sessions WHERE ${condition}`))[0]?.['key'];
    expect(await keyOf("shop = 'x'")).toBe('shopwright_shop');
    expect(await keyOf('isOnline = 1 AND expires > 0 AND expires < 5')).toBe('shopwright_expires');
  });

  it('deletes more than one statement takes, and no more than it was told', async () => {
    const storage = open();
    const ids = Array.from({ length: 130 }, (_, index) => `id-${index}`);
    await Promise.all([...ids, 'other'].map((id) => storage.storeSession(new Session({ ...SESSION, id }))));
    await storage.deleteSessions(ids);
    expect((await storage.findSessionsByShop(SHOP)).map(({ id }) => id)).toEqual(['other']);
  });

  it('goes on when a table it has prepared statements for is changed', async () => {
    const storage = open();
    await storage.storeSession(SESSION);
    expect(await storage.loadSession(SESSION.id)).toBeDefined();
    await admin.query('ALTER TABLE shopify_sessions ADD COLUMN note text, MODIFY scope varchar(1024) FIRST');
    expect((await storage.loadSession(SESSION.id))?.toObject()).toEqual(SESSION.toObject());
  });

  it('connects with credentials that have a meaning in a URL', async () => {
    const [name, password] = [`user@${randomUUID().slice(0, 8)}`, 'p@ss:w/rd?#%'];
    await admin.query(`CREATE USER '${name}'@'%' IDENTIFIED BY '${password}'`);
    try {
      await admin.query(`GRANT ALL ON \`${database}\`.* TO '${name}'@'%'`);
      const storage = MySQLSessionStorage.withCredentials(SERVER.host, database, name, password);
      storages.push(storage);
      await storage.ready;
      const stranger = MySQLSessionStorage.withCredentials(SERVER.host, database, name, 'wrong-password');
      storages.push(stranger);
      await expect(stranger.ready).rejects.toMatchObject({ message: expect.stringMatching(/could not .*: ER_ACCESS_DENIED_ERROR\./) });
      await expect(stranger.ready).rejects.not.toThrow(/wrong-password/);
    } finally {
      await admin.query(`DROP USER '${name}'@'%'`);
    }
  });

  it('takes the parameters of the URL, and encrypts when they ask for it', async () => {
    const named = new MySQLSessionStorage(urlOf(database, '?connectAttributes={"program_name":"a%20test"}&connectionLimit=3'), {
      connectionPoolLimit: 2,
    });
    storages.push(named);
    await named.ready;
    await Promise.all(Array.from({ length: 8 }, () => named.loadSession('x')));
    expect(await rowsOf('SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ?', [database])).toHaveLength(3);
    const encrypted = new MySQLSessionStorage(urlOf(database, '?ssl-mode=REQUIRED'));
    storages.push(encrypted);
    // The server of these tests has no certificate.
    await expect(encrypted.ready).rejects.toMatchObject({
      message: expect.stringContaining('secure connection'),
      cause: { code: 'HANDSHAKE_NO_SSL_SUPPORT' },
    });
  });

  it('says which column refuses a session, and nothing of what is in it', async () => {
    const storage = open();
    const session = new Session({ ...SESSION, id: 'i'.repeat(300), accessToken: 'very-secret' });
    const error = await storage.storeSession(session).catch((error: unknown) => error);
    expect(error).toMatchObject({
      code: 'ERR_SESSION_STORAGE',
      message: `MySQL at ${SERVER.host}/${database} could not store a session: ER_DATA_TOO_LONG (column id).`,
      cause: { code: 'ER_DATA_TOO_LONG' },
    });
    expect(JSON.stringify(Object.entries((error as Error).cause as Error))).not.toContain('very-secret');
  });

  it('opens again after it was closed', async () => {
    const storage = open();
    await storage.storeSession(SESSION);
    await storage.companions.lock.take('name', 'a', 60_000);
    await storage.close();
    await storage.disconnect();
    expect(await storage.loadSession(SESSION.id)).toBeDefined();
    expect(await storage.companions.lock.take('name', 'b', 60_000)).toBe(true);
  });

  it('forgets deliveries a week after they are done', async () => {
    const deliveries = 'shopify_sessions_webhooks';
    const [old, recent] = ['old', 'recent'].map((webhookId) => ({ app: 'app', shop: 'shop', webhookId }));
    const { inbox } = open().companions;
    for (const key of [old!, recent!]) {
      const claim = await inbox.claim(key, 60_000);
      if (claim.state === 'claimed') await inbox.complete(key, claim.token);
      if (key === old) await admin.query(`UPDATE ${deliveries} SET until = until - ?`, [7 * 24 * 60 * 60 * 1000]);
    }
    expect(await inbox.claim(recent!, 60_000)).toEqual({ state: 'done' });
    // Another process has not tidied up yet.
    const another = open().companions.inbox;
    expect(await another.claim(recent!, 60_000)).toEqual({ state: 'done' });
    while ((await rowsOf(`SELECT id FROM ${deliveries}`)).length > 1) await systemClock.sleep(5);
    expect(await another.claim(old!, 60_000)).toMatchObject({ state: 'claimed', handled: [] });
  });
});

describe('a pool of the app', () => {
  beforeEach(async () => {
    database = await createDatabase();
  });

  it.each([
    ['with callbacks', createPool],
    ['with promises', createPromisePool],
  ])('%s is used, however it shapes rows, and is left open', async (_, create) => {
    const pool = create({ uri: urlOf(database), connectionLimit: 1, rowsAsArray: true, typeCast: () => 'cast', namedPlaceholders: true });
    try {
      const storage = new MySQLSessionStorage(pool);
      await storage.storeSession(SESSION);
      const { lock } = storage.companions;
      expect(await lock.take('name', 'a', 60_000)).toBe(true);
      expect((await storage.loadSession(SESSION.id))?.toObject()).toEqual(SESSION.toObject());
      expect(await lock.renew('name', 'a', 60_000)).toBe(true);
      await storage.close();
      expect(await open().companions.lock.take('name', 'b', 60_000)).toBe(true);
      expect(await storage.loadSession(SESSION.id)).toBeDefined();
    } finally {
      await new Promise<void>((resolve) => void Promise.resolve(pool.end(() => resolve())).then(() => resolve()));
    }
  });
});

describe('connections that are lost', () => {
  beforeEach(async () => {
    database = await createDatabase();
  });

  const kill = async (): Promise<void> => {
    const connections = await rowsOf('SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ? AND ID <> CONNECTION_ID()', [database]);
    expect(connections.length).toBeGreaterThan(0);
    for (const { ID } of connections) await admin.query(`KILL ${String(ID)}`);
  };

  it('are replaced, and what was locked over them is lost', async () => {
    const storage = open();
    const { lock } = storage.companions;
    await storage.storeSession(SESSION);
    await lock.take('name', 'a', 60_000);
    await lock.take('other', 'a', 60_000);
    await kill();
    await eventually(async () => expect((await storage.loadSession(SESSION.id))?.id).toBe(SESSION.id));
    expect(await lock.renew('name', 'a', 60_000)).toBe(false);
    const rival = open().companions.lock;
    expect(await rival.take('name', 'b', 60_000)).toBe(true);
    expect(await lock.take('name', 'a', 60_000)).toBe(false);
    expect(await lock.take('other', 'c', 60_000)).toBe(true);
    await lock.release('name', 'a');
    expect(await rival.renew('name', 'b', 60_000)).toBe(true);
  });

  it('of a server that is stopped and started under load cost typed errors meanwhile, and nothing afterwards', async () => {
    const [storage, rival] = [open(), open()];
    await storage.storeSession(SESSION);
    const { lock, inbox, installations } = storage.companions;
    await lock.take('name', 'a', 60_000);
    const failures: unknown[] = [];
    let isOver = false;
    let successes = 0;
    const work = [
      () => storage.storeSession(SESSION),
      () => storage.loadSession(SESSION.id),
      () => storage.findSessionsByShop(SHOP),
      () => lock.take(randomUUID(), 'a', 60_000),
      () => inbox.claim({ app: 'app', shop: SHOP, webhookId: randomUUID() }, 1_000),
      () => installations.load('app', SHOP),
    ].map(async (call) => {
      while (!isOver) {
        await call().then(
          () => successes++,
          (error: unknown) => failures.push(error),
        );
        await systemClock.sleep(2);
      }
    });
    try {
      await stopServer('mysql');
      await eventually(async () => expect(failures.length).toBeGreaterThan(work.length));
    } finally {
      await startServer('mysql');
      admin = await createConnection(urlOf(database));
    }
    const before = successes;
    await eventually(async () => expect(successes).toBeGreaterThan(before + 50));
    isOver = true;
    await Promise.all(work);
    expect(new Set(failures.map((error) => (error as { code?: unknown }).code))).toEqual(new Set(['ERR_SESSION_STORAGE']));
    expect(await lock.renew('name', 'a', 60_000)).toBe(false);
    expect(await rival.companions.lock.take('name', 'b', 60_000)).toBe(true);
    expect((await storage.loadSession(SESSION.id))?.equals(SESSION)).toBe(true);
  });
});

describe('several processes', () => {
  let copy: Transpiled;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    copy = await transpile('lib/sessions/storages/mysql/index.ts');
    for (const [name, script] of Object.entries(SCRIPTS)) await writeFile(join(copy.folder, `${name}.mjs`), IMPORTS + script);
  });
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => copy.remove());

  function start(script: keyof typeof SCRIPTS, ...args: string[]): ChildProcess {
    const child = fork(join(copy.folder, `${script}.mjs`), [urlOf(database), ...args], { execArgv: [] });
    children.push(child);
    return child;
  }

  const messageOf = async (child: ChildProcess): Promise<unknown> => ((await once(child, 'message')) as [unknown])[0];

  it.each([
    ['an empty database', []],
    [
      'one of the official storage',
      [
        OFFICIAL_TABLE,
        `INSERT INTO shopify_sessions (id, shop, state, isOnline, accessToken) VALUES ('${SESSION.id}', '${SHOP}', '', 0, 'token')`,
      ],
    ],
  ])('are ready when six start at once on %s, and each thing is given to one of them', async (_, statements) => {
    for (const sql of statements) await admin.query(sql);
    const won = (await Promise.all(Array.from({ length: 6 }, (_none, index) => messageOf(start('starter', String(index)))))) as Record<
      string,
      boolean
    >[];
    const winners = ['name', 'record', 'delivery', 'session'].map((thing) => won.filter((outcome) => outcome[thing]).length);
    expect(winners).toEqual([1, 1, 1, statements.length > 0 ? 1 : 0]);
    expect(await rowsOf('SELECT name FROM shopwright_migrations')).toHaveLength(5);
  });

  it('give back what they have locked when they crash at once, and when they stand still after the lease', async () => {
    const { lock } = open().companions;
    const [crashing, standing] = [start('holder', 'crashing', '60000'), start('holder', 'standing', '1500')];
    expect(await Promise.all([messageOf(crashing), messageOf(standing)])).toEqual([true, true]);
    standing.kill('SIGSTOP');
    expect(await lock.take('crashing', 'b', 60_000)).toBe(false);
    expect(await lock.take('standing', 'b', 60_000)).toBe(false);
    crashing.kill('SIGKILL');
    await eventually(async () => expect(await lock.take('crashing', 'b', 60_000)).toBe(true));
    await eventually(async () => expect(await lock.take('standing', 'b', 60_000)).toBe(true));
    standing.kill('SIGCONT');
    standing.send('renew');
    expect(await messageOf(standing)).toBe(false);
  });

  it('end when their work is done, with the storage left open', async () => {
    const child = start('forgetful');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });
});

const IMPORTS = `
import { MySQLSessionStorage } from './lib/sessions/storages/mysql/index.js';
import { Session } from './lib/sessions/session.js';
const [url, ...args] = process.argv.slice(2);
const storage = new MySQLSessionStorage(url);
const { lock, installations, inbox } = storage.companions;
`;
const SCRIPTS = {
  starter: `
const shop = '${SHOP}';
const [index] = args;
await storage.ready;
await storage.verify();
const record = { app: 'app', shop, generation: 1, status: 'installed', scope: index, grantedAt: new Date(0), pending: [], version: 1 };
const previous = new Session({ id: 'offline_' + shop, shop, state: '', isOnline: false, accessToken: 'token' });
process.send({
  name: await lock.take('name', index, 60_000),
  record: await installations.save(record),
  delivery: (await inbox.claim({ app: 'app', shop, webhookId: 'w' }, 60_000)).state === 'claimed',
  session: await storage.replaceSession(new Session({ ...previous, accessToken: 'token-' + index }), previous),
});
process.once('message', () => {});
`,
  holder: `
const [name, lease] = args;
process.on('message', async () => process.send(await lock.renew(name, 'a', Number(lease))));
process.send(await lock.take(name, 'a', Number(lease)));
`,
  forgetful: `
await storage.loadSession('x');
await lock.take('name', 'a', 60_000);
process.disconnect();
`,
};

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
