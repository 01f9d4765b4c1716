import {
  InstallationStore,
  parseInstallation,
  serializeInstallation,
} from '../../coordination/installation.store.js';
import type { Installation } from '../../coordination/installation.store.js';
import type { PostgreSQLConnection } from './postgresql.connection.js';
import { prepared, quoted } from './postgresql.driver.js';
import type { PostgreSQLQuery } from './postgresql.driver.js';

/** Keeps each record as a row. */
export class PostgreSQLInstallationStore extends InstallationStore {
  readonly #sql: Readonly<Record<'load' | 'insert' | 'update', PostgreSQLQuery>>;

  /** @param open answers with the connection once its tables are there */
  constructor(
    private readonly open: () => Promise<PostgreSQLConnection>,
    sessionTable: string,
  ) {
    super();
    const table = quoted(`${sessionTable}_installations`);
    this.#sql = {
      load: prepared(`SELECT record FROM ${table} WHERE app = $1 AND shop = $2`),
      insert: prepared(
        `INSERT INTO ${table} (app, shop, version, record) VALUES ($1, $2, $3, $4) ON CONFLICT (app, shop) DO NOTHING`,
      ),
      update: prepared(
        `UPDATE ${table} SET version = $3, record = $4 WHERE app = $1 AND shop = $2 AND version = $3 - 1`,
      ),
    };
  }

  async load(app: string, shop: string): Promise<Installation | undefined> {
    const connection = await this.open();
    const { rows } = await connection.query('load an installation', this.#sql.load, [app, shop]);
    return rows[0] && parseInstallation(String(rows[0]['record']));
  }

  async save(installation: Installation): Promise<boolean> {
    const { app, shop, version } = installation;
    const connection = await this.open();
    const statement = version === 1 ? this.#sql.insert : this.#sql.update;
    const { rowCount } = await connection.query('save an installation', statement, [
      app,
      shop,
      version,
      serializeInstallation(installation),
    ]);
    return rowCount === 1;
  }
}
