import { InstallationStore } from '../../coordination/installation.store.js';
import type { Installation } from '../../coordination/installation.store.js';
import type { MongoConnection } from './mongodb.connection.js';
import { isDuplicate } from './mongodb.driver.js';

/** Keeps each record as a document. */
export class MongoDBInstallationStore extends InstallationStore {
  constructor(
    private readonly connection: MongoConnection,
    private readonly collectionName: string,
  ) {
    super();
  }

  load(app: string, shop: string): Promise<Installation | undefined> {
    return this.connection.run('load an installation', async (database) => {
      const document = await database
        .collection(this.collectionName)
        .findOne({ _id: keyOf(app, shop) });
      if (!document) return undefined;
      const { _id, ...installation } = document;
      return installation as unknown as Installation;
    });
  }

  save(installation: Installation): Promise<boolean> {
    const { app, shop, version } = installation;
    const document = { _id: keyOf(app, shop), ...installation };
    return this.connection.run('save an installation', async (database) => {
      const collection = database.collection(this.collectionName);
      if (version > 1) {
        const { matchedCount } = await collection.replaceOne(
          { _id: document._id, version: version - 1 },
          document,
        );
        return matchedCount === 1;
      }
      try {
        await collection.insertOne(document);
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    });
  }
}

function keyOf(app: string, shop: string): string {
  return JSON.stringify([app, shop]);
}
