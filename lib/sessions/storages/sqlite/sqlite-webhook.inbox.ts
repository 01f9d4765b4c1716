import { randomUUID } from 'node:crypto';

import type { Clock } from '../../../core/time/clock.js';
import { DONE_FOR, WebhookInbox, digestOf } from '../../coordination/webhook.inbox.js';
import type { Claim, DeliveryKey } from '../../coordination/webhook.inbox.js';
import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import type { SqliteConnection } from './sqlite.connection.js';
import type { SqliteValue } from './sqlite.driver.js';
import { quoted } from './sqlite.migrations.js';

/**
 * How many rows are removed at a time, for the sake of the event loop; the next call goes on when
 * there are more.
 */
const REMOVED_AT_ONCE = 1_000;

/** Remembers deliveries in a SQLite file, for all processes of the machine that share it. */
export class SqliteWebhookInbox extends WebhookInbox {
  readonly #sql: Readonly<
    Record<'claim' | 'isDone' | 'renew' | 'complete' | 'release' | 'remove', string>
  >;
  readonly #removal: ThrottledTask;

  /** @param open answers with the file once its tables are there */
  constructor(
    private readonly open: () => Promise<SqliteConnection>,
    sessionTable: string,
    private readonly clock: Clock,
  ) {
    super();
    const table = quoted(`${sessionTable}_webhooks`);
    this.#sql = {
      claim: `INSERT INTO ${table} (id, token, until, isDone, handled) VALUES (?1, ?2, ?3, 0, '[]')
        ON CONFLICT (id) DO UPDATE SET token = excluded.token, until = excluded.until, isDone = 0 WHERE until <= ?4 RETURNING handled`,
      isDone: `SELECT isDone FROM ${table} WHERE id = ?`,
      renew: `UPDATE ${table} SET until = ?3 WHERE id = ?1 AND token = ?2 AND NOT isDone`,
      complete: `UPDATE ${table} SET until = ?3, isDone = 1, handled = '[]' WHERE id = ?1 AND token = ?2 AND NOT isDone`,
      release: `UPDATE ${table} SET token = NULL, until = ?3, handled = ?4 WHERE id = ?1 AND token = ?2 AND NOT isDone`,
      // What is not done is kept as long: the platform's next attempt has to know which handlers
      // are done with it.
      remove: `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE until <= ?1 AND (isDone OR until <= ?2) LIMIT ${REMOVED_AT_ONCE})`,
    };
    this.#removal = new ThrottledTask(clock);
  }

  async claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    const token = randomUUID();
    const id = digestOf(key);
    const file = await this.open();
    const claim = file.write((database): Claim => {
      const now = this.#now();
      const [claimed] = database.prepare(this.#sql.claim).all([id, token, now + leaseMs, now]);
      if (claimed)
        return { state: 'claimed', token, handled: JSON.parse(String(claimed[0])) as string[] };
      return { state: database.prepare(this.#sql.isDone).get([id])?.[0] ? 'done' : 'busy' };
    });
    this.#removal.maybeRun(() => this.#removeOld(file));
    return claim;
  }

  renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean> {
    return this.#change(this.#sql.renew, key, token, () => [this.#now() + leaseMs]);
  }

  async complete(key: DeliveryKey, token: string): Promise<void> {
    await this.#change(this.#sql.complete, key, token, () => [this.#now() + DONE_FOR]);
  }

  async release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void> {
    const names = JSON.stringify(handled);
    await this.#change(this.#sql.release, key, token, () => [this.#now(), names]);
  }

  /** @param values asked for when the turn of the write has come */
  async #change(
    sql: string,
    key: DeliveryKey,
    token: string,
    values: () => SqliteValue[],
  ): Promise<boolean> {
    const id = digestOf(key);
    const file = await this.open();
    const { changes } = await file.write((database) =>
      database.prepare(sql).run([id, token, ...values()]),
    );
    return changes === 1;
  }

  /** Answers with true when there are more. */
  async #removeOld(file: SqliteConnection): Promise<boolean> {
    const now = this.#now();
    const { changes } = await file.write((database) =>
      database.prepare(this.#sql.remove).run([now, now - DONE_FOR]),
    );
    return changes === REMOVED_AT_ONCE;
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
