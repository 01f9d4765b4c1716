import type { InFlight } from '../../../core/concurrency/in-flight.js';
import type { PlatformLogger } from '../../../core/logger.js';
import { stopwatch } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import type { WebhookFacts } from '../../deliveries/webhook-delivery.js';
import { logFieldsOf } from '../../handlers/webhook.dispatcher.js';
import { WebhookQueueError } from '../../webhooks.errors.js';
import { within } from './bullmq.connection.js';

/** How long progress is tried to be recorded, and how often, in milliseconds. */
const RECORD_LIMIT = 20_000;
const RECORD_INTERVAL = 500;

/** What {@link PersistentRecords} depend on. */
interface PersistentRecordsDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
}

/** Records what has become of deliveries, also while the server of the queue is started again. */
export class PersistentRecords {
  constructor(private readonly dependencies: PersistentRecordsDependencies) {}

  /**
   * Tries for as long as the lock of the delivery may last: a server that is started again must not
   * make handlers run again. What cannot be recorded by then, or when a shutdown no longer waits,
   * is logged. Never rejects.
   */
  async write(facts: WebhookFacts, write: () => Promise<void>): Promise<void> {
    const { clock, logger, inFlight } = this.dependencies;
    const waited = stopwatch(clock);
    for (;;) {
      try {
        return await this.#bounded(RECORD_LIMIT - waited(), write);
      } catch (error) {
        if (waited() < RECORD_LIMIT && !inFlight.isAbandoned) {
          await clock.sleep(RECORD_INTERVAL);
          continue;
        }
        const message = 'The progress of a delivery could not be recorded';
        return logger.warn(message, { ...logFieldsOf(facts), error });
      }
    }
  }

  /** A write may never settle: a connection may keep it until its server is back. */
  #bounded(ms: number, write: () => Promise<void>): Promise<void> {
    const { clock, inFlight } = this.dependencies;
    const limit = inFlight.isAbandoned ? RECORD_INTERVAL : Math.max(ms, RECORD_INTERVAL);
    return new Promise((resolve, reject) => {
      const stopWaiting = inFlight.onAbandon(() =>
        reject(new WebhookQueueError('The app shut down before the queue gave an answer.')),
      );
      within(clock, limit, write()).then(resolve, reject).finally(stopWaiting);
    });
  }
}
