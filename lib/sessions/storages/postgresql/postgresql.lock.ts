import type { Clock } from '../../../core/time/clock.js';
import { ConnectionLock } from '../connection/connection.lock.js';
import type { PostgreSQLConnection } from './postgresql.connection.js';
import { advisoryKey } from './postgresql.driver.js';
import type { PostgreSQLClient, PostgreSQLResult } from './postgresql.driver.js';

/**
 * Holds names as advisory locks of one connection. A transaction stays open while names are held:
 * the server ends it, and with it the connection, when it hears nothing for a lease, and a pooler
 * in between gives the connection to nobody else meanwhile. It touches no table, and keeps the
 * server from no work.
 */
export class PostgreSQLLock extends ConnectionLock {
  /** In a transaction. */
  #client: PostgreSQLClient | undefined;

  /** @param scope told apart from other scopes in the same database */
  constructor(
    private readonly connection: PostgreSQLConnection,
    private readonly scope: string,
    clock: Clock,
  ) {
    super((what, error) => connection.errorFor(what, error), clock);
  }

  protected async tryLock(name: string, ended: readonly string[]): Promise<boolean> {
    const results = await this.#send([
      ...this.#unlocking(ended),
      `SELECT pg_try_advisory_lock(${this.#keyOf(name)}) AS taken`,
    ]);
    return results.at(-1)?.rows[0]?.['taken'] === true;
  }

  protected async unlock(names: readonly string[]): Promise<void> {
    await this.#send(this.#unlocking(names));
  }

  protected async rest(): Promise<void> {
    if (this.#client) await this.#send([]);
  }

  protected disconnect(): void {
    this.#letGo(true);
  }

  /** One trip. The transaction begins with the first hold, and ends with the last. */
  async #send(statements: readonly string[]): Promise<PostgreSQLResult[]> {
    const begin = this.#client ? [] : ['BEGIN'];
    const lease = this.longestLease;
    const limit =
      lease === undefined
        ? []
        : [`SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(lease)}`];
    const commit = lease === undefined ? ['COMMIT'] : [];
    const client = (this.#client ??= await this.#connect());
    const results = [
      await client.query({ text: [...begin, ...limit, ...statements, ...commit].join('; ') }),
    ].flat();
    if (lease === undefined && client === this.#client) this.#letGo(false);
    return results;
  }

  async #connect(): Promise<PostgreSQLClient> {
    const client = await this.connected(
      () => this.connection.dedicated(),
      (client) => client.release(true),
    );
    client.on('error', this.#onError);
    return client;
  }

  readonly #onError = (error: unknown): void => this.lose(error);

  #letGo(destroy: boolean): void {
    const client = this.#client;
    this.#client = undefined;
    client?.off('error', this.#onError);
    client?.release(destroy);
  }

  #unlocking(names: readonly string[]): string[] {
    return names.map((name) => `SELECT pg_advisory_unlock(${this.#keyOf(name)})`);
  }

  #keyOf(name: string): bigint {
    return advisoryKey('lock', this.scope, name);
  }
}
