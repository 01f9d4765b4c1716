import { isSealed } from '../encryption/token-cipher.js';
import { listedSessions } from '../listed-sessions.js';
import { hasTokensOf } from '../session.js';
import type { Session } from '../session.js';
import { SessionEncryptionError, SessionStorageError } from '../sessions.errors.js';
import type { SessionReader, SessionStorage } from '../session.storage.js';
import { workOnSessions } from './session-work.js';
import type { SessionCounts, SessionResult, SessionWorkOptions } from './session-work.js';

/**
 * What became of a session: `missing` and `outdated` ones would be copied; `unchanged` ones are in
 * the target already; of `kept` ones the target has another one that is not known to be older;
 * `gone` ones were deleted from the source meanwhile.
 */
type CopyOutcome = 'copied' | 'replaced' | 'missing' | 'outdated' | 'unchanged' | 'kept' | 'gone';

const OUTCOMES: readonly CopyOutcome[] = [
  'copied',
  'replaced',
  'missing',
  'outdated',
  'unchanged',
  'kept',
  'gone',
];

/** Of which storage, to which, and how. */
export interface SessionCopyOptions extends SessionWorkOptions {
  readonly from: SessionStorage;
  readonly to: SessionStorage;
  /**
   * Opens the tokens of a source that encrypts. Otherwise a target that does not encrypt gets them
   * as they are kept. @default when the target encrypts
   */
  readonly opens?: boolean | undefined;
  /** Also replaces sessions of the target that may be newer. @default false */
  readonly overwrite?: boolean | undefined;
  /**
   * Runs work while the app does not store this session in the target. @default nothing keeps it
   * from doing so between the look for a session and its insertion
   */
  readonly guard?: (<T>(session: Session, work: () => Promise<T>) => Promise<T>) | undefined;
  /** Called in the order of ids: everything before is done. What it throws ends the work. */
  readonly onSession?: ((result: SessionResult<CopyOutcome>) => unknown) | undefined;
}

/** A session is read again when the app has changed it between a look and its replacement. */
const LOOKS = 5;

/**
 * Copies all sessions from one storage to another, also while an app uses either: a session of the
 * target is replaced only by one whose token expires later, and only while it still has the tokens
 * that were compared. It can be repeated.
 * @throws {InvalidRequestError} when the source cannot list its sessions, or an option is invalid
 */
export function copySessions(options: SessionCopyOptions): Promise<SessionCounts<CopyOutcome>> {
  const { from, to, opens = isEncrypting(to), onSession, ...others } = options;
  const copy = new SessionCopy({ ...options, from: opens ? from : (from.sealed ?? from) });
  return workOnSessions(
    {
      sessions: from.sealed ?? from,
      outcomes: OUTCOMES,
      onSession,
      work: (session) => copy.copy(session.id),
    },
    others,
  );
}

/** How the sessions of two storages compare. */
interface SessionComparison {
  readonly source: number;
  /** `undefined` when the target cannot list its sessions. */
  readonly target: number | undefined;
  /** Ids of the first 100 sessions of the source that the target lacks. */
  readonly missing: readonly string[];
  readonly missingCount: number;
}

/** Counts the sessions of two storages, and those of the source that the target lacks. */
export async function compareSessions(
  from: SessionStorage,
  to: SessionStorage,
): Promise<SessionComparison> {
  const [source, target] = [from.sealed ?? from, to.sealed ?? to];
  const missing: string[] = [];
  let missingCount = 0;
  let count = 0;
  for await (const { id } of listedSessions(source, undefined, 'use one that can')) {
    count++;
    if (await target.loadSession(id)) continue;
    missingCount++;
    if (missing.length < 100) missing.push(id);
  }
  let inTarget: number | undefined;
  if (target.listSessions) {
    inTarget = 0;
    for await (const _ of listedSessions(target, undefined, '')) inTarget++;
  }
  return { source: count, target: inTarget, missing, missingCount };
}

/** Copies one session at a time. */
class SessionCopy {
  constructor(
    private readonly options: Omit<SessionCopyOptions, 'from'> & { readonly from: SessionReader },
  ) {}

  async copy(id: string): Promise<CopyOutcome> {
    const { from, to, dryRun = false, guard = unguarded } = this.options;
    for (let look = 0; look < LOOKS; look++) {
      // What was listed may have been renewed since.
      const session = await from.loadSession(id);
      if (!session) return 'gone';
      this.#checkSealing(session);
      const present = await to.loadSession(id);
      if (!present) {
        if (dryRun) return 'missing';
        if (await guard(session, () => this.#insert(session))) return 'copied';
      } else {
        if (hasTokensOf(session, present)) return 'unchanged';
        if (!this.options.overwrite && !isNewer(session, present)) return 'kept';
        if (dryRun) return 'outdated';
        if (await this.#replace(session, present)) return 'replaced';
      }
    }
    throw new SessionStorageError(
      `The session ${id} was written again and again: repeat this later.`,
    );
  }

  /** @returns false when the app has stored one meanwhile */
  async #insert(session: Session): Promise<boolean> {
    const { to } = this.options;
    if (await to.loadSession(session.id)) return false;
    return this.#store(session);
  }

  /** @returns false when the app has changed it meanwhile */
  async #replace(session: Session, present: Session): Promise<boolean> {
    const { to } = this.options;
    return to.replaceSession ? to.replaceSession(session, present) : this.#store(session);
  }

  async #store(session: Session): Promise<true> {
    // Exactly false: a storage that returns nothing has not said that it failed.
    if ((await this.options.to.storeSession(session)) === false)
      throw new SessionStorageError(`The target did not keep the session ${session.id}.`);
    return true;
  }

  /** An encrypted text would be encrypted once more, and be no token when it is read. */
  #checkSealing({ id, accessToken, refreshToken }: Session): void {
    if (isEncrypting(this.options.to) && (isSealed(accessToken) || isSealed(refreshToken)))
      throw new SessionEncryptionError(
        `The session ${id} is encrypted in the source, which was opened without its keys: name them, or copy to a storage that does not encrypt.`,
      );
  }
}

/** Whether a storage encrypts what it is given. */
export function isEncrypting({ sealed }: SessionStorage): boolean {
  return sealed !== undefined;
}

/**
 * Whether the token of a session was granted after another's, as far as that is known. Tokens that
 * never expire come before those that do; those that the target has ended stay so.
 */
function isNewer(session: Session, present: Session): boolean {
  if (!session.accessToken || !present.accessToken || !session.expires) return false;
  return !present.expires || session.expires > present.expires;
}

function unguarded<T>(_: Session, work: () => Promise<T>): Promise<T> {
  return work();
}
