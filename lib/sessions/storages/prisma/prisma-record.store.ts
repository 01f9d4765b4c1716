import { recordDigest } from '../../coordination/coordination-stores.js';
import type { RecordKey } from '../../coordination/record.store.js';
import type { Row } from '../table/row-table.js';
import { TableRecordStore } from '../table/table-record.store.js';

/**
 * Keeps records as rows. This machine's clock counts: Prisma cannot ask every database for its
 * time.
 */
export class PrismaRecordStore extends TableRecordStore {
  /** A digest: there are databases that ignore case, or cut texts off. */
  protected keyOf({ kind, id }: RecordKey): Row {
    return { key: recordDigest(kind, id) };
  }

  /** In the order that the database gives ids. */
  protected pageOf(kind: string, after?: string): { where: Row; orderBy: Row } {
    return {
      where: { kind, ...(after !== undefined && { id: { gt: after } }) },
      orderBy: { id: 'asc' },
    };
  }
}
