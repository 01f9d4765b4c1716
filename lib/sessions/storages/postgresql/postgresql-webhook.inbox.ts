import { randomUUID } from 'node:crypto';

import type { Clock } from '../../../core/time/clock.js';
import { DONE_FOR, WebhookInbox, digestOf } from '../../coordination/webhook.inbox.js';
import type { Claim, DeliveryKey } from '../../coordination/webhook.inbox.js';
import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import type { PostgreSQLConnection } from './postgresql.connection.js';
import { prepared, quoted } from './postgresql.driver.js';
import type { PostgreSQLQuery } from './postgresql.driver.js';

/** How many rows are removed at a time; the next claim goes on when there are more. */
const REMOVED_AT_ONCE = 1_000;

/** Remembers deliveries as rows, for all processes. Leases end by the server's clock. */
export class PostgreSQLWebhookInbox extends WebhookInbox {
  readonly #sql: Readonly<
    Record<'claim' | 'renew' | 'complete' | 'release' | 'remove', PostgreSQLQuery>
  >;
  readonly #removal: ThrottledTask;

  /** @param open answers with the connection once its tables are there */
  constructor(
    private readonly open: () => Promise<PostgreSQLConnection>,
    sessionTable: string,
    clock: Clock,
  ) {
    super();
    const table = quoted(`${sessionTable}_webhooks`);
    const after = (parameter: string): string =>
      `now() + ${parameter}::float8 * interval '1 millisecond'`;
    const held = 'id = $1 AND token = $2 AND NOT "isDone"';
    this.#sql = {
      // Neither row means that somebody has claimed it while this statement ran.
      claim: prepared(`WITH claimed AS (
          INSERT INTO ${table} AS stored (id, token, "isDone", until, handled) VALUES ($1, $2, false, ${after('$3')}, '[]')
          ON CONFLICT (id) DO UPDATE SET token = excluded.token, until = excluded.until, "isDone" = false WHERE stored.until <= now()
          RETURNING handled)
        SELECT handled, false AS done FROM claimed
        UNION ALL SELECT NULL, "isDone" FROM ${table} WHERE id = $1 AND NOT EXISTS (SELECT FROM claimed)`),
      renew: prepared(`UPDATE ${table} SET until = ${after('$3')} WHERE ${held}`),
      complete: prepared(
        `UPDATE ${table} SET until = ${after('$3')}, "isDone" = true, handled = '[]' WHERE ${held}`,
      ),
      release: prepared(
        `UPDATE ${table} SET until = now(), token = NULL, handled = $3 WHERE ${held}`,
      ),
      // What is not done is kept as long: the platform's next attempt has to know which handlers
      // are done with it.
      remove: prepared(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table}
        WHERE until <= now() AND ("isDone" OR until <= ${after('-$1')}) LIMIT ${REMOVED_AT_ONCE})`),
    };
    this.#removal = new ThrottledTask(clock);
  }

  async claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    const token = randomUUID();
    const connection = await this.open();
    this.#removal.maybeRun(() => this.#removeOld(connection));
    const { rows } = await connection.query('claim a webhook delivery', this.#sql.claim, [
      digestOf(key),
      token,
      leaseMs,
    ]);
    const [row] = rows;
    if (typeof row?.['handled'] === 'string')
      return { state: 'claimed', token, handled: JSON.parse(row['handled']) as string[] };
    return { state: row?.['done'] === true ? 'done' : 'busy' };
  }

  renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean> {
    return this.#change(this.#sql.renew, key, token, leaseMs);
  }

  async complete(key: DeliveryKey, token: string): Promise<void> {
    await this.#change(this.#sql.complete, key, token, DONE_FOR);
  }

  async release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void> {
    await this.#change(this.#sql.release, key, token, JSON.stringify(handled));
  }

  async #change(
    statement: PostgreSQLQuery,
    key: DeliveryKey,
    token: string,
    value: string | number,
  ): Promise<boolean> {
    const connection = await this.open();
    const { rowCount } = await connection.query(
      'note what became of a webhook delivery',
      statement,
      [digestOf(key), token, value],
    );
    return rowCount === 1;
  }

  /** Answers with true when there are more. */
  async #removeOld(connection: PostgreSQLConnection): Promise<boolean> {
    const { rowCount } = await connection.query('remove old webhook deliveries', this.#sql.remove, [
      DONE_FOR,
    ]);
    return rowCount === REMOVED_AT_ONCE;
  }
}
