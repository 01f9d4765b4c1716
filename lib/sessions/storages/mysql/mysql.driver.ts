import { loadOptional } from '../connection/optional-driver.js';

export type MySQLValue = string | number | null;
type MySQLRow = Readonly<Record<string, unknown>>;

/** How we take rows, whatever an app has set for its own. */
export const PLAIN = {
  rowsAsArray: false,
  nestTables: false,
  typeCast: true,
  namedPlaceholders: false,
};

/** What the driver is asked to send. */
export type MySQLStatement = typeof PLAIN & {
  readonly sql: string;
  readonly values?: readonly MySQLValue[];
};

export type MySQLCallback = (
  error: Error | null,
  answer?: readonly MySQLRow[] | { readonly affectedRows: number },
) => void;

/** A statement that one connection has prepared. */
export interface MySQLPrepared {
  execute(values: readonly MySQLValue[], answered: MySQLCallback): void;
}

/**
 * The part of a connection that we use, in the driver's form with callbacks: promises made of them
 * cost a stack trace each.
 */
export interface MySQLClient {
  readonly stream: { unref(): unknown; destroy(): unknown };
  prepare(sql: string, answered: (error: Error | null, statement?: MySQLPrepared) => void): void;
  /** Prepares a statement, once per connection, and sends it. */
  execute(statement: MySQLStatement, answered: MySQLCallback): void;
  /** Sends a statement as it is. */
  query(statement: MySQLStatement, answered: MySQLCallback): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Gives it back to its pool. */
  release(): void;
  destroy(): void;
}

/** The part of a pool that we use. */
export interface MySQLPool {
  readonly config: { readonly connectionConfig: object };
  getConnection(connected: (error: Error | null, client?: MySQLClient) => void): void;
  on(event: 'connection', listener: (client: MySQLClient) => void): unknown;
  end(ended: () => void): void;
}

/** A pool of the driver, whether made by `mysql2` or by `mysql2/promise`. */
export interface MySQLPoolLike {
  readonly getConnection: unknown;
  readonly end: unknown;
}

interface MySQLDriver {
  createPool(options: object): MySQLPool;
}

/** @throws {MissingDriverError} when the driver is not installed */
export async function loadDriver(): Promise<MySQLDriver> {
  const load = (): Promise<unknown> => import('mysql2');
  return loadOptional('MySQL', 'mysql2', load);
}

/**
 * The pool with callbacks that is given, or that is behind one with promises; nothing when it is no
 * pool.
 */
export function poolIn(given: unknown): MySQLPool | undefined {
  for (const candidate of [(given as { pool?: unknown } | undefined)?.pool, given]) {
    const pool = candidate as Partial<MySQLPool> | undefined;
    if (typeof pool?.getConnection === 'function' && pool.config?.connectionConfig)
      return pool as MySQLPool;
  }
  return undefined;
}
