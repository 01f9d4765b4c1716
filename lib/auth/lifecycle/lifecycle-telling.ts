import type { PlatformLogger } from '../../core/logger.js';
import type { Installation, PendingEvent } from '../../sessions/coordination/installation.store.js';
import type { InstallationRecords } from '../installations/installation-records.js';

/** What is needed to remember what was told. */
export interface TellingDependencies {
  readonly logger: PlatformLogger;
  readonly records: InstallationRecords;
}

/**
 * Tells the app of an event and notes that it was told; when a handler fails, which ones are done
 * with it. The caller holds the shop's install lock. Answers what `run` answers, throws what it
 * throws.
 * @param run gets the names of the handlers to skip, and adds those that succeed
 */
export async function tell(
  { logger, records }: TellingDependencies,
  installation: Installation,
  pending: PendingEvent,
  run: (done: Set<string>) => Promise<Response | undefined>,
): Promise<Response | undefined> {
  const { shop, generation } = installation;
  const { event, done: before = [] } = pending;
  const done = new Set(before);
  let answer: Response | undefined;
  try {
    answer = await run(done);
  } catch (error) {
    if (done.size > before.length) await records.failed(installation, pending, done);
    throw error;
  }
  await records.told(installation, pending);
  logger.info('The app was told of an event', { shop, event, generation });
  return answer;
}
