import { loadOptional } from '../connection/optional-driver.js';

export interface PostgreSQLResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many rows a statement changed. */
  readonly rowCount: number | null;
}

/** A statement with its parameters. One that has a name is parsed once per connection. */
export interface PostgreSQLQuery {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Milliseconds the driver waits for the answer. */
  readonly query_timeout?: number;
}

/** The part of a connection that we use. */
export interface PostgreSQLClient {
  query(query: PostgreSQLQuery): Promise<PostgreSQLResult>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
  /** Gives it back to its pool, or ends it. */
  release(destroy?: boolean): void;
}

/** The part of the driver's `Pool` that we use: one of the app's own may be passed. */
export interface PostgreSQLPoolLike {
  /** What it was made with. */
  readonly options: object;
  query(query: PostgreSQLQuery): Promise<PostgreSQLResult>;
  connect(): Promise<PostgreSQLClient>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  listenerCount(event: 'error'): number;
  end(): Promise<void>;
}

type PoolConstructor = new (options: object) => PostgreSQLPoolLike;

interface PostgreSQLDriver {
  readonly Pool: PoolConstructor;
}

/** @throws {MissingDriverError} when the driver is not installed */
export async function loadDriver(): Promise<PoolConstructor> {
  const load = (): Promise<unknown> => import('pg');
  return (await loadOptional<PostgreSQLDriver>('PostgreSQL', 'pg', load)).Pool;
}

/** The pool that is given; nothing when it is no pool. */
export function poolIn(given: Partial<PostgreSQLPoolLike>): PostgreSQLPoolLike | undefined {
  const { query, connect, options } = given;
  const isPool = typeof query === 'function' && typeof connect === 'function' && options;
  return isPool ? (given as PostgreSQLPoolLike) : undefined;
}
