import { codeOf, loadOptional } from '../connection/optional-driver.js';

export type MongoDocument = Readonly<Record<string, unknown>>;

/** The part of a cursor that we use. */
export interface MongoCursor {
  sort(order: MongoDocument): MongoCursor;
  limit(count: number): MongoCursor;
  toArray(): Promise<MongoDocument[]>;
}

/** The part of a collection that we use. */
export interface MongoCollection {
  findOne(filter: MongoDocument): Promise<MongoDocument | null>;
  find(filter: MongoDocument, options?: { projection?: MongoDocument }): MongoCursor;
  replaceOne(
    filter: MongoDocument,
    document: MongoDocument,
    options?: { upsert: boolean },
  ): Promise<{ matchedCount: number }>;
  updateOne(filter: MongoDocument, update: MongoDocument): Promise<{ matchedCount: number }>;
  /** @throws the server's error when the id is taken, see {@link isDuplicate} */
  insertOne(document: MongoDocument): Promise<unknown>;
  deleteOne(filter: MongoDocument): Promise<{ deletedCount: number }>;
  deleteMany(filter: MongoDocument): Promise<{ deletedCount: number }>;
  aggregate(stages: MongoDocument[], options?: { allowDiskUse: boolean }): MongoCursor;
  createIndex(keys: MongoDocument, options?: { unique: boolean }): Promise<string>;
  dropIndex(name: string): Promise<unknown>;
  indexes(): Promise<MongoDocument[]>;
}

/** The collections of one database, by their names. */
export type Collections = (name: string) => MongoCollection;

export interface MongoDatabase {
  collection(
    name: string,
    options: { readPreference: 'primary'; ignoreUndefined: boolean },
  ): MongoCollection;
  command(command: MongoDocument, options?: { readPreference: 'primary' }): Promise<MongoDocument>;
}

/** The part of a `MongoClient` that we use, of any version of the driver. */
export interface MongoClientLike {
  connect(): Promise<unknown>;
  close(): Promise<unknown>;
  db(name: string): unknown;
}

interface MongoDriver {
  readonly MongoClient: new (
    url: string,
    options: Readonly<Record<string, unknown>>,
  ) => MongoClientLike;
}

/** @throws {MissingDriverError} when the driver is not installed */
export function loadDriver(): Promise<MongoDriver> {
  return loadOptional('MongoDB', 'mongodb', () => import('mongodb'));
}

/** True for the server's refusal of a document whose id is taken. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === 11_000;
}
