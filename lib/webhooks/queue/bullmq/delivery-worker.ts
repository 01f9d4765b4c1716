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
import type { ShopOrder } from './ordering/shop-order.js';
import { PersistentRecords } from './persistent-records.js';

/**
 * A delivery that was being handled when its process ended is put off by a random time, up to twice
 * this, then twice as long each time, in milliseconds.
 */
const DETOUR = 1_000;
const LONGEST_DETOUR = 300_000;
/** A delivery whose process has ended so often is handled alone. */
const SUSPECT = 2;
/**
 * How long a delivery waits for its turn before it looks again, at first and at most; then twice as
 * long each time, in milliseconds.
 */
const RECHECK = 20_000;
/** How long it may take to learn whose turn it is, in milliseconds. */
const TURN_LIMIT = 10_000;

/** What a {@link DeliveryWorker} depends on. */
interface DeliveryWorkerDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly processor: DeliveryHandling;
  readonly cipher: BodyCipher;
  readonly errors: BullmqErrors;
  readonly isolation: Isolation;
  /** Where the deliveries of a shop are handled one after the other. @default they are not */
  readonly order?: ShopOrder | undefined;
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
  readonly #records: PersistentRecords;

  constructor(private readonly dependencies: DeliveryWorkerDependencies) {
    this.#records = new PersistentRecords(dependencies);
  }

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
    if (!stored.body) {
      await this.#endTurn(job, stored);
      return DONE;
    }
    const { givenUp } = progress;
    if (givenUp) {
      // The process ended before BullMQ had recorded that it was given up.
      if (job.attemptsStarted > givenUp.atStart) {
        await this.#endTurn(job, stored);
        return { kind: 'given-up', reason: job.failedReason || ENDED };
      }
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
    const { isolation, order } = this.dependencies;
    if (order) {
      const turn = await this.#turnOf(job, stored, order);
      if (turn !== 'taken') return this.#wait(job, token, stored, turn === 'later' && order);
    }
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
        this.#records.write(stored.facts, () => job.updateProgress(given.progress));
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
      await this.#records.write(stored.facts, () => job.updateData(facts));
      await this.#endTurn(job, stored);
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
  async #putOff(
    job: BullmqJob,
    token: string | undefined,
    longest: number,
    shortest = 0,
  ): Promise<Verdict> {
    const delay = shortest + Math.random() * (longest - shortest);
    await job.moveToDelayed(this.dependencies.clock.now().getTime() + Math.round(delay), token);
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
    await this.#records.write(stored.facts, () => job.updateProgress(next));
    await this.#endTurn(job, stored);
    return { kind: 'given-up', reason };
  }

  /** An order that cannot be asked is no attempt that failed. */
  async #turnOf(
    job: BullmqJob,
    { facts }: StoredDelivery,
    order: ShopOrder,
  ): Promise<'taken' | 'later' | 'unknown'> {
    const { clock, logger } = this.dependencies;
    try {
      const taken = order.take(job.id!, facts, job.timestamp);
      return (await within(clock, TURN_LIMIT, taken)) ? 'taken' : 'later';
    } catch (error) {
      const message = 'The order of the deliveries of a shop could not be read; it is tried again';
      logger.warn(message, { ...logFieldsOf(facts), error });
      return 'unknown';
    }
  }

  /** Until the one before it has left, which ends the delay; or, should that fail, for a while. */
  async #wait(
    job: BullmqJob,
    token: string | undefined,
    { facts }: StoredDelivery,
    order: ShopOrder | false,
  ): Promise<Verdict> {
    const longest = Math.min(RECHECK * 2 ** (job.attemptsStarted - 1), LONGEST_DETOUR);
    const verdict = await this.#putOff(job, token, longest, longest / 2);
    if (order) await order.wakeIfFirst(job.id!, facts).catch(() => {});
    return verdict;
  }

  /** Before the driver knows of the end: should this process die now, the end comes once more. */
  async #endTurn(job: BullmqJob, stored: StoredDelivery): Promise<void> {
    const { order } = this.dependencies;
    if (order) await this.#records.write(stored.facts, () => order.leave(job.id!, stored.facts));
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
