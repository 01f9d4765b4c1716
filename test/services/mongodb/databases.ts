import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';

import { MongoDBSessionStorage } from '../../../lib/sessions/storages/mongodb/mongodb-session.storage.js';
import type { MongoDBSessionStorageOptions } from '../../../lib/sessions/storages/mongodb/mongodb.options.js';
import { StoragePlace } from '../storage.engine.js';
import type { StorageEngine } from '../storage.engine.js';

/** Where the official storage keeps sessions unless told otherwise. */
export const COLLECTION = 'shopify_sessions';

const URL_OF_MONGODB = process.env['MONGODB_URL']!;
/** A server that is away is waited for as long, in milliseconds. */
const OPTIONS: MongoDBSessionStorageOptions = {
  clientOptions: { serverSelectionTimeoutMS: 1_000 },
};

/** A database for one test, or for one file, with what was opened in it. */
export class TestDatabase extends StoragePlace<MongoDBSessionStorage> {
  readonly parameters = [URL_OF_MONGODB, this.name, OPTIONS];
  readonly client = new MongoClient(URL_OF_MONGODB);
  readonly db: Db = this.client.db(this.name);

  open(options?: MongoDBSessionStorageOptions): MongoDBSessionStorage {
    return this.keep(
      new MongoDBSessionStorage(URL_OF_MONGODB, this.name, { ...OPTIONS, ...options }),
    );
  }

  async drop(): Promise<void> {
    await this.close();
    await this.db.dropDatabase();
    await this.client.close();
  }
}

export const MONGODB: StorageEngine<TestDatabase> = {
  name: 'MongoDB',
  server: 'mongodb',
  createPlace: async () => new TestDatabase(),
};
