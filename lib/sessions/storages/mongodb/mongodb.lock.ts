import { Lock } from '../../coordination/lock.js';
import type { MongoConnection, OpenDatabase } from './mongodb.connection.js';
import { renewLease, takeLease } from './mongodb-lease.js';

/** Holds names as documents. The server's clock counts. */
export class MongoDBLock extends Lock {
  constructor(
    private readonly connection: Pick<MongoConnection, 'run'>,
    private readonly collectionName: string,
  ) {
    super();
  }

  take(name: string, owner: string, leaseMs: number): Promise<boolean> {
    return this.connection.run('take a lock', async (database) => {
      const { isTaken } = await takeLease(database, this.#in(database), {
        key: name,
        owner,
        leaseMs,
      });
      return isTaken;
    });
  }

  /** A hold that has ended is renewed as long as nobody else has had the name since. */
  renew(name: string, owner: string, leaseMs: number): Promise<boolean> {
    return this.connection.run('renew a lock', (database) =>
      renewLease(this.#in(database), { key: name, owner, leaseMs }),
    );
  }

  async release(name: string, owner: string): Promise<void> {
    await this.connection.run('release a lock', (database) =>
      this.#in(database).deleteOne({ _id: name, owner }),
    );
  }

  #in(database: OpenDatabase): ReturnType<OpenDatabase['collection']> {
    return database.collection(this.collectionName);
  }
}
