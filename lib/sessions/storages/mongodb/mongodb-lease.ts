import type { OpenDatabase } from './mongodb.connection.js';
import { isDuplicate } from './mongodb.driver.js';
import type { MongoCollection, MongoDocument } from './mongodb.driver.js';

/**
 * A document that belongs to somebody until `leaseMs` after `at`, which the server writes by its
 * own clock.
 */
export interface Lease {
  readonly key: string;
  readonly owner: string;
  readonly leaseMs: number;
}

const NOW = { $currentDate: { at: true } };

/**
 * Takes the document `key` for the owner: makes it, with `initial` beside what it `set`s, or takes
 * over one whose lease has ended. One round trip unless there is a document of somebody else.
 * @returns the document as it was before: empty when there was none. With `isTaken` false when it
 * is somebody else's.
 */
export async function takeLease(
  database: OpenDatabase,
  collection: MongoCollection,
  { key, owner, leaseMs }: Lease,
  { set, initial }: { readonly set?: MongoDocument; readonly initial?: MongoDocument } = {},
): Promise<{ readonly isTaken: boolean; readonly before: MongoDocument }> {
  const update = { $set: { owner, leaseMs, ...set }, ...NOW };
  try {
    // The key is unique by nature, so that of many who find nothing one makes the document and the
    // others fail.
    await collection.updateOne(
      { _id: key, owner },
      { ...update, ...(initial && { $setOnInsert: initial }) },
      { upsert: true },
    );
    return { isTaken: true, before: {} };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  const [before, now] = await Promise.all([collection.findOne({ _id: key }), database.now()]);
  // Released a moment ago: who asks again finds it free.
  if (!before) return { isTaken: false, before: {} };
  if ((before['at'] as Date).getTime() + Number(before['leaseMs']) > now.getTime())
    return { isTaken: false, before };
  // Not if it was renewed, or taken over, since we looked.
  const { matchedCount } = await collection.updateOne(
    { _id: key, owner: before['owner'], at: before['at'] },
    update,
  );
  return { isTaken: matchedCount === 1, before };
}

/** The lease now ends `leaseMs` from now. False when the document is somebody else's, or gone. */
export async function renewLease(
  collection: MongoCollection,
  { key, owner, leaseMs }: Lease,
): Promise<boolean> {
  const { matchedCount } = await collection.updateOne(
    { _id: key, owner },
    { $set: { leaseMs }, ...NOW },
  );
  return matchedCount === 1;
}
