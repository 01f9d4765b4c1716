import { MissingRequiredArgument } from '../../../core/core.errors.js';
import type { SqlStorageOptions } from './sql-session.storage.js';

/** Options of the storages that keep sessions on a server. */
export interface SqlServerOptions extends SqlStorageOptions {
  /**
   * Options of the driver's pool, such as `ssl`: on PostgreSQL what the URL says comes before them,
   * on MySQL they come first. Without effect beside a pool.
   */
  readonly pool?: Readonly<Record<string, unknown>> | undefined;
}

/** A database and how connections to it are made. */
export interface SqlServer<Pool> {
  /** For messages: without credentials. */
  readonly place: string;
  /** False when the pool is the app's: it is used as it is, and left open. */
  readonly isOurs: boolean;
  pool(): Promise<Pool>;
}

/** What the servers of an engine are reached by. */
interface SqlServerKind<Pool> {
  readonly name: string;
  /** Matches its URLs. */
  readonly urls: RegExp;
  readonly example: string;
  /** Of a URL that has none. @default the driver's */
  readonly port?: number | undefined;
  /** The driver's pool that an app has passed; nothing when it is no pool. */
  poolIn(given: object): Pool | undefined;
  /** @throws {MissingRequiredArgument} when the URL lacks something */
  poolAt(url: URL): () => Promise<Pool>;
}

/**
 * The server that a storage is given: a URL opens a pool of our own.
 * @throws {MissingRequiredArgument} when it is neither a URL of the engine nor a pool
 */
export function serverIn<Pool>(given: unknown, kind: SqlServerKind<Pool>): SqlServer<Pool> {
  const { name, urls, example, port } = kind;
  if (typeof given === 'object' && given !== null && !(given instanceof URL)) {
    const pool = kind.poolIn(given);
    if (pool) return { place: `${name} of the given pool`, isOurs: false, pool: async () => pool };
  } else if (URL.canParse(String(given))) {
    const url = new URL(String(given));
    if (port !== undefined && url.port === '') url.port = String(port);
    const place = `${name} at ${url.host}${url.pathname}`;
    if (urls.test(url.href)) return { place, isOurs: true, pool: kind.poolAt(url) };
  }
  throw new MissingRequiredArgument(
    `${name} storage needs a URL, such as "${example}", or a pool of the driver.`,
  );
}
