import type { ShopClients } from '../../auth/clients/admin-context.js';
import type {
  EveryShopDependencies,
  ForEachShopOptions,
  ForEachShopSummary,
  ShopWork,
} from './every-shop.js';
import type { SessionKind } from '../../auth/tokens/token-manager.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';

/** What {@link PlatformClients} work with. */
interface PlatformClientsDependencies extends EveryShopDependencies {
  readonly inFlight: InFlight;
}

/** API clients for work that no request started: jobs, queues, scripts. */
export class PlatformClients {
  #shutdown: AbortController | undefined;

  constructor(private readonly dependencies: PlatformClientsDependencies) {}

  /**
   * What can be done in a shop on the app's own behalf, with a token that is renewed when that is
   * necessary.
   * @param kind whose token is used, see {@link SessionKind}; default the app's own, `offline`
   * @throws {SessionNotFoundError} when the shop has not installed the app, or has uninstalled it
   * @throws {ReauthorizationRequiredError} when the platform no longer renews the token
   * @throws {SessionExpiredError} when it has expired and there is nothing to renew it with
   * @throws {InvalidShopError}
   */
  async forShop<Resources extends ResourceSet = RegisteredResources>(
    shop: string,
    kind?: SessionKind,
  ): Promise<ShopClients<Resources>> {
    const { tokens, clients } = this.dependencies;
    return clients.for<Resources>(await tokens.session(shop, kind));
  }

  /**
   * Does work in every shop that has installed the app, several at a time, in the order of their
   * names. Calls of the GraphQL and REST clients are sent after those that somebody waits for. What
   * the work throws is collected, and fails only its shop. A shutdown of the app ends the run after
   * the shops that are being worked on.
   * @param work may be repeated for a few shops when a run is resumed; its signal is aborted by a
   * shutdown
   * @throws {InvalidRequestError} when the storage cannot list its sessions and no shops are named,
   * keeps no records for a named run, or an option is invalid
   * @throws {RunTakenOverError} when another process has begun the run of this name meanwhile
   * @throws {InvalidShopError} for a name in `shops` that is none of a shop
   * @example
   * const { failedShops } = await clients.forEachShop(
   *   async ({ admin }) => { await admin.graphql(SET_METAFIELD); },
   *   { name: 'metafield-2026-11', concurrency: 8 },
   * );
   */
  async forEachShop<Resources extends ResourceSet = RegisteredResources>(
    work: ShopWork<Resources>,
    options: ForEachShopOptions = {},
  ): Promise<ForEachShopSummary> {
    const { inFlight } = this.dependencies;
    const { forEveryShop } = await import('./every-shop.js');
    const { signal: shutdown } = (this.#shutdown ??= endOf(inFlight));
    const signal = options.signal ? AbortSignal.any([shutdown, options.signal]) : shutdown;
    return inFlight.track(forEveryShop(this.dependencies, work, options, signal));
  }
}

/** Aborted when the app begins to shut down. */
function endOf(inFlight: InFlight): AbortController {
  const end = new AbortController();
  inFlight.onDrain(() => end.abort());
  return end;
}
