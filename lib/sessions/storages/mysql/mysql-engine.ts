import type { ExecuteValues, Pool, PrepareStatementInfo, RowDataPacket } from 'mysql2';
import { inTime, systemClock } from '../../../core/time/clock.js';
import { serverIn } from '../connection/given-server.js';
import type { ServerKind } from '../connection/given-server.js';
import { codeOf } from '../connection/optional-driver.js';
import { TIMEOUT_MS } from '../sql/sql-server-engine.js';
import type { SqlServer, SqlServerOptions } from '../sql/sql-server-engine.js';
import type { SqlResult, SqlStatement } from '../sql/sql.dialect.js';
import { optionsIn } from './mysql-url.js';
import { mysqlDialect } from './mysql.dialect.js';
import { PLAIN, loadDriver, poolIn } from './mysql.driver.js';
import type { MySQLCallback, MySQLClient } from './mysql.driver.js';
import { editMySQL, takeTurn } from './mysql.migrations.js';

const known = new WeakSet<Pool>();
const prepared = new WeakMap<MySQLClient, Map<string, PrepareStatementInfo>>();

/** What the URL or the app says comes first. Times in milliseconds. */
const DEFAULTS = { connectTimeout: 5_000, enableKeepAlive: true, keepAliveInitialDelay: 10_000 };
const SERVER: ServerKind<Pool> = {
  name: 'MySQL',
  urls: /^(?:mysql|mariadb):\/\/[^/?#]/,
  example: 'mysql://localhost/my-app',
  noun: 'pool',
  clientIn: poolIn,
};

/**
 * A MySQL database. Statements are prepared when they have values.
 * @throws {MissingRequiredArgument} when what is given is no such thing, or its URL has no database
 * or an unknown `ssl-mode`
 */
export function mysqlServer(
  server: unknown,
  connectionLimit: number | undefined,
  { pool: poolOptions, clock = systemClock }: SqlServerOptions,
): SqlServer<Pool, MySQLClient> {
  const given = serverIn(server, SERVER);
  const isOurs = given.client === undefined;
  const limit = connectionLimit === undefined ? {} : { connectionLimit };
  const said = given.url && optionsIn(given.url);
  const all = { ...DEFAULTS, ...said, ...limit, ...poolOptions, ...PLAIN };

  function send(client: MySQLClient, statement: SqlStatement, answered: MySQLCallback): void {
    const { sql } = statement;
    const values = statement.values as ExecuteValues[] | undefined;
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
    open: async () => (await loadDriver()).createPool(all),
    /**
     * A pool listens to the first error of a connection only: another would end the process.
     * Connections of ours keep no process alive.
     */
    listenTo(pool) {
      if (known.has(pool)) return;
      known.add(pool);
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
          else resolve({ rows: answer as RowDataPacket[], changes: 0 });
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
