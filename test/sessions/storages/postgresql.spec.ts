import { afterEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import pg from 'pg';

import { Session } from '../../../lib/sessions/session.js';
import type { Installation } from '../../../lib/sessions/coordination/installation.store.js';
import { PostgreSQLSessionStorage } from '../../../lib/sessions/storages/postgresql/index.js';
import type { PostgreSQLPoolLike } from '../../../lib/sessions/storages/postgresql/index.js';
import { postgresqlServer } from '../../../lib/sessions/storages/postgresql/postgresql-engine.js';
import { sqlServerEngine } from '../../../lib/sessions/storages/sql/sql-server-engine.js';
import type { SqlResult } from '../../../lib/sessions/storages/sql/sql.dialect.js';
import { transpile } from '../../support/transpile.js';
import { FastClock } from './fast.clock.js';

const run = promisify(execFile);
const SESSION = new Session({
  id: 'offline_shop.myshopify.com',
  shop: 'shop.myshopify.com',
  state: '',
  isOnline: false,
  accessToken: 'token',
});

const sockets = new Set<Socket>();
let server: Server | undefined;
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

/** A port that is listened to by somebody who never says a word. */
async function silentPort(): Promise<number> {
  server = createServer((socket) =>
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {})),
  );
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A port that nobody listens to. */
async function closedPort(): Promise<number> {
  const port = await silentPort();
  await new Promise((resolve) => server!.close(resolve));
  server = undefined;
  return port;
}

describe('a PostgreSQL storage', () => {
  it.each([
    ['', 'PostgreSQL storage needs a URL'],
    ['no url', 'PostgreSQL storage needs a URL'],
    ['mysql://user:secret@localhost/app', 'PostgreSQL storage needs a URL'],
    ['postgres://user:secret@local host:x/app', 'PostgreSQL storage needs a URL'],
    [new URL('https://user:secret@localhost/'), 'PostgreSQL storage needs a URL'],
    [undefined, 'PostgreSQL storage needs a URL'],
    [null, 'PostgreSQL storage needs a URL'],
    [{ query: () => {} }, 'PostgreSQL storage needs a URL'],
  ])('is refused for %p, at once and without showing it', (url, message) => {
    const open = (): unknown => new PostgreSQLSessionStorage(url as unknown as string);
    expect(open).toThrow(
      expect.objectContaining({
        code: 'ERR_ARGUMENT_MISSING',
        message: expect.stringContaining(message),
      }),
    );
    expect(open).not.toThrow(/secret/);
  });

  it('is refused a name of a table that the server would cut off', () => {
    const open = (sessionTableName: string): unknown =>
      new PostgreSQLSessionStorage('postgres://localhost/app', { sessionTableName });
    for (const name of ['', 'x'.repeat(56), 'ü'.repeat(28)])
      expect(() => open(name)).toThrow(/sessionTableName of 1 to 55 bytes/);
    expect(open('x'.repeat(55))).toBeInstanceOf(PostgreSQLSessionStorage);
  });

  it.each(['40001', '40P01'])(
    'sends a statement again that the server has rolled back with %s, five times at most',
    async (code) => {
      let failures = 4;
      let sent = 0;
      const query = async (): Promise<unknown> => {
        sent++;
        if (failures-- > 0) throw Object.assign(new Error('rolled back'), { code });
        return { rows: [], rowCount: 1 };
      };
      const client = { query, release: () => {}, on: () => {}, off: () => {} };
      const pool = Object.assign(new pg.Pool(), { connect: () => Promise.resolve(client) });
      const options = { clock: new FastClock() };
      const given = postgresqlServer(pool, undefined, options);
      const { server } = await sqlServerEngine(given, options).reach();
      const write = (): Promise<SqlResult> => server.run('UPDATE t SET c = 1', []);
      expect(await write()).toMatchObject({ changes: 1 });
      expect(sent).toBe(5);
      failures = 5;
      await expect(write()).rejects.toThrow('rolled back');
      expect(sent).toBe(10);
    },
  );

  it('takes the pools of the driver', () => {
    const pool: PostgreSQLPoolLike = new pg.Pool();
    expect(new PostgreSQLSessionStorage(pool).companions).toBeDefined();
  });

  it.each([
    ['ten seconds', {}, 10_000],
    ['as long as the pool says', { query_timeout: 1_234 }, 1_234],
  ])(
    'waits %s for an answer to what it asks a pool of the app, tables it only looks at included',
    async (_, options, limit) => {
      // Answers as a server whose tables nobody has made, and keeps what it was asked.
      const asked: { readonly query_timeout?: number }[] = [];
      const query = (statement: {
        readonly text: string;
        readonly query_timeout?: number;
      }): Promise<unknown> => {
        asked.push(statement);
        return Promise.resolve({
          rows: statement.text.includes('current_schema') ? [{ cells: '["public"]' }] : [],
          rowCount: 0,
        });
      };
      const client = { query, release: () => {}, on: () => {}, off: () => {} };
      const pool = Object.assign(new pg.Pool(options), { connect: () => Promise.resolve(client) });
      const storage = new PostgreSQLSessionStorage(pool as unknown as PostgreSQLPoolLike);
      await expect(storage.verify()).rejects.toThrow('lacks migration shopify_sessions/sessions');
      expect(asked.length).toBeGreaterThan(1);
      expect(asked.map(({ query_timeout }) => query_timeout)).toEqual(asked.map(() => limit));
      asked.length = 0;
      await storage.ready;
      expect(asked.filter(({ query_timeout }) => query_timeout === undefined)).toEqual([]);
    },
  );

  // A pool of the driver waits for ever unless it is told otherwise.
  it('waits five seconds for a connection of a pool of the app, and gives back one that comes later', async () => {
    let [connect, released] = [(_: unknown): void => {}, 0];
    const client = { release: () => released++, on: () => {}, off: () => {} };
    const pool = Object.assign(new pg.Pool(), {
      connect: () => new Promise((resolve) => (connect = resolve)),
    });
    const storage = new PostgreSQLSessionStorage(pool as unknown as PostgreSQLPoolLike, {
      clock: new FastClock(),
    });
    await expect(storage.loadSession('id')).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
      message: expect.stringContaining('the pool had no connection within 5000 ms'),
    });
    connect(client);
    await new Promise(setImmediate);
    expect(released).toBe(1);
  });

  it('opens nothing until it is used', async () => {
    const port = await silentPort();
    let connections = 0;
    server!.on('connection', () => connections++);
    const storage = new PostgreSQLSessionStorage(`postgres://user:secret@127.0.0.1:${port}/app`, {
      pool: { connectionTimeoutMillis: 50 },
    });
    await storage.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(connections).toBe(0);
    await expect(storage.ready).rejects.toThrow();
    expect(connections).toBe(1);
    await storage.close();
  });

  it('asks for the driver by name when it is not installed', async () => {
    const { folder, remove } = await transpile(
      'lib/sessions/storages/postgresql/index.ts',
      tmpdir(),
    );
    try {
      const script = join(folder, 'child.mjs');
      await writeFile(
        script,
        `import { PostgreSQLSessionStorage } from './lib/sessions/storages/postgresql/index.js';
         const storage = new PostgreSQLSessionStorage('postgres://localhost/app');
         for (const call of [() => storage.loadSession('x'), () => storage.companions.lock.take('x', 'y', 1)])
           await call().catch(({ code, message }) => console.log(code, message));
         await storage.close();`,
      );
      const { stdout } = await run(process.execPath, [script], { cwd: folder });
      expect(stdout).toMatch(/^(?:ERR_DRIVER_MISSING .*npm install pg\n){2}$/);
    } finally {
      await remove();
    }
  });
});

describe('a PostgreSQL server that cannot be reached', () => {
  const INSTALLATION: Installation = {
    app: 'app',
    shop: SESSION.shop,
    generation: 1,
    status: 'installed',
    scope: '',
    grantedAt: new Date(0),
    pending: [],
    version: 1,
  };

  /** What every call rejects with. */
  async function failuresOf(storage: PostgreSQLSessionStorage): Promise<Error[]> {
    const { lock, installations, inbox } = storage.companions;
    const key = { app: 'app', shop: SESSION.shop, webhookId: 'id' };
    const calls: Promise<unknown>[] = [
      ...[
        storage.ready,
        storage.verify(),
        storage.storeSession(SESSION),
        storage.loadSession('id'),
        storage.findSessionsByShop('shop'),
      ],
      ...[
        storage.deleteSession('id'),
        storage.replaceSession(SESSION, SESSION),
        storage.deleteExpiredSessions(new Date()),
      ],
      ...[
        storage.listSessions({ limit: 1 }),
        lock.take('name', 'holder', 1000),
        installations.load('app', 'shop'),
        lock.renew('name', 'holder', 1000),
        lock.release('name', 'holder'),
        installations.save(INSTALLATION),
        inbox.claim(key, 1000),
      ],
    ];
    const outcomes = await Promise.allSettled(calls);
    await storage.close();
    return outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason as Error);
  }

  it.each([
    ['refuses', closedPort, /ECONNREFUSED/],
    ['is silent', silentPort, /timeout/],
  ])(
    'and %s fails every call with an error that says where, and shows no password',
    async (_, portOf, reason) => {
      const port = await portOf();
      const url = `postgres://user:secret@127.0.0.1:${port}/app?password=secret`;
      for (const failure of await failuresOf(
        new PostgreSQLSessionStorage(url, { pool: { connectionTimeoutMillis: 100 } }),
      )) {
        expect(failure).toMatchObject({
          code: 'ERR_SESSION_STORAGE',
          message: expect.stringMatching(reason),
        });
        expect(failure.message).toContain(`PostgreSQL at 127.0.0.1:${port}/app could not `);
        expect(inspect(failure, { depth: 9 })).not.toContain('secret');
      }
    },
  );
});
