import { InvalidRequestError } from '../core/http/http.errors.js';
import type { Session } from './session.js';
import type { SessionReader } from './session.storage.js';

const PAGE_SIZE = 100;

/**
 * Checks that the sessions of a storage can be listed.
 * @param advice what to do when they cannot, as the end of a sentence
 * @throws {InvalidRequestError}
 */
export function checkListing(
  storage: SessionReader,
  advice: string,
): asserts storage is SessionReader & Required<Pick<SessionReader, 'listSessions'>> {
  if (!storage.listSessions)
    throw new InvalidRequestError(`The session storage cannot list its sessions: ${advice}.`);
}

/**
 * Every stored session whose id comes after `after`, in the order of ids. They are read page by
 * page: what is stored behind the current page meanwhile is found, too.
 * @param advice what to do when the storage cannot list its sessions, as the end of a sentence
 * @throws {InvalidRequestError} when it cannot
 */
export async function* listedSessions(
  storage: SessionReader,
  after: string | undefined,
  advice: string,
): AsyncGenerator<Session> {
  checkListing(storage, advice);
  for (let last = after; ;) {
    const page = await storage.listSessions({ after: last, limit: PAGE_SIZE });
    yield* page;
    if (page.length < PAGE_SIZE) return;
    last = page.at(-1)?.id;
  }
}
