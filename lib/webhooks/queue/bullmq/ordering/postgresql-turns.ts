import type { BullmqQueue, PostgresPool } from '../bullmq.driver.js';
import { TurnList } from './turn-list.js';

/**
 * Only one delivery of a shop can have been taken: the second index makes sure of it. The lock
 * keeps two processes from creating the table at once, which PostgreSQL would refuse.
 */
const CREATE = `
SELECT pg_advisory_xact_lock(hashtext('shopwright_turns'));
CREATE TABLE IF NOT EXISTS shopwright_turns (
  queue text NOT NULL,
  shop text NOT NULL,
  id text NOT NULL,
  at bigint NOT NULL,
  taken boolean NOT NULL DEFAULT false,
  missing_since timestamptz,
  PRIMARY KEY (queue, id)
);
CREATE INDEX IF NOT EXISTS shopwright_turns_order ON shopwright_turns (queue, shop, at, id);
CREATE UNIQUE INDEX IF NOT EXISTS shopwright_turns_taken ON shopwright_turns (queue, shop) WHERE taken;`;

const FIRST = 'WHERE queue = $1 AND shop = $2 ORDER BY taken DESC, at, id LIMIT 1';
const INSERT = 'INSERT INTO shopwright_turns (queue, shop, id, at) VALUES ($1, $2, $3, $4)';
/** What joins once more is not missing any longer. */
const JOIN = `${INSERT} ON CONFLICT (queue, id) DO UPDATE SET missing_since = NULL`;
const ENTER = `${INSERT} ON CONFLICT DO NOTHING`;
const TAKE = `UPDATE shopwright_turns SET taken = true
WHERE queue = $1 AND id = $3 AND id = (SELECT id FROM shopwright_turns ${FIRST})`;
const LEAVE = 'DELETE FROM shopwright_turns WHERE queue = $1 AND id = $2';
const MISS = `UPDATE shopwright_turns SET missing_since = coalesce(missing_since, now())
WHERE queue = $1 AND id = $2
RETURNING extract(epoch FROM now() - missing_since) * 1000 AS missed`;
const SELECT_FIRST = `SELECT id, taken FROM shopwright_turns ${FIRST}`;

/** What PostgreSQL says when another process was faster. */
const UNIQUE_VIOLATION = '23505';

/** The turns of shops in PostgreSQL: a table of their own beside those of BullMQ. */
export class PostgresqlTurns extends TurnList {
  private constructor(
    private readonly pool: PostgresPool,
    private readonly queue: BullmqQueue,
  ) {
    super();
  }

  /**
   * @param queue that has been opened
   * @param migrate creates the table where there is none
   */
  static async of(queue: BullmqQueue, migrate: boolean): Promise<PostgresqlTurns> {
    const { pool } = queue.backend!.connection!;
    if (migrate) await pool.query(CREATE);
    return new PostgresqlTurns(pool, queue);
  }

  async join(shop: string, id: string, at: number): Promise<void> {
    await this.pool.query(JOIN, [this.queue.name, shop, id, at]);
  }

  async take(shop: string, id: string, at: number): Promise<string> {
    for (;;) {
      await this.pool.query(ENTER, [this.queue.name, shop, id, at]);
      try {
        await this.pool.query(TAKE, [this.queue.name, shop, id]);
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
      }
      const first = await this.#first(shop);
      // Others come and go meanwhile.
      if (first && (first.taken || first.id !== id)) return first.id;
    }
  }

  async leave(shop: string, id: string): Promise<string | undefined> {
    await this.pool.query(LEAVE, [this.queue.name, id]);
    const first = await this.#first(shop);
    return first?.taken ? undefined : first?.id;
  }

  async missedFor(_shop: string, id: string): Promise<number> {
    const { rows } = await this.pool.query(MISS, [this.queue.name, id]);
    // It may have left meanwhile.
    return Number((rows[0] as { readonly missed?: unknown } | undefined)?.missed ?? 0);
  }

  async first(shop: string): Promise<string | undefined> {
    return (await this.#first(shop))?.id;
  }

  async #first(shop: string): Promise<Turn | undefined> {
    const { rows } = await this.pool.query(SELECT_FIRST, [this.queue.name, shop]);
    return rows[0] as Turn | undefined;
  }
}

interface Turn {
  readonly id: string;
  readonly taken: boolean;
}
