import type { ExecuteValues, Pool, PrepareStatementInfo, RowDataPacket } from 'mysql2';
import { inTime } from '../../../core/time/clock.js';
import { serverIn } from '../connection/given-server.js';
import type { ServerKind } from '../connection/given-server.js';
import { codeOf } from '../connection/optional-driver.js';
import { SqlServerEngine, TIMEOUT_MS } from '../sql/sql-server-engine.js';
import type { SqlServerOptions } from '../sql/sql-server-engine.js';
import type { SqlResult, SqlRun, SqlStatement } from '../sql/sql.dialect.js';
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

/** A MySQL database. Statements are prepared when they have values. */
export class MySQLEngine extends SqlServerEngine<Pool, MySQLClient> {
  readonly #options: object;

  /**
   * @throws {MissingRequiredArgument} when `server` is no such thing, its URL has no database or an
   * unknown `ssl-mode`, or the table's name is too long
   */
  constructor(given: unknown, connectionLimit: number | undefined, options: SqlServerOptions) {
    const server = serverIn(given, SERVER);
    super(server, mysqlDialect, editMySQL, options);
    const limit = connectionLimit === undefined ? {} : { connectionLimit };
    const said = server.url && optionsIn(server.url);
    this.#options = { ...DEFAULTS, ...said, ...limit, ...options.pool, ...PLAIN };
  }

  protected async open(): Promise<Pool> {
    return (await loadDriver()).createPool(this.#options);
  }

  /**
   * A pool listens to the first error of a connection only: another would end the process.
   * Connections of ours keep no process alive.
   */
  protected listenTo(pool: Pool): void {
    if (known.has(pool)) return;
    known.add(pool);
    pool.on('connection', (client) => {
      client.on('error', () => {});
      if (this.isOurs) (client as MySQLClient).stream.unref();
    });
  }

  protected end(pool: Pool): Promise<void> {
    return new Promise((resolve) => pool.end(() => resolve()));
  }

  protected connect(pool: Pool): Promise<MySQLClient> {
    return new Promise((resolve, reject) =>
      pool.getConnection((error, client) =>
        client ? resolve(client as MySQLClient) : reject(error),
      ),
    );
  }

  /**
   * A connection on which the server does not answer in time is given up: the answer might come
   * yet, and be taken for another.
   */
  protected exchange(
    client: MySQLClient,
    statement: SqlStatement,
    timeoutMs = TIMEOUT_MS,
  ): Promise<SqlResult> {
    const exchanged = new Promise<SqlResult>((resolve, reject) => {
      this.#send(client, statement, (error, answer) => {
        if (!answer) reject(error);
        else if ('affectedRows' in answer) resolve({ rows: [], changes: answer.affectedRows });
        else resolve({ rows: answer as RowDataPacket[], changes: 0 });
      });
    });
    return inTime(this.clock, timeoutMs, exchanged, () => {
      client.destroy();
      client.stream.destroy();
      return new Error(`there was no answer within ${timeoutMs} ms`);
    });
  }

  protected release(client: MySQLClient, reason?: 'failed' | 'ended'): void {
    if (reason === 'ended') client.destroy();
    else client.release();
  }

  protected async inTurn(run: SqlRun, work: () => Promise<void>): Promise<void> {
    await takeTurn(run);
    await work();
  }

  /**
   * What the server says may repeat what it was sent: of its errors the name and the column alone.
   */
  protected reasonOf(error: { readonly message?: unknown }): unknown {
    const code = codeOf(error);
    if (!('sqlMessage' in error)) return error.message || code;
    const column = /\bcolumn (?:`[^`]*`\.)*[`']([^`']+)[`']/i.exec(String(error.sqlMessage))?.[1];
    const name = String(code || ('errno' in error ? `error ${String(error.errno)}` : 'error'));
    return column === undefined ? name : `${name} (column ${column})`;
  }

  #send(client: MySQLClient, statement: SqlStatement, answered: MySQLCallback): void {
    const { sql } = statement;
    const values = statement.values as ExecuteValues[] | undefined;
    if (!values) return void client.query({ ...PLAIN, sql }, answered);
    // The app's connections have options of their own.
    if (!this.isOurs) return void client.execute({ ...PLAIN, sql, values }, answered);
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
}
