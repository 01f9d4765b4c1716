import type { Document } from 'mongodb';
import type { Row, RowTable } from '../table/row-table.js';
import type { MongoCollection } from './mongodb.driver.js';

/** A collection whose documents are used as rows. */
export class MongoTable implements RowTable {
  constructor(private readonly collection: MongoCollection) {}

  create({ data }: { data: Row }): Promise<unknown> {
    return this.collection.insertOne(data);
  }

  upsert({ where, create }: { where: Row; create: Row }): Promise<unknown> {
    return this.collection.replaceOne(filterOf(where), create, { upsert: true });
  }

  findUnique({ where }: { where: Row }): Promise<Row | null> {
    return this.collection.findOne(filterOf(where));
  }

  async findMany(args: { where: Row; orderBy?: Row; take?: number }): Promise<Row[]> {
    const { where, orderBy = {}, take } = args;
    // MongoDB takes 0 for no limit.
    if (take === 0) return [];
    const order = Object.fromEntries(Object.keys(orderBy).map((field) => [field, 1 as const]));
    const page = { sort: order, limit: take ?? 0 };
    return this.collection.find(filterOf(where), page).toArray();
  }

  /** One alone: storages update rows by their key. What is undefined is removed. */
  async updateMany({ where, data }: { where: Row; data: Row }): Promise<{ count: number }> {
    const unset = Object.keys(data).filter((field) => data[field] === undefined);
    const update = {
      $set: data,
      ...(unset.length > 0 && {
        $unset: Object.fromEntries(unset.map((field) => [field, '' as const])),
      }),
    };
    const { matchedCount } = await this.collection.updateOne(filterOf(where), update);
    return { count: matchedCount };
  }

  async deleteMany({ where }: { where: Row }): Promise<{ count: number }> {
    const filter = filterOf(where);
    // The driver repeats a change of one document, and not of many, when the server has changed.
    const isOne = [where['id'], where['_id']].some((key) => typeof key === 'string');
    const { deletedCount } = await (isOne
      ? this.collection.deleteOne(filter)
      : this.collection.deleteMany(filter));
    return { count: deletedCount };
  }
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
