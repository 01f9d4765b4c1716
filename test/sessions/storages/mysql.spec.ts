import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, describe, expect, it } from '@jest/globals';
import { createPool, createServer as createMySQLServer } from 'mysql2';

import { MissingRequiredArgument } from '../../../lib/core/core.errors.js';
import { MySQLSessionStorage } from '../../../lib/sessions/storages/mysql/mysql-session.storage.js';
import { mysqlServer as mysqlPool } from '../../../lib/sessions/storages/mysql/mysql-engine.js';
import { sqlServerEngine } from '../../../lib/sessions/storages/sql/sql-server-engine.js';
import type { SqlRun } from '../../../lib/sessions/storages/sql/sql.dialect.js';
import { transpile } from '../../support/transpile.js';
import { JumpingClock } from '../../webhooks/webhooks.fixture.js';
import { FastClock } from './fast.clock.js';

const run = promisify(execFile);
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function open(...args: ConstructorParameters<typeof MySQLSessionStorage>): MySQLSessionStorage {
  const storage = new MySQLSessionStorage(...args);
  ends.push(() => storage.close());
  return storage;
}

/** Answers with the server's host and port. */
async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Greets, lets everybody in, and says nothing more unless it is told to. */
function mysqlServer({
  onConnection = () => {},
  onQuery = () => {},
}: {
  onConnection?: () => unknown;
  onQuery?: (sql: string, answer: () => void) => unknown;
}): Server {
  const server = createMySQLServer((connection) => {
    onConnection();
    // The driver's server forgets that numbers of packets begin anew with each command.
    const nextPacket = (sequenceId: number): unknown => Object.assign(connection, { sequenceId });
    connection.on('error', () => {});
    connection.on('query', (sql: string) =>
      onQuery(sql, () => {
        nextPacket(1);
        connection.writeOk();
        nextPacket(0);
      }),
    );
    // What is prepared is asked as well, and never answered.
    connection.on('stmt_prepare', (sql: string) => onQuery(sql, () => {}));
    connection.serverHandshake({
      ...{
        protocolVersion: 10,
        serverVersion: '8.0.0',
        connectionId: 1,
        statusFlags: 2,
        characterSet: 45,
      },
      capabilityFlags: 0xff_f7ff,
      authCallback: (_: unknown, accept: (error: null) => void) => {
        accept(null);
        nextPacket(0);
      },
    });
  });
  return (server as unknown as { _server: Server })._server;
}

describe('MySQLSessionStorage without a server', () => {
  it.each([
    ['', /needs a URL/],
    ['mysql://', /needs a URL/],
    ['postgres://user:hidden@localhost/app', /needs a URL/],
    ['mysql://user:hidden@localhost', /needs the name of a database/],
    ['mysql://user:hidden%@localhost/app', /Write it as "%25"/],
    [
      'mysql://user:hidden@localhost/app?ssl-mode=some',
      /knows no ssl-mode "some", but disabled, preferred, required, verify_ca, verify_identity/,
    ],
    [new URL('https://user:hidden@localhost/app'), /needs a URL/],
    [undefined, /needs a URL/],
    [{}, /needs a URL/],
  ])('refuses %p, and repeats no password', (server, message) => {
    const refused = (): unknown => new MySQLSessionStorage(server as string);
    expect(refused).toThrow(MissingRequiredArgument);
    expect(refused).toThrow(message);
    expect(refused).not.toThrow(/hidden/);
  });

  it.each(['', 'x'.repeat(57)])(
    'refuses a name of a table that leaves no room for those beside it: %p',
    (sessionTableName) => {
      expect(() => new MySQLSessionStorage('mysql://localhost/app', { sessionTableName })).toThrow(
        /sessionTableName of 1 to 56 characters/,
      );
    },
  );

  it('says where there is no server, and tries again at the next call', async () => {
    const server = createServer((socket) => socket.destroy());
    const address = await listening(server);
    const storage = open(`mysql://user:hidden@${address}/app`);
    await new Promise((resolve) => server.close(resolve));
    await expect(storage.loadSession('x')).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
      message: `MySQL at ${address}/app could not set up the table shopify_sessions: connect ECONNREFUSED ${address}.`,
      cause: { code: 'ECONNREFUSED' },
    });
    await expect(storage.companions.lock.take('name', 'a', 1_000)).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
    });
    await new Promise<void>((resolve) =>
      server.listen(Number(address.split(':')[1]), '127.0.0.1', resolve),
    );
    await expect(storage.loadSession('x')).rejects.toMatchObject({
      cause: { code: expect.not.stringMatching('ECONNREFUSED') },
    });
  });

  it('waits no longer than the URL says for a server that does not greet', async () => {
    const address = await listening(createServer());
    const storage = open(`mysql://user:hidden@${address}/app?connectTimeout=100`);
    await expect(storage.ready).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
      message: expect.stringContaining('ETIMEDOUT'),
    });
  });

  it('gives up a connection on which the server falls silent, and makes another', async () => {
    let greeted = 0;
    const clock = new JumpingClock();
    const address = await listening(
      mysqlServer({ onConnection: () => greeted++, onQuery: () => clock.advance(10_000) }),
    );
    const storage = open(`mysql://user:hidden@${address}/app`, { clock });
    const silent = {
      code: 'ERR_SESSION_STORAGE',
      message: expect.stringMatching(/: there was no answer within 10000 ms\.$/),
    };
    await expect(storage.loadSession('x')).rejects.toMatchObject(silent);
    await expect(storage.verify()).rejects.toMatchObject(silent);
    expect(greeted).toBe(2);
  });

  it('is closed after five seconds at most, whatever is under way', async () => {
    const storage = open(`mysql://user:hidden@${await listening(mysqlServer({}))}/app`, {
      clock: new FastClock(),
    });
    const events: string[] = [];
    const load = storage.loadSession('x').catch(() => events.push('given up'));
    await storage.close();
    events.push('closed');
    await load;
    expect(events).toEqual(['closed', 'given up']);
  });

  it('ends the connection of a migration that fails, and gives it back to no pool', async () => {
    const statements: string[] = [];
    const address = await listening(
      mysqlServer({ onQuery: (sql, answer) => (statements.push(sql), answer()) }),
    );
    const pool = createPool({ uri: `mysql://user:hidden@${address}/app` });
    ends.push(() => new Promise((resolve) => pool.end(resolve)));
    const events: string[] = [];
    for (const event of ['acquire', 'release', 'connection'] as const)
      pool.on(event, () => events.push(event));
    // The driver's server does not answer the SET that comes first.
    const unlocked = {
      ...mysqlPool(pool, undefined, {}),
      inTurn: (_: SqlRun, work: () => Promise<void>) => work(),
    };
    const engine = sqlServerEngine(unlocked, {});
    const { server } = await engine.reach();
    const work = server.migrate(async (run) => {
      await run('SELECT 1');
      await run('SELECT 2');
      throw new Error('the work failed');
    });
    const failure = await work.catch((error: unknown) => engine.errorFor('be set up', error));
    expect(failure).toMatchObject({
      message: 'MySQL of the given pool could not be set up: the work failed.',
    });
    await server.run('SELECT 3');
    expect(statements).toEqual(['SELECT 1', 'SELECT 2', 'SELECT 3']);
    expect(events).toEqual(['connection', 'acquire', 'connection', 'acquire', 'release']);
  });

  it('asks for the driver by name when it is not installed', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'shopwright-mysql-'));
    ends.push(() => rm(parent, { recursive: true, force: true }));
    const { folder } = await transpile('lib/sessions/storages/mysql/index.ts', parent);
    const script = join(folder, 'child.mjs');
    await writeFile(
      script,
      `import { MySQLSessionStorage } from './lib/sessions/storages/mysql/index.js';
       const storage = new MySQLSessionStorage('mysql://localhost/app');
       await storage.loadSession('x').catch(({ code, message }) => console.log(code, message));`,
    );
    const { stdout } = await run(process.execPath, [script], { cwd: folder });
    expect(stdout).toMatch(/^ERR_DRIVER_MISSING .*npm install mysql2/);
  });
});
