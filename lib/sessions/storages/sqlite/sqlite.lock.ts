import type { Clock } from '../../../core/time/clock.js';
import { Lock } from '../../coordination/lock.js';
import type { SqliteConnection } from './sqlite.connection.js';
import { quoted } from './sqlite.migrations.js';

/**
 * Holds names as rows of a SQLite file: one holder in all processes of the machine that share it.
 * Its clock is the machine's.
 */
export class SqliteLock extends Lock {
  readonly #take: string;
  readonly #renew: string;
  readonly #release: string;

  /** @param open answers with the file once its tables are there */
  constructor(
    private readonly open: () => Promise<SqliteConnection>,
    sessionTable: string,
    private readonly clock: Clock,
  ) {
    super();
    const table = quoted(`${sessionTable}_locks`);
    this.#take = `INSERT INTO ${table} (name, holder, until) VALUES (?1, ?2, ?3)
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE until <= ?4`;
    this.#renew = `UPDATE ${table} SET until = ?3 WHERE name = ?1 AND holder = ?2 AND until > ?4`;
    this.#release = `DELETE FROM ${table} WHERE name = ? AND holder = ?`;
  }

  take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    return this.#hold(this.#take, name, holder, leaseMs);
  }

  renew(name: string, holder: string, leaseMs: number): Promise<boolean> {
    return this.#hold(this.#renew, name, holder, leaseMs);
  }

  async release(name: string, holder: string): Promise<void> {
    const file = await this.open();
    await file.write((database) => database.prepare(this.#release).run([name, holder]));
  }

  async #hold(sql: string, name: string, holder: string, leaseMs: number): Promise<boolean> {
    const file = await this.open();
    const { changes } = await file.write((database) => {
      // When its turn has come: a write may have waited for the file.
      const now = this.clock.now().getTime();
      return database.prepare(sql).run([name, holder, now + leaseMs, now]);
    });
    return changes === 1;
  }
}
