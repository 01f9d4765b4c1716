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
import type { EngineCalls } from '../connection/engine.connection.js';
import type { OpenDatabase } from './mongodb.connection.js';
import { isDuplicate } from './mongodb.driver.js';
import type { MongoCollection, MongoDocument } from './mongodb.driver.js';
import type { RecordTable } from '../table/table-record.store.js';
import type { SessionTable } from '../table/table-session.storage.js';
import { MongoDBRecordStore } from './mongodb-record.store.js';
import { MongoTable } from './mongodb-table.js';

/** How often duplicates are looked for again that others made while the index was built. */
const ATTEMPTS = 5;
/** The server's number for a collection that is not there. */
const NAMESPACE_NOT_FOUND = 26;

/** What the collections of one storage are called. */
export interface CollectionNames {
  readonly sessions: string;
  readonly records: string;
}

/** The collections themselves. */
export interface MongoTables extends SessionTable, RecordTable {}

export function tablesOf(database: OpenDatabase, names: CollectionNames): MongoTables {
  const [sessions, records] = [names.sessions, names.records].map(
    (name) => new MongoTable(database.collection(name)),
  );
  return { sessions: sessions!, records: records!, now: () => database.now() };
}

type Run = (sessions: MongoCollection, records: MongoCollection) => Promise<unknown>;

/** In order, each run once per storage. A released step is never changed: add another. */
const STEPS: readonly Migration<Run>[] = [
  ['unique-ids', makeIdsUnique],
  ['shop-index', (sessions) => sessions.createIndex({ shop: 1 })],
  ['expiry-index', (sessions) => sessions.createIndex({ expires: 1 })],
  ['records-expiry-index', (_, records) => records.createIndex({ expiresAt: 1 })],
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
  const tables = tablesOf(database, names);
  const connection: EngineCalls<MongoTables> = { run: async (_, work) => work(tables) };
  const lock = new RecordLock(new MongoDBRecordStore(connection, isDuplicate, clock));
  await withLock({ lock, clock }, 'migrations', async () => {
    const [sessions, records] = [names.sessions, names.records].map((name) =>
      database.collection(name),
    );
    // Another process may have done the work while this one waited.
    for (const step of await pendingIn(database, names)) {
      const [, run] = step;
      await run(sessions!, records!);
      const _id = migrationId(names.sessions, step);
      await database.collection(MIGRATIONS_TABLE).replaceOne({ _id }, {}, { upsert: true });
    }
  });
}

/**
 * Names of the steps that have not been taken, or whose effect is gone: without its index of ids
 * two processes could store a session twice.
 */
export async function missingMigrations(
  database: OpenDatabase,
  names: CollectionNames,
): Promise<string[]> {
  const missing = (await pendingIn(database, names)).map(([name]) => `migration ${name}`);
  if (missing.length > 0) return missing;
  const indexes = await indexesOfIds(database.collection(names.sessions));
  return indexes.some(({ unique }) => unique === true) ? [] : ['migration unique-ids'];
}

async function pendingIn(
  database: OpenDatabase,
  { sessions }: CollectionNames,
): Promise<typeof STEPS> {
  const _id = { $in: STEPS.map((step) => migrationId(sessions, step)) };
  const taken = await database.collection(MIGRATIONS_TABLE).find({ _id }).toArray();
  return pendingMigrations(
    STEPS,
    sessions,
    taken.map(({ _id: id }) => id),
  );
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
async function indexesOfIds(collection: MongoCollection): Promise<MongoDocument[]> {
  const indexes = await collection.indexes().catch((error: unknown) => {
    if (codeOf(error) === NAMESPACE_NOT_FOUND) return [];
    throw error;
  });
  return indexes.filter(({ key }) => JSON.stringify(key) === '{"id":1}');
}
