import type { Session } from '../../session.js';
import type { SessionTable } from '../connection/engine-session.storage.js';
import type { Row, RowTable } from './row-table.js';

/** How often a session is written that the table did not take as it was. */
const ATTEMPTS = 5;

/** A table of sessions. */
export interface SessionRows {
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
export class TableSessions implements SessionTable {
  constructor(private readonly rows: SessionRows) {}

  async load(id: string): Promise<Session | undefined> {
    const row = await this.rows.sessions.findUnique({ where: { id } });
    // There are databases that take ids for the same which differ in case.
    return row?.['id'] === id ? this.rows.sessionIn(row) : undefined;
  }

  store(session: Session): Promise<unknown> {
    const { sessions } = this.rows;
    const where = { id: session.id };
    return this.#write(session, (row) => sessions.upsert({ where, create: row, update: row }));
  }

  async replace(session: Session, previous: Session): Promise<boolean> {
    const { sessions } = this.rows;
    const { accessToken = null, refreshToken = null } = this.rows.rowOf(previous);
    const where = { id: session.id, accessToken, refreshToken };
    const write = (data: Row): Promise<{ count: number }> => sessions.updateMany({ where, data });
    return (await this.#write(session, write)).count === 1;
  }

  delete(ids: readonly string[]): Promise<unknown> {
    // The driver of MongoDB repeats a change of one document, and not of many.
    const id = ids.length === 1 ? ids[0] : { in: ids };
    return this.rows.sessions.deleteMany({ where: { id } });
  }

  ofShop(shop: string): Promise<Session[]> {
    return this.#find({ where: { shop } });
  }

  /** In the order that the database gives ids. */
  page(after: string | undefined, take: number): Promise<Session[]> {
    const where = after === undefined ? {} : { id: { gt: after } };
    return this.#find({ where, orderBy: { id: 'asc' }, take });
  }

  async *deleteExpired(moment: Date): AsyncGenerator<number> {
    const where = { isOnline: true, expires: { lt: moment } };
    yield (await this.rows.sessions.deleteMany({ where })).count;
  }

  async #write<T>(session: Session, write: (row: Row) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write(this.rows.rowOf(session));
      } catch (error) {
        if (attempt === ATTEMPTS || !this.rows.isRepeated(error)) throw error;
      }
    }
  }

  async #find(query: Parameters<RowTable['findMany']>[0]): Promise<Session[]> {
    return (await this.rows.sessions.findMany(query)).map(this.rows.sessionIn);
  }
}
