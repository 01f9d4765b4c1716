import type { Socket } from 'node:net';
import type { Pool, PoolConnection, QueryResult } from 'mysql2';
import { loadOptional } from '../connection/optional-driver.js';

/** How we take rows, whatever an app has set for its own. */
export const PLAIN = {
  rowsAsArray: false,
  nestTables: false,
  typeCast: true,
  namedPlaceholders: false,
} as const;

/**
 * A connection in the driver's form with callbacks: promises made of them cost a stack trace each.
 */
export type MySQLClient = PoolConnection & { readonly stream: Socket };
export type MySQLCallback = (error: Error | null, answer?: QueryResult) => void;

/** @throws {MissingDriverError} when the driver is not installed */
export async function loadDriver(): Promise<typeof import('mysql2')> {
  return loadOptional('MySQL', 'mysql2', () => import('mysql2'));
}

/**
 * The pool with callbacks that is given, or that is behind one with promises; nothing when it is no
 * pool.
 */
export function poolIn(given: object): Pool | undefined {
  for (const candidate of [(given as { pool?: unknown }).pool, given]) {
    const pool = candidate as Partial<Pool & { config: { connectionConfig?: object } }> | undefined;
    if (typeof pool?.getConnection === 'function' && pool.config?.connectionConfig)
      return pool as Pool;
  }
  return undefined;
}
