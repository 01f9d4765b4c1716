import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import { serverUrl } from '../connection/given-server.js';
import type { Credentials } from '../connection/given-server.js';
import { mongoEngine } from './mongodb-engine.js';
import type { MongoDBSessionStorageOptions } from './mongodb.options.js';

/** The part of a `MongoClient` that we use, of any version of the driver. */
export interface MongoClientLike {
  connect(): Promise<unknown>;
  close(): Promise<unknown>;
  db(name: string): unknown;
}

/**
 * Keeps sessions in a MongoDB database, for any number of processes. Needs the optional dependency
 * `mongodb`. Close it when the process is to end.
 * @example new MongoDBSessionStorage('mongodb://user:password@db.example.com/', 'my-app')
 */
export class MongoDBSessionStorage extends EngineSessionStorage {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    ...[host, dbName, ...others]: Credentials<MongoDBSessionStorageOptions>
  ): MongoDBSessionStorage {
    return new MongoDBSessionStorage(
      serverUrl('mongodb', [host, '', ...others]),
      dbName,
      others[2],
    );
  }

  /**
   * @param server `mongodb://…` or `mongodb+srv://…`, with several hosts and options if need be; or
   * a client of the driver, which is left open
   * @throws {MissingRequiredArgument} when one of the two is missing or no such thing
   */
  constructor(
    server: string | URL | MongoClientLike,
    dbName: string,
    options: MongoDBSessionStorageOptions = {},
  ) {
    super(mongoEngine(server, dbName, options));
  }
}
