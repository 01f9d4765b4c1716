import type { Pool } from 'pg';
import { loadOptional } from '../connection/optional-driver.js';

/** @throws {MissingDriverError} when the driver is not installed */
export async function loadDriver(): Promise<typeof Pool> {
  const load = (): Promise<unknown> => import('pg');
  return (await loadOptional<typeof import('pg')>('PostgreSQL', 'pg', load)).Pool;
}

/** The pool that is given; nothing when it is no pool. */
export function poolIn(given: object): Pool | undefined {
  const { query, connect, options } = given as Partial<Pool>;
  const isPool = typeof query === 'function' && typeof connect === 'function' && options;
  return isPool ? (given as Pool) : undefined;
}
