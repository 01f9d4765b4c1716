import {
  InstallationStore,
  parseInstallation,
  serializeInstallation,
} from '../../coordination/installation.store.js';
import type { Installation } from '../../coordination/installation.store.js';
import type { SqliteConnection } from './sqlite.connection.js';
import { quoted } from './sqlite.migrations.js';

/** Keeps installation records in a SQLite file. */
export class SqliteInstallationStore extends InstallationStore {
  readonly #load: string;
  readonly #insert: string;
  readonly #update: string;

  /** @param open answers with the file once its tables are there */
  constructor(
    private readonly open: () => Promise<SqliteConnection>,
    sessionTable: string,
  ) {
    super();
    const table = quoted(`${sessionTable}_installations`);
    this.#load = `SELECT record FROM ${table} WHERE app = ? AND shop = ?`;
    this.#insert = `INSERT INTO ${table} (app, shop, record, version) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING`;
    this.#update = `UPDATE ${table} SET record = ?3, version = ?4 WHERE app = ?1 AND shop = ?2 AND version = ?4 - 1`;
  }

  async load(app: string, shop: string): Promise<Installation | undefined> {
    const file = await this.open();
    const row = await file.read((database) => database.prepare(this.#load).get([app, shop]));
    return row && parseInstallation(String(row[0]));
  }

  async save(installation: Installation): Promise<boolean> {
    const { app, shop, version } = installation;
    const record = serializeInstallation(installation);
    const file = await this.open();
    const sql = version === 1 ? this.#insert : this.#update;
    const { changes } = await file.write((database) =>
      database.prepare(sql).run([app, shop, record, version]),
    );
    return changes === 1;
  }
}
