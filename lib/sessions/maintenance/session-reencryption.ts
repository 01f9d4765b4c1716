import { listedSessions } from '../listed-sessions.js';
import type { EncryptedSessionStorage } from '../encryption/encrypted-session.storage.js';
import { workOnSessions } from './session-work.js';
import type { SessionCounts, SessionResult, SessionWorkOptions } from './session-work.js';

/**
 * What became of a session: `due` ones would be encrypted anew, `unchanged` ones are encrypted with
 * the first key already, or have no token.
 */
type ReencryptionOutcome = 'reencrypted' | 'due' | 'unchanged';

const OUTCOMES: readonly ReencryptionOutcome[] = ['reencrypted', 'due', 'unchanged'];

/** How sessions are encrypted anew. */
interface ReencryptionOptions extends SessionWorkOptions {
  /** Called in the order of ids: everything before is done. What it throws ends the work. */
  readonly onSession?: ((result: SessionResult<ReencryptionOutcome>) => unknown) | undefined;
}

/**
 * Encrypts the tokens of all sessions with the first key of a storage, also those that are in the
 * clear. It can be repeated, and run beside the app: a session that the app writes meanwhile stays
 * as the app wrote it.
 * @throws {InvalidRequestError} when the storage cannot list its sessions, or an option is invalid
 */
export function reencryptSessions(
  storage: EncryptedSessionStorage,
  { dryRun = false, onSession, ...options }: ReencryptionOptions = {},
): Promise<SessionCounts<ReencryptionOutcome>> {
  return workOnSessions(
    {
      sessions: storage.sealed,
      outcomes: OUTCOMES,
      onSession,
      async work(session) {
        if (!storage.needsReencryption(session)) return 'unchanged';
        if (!dryRun) return (await storage.reencrypt(session.id)) ? 'reencrypted' : 'unchanged';
        // Decrypted, so that a key that is missing is found before anything is done.
        await storage.loadSession(session.id);
        return 'due';
      },
    },
    options,
  );
}

/** How many sessions are still encrypted with another key than the first, or not at all. */
export async function countDue(storage: EncryptedSessionStorage): Promise<number> {
  let due = 0;
  for await (const session of listedSessions(storage.sealed, undefined, 'use one that can'))
    if (storage.needsReencryption(session)) due++;
  return due;
}
