import type { Clock } from '../../../core/time/clock.js';
import { RecordLock } from '../../coordination/coordination-stores.js';
import { withLock } from '../../coordination/with-lock.js';
import { codeOf } from '../connection/optional-driver.js';
import {
  MIGRATIONS_TABLE,
  migrationId,
  pendingMigrations,
} from '../connection/pending-migrations.js';
import type { Migration } from '../connection/pending-migrations.js';
import type { OpenDatabase } from './mongodb.connection.js';
import { isDuplicate } from './mongodb.driver.js';
import type { MongoCollection, MongoDocument } from './mongodb.driver.js';
import { MongoDBRecordStore } from './mongodb-record.store.js';

/** How often duplicates are looked for again that others made while the index was built. */
const ATTEMPTS = 5;
/** The server's number for a collection that is not there. */
const NAMESPACE_NOT_FOUND = 26;

/** The collections of one storage. */
export interface CollectionNames {
  readonly sessions: string;
  readonly records: string;
}

/** In order, each run once per storage. A released step is never changed: add another. */
const STEPS: readonly Migration<
  (database: OpenDatabase, names: CollectionNames) => Promise<unknown>
>[] = [
  ['unique-ids', (database, { sessions }) => makeIdsUnique(database.collection(sessions))],
  [
    'shop-index',
    (database, { sessions }) => database.collection(sessions).createIndex({ shop: 1 }),
  ],
  [
    'expiry-index',
    (database, { sessions }) => database.collection(sessions).createIndex({ expires: 1 }),
  ],
  [
    'records-expiry-index',
    (database, { records }) => database.collection(records).createIndex({ ttlMs: 1, changedAt: 1 }),
  ],
];

/**
 * Upgrades the collections of any earlier version, ours or official, to the current layout. Safe
 * when several processes do the same.
 */
export async function migrate(
  database: OpenDatabase,
  names: CollectionNames,
  clock: Clock,
): Promise<void> {
  if ((await pendingIn(database, names)).length === 0) return;
  const lock = new RecordLock(
    new MongoDBRecordStore({ run: (_, work) => work(database) }, names.records, clock),
  );
  await withLock({ lock, clock }, 'migrations', async () => {
    // Another process may have done the work while this one waited.
    for (const step of await pendingIn(database, names)) {
      const [, run] = step;
      await run(database, names);
      await database
        .collection(MIGRATIONS_TABLE)
        .replaceOne({ _id: migrationId(names.sessions, step) }, {}, { upsert: true });
    }
  });
}

/** Names of the steps that have not been taken. */
export async function missingMigrations(
  database: OpenDatabase,
  names: CollectionNames,
): Promise<string[]> {
  return (await pendingIn(database, names)).map(([name]) => name);
}

async function pendingIn(
  database: OpenDatabase,
  { sessions }: CollectionNames,
): Promise<typeof STEPS> {
  const records = STEPS.map((step) => migrationId(sessions, step));
  const documents = await database
    .collection(MIGRATIONS_TABLE)
    .find({ _id: { $in: records } })
    .toArray();
  const taken = documents.map(({ _id }) => _id);
  return pendingMigrations(STEPS, sessions, taken);
}

/**
 * True when the index is there that makes ids unique, without which two processes could store a
 * session twice.
 */
export async function hasUniqueIds(
  database: OpenDatabase,
  { sessions }: CollectionNames,
): Promise<boolean> {
  return (await indexesOfIds(database.collection(sessions))).some(({ unique }) => unique === true);
}

/**
 * The official storage has no index of ids, and makes two sessions of one when two processes store
 * it for the first time at once.
 */
async function makeIdsUnique(sessions: MongoCollection): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await removeDuplicates(sessions);
    try {
      // One that somebody made for speed would be in the way of ours.
      for (const { name, unique } of await indexesOfIds(sessions))
        if (!unique) await sessions.dropIndex(String(name));
      await sessions.createIndex({ id: 1 }, { unique: true });
      return;
    } catch (error) {
      if (!isDuplicate(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Of sessions with the same id the first stays: the one that the official storage finds, and has
 * written ever since.
 */
async function removeDuplicates(sessions: MongoCollection): Promise<void> {
  const counted = sessions.aggregate(
    [{ $group: { _id: '$id', count: { $sum: 1 } } }, { $match: { count: { $gt: 1 } } }],
    {
      allowDiskUse: true,
    },
  );
  for (const { _id: id } of await counted.toArray()) {
    // What has no id is no session, and not ours to delete.
    if (typeof id !== 'string') continue;
    const [, ...others] = await sessions.find({ id }, { projection: { _id: 1 } }).toArray();
    await sessions.deleteMany({ _id: { $in: others.map(({ _id }) => _id) } });
  }
}

/** None, when the collection is not there yet. */
async function indexesOfIds(collection: MongoCollection): Promise<MongoDocument[]> {
  const indexes = await collection.indexes().catch((error: unknown) => {
    if (codeOf(error) === NAMESPACE_NOT_FOUND) return [];
    throw error;
  });
  return indexes.filter(({ key }) => JSON.stringify(key) === '{"id":1}');
}
