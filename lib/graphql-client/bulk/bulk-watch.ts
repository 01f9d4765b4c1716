import type { Clock } from '../../core/time/clock.js';
import {
  HttpMaxRetriesError,
  HttpRequestError,
  HttpRetriableError,
  MalformedReplyError,
} from '../../core/http/http.errors.js';
import { GraphqlQueryError, GraphqlThrottledError } from '../graphql-client.errors.js';
import type { BulkApi } from './bulk.api.js';
import { BulkTransferError } from './bulk.errors.js';
import type { BulkFinished } from './bulk-finished.js';
import { hasEnded, pauses } from './bulk-operation.js';
import type { BulkOperation } from './bulk-operation.js';

/**
 * How many polls in a row may fail before the wait does: an operation can take hours, and an outage
 * of the platform can be short.
 */
const MOST_FAILURES = 5;

export interface WatchDependencies {
  readonly api: BulkApi;
  readonly finished: BulkFinished;
  readonly clock: Clock;
}

/**
 * Waits until an operation has ended, as the platform reports or polling finds out.
 * @throws the signal's reason when it is aborted
 * @throws {BulkTransferError} when the shop has no such operation
 */
export async function untilEnded(
  { api, finished, clock }: WatchDependencies,
  id: string,
  signal: AbortSignal,
): Promise<BulkOperation> {
  const pause = pauses();
  let failures = 0;
  for (;;) {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    try {
      // Begins before the poll, so that an end in between is not missed.
      const told = finished.wait(api.shop, id, either);
      told.catch(() => {});
      const operation = await look(api, id, signal).catch((error: unknown) => {
        if (signal.aborted || !mayPass(error) || ++failures >= MOST_FAILURES) throw error;
        return undefined;
      });
      if (operation) failures = 0;
      if (operation && hasEnded(operation)) return operation;
      await Promise.race([told, clock.sleep(pause.next().value, either)]);
    } finally {
      over.abort();
    }
  }
}

async function look(api: BulkApi, id: string, signal: AbortSignal): Promise<BulkOperation> {
  const operation = await api.read(id, signal);
  if (operation) return operation;
  throw new BulkTransferError(`${api.shop} has no bulk operation ${id} of this app.`, {
    shop: api.shop,
  });
}

const PASSING = [
  HttpRequestError,
  HttpRetriableError,
  HttpMaxRetriesError,
  MalformedReplyError,
  GraphqlThrottledError,
];

function mayPass(error: unknown): boolean {
  // A failure of the platform may also come with the status of a success.
  if (error instanceof GraphqlQueryError && error.has('INTERNAL_SERVER_ERROR')) return true;
  return PASSING.some((kind) => error instanceof kind);
}
