import type { IndexDescriptionInfo } from 'mongodb';
import type { Clock } from '../../../core/time/clock.js';
import { RecordLock } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { withLock } from '../../coordination/with-lock.js';
import { codeOf } from '../connection/optional-driver.js';
import { MIGRATIONS_TABLE, applyPending, pendingIn } from '../connection/pending-migrations.js';
import type { NotedMigrations } from '../connection/pending-migrations.js';
import { isDuplicate } from './mongodb-documents.js';
import type { Collections, MongoCollection } from './mongodb-documents.js';

/** How often duplicates are looked for again that others made while the index was built. */
const ATTEMPTS = 5;
/** The server's number for a collection that is not there. */
const NAMESPACE_NOT_FOUND = 26;

function migrationsOf(collections: Collections, name: string): NotedMigrations {
  const [sessions, records] = [collections(name), collections(`${name}_records`)];
  const notes = collections(MIGRATIONS_TABLE);
  const range = { $gt: `${name}/`, $lt: `${name}0` };
  return [
    {
      read: async () => (await notes.find({ _id: range }).toArray()).map(({ _id }) => _id),
      add: (_id) => notes.replaceOne({ _id }, {}, { upsert: true }),
    },
    [
      [`${name}/unique-ids`, () => makeIdsUnique(sessions)],
      [`${name}/shop-index`, () => sessions.createIndex({ shop: 1 })],
      [`${name}/expiry-index`, () => sessions.createIndex({ expires: 1 })],
      [`${name}/records-expiry-index`, () => records.createIndex({ expiresAt: 1 })],
    ],
  ];
}

/**
 * Upgrades the collections of any earlier version, ours or official, to the current layout. Safe
 * when several processes do the same.
 */
export async function migrate(
  collections: Collections,
  sessions: string,
  records: RecordStore,
  clock: Clock,
): Promise<void> {
  const migrations = migrationsOf(collections, sessions);
  if ((await pendingIn(...migrations)).length === 0) return;
  // Another process may have done the work while this one waited.
  await withLock({ lock: new RecordLock(records), clock }, 'migrations', () =>
    applyPending(...migrations),
  );
}

/**
 * Names of the migrations that were not applied, or whose effect is gone: without its index of ids
 * two processes could store a session twice.
 */
export async function missingMigrations(
  collections: Collections,
  sessions: string,
): Promise<string[]> {
  const pending = await pendingIn(...migrationsOf(collections, sessions));
  if (pending.length > 0) return pending.map(([id]) => `migration ${id.split('/').at(-1)}`);
  const indexes = await indexesOfIds(collections(sessions));
  return indexes.some(({ unique }) => unique === true) ? [] : ['migration unique-ids'];
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
  const counts = { $group: { _id: '$id', count: { $sum: 1 } } };
  const stages = [counts, { $match: { count: { $gt: 1 } } }];
  for (const { _id: id } of await sessions.aggregate(stages, { allowDiskUse: true }).toArray()) {
    // What has no id is no session, and not ours to delete.
    if (typeof id !== 'string') continue;
    const [, ...others] = await sessions.find({ id }, { projection: { _id: 1 } }).toArray();
    await sessions.deleteMany({ _id: { $in: others.map(({ _id }) => _id) } });
  }
}

/** None, when the collection is not there yet. */
async function indexesOfIds(collection: MongoCollection): Promise<IndexDescriptionInfo[]> {
  const indexes = await collection.indexes().catch((error: unknown) => {
    if (codeOf(error) === NAMESPACE_NOT_FOUND) return [];
    throw error;
  });
  return indexes.filter(({ key }) => JSON.stringify(key) === '{"id":1}');
}
