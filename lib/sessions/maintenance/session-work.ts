import { runInOrder } from '../../core/concurrency/ordered-run.js';
import type { RunEnd } from '../../core/concurrency/ordered-run.js';
import { listedSessions } from '../listed-sessions.js';
import type { Session } from '../session.js';
import type { SessionReader } from '../session.storage.js';

const CONCURRENCY = 8;

/** How all sessions of a storage are worked on. */
export interface SessionWorkOptions {
  /** Says what would be done, and does nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** Begins after the session with this id. @default from the beginning */
  readonly after?: string | undefined;
  /** How many sessions are worked on at once. @default 8 */
  readonly concurrency?: number | undefined;
  /** Ends the work after the sessions in progress. */
  readonly signal?: AbortSignal | undefined;
}

/** What became of a session, online or offline. */
export interface SessionResult<Outcome extends string> {
  readonly id: string;
  readonly shop: string;
  readonly outcome: Outcome | 'failed';
  /** Why it failed. */
  readonly error?: unknown;
}

/** How many sessions had which outcome. */
export type SessionCounts<Outcome extends string> = Readonly<Record<Outcome | 'failed', number>> &
  RunEnd;

/** Work on all sessions of a storage. */
interface SessionWork<Outcome extends string> {
  /** Read page by page, in the order of ids. */
  readonly sessions: SessionReader;
  readonly outcomes: readonly Outcome[];
  readonly work: (session: Session) => Promise<Outcome>;
  /** Called in the order of ids: everything before is done. What it throws ends the work. */
  readonly onSession?: ((result: SessionResult<Outcome>) => unknown) | undefined;
}

/**
 * Works on every session of a storage; one that fails does not affect the others.
 * @throws {InvalidRequestError} when the storage cannot list its sessions, or `concurrency` is out
 * of range
 */
export async function workOnSessions<Outcome extends string>(
  { sessions, outcomes, work, onSession }: SessionWork<Outcome>,
  { after, concurrency = CONCURRENCY, signal }: SessionWorkOptions,
): Promise<SessionCounts<Outcome>> {
  const counts = Object.fromEntries([...outcomes, 'failed'].map((name) => [name, 0])) as Record<
    Outcome | 'failed',
    number
  >;
  const listed = listedSessions(sessions, after, 'use one that has listSessions()');
  const end = await runInOrder<Session, SessionResult<Outcome>>(listed, {
    concurrency,
    signal,
    work: (session) => {
      const { id, shop } = session;
      return work(session).then(
        (outcome) => ({ id, shop, outcome }),
        (error: unknown) => ({ id, shop, outcome: 'failed', error }),
      );
    },
    onResult: (result) => {
      counts[result.outcome]++;
      return onSession?.(result);
    },
  });
  return { ...counts, ...end };
}
