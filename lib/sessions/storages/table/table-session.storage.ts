import type { Session } from '../../session.js';
import type { SessionPage } from '../../session.storage.js';
import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import type { EngineConnection } from '../connection/engine.connection.js';
import { pageLimit } from '../connection/page-limit.js';
import type { Row, RowTable } from './row-table.js';

/** A table of sessions. */
export interface SessionTable {
  readonly sessions: RowTable;
}

/** A storage that keeps sessions as rows of a table, or documents of a collection. */
export abstract class TableSessionStorage<
  Server,
  Tables extends SessionTable,
> extends EngineSessionStorage<Server, Tables> {
  /** @param isDuplicate whether a row was refused because its key is taken */
  constructor(
    connection: EngineConnection<Server, Tables>,
    private readonly isDuplicate: (error: unknown) => boolean,
  ) {
    super(connection);
  }

  async storeSession(session: Session): Promise<boolean> {
    await this.run('store a session', async ({ sessions }) => {
      const store = (): Promise<unknown> =>
        this.write(session, (row) =>
          sessions.upsert({ where: { id: session.id }, create: row, update: row }),
        );
      // Of two that find no session and make one, the second finds the id taken: by then there is
      // one to update.
      await store().catch((error: unknown) =>
        this.isDuplicate(error) ? store() : Promise.reject(error),
      );
    });
    return true;
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.run('load a session', async ({ sessions }) => {
      const row = await sessions.findUnique({ where: { id: String(id) } });
      // There are databases that take ids for the same which differ in case.
      return row?.['id'] === String(id) ? this.sessionIn(row) : undefined;
    });
  }

  deleteSession(id: string): Promise<boolean> {
    return this.#delete({ id: String(id) });
  }

  deleteSessions(ids: string[]): Promise<boolean> {
    return this.#delete({ id: { in: ids.map(String) } });
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.run("find a shop's sessions", async ({ sessions }) =>
      (await sessions.findMany({ where: { shop: String(shop) } })).map(this.sessionIn),
    );
  }

  override replaceSession(session: Session, previous: Session): Promise<boolean> {
    return this.run('replace a session', async ({ sessions }) => {
      const { accessToken = null, refreshToken = null } = this.rowOf(previous);
      const where = { id: String(session.id), accessToken, refreshToken };
      const { count } = await this.write(session, (data) => sessions.updateMany({ where, data }));
      return count === 1;
    });
  }

  override deleteExpiredSessions(moment: Date): Promise<number> {
    const where = { isOnline: true, expires: { lt: moment } };
    return this.run(
      'delete expired sessions',
      async ({ sessions }) => (await sessions.deleteMany({ where })).count,
    );
  }

  /** In the order that the database gives ids. */
  override listSessions({ after, limit }: SessionPage): Promise<Session[]> {
    const where = after === undefined ? {} : { id: { gt: String(after) } };
    const page = { where, orderBy: { id: 'asc' }, take: pageLimit(limit) };
    return this.run('list sessions', async ({ sessions }) =>
      (await sessions.findMany(page)).map(this.sessionIn),
    );
  }

  /** @throws {SessionStorageError} for a session that cannot be stored */
  protected abstract rowOf(session: Session): Row;
  protected abstract readonly sessionIn: (row: Row) => Session;

  /** Writes the session's row. */
  protected write<T>(session: Session, write: (row: Row) => Promise<T>): Promise<T> {
    return write(this.rowOf(session));
  }

  async #delete(where: Row): Promise<boolean> {
    await this.run('delete sessions', ({ sessions }) => sessions.deleteMany({ where }));
    return true;
  }
}
