import type { Clock } from '../../../core/time/clock.js';
import { redactedText } from '../../../core/redaction.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { InFlightCalls } from '../connection/in-flight-calls.js';
import { retryOnDeadlock } from '../connection/retry-on-deadlock.js';
import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import { codeOf } from './mysql.driver.js';
import type { MySQLClient, MySQLPool, MySQLValue } from './mysql.driver.js';
import { answerTo } from './mysql-exchange.js';
import type { MySQLResult, Source } from './mysql-exchange.js';
import type { MySQLServer } from './mysql-server.js';

/** Sends a statement: prepared when it has values, else as it is. @throws what the driver does */
export type MySQLSend = (sql: string, values?: readonly MySQLValue[]) => Promise<MySQLResult>;

/** A connection that is its user's alone. */
export interface MySQLSession {
  readonly client: MySQLClient;
  /**
   * Sends a statement: prepared when it has values, else as it is. @param patience milliseconds
   * @default 10,000
   */
  run(sql: string, values?: readonly MySQLValue[], patience?: number): Promise<MySQLResult>;
  /** What the connection holds is let go. */
  end(): void;
}

/**
 * The way to one database: connects when it is first needed. What is lost is made anew by the next
 * call.
 */
export class MySQLConnection {
  readonly #pool = new LazyPromise(async () =>
    attended(await this.server.pool(), this.server.isOurs),
  );
  readonly #calls = new InFlightCalls();

  constructor(
    private readonly server: MySQLServer,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a statement: prepared when it has values, else as it is.
   * @param what it is for, such as `load a session`
   * @throws {SessionStorageError} that says so, and where
   */
  run(what: string, sql: string, values?: readonly MySQLValue[]): Promise<MySQLResult> {
    return this.series(what, (send) => send(sql, values));
  }

  /**
   * The same for statements that follow one another, over one pool: when that is to be closed
   * meanwhile, it is closed after the last.
   */
  series<T>(what: string, work: (send: MySQLSend) => Promise<T>): Promise<T> {
    const call = this.#pool.get().then((pool) =>
      work((sql, values) => {
        const question = { sql, values, isOurs: this.server.isOurs };
        return retryOnDeadlock(isDeadlock, () => answerTo(question, pool, this.clock));
      }),
    );
    return this.#calls.add(
      call.catch((error: unknown) => Promise.reject(this.errorFor(what, error))),
    );
  }

  /**
   * A connection beside the pool, so that who waits for a lock never keeps its holder from a
   * connection.
   */
  async session(): Promise<MySQLSession> {
    const pool = attended(await this.server.single(), true);
    const client = await new Promise<MySQLClient>((resolve, reject) => {
      pool.getConnection((error, client) => (client ? resolve(client) : reject(error)));
    });
    // Not the pool itself: it would replace a connection that is lost, and with it what that one
    // held.
    const only: Source = {
      getConnection: (connected) => connected(null, client),
      keepsConnection: true,
    };
    return {
      client,
      run: (sql, values, patience) =>
        answerTo({ sql, values, patience, isOurs: true }, only, this.clock),
      end: () => pool.end(() => {}),
    };
  }

  /**
   * Closes what was opened here, after the calls that are under way. A later call opens it again.
   */
  async close(): Promise<void> {
    const opened = this.#pool.forget();
    await this.#calls.over();
    const pool = this.server.isOurs ? await opened : undefined;
    if (pool) await new Promise<void>((resolve) => pool.end(resolve));
  }

  errorFor(what: string, cause: unknown): SessionStorageError {
    if (cause instanceof SessionStorageError) return cause;
    return new SessionStorageError(`${this.server.place} could not ${what}: ${reasonOf(cause)}.`, {
      cause,
    });
  }
}

/** Whether a statement that was sent has inserted its row: not when the key is taken. */
export async function hasInserted(sent: Promise<MySQLResult>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (error) {
    if (codeOf(error) === 'ER_DUP_ENTRY') return false;
    throw error;
  }
}

const known = new WeakSet<MySQLPool>();

/**
 * A pool hears the first error of a connection alone: another would end the process. Connections of
 * ours keep no process alive.
 */
function attended(pool: MySQLPool, isOurs: boolean): MySQLPool {
  if (known.has(pool)) return pool;
  known.add(pool);
  pool.on('connection', (client) => {
    client.on('error', () => {});
    if (isOurs) client.stream.unref();
  });
  return pool;
}

function isDeadlock(error: unknown): boolean {
  return codeOf(error) === 'ER_LOCK_DEADLOCK';
}

/**
 * What the server says may repeat what it was sent: of its errors the name and the column alone.
 */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('message' in error)) return String(error);
  const code = codeOf(error);
  if (!('sqlMessage' in error))
    return redactedText(String(error.message) || code).replace(/\.$/, '');
  const column = /\bcolumn (?:`[^`]*`\.)*[`']([^`']+)[`']/i.exec(String(error.sqlMessage))?.[1];
  return `${code || ('errno' in error ? `error ${String(error.errno)}` : 'error')}${column === undefined ? '' : ` (column ${column})`}`;
}
