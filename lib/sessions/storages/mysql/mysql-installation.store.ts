import {
  InstallationStore,
  parseInstallation,
  serializeInstallation,
} from '../../coordination/installation.store.js';
import type { Installation } from '../../coordination/installation.store.js';
import { hasInserted } from './mysql.connection.js';
import type { MySQLConnection } from './mysql.connection.js';
import { quoted } from './mysql.driver.js';

/** Keeps each record as a row. */
export class MySQLInstallationStore extends InstallationStore {
  readonly #sql: Readonly<Record<'load' | 'insert' | 'update', string>>;

  /** @param open answers with the connection once its tables are there */
  constructor(
    private readonly open: () => Promise<MySQLConnection>,
    sessionTable: string,
  ) {
    super();
    const table = quoted(`${sessionTable}_installations`);
    this.#sql = {
      load: `SELECT record FROM ${table} WHERE app = ? AND shop = ?`,
      insert: `INSERT INTO ${table} (record, version, app, shop) VALUES (?, ?, ?, ?)`,
      update: `UPDATE ${table} SET record = ?, version = ? WHERE app = ? AND shop = ? AND version = ?`,
    };
  }

  async load(app: string, shop: string): Promise<Installation | undefined> {
    const connection = await this.open();
    const { rows } = await connection.run('load an installation', this.#sql.load, [app, shop]);
    return rows[0] && parseInstallation(String(rows[0]['record']));
  }

  async save(installation: Installation): Promise<boolean> {
    const { app, shop, version } = installation;
    const record = [serializeInstallation(installation), version, app, shop] as const;
    const connection = await this.open();
    return connection.series('save an installation', async (send) => {
      if (version === 1) return hasInserted(send(this.#sql.insert, record));
      return (await send(this.#sql.update, [...record, version - 1])).affectedRows === 1;
    });
  }
}
