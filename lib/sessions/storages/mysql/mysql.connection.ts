import type { Clock } from '../../../core/time/clock.js';
import { redactedText } from '../../../core/redaction.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { SqlServerConnection } from '../sql/sql-server.connection.js';
import type { SqlResult, SqlRun, SqlValue } from '../sql/sql.dialect.js';
import { codeOf } from '../connection/optional-driver.js';
import type { MySQLClient, MySQLPool, MySQLValue } from './mysql.driver.js';
import { answerTo } from './mysql-exchange.js';
import type { Source } from './mysql-exchange.js';
import type { MySQLServer } from './mysql-server.js';

/** Milliseconds: to change a large table takes long, and must not be given up half-way. */
const EXCLUSIVE_TIMEOUT_MS = 10 * 60 * 1000;

/** A pool, as what connections come from. */
interface PoolSource extends Source {
  readonly pool: MySQLPool;
}

/** The way to one MySQL database. Statements are prepared when they have values. */
export class MySQLConnection extends SqlServerConnection<PoolSource> {
  constructor(
    private readonly server: MySQLServer,
    private readonly clock: Clock,
  ) {
    super();
  }

  /**
   * Works on one connection, which may take long, and is ended afterwards with all it holds.
   * @throws {SessionStorageError}
   */
  exclusive<T>(what: string, work: (run: SqlRun) => Promise<T>): Promise<T> {
    return this.call(what, async ({ connect }) => {
      let client: MySQLClient | undefined;
      let isOver = false;
      const only: Source = {
        connect: (connected) => {
          if (client) return connected(null, client);
          connect((error, given) => connected(error, (client = given)));
        },
        // It may come when it is no longer waited for.
        release: (client) => isOver && client.destroy(),
      };
      try {
        return await work((sql, values) => this.#sent(only, sql, values, EXCLUSIVE_TIMEOUT_MS));
      } finally {
        isOver = true;
        client?.destroy();
      }
    });
  }

  protected async open(): Promise<PoolSource> {
    const pool = listenedTo(await this.server.pool(), this.server.isOurs);
    return {
      pool,
      connect: (connected) => pool.getConnection(connected),
      release: (client) => client.release(),
    };
  }

  protected async end({ pool }: PoolSource): Promise<void> {
    if (this.server.isOurs) await new Promise<void>((resolve) => pool.end(resolve));
  }

  protected send(
    source: PoolSource,
    sql: string,
    values: readonly SqlValue[] | undefined,
  ): Promise<SqlResult> {
    return this.#sent(source, sql, values);
  }

  protected isConflict(error: unknown): boolean {
    return codeOf(error) === 'ER_LOCK_DEADLOCK';
  }

  protected errorFor(what: string, cause: unknown): SessionStorageError {
    if (cause instanceof SessionStorageError) return cause;
    return new SessionStorageError(`${this.server.place} could not ${what}: ${reasonOf(cause)}.`, {
      cause,
    });
  }

  #sent(
    source: Source,
    sql: string,
    values: readonly SqlValue[] | undefined,
    timeoutMs?: number,
  ): Promise<SqlResult> {
    const { isOurs } = this.server;
    const question = { sql, values: values as readonly MySQLValue[], isOurs, timeoutMs };
    return answerTo(question, source, this.clock);
  }
}

const known = new WeakSet<MySQLPool>();

/**
 * A pool listens to the first error of a connection only: another would end the process.
 * Connections of ours keep no process alive.
 */
function listenedTo(pool: MySQLPool, isOurs: boolean): MySQLPool {
  if (known.has(pool)) return pool;
  known.add(pool);
  pool.on('connection', (client) => {
    client.on('error', () => {});
    if (isOurs) client.stream.unref();
  });
  return pool;
}

/**
 * What the server says may repeat what it was sent: of its errors the name and the column alone.
 */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  const code = codeOf(error);
  if (!('sqlMessage' in error))
    return redactedText(String(error.message || code)).replace(/\.$/, '');
  const column = /\bcolumn (?:`[^`]*`\.)*[`']([^`']+)[`']/i.exec(String(error.sqlMessage))?.[1];
  const name = String(code || ('errno' in error ? `error ${String(error.errno)}` : 'error'));
  return column === undefined ? name : `${name} (column ${column})`;
}
