import type { RecordKey } from '../../coordination/record.store.js';
import type { Row } from '../table/row-table.js';
import { TableRecordStore } from '../table/table-record.store.js';

/** Keeps records as documents. The server's clock counts. */
export class MongoDBRecordStore extends TableRecordStore {
  protected keyOf({ kind, id }: RecordKey): Row {
    return { _id: `${kind}:${id}` };
  }

  /** By their keys, which have an index: they begin with the kind and a colon. */
  protected pageOf(kind: string, after = ''): { where: Row; orderBy: Row } {
    return { where: { _id: { gt: `${kind}:${after}`, lt: `${kind};` } }, orderBy: { _id: 'asc' } };
  }
}
