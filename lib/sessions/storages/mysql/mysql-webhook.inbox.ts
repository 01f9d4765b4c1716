import { randomUUID } from 'node:crypto';

import type { Clock } from '../../../core/time/clock.js';
import { DONE_FOR, WebhookInbox, digestOf } from '../../coordination/webhook.inbox.js';
import type { Claim, DeliveryKey } from '../../coordination/webhook.inbox.js';
import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import { hasInserted } from './mysql.connection.js';
import type { MySQLConnection } from './mysql.connection.js';
import { quoted } from './mysql.driver.js';
import type { MySQLValue } from './mysql.driver.js';

/** How many rows are removed at a time; the next claim goes on when there are more. */
const REMOVED_AT_ONCE = 1_000;
/**
 * The server's clock in epoch milliseconds. Its own function for that stumbles where clocks are put
 * back in autumn.
 */
const NOW = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)";

/** Remembers deliveries as rows, for all processes. Leases end by the server's clock. */
export class MySQLWebhookInbox extends WebhookInbox {
  readonly #sql: Readonly<
    Record<'insert' | 'takeOver' | 'look' | 'renew' | 'complete' | 'release' | 'remove', string>
  >;
  readonly #removal: ThrottledTask;

  /** @param open answers with the connection once its tables are there */
  constructor(
    private readonly open: () => Promise<MySQLConnection>,
    sessionTable: string,
    clock: Clock,
  ) {
    super();
    const table = quoted(`${sessionTable}_webhooks`);
    const held = 'id = ? AND token = ? AND isDone = 0';
    this.#sql = {
      insert: `INSERT INTO ${table} (token, until, id, isDone, handled) VALUES (?, ${NOW} + ?, ?, 0, '[]')`,
      takeOver: `UPDATE ${table} SET token = ?, until = ${NOW} + ?, isDone = 0 WHERE id = ? AND until <= ${NOW}`,
      look: `SELECT token, isDone, handled FROM ${table} WHERE id = ?`,
      renew: `UPDATE ${table} SET until = ${NOW} + ? WHERE ${held}`,
      complete: `UPDATE ${table} SET until = ${NOW} + ?, isDone = 1, handled = '[]' WHERE ${held}`,
      release: `UPDATE ${table} SET until = ${NOW}, token = NULL, handled = ? WHERE ${held}`,
      // What is not done is kept as long: the platform's next attempt has to know which handlers
      // are done with it.
      remove: `DELETE FROM ${table} WHERE until <= ${NOW} AND (isDone = 1 OR until <= ${NOW} - ?) ORDER BY until LIMIT ${REMOVED_AT_ONCE}`,
    };
    this.#removal = new ThrottledTask(clock);
  }

  /** One trip for a delivery that is new, as nearly all are. */
  async claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    const token = randomUUID();
    const id = digestOf(key);
    const connection = await this.open();
    this.#removal.maybeRun(() => this.#removeOld(connection));
    return connection.series('claim a webhook delivery', async (send) => {
      if (await hasInserted(send(this.#sql.insert, [token, leaseMs, id])))
        return { state: 'claimed', token, handled: [] };
      await send(this.#sql.takeOver, [token, leaseMs, id]);
      const { rows } = await send(this.#sql.look, [id]);
      if (rows[0]?.['token'] === token)
        return {
          state: 'claimed',
          token,
          handled: JSON.parse(String(rows[0]['handled'])) as string[],
        };
      return { state: rows[0]?.['isDone'] ? 'done' : 'busy' };
    });
  }

  renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean> {
    return this.#change(this.#sql.renew, leaseMs, key, token);
  }

  async complete(key: DeliveryKey, token: string): Promise<void> {
    await this.#change(this.#sql.complete, DONE_FOR, key, token);
  }

  async release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void> {
    await this.#change(this.#sql.release, JSON.stringify(handled), key, token);
  }

  async #change(sql: string, value: MySQLValue, key: DeliveryKey, token: string): Promise<boolean> {
    const connection = await this.open();
    const { affectedRows } = await connection.run('note what became of a webhook delivery', sql, [
      value,
      digestOf(key),
      token,
    ]);
    return affectedRows === 1;
  }

  /** Answers with true when there are more. */
  async #removeOld(connection: MySQLConnection): Promise<boolean> {
    const { affectedRows } = await connection.run(
      'remove old webhook deliveries',
      this.#sql.remove,
      [DONE_FOR],
    );
    return affectedRows === REMOVED_AT_ONCE;
  }
}
