import type { TokenManager } from '../../auth/tokens/token-manager.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { runOverShops } from '../../sessions/shop-run.js';
import type { ShopRunEnd, ShopRunOptions, StoredShop } from '../../sessions/shop-run.js';
import type { PlannedSubscription } from './subscription-plan.js';
import type { RegisterResult, WebhookRegistrar } from './webhook.registrar.js';

/** For which shops a {@link WebhookRollout} works, and how. */
export interface WebhookRolloutOptions extends ShopRunOptions {
  /**
   * Also deletes subscriptions of this app that it does not declare. @default false
   */
  readonly prune?: boolean | undefined;
  /**
   * Called for each shop, in the order of the ids of their sessions: everything before it is done,
   * and its `id` is where another run can begin. What it throws ends the run.
   */
  readonly onShop?: ((result: ShopSubscriptions) => unknown) | undefined;
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
export interface WebhookRolloutSummary
  extends ShopRunEnd, Readonly<Record<ShopSubscriptions['outcome'], number>> {
  /** Domains of the shops that failed, in the order in which they were reported. */
  readonly failedShops: readonly string[];
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
    options: WebhookRolloutOptions,
    work: (stored: StoredShop) => Promise<ShopSubscriptions>,
  ): Promise<WebhookRolloutSummary> {
    const counts = { unchanged: 0, due: 0, changed: 0, failed: 0 };
    const failedShops: string[] = [];
    const end = await runOverShops({
      storage: this.storage,
      advice: 'name the shops whose subscriptions are meant',
      options,
      // The shops that the app has a token of its own for.
      includes: ({ accessToken }) => Boolean(accessToken),
      work,
      failed: failure,
      onResult(result) {
        counts[result.outcome]++;
        if (result.outcome === 'failed') failedShops.push(result.shop);
        return options.onShop?.(result);
      },
    });
    return { ...counts, failedShops, ...end };
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
