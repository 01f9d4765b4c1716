import { isVersionCompatible } from '../../core/api-version.js';
import type { Clock } from '../../core/time/clock.js';
import { UserErrorsError } from '../graphql-client.errors.js';
import type { BulkApi, StartOutcome } from './bulk.api.js';
import type { BulkOperationType } from './bulk-operation.js';
import type { BulkQueue } from './bulk.queue.js';
import { pauses } from './bulk-operation.js';

/**
 * From this version on, an app may run five operations of a type in a shop at the same time;
 * before, one.
 */
const FIVE_SINCE = '2026-01';
/** The platform's error codes for that limit. */
const BUSY: ReadonlySet<string> = new Set(['OPERATION_IN_PROGRESS', 'LIMIT_REACHED']);

export interface LaunchDependencies {
  readonly api: BulkApi;
  readonly clock: Clock;
  /** Shared by all operations of the app. */
  readonly queue: BulkQueue;
}

/** Starts an operation of a type. Called again while the platform reports that too many run. */
export interface Launchable {
  readonly type: BulkOperationType;
  readonly start: (signal: AbortSignal) => Promise<StartOutcome>;
}

/** A running operation, and the function that frees its slot. */
interface Launched {
  readonly id: string;
  readonly leave: () => void;
}

/**
 * Starts an operation as soon as the platform's limit allows. Operations of this process wait in a
 * queue; while other processes use up the limit, the start is retried.
 * @throws {UserErrorsError} when the platform refuses the operation
 * @throws the signal's reason when it is aborted before the operation is started
 */
export async function launch(
  { api, clock, queue }: LaunchDependencies,
  { type, start }: Launchable,
  signal: AbortSignal,
): Promise<Launched> {
  const limit = isVersionCompatible(FIVE_SINCE, api.apiVersion) ? 5 : 1;
  const leave = await queue.enter(`${type} ${api.shop}`, limit, signal);
  try {
    const pause = pauses();
    for (;;) {
      const { id, userErrors } = await start(signal);
      if (id !== undefined) return { id, leave };
      if (!userErrors.some(({ code }) => code != null && BUSY.has(code)))
        throw refused(userErrors, api.shop, type);
      await clock.sleep(pause.next().value, signal);
    }
  } catch (error) {
    leave();
    throw error;
  }
}

/** The error of an operation that the platform refuses to prepare or to start. */
export function refused(
  userErrors: StartOutcome['userErrors'],
  shop: string,
  type: BulkOperationType,
): UserErrorsError {
  return new UserErrorsError(userErrors, undefined, {
    shop,
    operation: `bulk ${type.toLowerCase()}`,
  });
}
