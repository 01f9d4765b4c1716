import type { Collection, Document, Sort } from 'mongodb';
import { Session } from '../../session.js';
import type { SessionParams } from '../../session.js';
import { codeOf } from '../connection/optional-driver.js';
import type { Row, RowTable } from '../table/table-sessions.js';

/** Of ours the ids are texts. */
export type MongoCollection = Collection<{ _id?: string } & Record<string, unknown>>;
/** The collections of one database, by their names. */
export type Collections = (name: string) => MongoCollection;

/** A collection whose documents are used as rows. */
export function mongoTable(collection: MongoCollection): RowTable {
  return {
    create: ({ data }) => collection.insertOne(data),
    upsert: ({ where, create }) => collection.replaceOne(filterOf(where), create, { upsert: true }),
    findUnique: ({ where }) => collection.findOne(filterOf(where)),
    async findMany({ where, orderBy = {}, take }) {
      // MongoDB takes 0 for no limit.
      if (take === 0) return [];
      return collection
        .find(filterOf(where), { sort: orderBy as Sort, limit: take ?? 0 })
        .toArray();
    },
    /** One alone: storages update rows by their key. What is undefined is removed. */
    async updateMany({ where, data }) {
      const unset = Object.keys(data).filter((field) => data[field] === undefined);
      const $unset = Object.fromEntries(unset.map((field) => [field, '' as const]));
      const update = { $set: data, ...(unset.length > 0 && { $unset }) };
      return { count: (await collection.updateOne(filterOf(where), update)).matchedCount };
    },
    async deleteMany({ where }) {
      const filter = filterOf(where);
      // The driver repeats a change of one document, and not of many, when the server has changed.
      const isOne = [where['id'], where['_id']].some((key) => typeof key === 'string');
      const { deletedCount } = await (isOne
        ? collection.deleteOne(filter)
        : collection.deleteMany(filter));
      return { count: deletedCount };
    },
  };
}

/** Writes operators, such as `gt` and `OR`, as MongoDB does. */
function filterOf(where: Row): Document {
  return Object.fromEntries(
    Object.entries(where).map(([field, value]) => {
      if (field === 'OR') return ['$or', (value as Row[]).map(filterOf)];
      const isPlain = Object.getPrototypeOf(value ?? '') === Object.prototype;
      return [field, isPlain ? withOperators(value as Row) : value];
    }),
  );
}

function withOperators(condition: Row): Document {
  return Object.fromEntries(
    Object.entries(condition).map(([operator, value]) => [`$${operator}`, value]),
  );
}

/** True for the server's refusal of a document whose id is taken. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === 11_000;
}

/** What is not set of these is removed from a document that there is. */
const UNSET = {
  scope: undefined,
  accessToken: undefined,
  expires: undefined,
  refreshToken: undefined,
  refreshTokenExpires: undefined,
  onlineAccessInfo: undefined,
};

/**
 * The document of the official storage: `id` beside an `_id` of the server's making, times as
 * dates, and no empty texts: a token that is '' is none.
 */
export function documentOf(session: Session): Row {
  return { ...UNSET, ...new Session(session).toObject() };
}

/** The way back. What is not ours in the document is left there. */
export function sessionIn(document: Row): Session {
  const params = new Session(document as unknown as SessionParams).toObject();
  return new Session({ ...params, isOnline: Boolean(params.isOnline) });
}
