import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidRequestError } from '../../core/http/http.errors.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { checkedShopRun, runOverShops } from '../../sessions/shop-run.js';
import type { ShopRunEnd, ShopRunOptions, StoredShop } from '../../sessions/shop-run.js';
import type { TokenManager } from '../../auth/tokens/token-manager.js';
import type { ShopClients } from '../../auth/clients/admin-context.js';
import { NOT_BEGUN, RunProgress } from './run-progress.js';
import type { RunState } from './run-progress.js';
import type { ApiClients } from '../../auth/clients/shop-clients.js';

/** At most so many failures are kept; all are counted and reported. */
const KEPT_FAILURES = 1000;

/**
 * What is done in a shop. It may be repeated after a crash, and is when it rejects after `signal`
 * was aborted.
 */
export type ShopWork<Resources extends ResourceSet = RegisteredResources> = (
  clients: ShopClients<Resources>,
  signal: AbortSignal,
) => unknown;

/** For which shops work is done, and how. */
export interface ForEachShopOptions extends ShopRunOptions {
  /**
   * Notes under this name, in the records of the session storage, how far the run has come: after a
   * crash or a shutdown a run of the same name goes on from there, in any process. Once completed,
   * it begins at the beginning again. One process at a time works on it; the last that begins has
   * it. @default nothing is noted
   */
  readonly name?: string | undefined;
  /**
   * Called for each shop, in the order of the ids of their sessions: everything before it is done.
   * What it throws ends the run.
   */
  readonly onProgress?: ((progress: ShopProgress) => unknown) | undefined;
}

/** A shop that is done, and how far the run has come with it. */
export interface ShopProgress {
  /** Of the shop's offline session. */
  readonly id: string;
  readonly shop: string;
  /** What the work rejected with; absent when it succeeded. */
  readonly error?: unknown;
  /** So far, in the parts of a resumed run together. */
  readonly succeeded: number;
  readonly failed: number;
}

/** How a run over shops went. Figures count the earlier parts of a resumed run, too. */
export interface ForEachShopSummary extends ShopRunEnd {
  readonly succeeded: number;
  readonly failed: number;
  /** Domains of the first 1,000 shops that failed: to be passed as `shops` of another run. */
  readonly failedShops: readonly string[];
  /** Why they failed; of this part of the run alone. */
  readonly failures: readonly { readonly shop: string; readonly error: unknown }[];
}

/** What work over shops needs. */
export interface EveryShopDependencies {
  readonly config: PlatformConfig;
  readonly storage: SessionStorage;
  readonly tokens: TokenManager;
  readonly clients: ApiClients;
}

/** Work that could not be done, or was. */
interface ShopOutcome extends StoredShop {
  readonly failure?: { readonly error: unknown };
}

/**
 * Does work in every shop that has installed the app. The calls give way to those that somebody
 * waits for, and stay within the rate limits of each shop.
 * @param signal is given to the work; ends the run after the shops that are being worked on
 * @throws {InvalidRequestError} when the storage cannot list its sessions and no shops are named,
 * keeps no records for a named run, or an option is invalid
 * @throws {RunTakenOverError} when another process has begun the run of this name
 */
export async function forEveryShop<Resources extends ResourceSet>(
  { config, storage, tokens, clients }: EveryShopDependencies,
  work: ShopWork<Resources>,
  { name, onProgress, ...given }: ForEachShopOptions,
  signal: AbortSignal,
): Promise<ForEachShopSummary> {
  const advice = 'name the shops that are meant';
  const options = checkedShopRun({ storage, advice, options: given });
  const progress =
    name === undefined ? undefined : await progressOf(config.apiKey, name, storage, options);
  let state = progress?.state ?? NOT_BEGUN;
  const failures: { shop: string; error: unknown }[] = [];
  if (signal.aborted) return { ...state, isComplete: false, failures };
  // What cannot begin has been refused: it must not end the run of a process that works on it.
  await progress?.note(state);
  const end = await runOverShops<ShopOutcome>({
    storage,
    advice,
    options: { ...options, signal, after: state.lastId ?? options.after },
    includes: ({ accessToken }) => Boolean(accessToken),
    async work(stored) {
      const session = await tokens.session(stored.shop);
      await work(clients.for<Resources>(session, { priority: 'background' }), signal);
      return stored;
    },
    failed: (stored, error) => ({ ...stored, failure: { error } }),
    async onResult({ id, shop, failure }) {
      state = next(state, id, failure && shop);
      if (failure && failures.length < KEPT_FAILURES) failures.push({ shop, ...failure });
      await progress?.note(state);
      const { succeeded, failed } = state;
      await onProgress?.({ id, shop, ...failure, succeeded, failed });
    },
  });
  if (end.isComplete) await progress?.complete();
  return { ...state, ...end, lastId: state.lastId, failures };
}

async function progressOf(
  app: string,
  name: string,
  { companions }: SessionStorage,
  { after }: ShopRunOptions,
): Promise<RunProgress> {
  if (after !== undefined)
    throw new InvalidRequestError(
      'The "name" of a run and "after" both say where it begins: leave one of them out.',
    );
  if (!companions?.records)
    throw new InvalidRequestError(
      `The session storage keeps no records, so that the run "${name}" could not be resumed: use a storage of the toolkit, or note the "id" of each progress and pass it as "after".`,
    );
  return RunProgress.load(companions.records, app, name);
}

function next(
  { succeeded, failed, failedShops }: RunState,
  lastId: string,
  failedShop: string | undefined,
): RunState {
  if (failedShop === undefined) return { lastId, succeeded: succeeded + 1, failed, failedShops };
  const isKept = failedShops.length < KEPT_FAILURES;
  const shops = isKept ? [...failedShops, failedShop] : failedShops;
  return { lastId, succeeded, failed: failed + 1, failedShops: shops };
}
