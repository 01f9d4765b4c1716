import type { Collection } from 'mongodb';
import { codeOf, loadOptional } from '../connection/optional-driver.js';

/** Of ours the ids are texts. */
export type MongoDocument = { _id?: string } & Record<string, unknown>;
export type MongoCollection = Collection<MongoDocument>;
/** The collections of one database, by their names. */
export type Collections = (name: string) => MongoCollection;

/** @throws {MissingDriverError} when the driver is not installed */
export function loadDriver(): Promise<typeof import('mongodb')> {
  return loadOptional('MongoDB', 'mongodb', () => import('mongodb'));
}

/** True for the server's refusal of a document whose id is taken. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === 11_000;
}
