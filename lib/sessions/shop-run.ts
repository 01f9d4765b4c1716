import { checkConcurrency, runInOrder } from '../core/concurrency/ordered-run.js';
import type { RunEnd } from '../core/concurrency/ordered-run.js';
import { checkListing, listedSessions } from './listed-sessions.js';
import { offlineSessionId } from './session.js';
import type { Session } from './session.js';
import type { SessionReader, SessionStorage } from './session.storage.js';

const CONCURRENCY = 4;

/** For which shops work is done, and how. */
export interface ShopRunOptions {
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
   * Ends the run after the shops that are being worked on. One that fails from then on counts as
   * broken off: neither it nor what comes after it is reported, and the next run begins with it.
   */
  readonly signal?: AbortSignal | undefined;
}

/** A shop that work is done for. */
export interface StoredShop {
  /** Of its offline session. */
  readonly id: string;
  readonly shop: string;
  /**
   * Its offline session, with tokens as they are kept; `undefined` for a shop that was named, whose
   * session was not looked up.
   */
  readonly session?: Session | undefined;
}

/** How a run over shops ended. The `lastId` is that of the session of its last shop. */
export type ShopRunEnd = RunEnd;

/** What a run over shops does. */
interface ShopRun<Result> {
  readonly storage: SessionStorage;
  /** What to do when the storage cannot list its sessions, as the end of a sentence. */
  readonly advice: string;
  readonly options: ShopRunOptions;
  /** Which of the listed offline sessions are worked on. @default all */
  readonly includes?: ((session: Session) => boolean) | undefined;
  readonly work: (shop: StoredShop) => Promise<Result>;
  /** The result for a shop whose work rejected. */
  readonly failed: (shop: StoredShop, error: unknown) => Result;
  /** What it throws ends the run. */
  readonly onResult: (result: Result) => unknown;
}

/**
 * Checks what a run over shops was given, so that nothing is done for one that cannot begin.
 * @returns the options; `shops`, which may be iterable only once, is read
 * @throws as {@link runOverShops} does
 */
export function checkedShopRun({
  storage,
  advice,
  options,
}: Pick<ShopRun<unknown>, 'storage' | 'advice' | 'options'>): ShopRunOptions {
  checkConcurrency(options.concurrency ?? CONCURRENCY);
  if (!options.shops) {
    checkListing(storage.sealed ?? storage, advice);
    return options;
  }
  const shops = [...options.shops];
  for (const shop of shops) offlineSessionId(shop);
  return { ...options, shops };
}

/**
 * Works on several shops at once, in the order of the ids of their sessions, which are read page by
 * page. When a shop is reported, everything before it is done: its id is where another run can
 * begin. A shop that fails does not affect the others.
 * @throws {InvalidRequestError} when the storage cannot list its sessions and no shops are named,
 * or `concurrency` is out of range
 * @throws {InvalidShopError} for a name that is none of a shop, before anything is done
 */
export async function runOverShops<Result extends { readonly id: string }>(
  run: ShopRun<Result>,
): Promise<ShopRunEnd> {
  const { concurrency = CONCURRENCY, after, shops, signal } = checkedShopRun(run);
  return runInOrder<StoredShop, Result>(shops ? named(shops, after) : listed(run), {
    concurrency,
    signal,
    // Work that fails from then on may have failed because of the signal alone.
    work: (shop) =>
      run
        .work(shop)
        .catch((error: unknown) => (signal?.aborted ? undefined : run.failed(shop, error))),
    onResult: run.onResult,
  });
}

/** Nothing is decrypted to list the shops: a session that cannot be opened fails only its shop. */
async function* listed<Result>(run: ShopRun<Result>): AsyncGenerator<StoredShop> {
  const { storage, advice, options, includes } = run;
  const sealed: SessionReader = storage.sealed ?? storage;
  for await (const session of listedSessions(sealed, options.after, advice)) {
    const { id, shop, isOnline } = session;
    if (!isOnline && (includes?.(session) ?? true)) yield { id, shop, session };
  }
}

function named(shops: Iterable<string>, after = ''): StoredShop[] {
  const stored = new Map([...shops].map((shop) => [offlineSessionId(shop), shop]));
  return [...stored]
    .map(([id, shop]) => ({ id, shop }))
    .filter(({ id }) => id > after)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
