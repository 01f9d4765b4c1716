import { isAccessToken } from '../../core/api-session.js';
import { checkConcurrency } from '../../core/concurrency/ordered-window.js';
import { listedSessions } from '../../sessions/listed-sessions.js';
import { offlineSessionId } from '../../sessions/session.js';
import type { Session } from '../../sessions/session.js';
import type { SessionReader, SessionStorage } from '../../sessions/session.storage.js';
import type { TokenManager } from './token-manager.js';

const CONCURRENCY = 4;

/** What a {@link TokenMigration} does. */
export interface TokenMigrationOptions {
  /**
   * Migrates the shops. Otherwise nothing is changed, no request is sent, and the results say what
   * would be done. @default false
   */
  readonly apply?: boolean | undefined;
  /**
   * Begins after the session with this id, such as the `lastId` of a run that was interrupted.
   * @default from the beginning
   */
  readonly after?: string | undefined;
  /**
   * Only these shops. @default every shop that has a session: needs a storage that can list its
   * sessions
   */
  readonly shops?: Iterable<string> | undefined;
  /** How many shops are migrated at once. @default 4 */
  readonly concurrency?: number | undefined;
  /** Called for each offline session, in the order of their ids. What it throws ends the run. */
  readonly onShop?: ((result: MigratedShop) => unknown) | undefined;
  /** Stops the run between two shops. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The result for one shop: `eligible` ones are migrated when `apply` is set, `skipped` ones have
 * nothing to migrate.
 */
export interface MigratedShop {
  readonly id: string;
  readonly shop: string;
  readonly outcome: 'eligible' | 'migrated' | 'skipped' | 'failed';
  /** Why it failed. */
  readonly error?: unknown;
}

/** How many shops had which outcome. */
export interface TokenMigrationSummary extends Readonly<Record<MigratedShop['outcome'], number>> {
  /** Id of the last session of the run; `undefined` when there was none. */
  readonly lastId: string | undefined;
  /** False when the signal ended the run before the last shop. */
  readonly isComplete: boolean;
}

/** Replaces the stored offline tokens that never expire by ones that do. */
export class TokenMigration {
  /** Lists the shops without decrypting: a session that cannot be decrypted fails only its shop. */
  readonly #sealed: SessionReader;

  constructor(
    private readonly storage: SessionStorage,
    private readonly tokens: TokenManager,
  ) {
    this.#sealed = storage.sealed ?? storage;
  }

  /**
   * Goes through the shops in the order of their session ids. A failure in one shop does not affect
   * the others. A run that was interrupted can be repeated: migrated shops are skipped.
   * @throws {InvalidRequestError} when the storage cannot list its sessions and no shops are named,
   * or `concurrency` is out of range
   */
  async run(options: TokenMigrationOptions = {}): Promise<TokenMigrationSummary> {
    const { concurrency = CONCURRENCY, onShop, signal } = options;
    checkConcurrency(concurrency);
    const counts = { eligible: 0, migrated: 0, skipped: 0, failed: 0 };
    let lastId: string | undefined;
    for await (const sessions of this.#batches(options, concurrency)) {
      if (signal?.aborted) return { ...counts, lastId, isComplete: false };
      // One batch at a time: when a shop is reported, all before it are done, and its id is where
      // the next run can begin.
      for (const result of await Promise.all(
        sessions.map((session) => this.#migrate(session, options.apply ?? false)),
      )) {
        counts[result.outcome]++;
        lastId = result.id;
        await onShop?.(result);
      }
    }
    return { ...counts, lastId, isComplete: true };
  }

  async *#batches(options: TokenMigrationOptions, size: number): AsyncGenerator<Session[]> {
    let batch: Session[] = [];
    for await (const session of options.shops
      ? this.#ofShops(options.shops, options.after)
      : listedSessions(
          this.#sealed,
          options.after,
          'name the shops whose tokens are to be migrated',
        )) {
      if (session.isOnline) continue;
      batch.push(session);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  async *#ofShops(shops: Iterable<string>, after = ''): AsyncGenerator<Session> {
    for (const id of [...shops].map(offlineSessionId).sort()) {
      const session = id > after ? await this.#sealed.loadSession(id) : undefined;
      if (session) yield session;
    }
  }

  async #migrate(
    { id, shop, accessToken, expires }: Session,
    apply: boolean,
  ): Promise<MigratedShop> {
    if (!isAccessToken(accessToken) || expires) return { id, shop, outcome: 'skipped' };
    try {
      if (!apply)
        return {
          id,
          shop,
          outcome: isAccessToken((await this.storage.loadSession(id))?.accessToken)
            ? 'eligible'
            : 'skipped',
        };
      return { id, shop, outcome: (await this.tokens.migrate(shop)) ? 'migrated' : 'skipped' };
    } catch (error) {
      return { id, shop, outcome: 'failed', error };
    }
  }
}
