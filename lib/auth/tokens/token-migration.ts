import { isAccessToken } from '../../core/api-session.js';
import type { SessionReader, SessionStorage } from '../../sessions/session.storage.js';
import { runOverShops } from '../../sessions/shop-run.js';
import type { ShopRunEnd, ShopRunOptions, StoredShop } from '../../sessions/shop-run.js';
import type { TokenManager } from './token-manager.js';

/** What a {@link TokenMigration} does. */
export interface TokenMigrationOptions extends ShopRunOptions {
  /**
   * Migrates the shops. Otherwise nothing is changed, no request is sent, and the results say what
   * would be done. @default false
   */
  readonly apply?: boolean | undefined;
  /** Called for each shop, in the order of their ids. What it throws ends the run. */
  readonly onShop?: ((result: MigratedShop) => unknown) | undefined;
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
export interface TokenMigrationSummary
  extends ShopRunEnd, Readonly<Record<MigratedShop['outcome'], number>> {}

/** Replaces the stored offline tokens that never expire by ones that do. */
export class TokenMigration {
  /** Reads without decrypting: a session that cannot be decrypted fails only its shop. */
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
    const counts = { eligible: 0, migrated: 0, skipped: 0, failed: 0 };
    const end = await runOverShops<MigratedShop>({
      storage: this.storage,
      advice: 'name the shops whose tokens are to be migrated',
      options,
      work: async (stored) => ({
        id: stored.id,
        shop: stored.shop,
        outcome: await this.#migrate(stored, options.apply ?? false),
      }),
      failed: ({ id, shop }, error) => ({ id, shop, outcome: 'failed', error }),
      onResult(result) {
        counts[result.outcome]++;
        return options.onShop?.(result);
      },
    });
    return { ...counts, ...end };
  }

  async #migrate(
    { id, shop, session }: StoredShop,
    apply: boolean,
  ): Promise<MigratedShop['outcome']> {
    const sealed = session ?? (await this.#sealed.loadSession(id));
    if (!isAccessToken(sealed?.accessToken) || sealed?.expires) return 'skipped';
    if (apply) return (await this.tokens.migrate(shop)) ? 'migrated' : 'skipped';
    const opened = await this.storage.loadSession(id);
    return isAccessToken(opened?.accessToken) ? 'eligible' : 'skipped';
  }
}
