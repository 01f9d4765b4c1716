import type { OptionProblem } from '../core/core.errors.js';
import type { CoordinationStores } from './coordination/coordination-stores.js';
import type { Session } from './session.js';

/** Reads sessions, and changes none. */
export type SessionReader = Pick<
  SessionStorage,
  'loadSession' | 'findSessionsByShop' | 'listSessions'
>;

/** Which sessions `listSessions` answers with. */
export interface SessionPage {
  /** The last id of the page before. @default none: from the first session on */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Where sessions are kept. A port: extend it, or pass any object with these five methods, such as a
 * storage written for the platform's own libraries. Ids are opaque and compared exactly.
 */
export abstract class SessionStorage {
  /**
   * Creates the session or replaces the one of the same id, field by field: what the new one lacks
   * is gone.
   * @throws {SessionStorageError} for a session whose id or shop is no text
   */
  abstract storeSession(session: Session): Promise<boolean>;
  /** Answers `undefined` when there is none. An expired session is returned like any other. */
  abstract loadSession(id: string): Promise<Session | undefined>;
  /** Also `true` when there was none. */
  abstract deleteSession(id: string): Promise<boolean>;
  abstract deleteSessions(ids: string[]): Promise<boolean>;
  /** Every session of exactly this shop, in no particular order. */
  abstract findSessionsByShop(shop: string): Promise<Session[]>;

  /**
   * Replaces the session of the same id while the stored one still has both tokens of `previous`,
   * in one step: of two processes that renewed it, one alone succeeds. @default the session is
   * stored whatever there is
   * @returns false, and changes nothing, when the stored one is gone or has other tokens
   */
  replaceSession?(session: Session, previous: Session): Promise<boolean>;
  /**
   * Deletes the online sessions that expired before `moment`; answers how many there were.
   * @default they are kept
   */
  deleteExpiredSessions?(moment: Date): Promise<number>;
  /**
   * The first `limit` sessions whose ids come after `after`, ordered by id: for work over all
   * shops, page by page.
   */
  listSessions?(page: SessionPage): Promise<Session[]>;
  /**
   * The same sessions, their tokens as they are kept: for work that needs no token, and must not
   * fail for one that cannot be opened. A text is there where a token is. @default the tokens are
   * kept in the clear
   */
  readonly sealed?: SessionReader | undefined;
  /**
   * True where every call ends by itself, in any case, before a request has waited too long.
   * @default the calls that requests wait for are given ten seconds, and then count as failed
   */
  readonly hasTimeLimit?: boolean | undefined;
  /** What else the engine can keep for an app. @default it is kept in memory */
  readonly companions?: CoordinationStores | undefined;
  /**
   * Resolves when the engine can be reached and has everything it needs.
   * @throws {SessionStorageError} that says what is missing
   */
  verify?(): Promise<void>;
  /** Lets go of connections and files. A later call opens them again. */
  close?(): Promise<void>;
}

/**
 * False for a storage whose `replaceSession` cannot be used: a class that extends one of ours
 * changes `storeSession` or `loadSession` without it, as to encrypt tokens or to keep copies.
 */
export function canReplace(
  storage: SessionStorage,
): storage is SessionStorage & Required<Pick<SessionStorage, 'replaceSession'>> {
  return storage.replaceSession !== undefined && storesAsWith(storage, 'replaceSession');
}

/** True unless a class further down changes how is stored or loaded without changing `method`. */
export function storesAsWith(storage: SessionStorage, method: string): boolean {
  const depth = depthOf(storage, method);
  return ['storeSession', 'loadSession'].every((name) => depthOf(storage, name) >= depth);
}

/** How far down its chain of prototypes an object has a property of its own; 0 is the object. */
function depthOf(object: object, name: string): number {
  let depth = 0;
  for (
    let level: object | null = object;
    level && !Object.hasOwn(level, name);
    level = Object.getPrototypeOf(level) as object | null
  )
    depth += 1;
  return depth;
}

const METHODS = [
  'storeSession',
  'loadSession',
  'deleteSession',
  'deleteSessions',
  'findSessionsByShop',
] as const;

/**
 * What keeps `value` from being a session storage, or a function that makes one; nothing when it is
 * one, or is not given.
 */
export function problemsInStorage(value: unknown): OptionProblem[] {
  if (value === undefined) return [];
  if (typeof value === 'function') {
    const isClass = typeof (value.prototype as SessionStorage | undefined)?.storeSession;
    return isClass === 'function'
      ? [{ option: 'sessionStorage', message: 'is a class: pass an object of it' }]
      : [];
  }
  const methods =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const missing = METHODS.filter((method) => typeof methods[method] !== 'function');
  if (missing.length === 0) return [];
  return [
    {
      option: 'sessionStorage',
      message: `is no session storage: ${missing.map((method) => `${method}()`).join(', ')} is missing`,
    },
  ];
}
