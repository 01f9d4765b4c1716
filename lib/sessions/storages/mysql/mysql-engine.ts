import type { Socket } from 'node:net';
import type * as mysql from 'mysql2';
import { inTime, systemClock } from '../../../core/time/clock.js';
import { serverIn } from '../connection/given-server.js';
import type { ServerKind } from '../connection/given-server.js';
import { codeOf, loadOptional } from '../connection/optional-driver.js';
import { TIMEOUT_MS } from '../sql/sql-server-engine.js';
import type { SqlServer, SqlServerOptions } from '../sql/sql-server-engine.js';
import type { SqlResult, SqlStatement } from '../sql/sql.dialect.js';
import { optionsIn } from './mysql-url.js';
import { mysqlDialect } from './mysql.dialect.js';
import { editMySQL, takeTurn } from './mysql.migrations.js';

/** In the driver's form with callbacks: promises made of them cost a stack trace each. */
type MySQLClient = mysql.PoolConnection & { readonly stream: Socket };
type MySQLCallback = (error: Error | null, answer?: mysql.QueryResult) => void;

/** Pools whose connections are listened to already. */
const listened = new WeakSet<mysql.Pool>();
const prepared = new WeakMap<MySQLClient, Map<string, mysql.PrepareStatementInfo>>();

/** How we take rows, whatever an app has set for its own. */
const PLAIN = { rowsAsArray: false, nestTables: false, typeCast: true, namedPlaceholders: false };
/** What the URL or the app says comes first. Times in milliseconds. */
const DEFAULTS = { connectTimeout: 5_000, enableKeepAlive: true, keepAliveInitialDelay: 10_000 };
const SERVER: ServerKind<mysql.Pool> = {
  name: 'MySQL',
  urls: /^(?:mysql|mariadb):\/\/[^/?#]/,
  example: 'mysql://localhost/my-app',
  noun: 'pool',
  /** That with callbacks, or that behind one with promises. */
  clientIn: (given) =>
    [(given as { readonly pool?: unknown }).pool, given].find(
      (candidate): candidate is mysql.Pool =>
        typeof (candidate as Partial<mysql.Pool> | undefined)?.getConnection === 'function' &&
        'connectionConfig' in Object((candidate as { readonly config?: unknown }).config),
    ),
};

/** A MySQL database. Statements are prepared when they have values. */
export function mysqlServer(
  server: unknown,
  connectionLimit: number | undefined,
  { pool: poolOptions, clock = systemClock }: SqlServerOptions,
): SqlServer<mysql.Pool, MySQLClient> {
  const given = serverIn(server, SERVER);
  const isOurs = given.client === undefined;
  const limit = connectionLimit === undefined ? {} : { connectionLimit };
  const said = given.url && optionsIn(given.url);
  const all = { ...DEFAULTS, ...said, ...limit, ...poolOptions, ...PLAIN };

  function send(client: MySQLClient, statement: SqlStatement, answered: MySQLCallback): void {
    const { sql } = statement;
    const values = statement.values as mysql.ExecuteValues[] | undefined;
    if (!values) return void client.query({ ...PLAIN, sql }, answered);
    // The app's connections have options of their own.
    if (!isOurs) return void client.execute({ ...PLAIN, sql, values }, answered);
    // The driver would look for the statement at every call, which costs a third of it.
    let statements = prepared.get(client);
    if (!statements) prepared.set(client, (statements = new Map()));
    const known = statements.get(sql);
    if (known) return void known.execute(values, answered);
    client.prepare(sql, (error, made) => {
      if (!made) return answered(error);
      statements.set(sql, made);
      made.execute(values, answered);
    });
  }

  return {
    given,
    dialect: mysqlDialect,
    edit: editMySQL,
    async open() {
      const load = (): Promise<typeof import('mysql2')> => import('mysql2');
      return (await loadOptional('MySQL', 'mysql2', load)).createPool(all);
    },
    /**
     * A pool listens to the first error of a connection only: another would end the process.
     * Connections of ours keep no process alive.
     */
    listenTo(pool) {
      if (listened.has(pool)) return;
      listened.add(pool);
      pool.on('connection', (client) => {
        client.on('error', () => {});
        if (isOurs) (client as MySQLClient).stream.unref();
      });
    },
    end: (pool) => new Promise((resolve) => pool.end(resolve)),
    connect: (pool) =>
      new Promise((resolve, reject) =>
        pool.getConnection((error, client) =>
          client ? resolve(client as MySQLClient) : reject(error),
        ),
      ),
    /**
     * A connection on which the server does not answer in time is given up: the answer might come
     * yet, and be taken for another.
     */
    exchange(client, statement, timeoutMs = TIMEOUT_MS) {
      const exchanged = new Promise<SqlResult>((resolve, reject) => {
        send(client, statement, (error, answer) => {
          if (!answer) reject(error);
          else if ('affectedRows' in answer) resolve({ rows: [], changes: answer.affectedRows });
          else resolve({ rows: answer as mysql.RowDataPacket[], changes: 0 });
        });
      });
      return inTime(clock, timeoutMs, exchanged, () => {
        client.destroy();
        client.stream.destroy();
        return new Error(`there was no answer within ${timeoutMs} ms`);
      });
    },
    release: (client, reason) => (reason === 'ended' ? client.destroy() : client.release()),
    async inTurn(run, work) {
      await takeTurn(run);
      await work();
    },
    /** What the server says may repeat what it was sent: of its errors the name and the column. */
    reasonOf(error) {
      const code = codeOf(error);
      if (!('sqlMessage' in error)) return error.message || code;
      const column = /\bcolumn (?:`[^`]*`\.)*[`']([^`']+)[`']/i.exec(String(error.sqlMessage))?.[1];
      const name = String(code || ('errno' in error ? `error ${String(error.errno)}` : 'error'));
      return column === undefined ? name : `${name} (column ${column})`;
    },
  };
}
