import type { Session } from '../../session.js';
import type { SessionTable } from '../connection/engine-session.storage.js';

/** A row, or its part that a call gives or matches. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A table of an engine that is not asked in SQL, asked as Prisma asks for the rows of a model:
 * `where` may have `gt`, `lt`, `in` and their like, and `OR`; null matches what is not set.
 */
export interface RowTable {
  /** @throws the engine's error when the key is taken */
  create(args: { data: Row }): Promise<unknown>;
  /** Creates the row, or replaces the one of the same key. */
  upsert(args: { where: Row; create: Row; update: Row }): Promise<unknown>;
  findUnique(args: { where: Row }): Promise<Row | null>;
  findMany(args: { where: Row; orderBy?: Row; take?: number }): Promise<Row[]>;
  updateMany(args: { where: Row; data: Row }): Promise<{ count: number }>;
  deleteMany(args: { where: Row }): Promise<{ count: number }>;
}

/** How often a session is written that the table did not take as it was. */
const ATTEMPTS = 5;

/** A table of sessions. */
interface SessionRows {
  readonly sessions: RowTable;
  /** @throws {SessionStorageError} for a session that cannot be stored */
  rowOf(session: Session): Row;
  sessionIn(row: Row): Session;
  /**
   * Whether a write may succeed when its row is made, and written, anew. Of two that find no
   * session and make one, the second finds the id taken: by then there is one to update.
   */
  isRepeated(error: unknown): boolean;
}

/** The sessions in the rows of a table, or the documents of a collection. */
export function tableSessions(rows: SessionRows): SessionTable {
  const { sessions, rowOf, sessionIn } = rows;

  async function found(query: Parameters<RowTable['findMany']>[0]): Promise<Session[]> {
    return (await sessions.findMany(query)).map(sessionIn);
  }

  async function written<T>(session: Session, write: (row: Row) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write(rowOf(session));
      } catch (error) {
        if (attempt === ATTEMPTS || !rows.isRepeated(error)) throw error;
      }
    }
  }

  return {
    async load(id) {
      const row = await sessions.findUnique({ where: { id } });
      // There are databases that take ids for the same which differ in case.
      return row?.['id'] === id ? sessionIn(row) : undefined;
    },
    store: (session) =>
      written(session, (row) =>
        sessions.upsert({ where: { id: session.id }, create: row, update: row }),
      ),
    async replace(session, previous) {
      const { accessToken = null, refreshToken = null } = rowOf(previous);
      const where = { id: session.id, accessToken, refreshToken };
      const { count } = await written(session, (data) => sessions.updateMany({ where, data }));
      return count === 1;
    },
    delete(ids) {
      // The driver of MongoDB repeats a change of one document, and not of many.
      const id = ids.length === 1 ? ids[0] : { in: ids };
      return sessions.deleteMany({ where: { id } });
    },
    ofShop: (shop) => found({ where: { shop } }),
    /** In the order that the database gives ids. */
    page(after, take) {
      const where = after === undefined ? {} : { id: { gt: after } };
      return found({ where, orderBy: { id: 'asc' }, take });
    },
    async *deleteExpired(moment) {
      const where = { isOnline: true, expires: { lt: moment } };
      yield (await sessions.deleteMany({ where })).count;
    },
  };
}
