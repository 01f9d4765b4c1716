import type { Clock } from '../../../core/time/clock.js';
import type { RecordKey } from '../../coordination/record.store.js';
import type { Row } from '../table/row-table.js';
import { TableRecordStore } from '../table/table-record.store.js';
import type { RecordTable } from '../table/table-record.store.js';
import type { MongoConnection } from './mongodb.connection.js';
import { isDuplicate } from './mongodb.driver.js';
import { MongoTable } from './mongodb-table.js';

/** Keeps records as documents. The server's clock counts. */
export class MongoDBRecordStore extends TableRecordStore {
  constructor(
    private readonly connection: Pick<MongoConnection, 'run'>,
    private readonly collectionName: string,
    clock: Clock,
  ) {
    super(isDuplicate, clock);
  }

  protected run<T>(what: string, work: (records: RecordTable) => Promise<T>): Promise<T> {
    return this.connection.run(what, (database) => {
      const rows = new MongoTable(database.collection(this.collectionName));
      return work({ rows, now: () => database.now() });
    });
  }

  protected keyOf({ kind, id }: RecordKey): Row {
    return { _id: `${kind}:${id}` };
  }

  /** By their keys, which have an index: they begin with the kind and a colon. */
  protected pageOf(kind: string, after = ''): { where: Row; orderBy: Row } {
    return { where: { _id: { gt: `${kind}:${after}`, lt: `${kind};` } }, orderBy: { _id: 'asc' } };
  }
}
