import type { TokenManager } from '../../auth/tokens/token-manager.js';
import { checkConcurrency, orderedWindow } from '../../core/concurrency/ordered-window.js';
import { listedSessions } from '../../sessions/listed-sessions.js';
import { offlineSessionId } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { PlannedSubscription } from './subscription-plan.js';
import type { RegisterResult, WebhookRegistrar } from './webhook.registrar.js';

const CONCURRENCY = 4;

/** For which shops a {@link WebhookRollout} works, and how. */
export interface WebhookRolloutOptions {
  /**
   * Also deletes subscriptions of this app that it does not declare. @default false
   */
  readonly prune?: boolean | undefined;
  /**
   * Begins after the session with this id: the `id` of the last shop that was reported, or the
   * `lastId` of a run that was interrupted. @default from the beginning
   */
  readonly after?: string | undefined;
  /**
   * Only these shops. @default every shop that has an offline session: needs a storage that can
   * list its sessions
   */
  readonly shops?: Iterable<string> | undefined;
  /** How many shops are worked on at once. @default 4 */
  readonly concurrency?: number | undefined;
  /**
   * Called for each shop, in the order of the ids of their sessions: everything before it is done,
   * and its `id` is where another run can begin. What it throws ends the run.
   */
  readonly onShop?: ((result: ShopSubscriptions) => unknown) | undefined;
  /** Ends the run after the shops that are being worked on. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The result for one shop: `due` ones would be changed, `failed` ones could not be read or have a
 * subscription that could not be changed.
 */
export interface ShopSubscriptions {
  /** Of the shop's offline session. */
  readonly id: string;
  readonly shop: string;
  readonly outcome: 'unchanged' | 'due' | 'changed' | 'failed';
  /** What was to become of each subscription; empty when they could not be read. */
  readonly subscriptions: readonly PlannedSubscription[];
  /** What became of those that were to be changed; empty for a plan. */
  readonly results: readonly RegisterResult[];
  /** Why the shop as a whole failed: its token cannot be renewed, for example. */
  readonly error?: unknown;
}

/** How many shops had which outcome. */
export interface WebhookRolloutSummary extends Readonly<
  Record<ShopSubscriptions['outcome'], number>
> {
  /** Domains of the shops that failed, in the order in which they were reported. */
  readonly failedShops: readonly string[];
  /** Id of the session of the last shop of the run; `undefined` when there was none. */
  readonly lastId: string | undefined;
  /** False when the signal ended the run before the last shop. */
  readonly isComplete: boolean;
}

interface StoredShop {
  readonly id: string;
  readonly shop: string;
}

/**
 * Brings the webhook subscriptions of all shops in line with what the app declares. The calls give
 * way to those that somebody waits for and stay within the rate limits of each shop, as all calls
 * of the app do.
 */
export class WebhookRollout {
  constructor(
    private readonly registrar: WebhookRegistrar,
    private readonly storage: SessionStorage,
    private readonly tokens: TokenManager,
  ) {}

  /**
   * What {@link apply} would do in each shop; nothing is changed.
   * @throws {InvalidRequestError} when the storage cannot list its sessions and no shops are named,
   * or `concurrency` is out of range
   */
  plan(options: WebhookRolloutOptions = {}): Promise<WebhookRolloutSummary> {
    return this.#run(options, (shop) => this.#plan(shop, options));
  }

  /**
   * Does for every shop what {@link WebhookRegistrar.register} does for one. A shop that fails does
   * not affect the others. It can be repeated: what is as declared already is left alone.
   * @throws as {@link plan}
   */
  apply(options: WebhookRolloutOptions = {}): Promise<WebhookRolloutSummary> {
    return this.#run(options, (shop) => this.#apply(shop, options));
  }

  async #run(
    { concurrency = CONCURRENCY, after, shops, onShop, signal }: WebhookRolloutOptions,
    work: (stored: StoredShop) => Promise<ShopSubscriptions>,
  ): Promise<WebhookRolloutSummary> {
    checkConcurrency(concurrency);
    const counts = { unchanged: 0, due: 0, changed: 0, failed: 0 };
    const failedShops: string[] = [];
    let lastId: string | undefined;
    let isComplete = true;
    const source = shops ? named(shops, after) : this.#stored(after);
    const remaining = async function* (): AsyncGenerator<StoredShop> {
      for await (const stored of source) {
        if (signal?.aborted) {
          isComplete = false;
          return;
        }
        yield stored;
      }
    };
    for await (const result of orderedWindow(remaining(), concurrency, (stored) =>
      work(stored).catch((error: unknown) => failure(stored, error)),
    )) {
      counts[result.outcome]++;
      if (result.outcome === 'failed') failedShops.push(result.shop);
      lastId = result.id;
      await onShop?.(result);
    }
    return { ...counts, failedShops, lastId, isComplete };
  }

  /** The shops that the app has a token of its own for. Nothing is decrypted to list them. */
  async *#stored(after: string | undefined): AsyncGenerator<StoredShop> {
    const sealed = this.storage.sealed ?? this.storage;
    const advice = 'name the shops whose subscriptions are meant';
    for await (const { id, shop, isOnline, accessToken } of listedSessions(sealed, after, advice))
      if (!isOnline && accessToken) yield { id, shop };
  }

  async #plan(
    { id, shop }: StoredShop,
    { prune }: WebhookRolloutOptions,
  ): Promise<ShopSubscriptions> {
    const session = await this.tokens.session(shop);
    const { subscriptions } = await this.registrar.plan(session, { prune, priority: 'background' });
    const isDue = subscriptions.some(({ operation }) => operation !== 'keep');
    return { id, shop, outcome: isDue ? 'due' : 'unchanged', subscriptions, results: [] };
  }

  async #apply(
    { id, shop }: StoredShop,
    { prune }: WebhookRolloutOptions,
  ): Promise<ShopSubscriptions> {
    const call = { priority: 'background' } as const;
    const session = await this.tokens.session(shop);
    const plan = await this.registrar.plan(session, { prune, ...call });
    const results = Object.values(await this.registrar.apply(session, plan, call)).flat();
    return { id, shop, outcome: outcomeOf(results), subscriptions: plan.subscriptions, results };
  }
}

function outcomeOf(results: ShopSubscriptions['results']): ShopSubscriptions['outcome'] {
  if (results.length === 0) return 'unchanged';
  return results.every(({ success }) => success) ? 'changed' : 'failed';
}

function failure({ id, shop }: StoredShop, error: unknown): ShopSubscriptions {
  return { id, shop, outcome: 'failed', subscriptions: [], results: [], error };
}

/** @throws {InvalidShopError} for a name that is none of a shop, before anything is done */
function named(shops: Iterable<string>, after = ''): StoredShop[] {
  const stored = new Map([...shops].map((shop) => [offlineSessionId(shop), shop]));
  return [...stored]
    .map(([id, shop]) => ({ id, shop }))
    .filter(({ id }) => id > after)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
