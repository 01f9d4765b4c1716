import { stopwatch } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import type { InFlight } from '../../../core/concurrency/in-flight.js';
import type { PlatformLogger } from '../../../core/logger.js';
import { logFieldsOf } from '../../handlers/webhook.dispatcher.js';
import { WebhookQueueError } from '../../webhooks.errors.js';
import type { DeadLetter } from '../dead-letters.js';
import type { DeliveryHandling, DeliveryOutcome } from '../webhook.queue.js';
import type { BodyCipher } from './body-cipher.js';
import type { BullmqErrors, BullmqJob } from './bullmq.driver.js';
import { within } from './bullmq.connection.js';
import { fromStored, progressIn, storedIn } from './delivery-job.js';
import type { DeliveryProgress, GivenUp, StoredDelivery } from './delivery-job.js';
import type { Isolation } from './isolation.js';

/**
 * A delivery that was being handled when its process ended is put off by a random time, up to twice
 * this, then twice as long each time, in milliseconds.
 */
const DETOUR = 1_000;
const LONGEST_DETOUR = 300_000;
/** A delivery whose process has ended so often is handled alone. */
const SUSPECT = 2;
/** How long progress is tried to be recorded, and how often, in milliseconds. */
const RECORD_LIMIT = 20_000;
const RECORD_INTERVAL = 500;

/** What a {@link DeliveryWorker} depends on. */
export interface DeliveryWorkerDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly processor: DeliveryHandling;
  readonly cipher: BodyCipher;
  readonly errors: BullmqErrors;
  readonly isolation: Isolation;
  /** How often a delivery is begun before it becomes a dead letter. */
  readonly attempts: number;
  readonly onDeadLetter: ((deadLetter: DeadLetter) => unknown) | undefined;
}

/** What becomes of a job next. */
type Verdict =
  | { readonly kind: 'done' }
  | { readonly kind: 'handed-back' }
  | { readonly kind: 'put-off' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'given-up'; readonly reason: string };

const DONE: Verdict = { kind: 'done' };
const HANDED_BACK: Verdict = { kind: 'handed-back' };

/** Handles deliveries of the queue, and decides whether they are to be repeated. */
export class DeliveryWorker {
  constructor(private readonly dependencies: DeliveryWorkerDependencies) {}

  /**
   * Resolves when the delivery is done; else throws what tells BullMQ what to do with it.
   * @param token of the worker's lock
   */
  async work(job: BullmqJob, token?: string): Promise<void> {
    const { inFlight, errors } = this.dependencies;
    const verdict = await inFlight.admit(() => this.#begin(job, token));
    switch (verdict.kind) {
      case 'done':
        return;
      case 'put-off':
        throw new errors.DelayedError();
      case 'failed':
        throw new WebhookQueueError(verdict.reason);
      case 'given-up':
        throw new errors.UnrecoverableError(verdict.reason);
      // Refused, since a shutdown has begun, or abandoned by it.
      default:
        await job.moveToWait(token);
        throw new errors.WaitingError();
    }
  }

  async #begin(job: BullmqJob, token: string | undefined): Promise<Verdict> {
    const stored = storedIn(job.data);
    let progress = progressIn(job.progress);
    if (!stored) return { kind: 'given-up', reason: 'This is no delivery of a webhook.' };
    // Its completion alone could not be recorded.
    if (!stored.body) return DONE;
    const { givenUp } = progress;
    if (givenUp) {
      // The process ended before BullMQ had recorded that it was given up.
      if (job.attemptsStarted > givenUp.atStart)
        return { kind: 'given-up', reason: job.failedReason || ENDED };
      progress = { ...progress, givenUp: undefined };
      await job.updateProgress(progress);
    }
    const crashes = job.stalledCounter - progress.forgiven;
    const given = { job, stored, progress, tries: job.attemptsMade + crashes };
    if (given.tries >= this.dependencies.attempts) return this.#giveUp(given, ENDED);
    if (crashes > progress.crashes) {
      await this.#noteCrash(given, crashes);
      return this.#putOff(job, token, Math.min(DETOUR * 2 ** crashes, LONGEST_DETOUR));
    }
    const { isolation } = this.dependencies;
    if (isolation.isTaken) return this.#putOff(job, token, DETOUR);
    const work = async (): Promise<Verdict> => this.#verdictOn(await this.#handle(given), given);
    return crashes < SUSPECT ? isolation.beside(work) : isolation.alone(work);
  }

  /** Adds to the progress of `given` which handlers have succeeded. */
  async #handle(given: Given): Promise<DeliveryOutcome> {
    const { processor, logger, cipher } = this.dependencies;
    const { job, stored } = given;
    const handled = [...given.progress.handled];
    given.progress = { ...given.progress, handled };
    try {
      const verified = fromStored(stored, stored.body!, job.id!, cipher);
      const onHandled = (): Promise<void> =>
        this.#record(stored, () => job.updateProgress(given.progress));
      return await processor.handle(verified, { handled, onHandled });
    } catch (error) {
      logger.error('A delivery of the queue cannot be read', {
        ...logFieldsOf(stored.facts),
        error,
      });
      return { kind: 'failed' };
    }
  }

  async #verdictOn(outcome: DeliveryOutcome, given: Given): Promise<Verdict> {
    const { job, stored, tries } = given;
    if (outcome.kind === 'accepted') {
      const { body: _, ...facts } = stored;
      await this.#record(stored, () => job.updateData(facts));
      return DONE;
    }
    if (outcome.kind === 'unavailable' && outcome.reason === 'shutting_down') return HANDED_BACK;
    const reason = reasonOf(outcome);
    if (tries + 1 < this.dependencies.attempts) return { kind: 'failed', reason };
    const handlers = outcome.kind === 'failed' ? outcome.handlers : undefined;
    return this.#giveUp({ ...given, tries: tries + 1 }, reason, handlers);
  }

  async #noteCrash({ job, stored, progress }: Given, crashes: number): Promise<void> {
    this.dependencies.logger.warn(
      'A process ended while it handled a delivery, which is handled again',
      { ...logFieldsOf(stored.facts), crashes },
    );
    await job.updateProgress({ ...progress, crashes });
  }

  /**
   * Repeats a delivery at a random time: those that only ran beside one which ends every process
   * would otherwise be struck with it again.
   */
  async #putOff(job: BullmqJob, token: string | undefined, longest: number): Promise<Verdict> {
    const now = this.dependencies.clock.now().getTime();
    await job.moveToDelayed(now + Math.round(Math.random() * longest), token);
    return { kind: 'put-off' };
  }

  async #giveUp(
    { job, stored, progress, tries }: Given,
    reason: string,
    handlers?: readonly string[],
  ): Promise<Verdict> {
    const { clock, logger, onDeadLetter } = this.dependencies;
    const { topic, shop, webhookId } = stored.facts;
    logger.error('A delivery was given up, and is a dead letter now', {
      ...logFieldsOf(stored.facts),
      attempts: tries,
      reason,
    });
    if (onDeadLetter)
      this.#report(stored, () =>
        onDeadLetter({
          id: job.id!,
          topic,
          shop,
          webhookId,
          receivedAt: new Date(job.timestamp),
          failedAt: clock.now(),
          attempts: tries,
          handlers,
          reason,
        }),
      );
    const givenUp: GivenUp = { atStart: job.attemptsStarted, tries, handlers };
    const next = { ...progress, crashes: 0, forgiven: job.stalledCounter, givenUp };
    await this.#record(stored, () => job.updateProgress(next));
    return { kind: 'given-up', reason };
  }

  #report(stored: StoredDelivery, hook: () => unknown): void {
    const { logger, inFlight } = this.dependencies;
    const run = async (): Promise<unknown> => hook();
    void inFlight.track(
      run().catch((error: unknown) =>
        logger.error('onDeadLetter failed', { ...logFieldsOf(stored.facts), error }),
      ),
    );
  }

  /**
   * Tries for as long as the lock of the delivery may last: a server that is started again must not
   * make handlers run again. What cannot be recorded by then, or when a shutdown no longer waits,
   * is logged.
   */
  async #record({ facts }: StoredDelivery, write: () => Promise<void>): Promise<void> {
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

interface Given {
  readonly job: BullmqJob;
  readonly stored: StoredDelivery;
  progress: DeliveryProgress;
  /** Attempts that failed or ended with their process. */
  readonly tries: number;
}

const ENDED = 'Processes ended while they handled it.';

function reasonOf(outcome: Exclude<DeliveryOutcome, { kind: 'accepted' }>): string {
  if (outcome.kind === 'unavailable') return `It could not be handled: ${outcome.reason}.`;
  const { handlers } = outcome;
  return handlers
    ? `These handlers failed: ${handlers.join(', ')}. The log says why.`
    : 'It could not be handed to its handlers. The log says why.';
}
