import { redactedText } from '../../../core/redaction.js';
import { codeOf } from '../connection/optional-driver.js';
import { SqlServerConnection } from '../sql/sql-server.connection.js';
import type { SqlResult, SqlRun, SqlStatement } from '../sql/sql.dialect.js';
import { PLAIN } from './mysql.driver.js';
import type {
  MySQLCallback,
  MySQLClient,
  MySQLPool,
  MySQLPrepared,
  MySQLValue,
} from './mysql.driver.js';
import { takeTurn } from './mysql.migrations.js';

/** How long the server may take to answer, and a connection to be free, in milliseconds. */
const TIMEOUT_MS = 10_000;

const known = new WeakSet<MySQLPool>();
const prepared = new WeakMap<MySQLClient, Map<string, MySQLPrepared>>();

/** The way to one MySQL database. Statements are prepared when they have values. */
export class MySQLConnection<Engine> extends SqlServerConnection<MySQLPool, MySQLClient, Engine> {
  /**
   * A pool listens to the first error of a connection only: another would end the process.
   * Connections of ours keep no process alive.
   */
  protected listenedTo(pool: MySQLPool): MySQLPool {
    if (known.has(pool)) return pool;
    known.add(pool);
    pool.on('connection', (client) => {
      client.on('error', () => {});
      if (this.server.isOurs) client.stream.unref();
    });
    return pool;
  }

  protected end(pool: MySQLPool): Promise<void> {
    return new Promise((resolve) => pool.end(resolve));
  }

  protected waitsFor(): number {
    return TIMEOUT_MS;
  }

  protected connect(pool: MySQLPool): Promise<MySQLClient> {
    return new Promise((resolve, reject) =>
      pool.getConnection((error, client) => (client ? resolve(client) : reject(error))),
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
        else resolve({ rows: answer, changes: 0 });
      });
    });
    return this.inTime(timeoutMs, exchanged, () => {
      this.destroy(client);
      client.stream.destroy();
      return new Error(`there was no answer within ${timeoutMs} ms`);
    });
  }

  protected release(client: MySQLClient): void {
    client.release();
  }

  protected destroy(client: MySQLClient): void {
    client.destroy();
  }

  protected async inTurn(run: SqlRun, work: () => Promise<void>): Promise<void> {
    await takeTurn(run);
    await work();
  }

  protected isConflict(error: unknown): boolean {
    return codeOf(error) === 'ER_LOCK_DEADLOCK';
  }

  /**
   * What the server says may repeat what it was sent: of its errors the name and the column alone.
   */
  protected reasonOf(error: unknown): string {
    if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
    const code = codeOf(error);
    if (!('sqlMessage' in error))
      return redactedText(String(error.message || code)).replace(/\.$/, '');
    const column = /\bcolumn (?:`[^`]*`\.)*[`']([^`']+)[`']/i.exec(String(error.sqlMessage))?.[1];
    const name = String(code || ('errno' in error ? `error ${String(error.errno)}` : 'error'));
    return column === undefined ? name : `${name} (column ${column})`;
  }

  #send(client: MySQLClient, statement: SqlStatement, answered: MySQLCallback): void {
    const { sql } = statement;
    const values = statement.values as readonly MySQLValue[] | undefined;
    if (!values) return client.query({ ...PLAIN, sql }, answered);
    // The app's connections have options of their own.
    if (!this.server.isOurs) return client.execute({ ...PLAIN, sql, values }, answered);
    // The driver would look for the statement at every call, which costs a third of it.
    let statements = prepared.get(client);
    if (!statements) prepared.set(client, (statements = new Map()));
    const known = statements.get(sql);
    if (known) return known.execute(values, answered);
    client.prepare(sql, (error, made) => {
      if (!made) return answered(error);
      statements.set(sql, made);
      made.execute(values, answered);
    });
  }
}
