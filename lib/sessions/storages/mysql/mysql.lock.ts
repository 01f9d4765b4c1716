import { createHash } from 'node:crypto';

import type { Clock } from '../../../core/time/clock.js';
import { ConnectionLock } from '../connection/connection.lock.js';
import type { MySQLConnection, MySQLSession } from './mysql.connection.js';
import type { MySQLResult } from './mysql-exchange.js';

/**
 * Milliseconds the server may take: less than a lease, so that one wait in vain does not cost the
 * holds of others.
 */
const PATIENCE = 5_000;

/**
 * Holds names as named locks of one connection, which the server ends when it hears nothing for a
 * lease. Between holds the connection is kept for as long, and keeps no process alive.
 */
export class MySQLLock extends ConnectionLock {
  readonly #clock: Clock;
  #session: MySQLSession | undefined;
  /** Seconds. */
  #silence = 0;
  /** Epoch milliseconds; nothing while names are held. */
  #restingSince: number | undefined;

  /** @param scope told apart from other scopes in the same database */
  constructor(
    private readonly connection: MySQLConnection,
    private readonly scope: string,
    clock: Clock,
  ) {
    super((what, error) => connection.errorFor(what, error), clock);
    this.#clock = clock;
  }

  protected async tryLock(name: string, ended: readonly string[]): Promise<boolean> {
    // The server may be about to end a connection that has been silent for longer.
    if (
      this.#restingSince !== undefined &&
      this.#now() - this.#restingSince > (this.#silence * 1000) / 2
    )
      this.disconnect();
    this.#restingSince = undefined;
    const { rows } = await this.#send([
      ...this.#unlocking(ended),
      `GET_LOCK(${this.#keyOf(name)}, 0) AS taken`,
    ]);
    return Number(rows[0]?.['taken']) === 1;
  }

  protected async unlock(names: readonly string[]): Promise<void> {
    await this.#send(names.length > 0 ? this.#unlocking(names) : ['1']);
  }

  protected async rest(): Promise<void> {
    this.#restingSince = this.#now();
  }

  protected disconnect(): void {
    const session = this.#session;
    this.#session = undefined;
    session?.client.off('error', this.#onError);
    session?.end();
  }

  async #send(expressions: readonly string[]): Promise<MySQLResult> {
    const session = (this.#session ??= await this.#connect());
    await this.#limitSilence(session);
    return session.run(`SELECT ${expressions.join(', ')}`, undefined, PATIENCE);
  }

  /**
   * No hold ends before its lease, and none outlives the longest one when this process stands
   * still.
   */
  async #limitSilence(session: MySQLSession): Promise<void> {
    const silence =
      this.longestLease === undefined
        ? this.#silence
        : Math.max(1, Math.ceil(this.longestLease / 1000));
    if (silence === this.#silence) return;
    await session.run(`SET SESSION wait_timeout = ${silence}`, undefined, PATIENCE);
    this.#silence = silence;
  }

  async #connect(): Promise<MySQLSession> {
    const session = await this.connected(
      () => this.connection.session(),
      (session) => session.end(),
    );
    session.client.on('error', this.#onError);
    this.#silence = 0;
    return session;
  }

  readonly #onError = (error: unknown): void => this.lose(error);

  #unlocking(names: readonly string[]): string[] {
    return names.map((name) => `RELEASE_LOCK(${this.#keyOf(name)})`);
  }

  #keyOf(name: string): string {
    return lockKey('lock', this.scope, name);
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

/**
 * An expression for the name of a lock: the server's names are common to its databases, at most 64
 * characters long, and the same in either case.
 */
export function lockKey(...names: readonly string[]): string {
  return `SHA2(CONCAT(DATABASE(), ' ${createHash('sha256').update(JSON.stringify(names)).digest('hex')}'), 256)`;
}
