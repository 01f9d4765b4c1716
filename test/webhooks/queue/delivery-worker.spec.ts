import { beforeEach, describe, expect, it } from '@jest/globals';

import { BodyCipher } from '../../../lib/webhooks/queue/bullmq/body-cipher.js';
import type { BullmqErrors, BullmqJob } from '../../../lib/webhooks/queue/bullmq/bullmq.driver.js';
import { progressIn, toStored } from '../../../lib/webhooks/queue/bullmq/delivery-job.js';
import { DeliveryWorker } from '../../../lib/webhooks/queue/bullmq/delivery-worker.js';
import { Isolation } from '../../../lib/webhooks/queue/bullmq/isolation.js';
import type { DeadLetter } from '../../../lib/webhooks/queue/dead-letters.js';
import { SHOP } from '../../support/app.js';
import { WebhooksFixture } from '../webhooks.fixture.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class UnrecoverableError extends Error {}
const errors: BullmqErrors = {
  DelayedError: class extends Error {},
  WaitingError: class extends Error {},
  UnrecoverableError,
};

/** A job as the driver has it, with what was written to it. */
class Job implements BullmqJob {
  readonly id = 'd-1';
  readonly attemptsStarted = 1;
  readonly stalledCounter = 0;
  readonly timestamp = 0;
  progress: unknown = 0;
  data: unknown;
  /** What the server of the queue does with a write. */
  write: () => Promise<void> = async () => {};

  constructor(
    topic: string,
    public attemptsMade = 0,
  ) {
    const facts = {
      webhookType: 'webhooks' as const,
      topic,
      shop: SHOP,
      webhookId: '1',
      apiVersion: '2026-07',
    };
    const body = Buffer.from('{}');
    this.data = toStored({ facts, path: '/webhooks', body }, this.id, new BodyCipher(undefined));
  }

  async updateProgress(progress: object): Promise<void> {
    await this.write();
    this.progress = progress;
  }

  async updateData(data: unknown): Promise<void> {
    await this.write();
    this.data = data;
  }

  async moveToWait(): Promise<void> {}
  async moveToDelayed(): Promise<void> {}
  async retry(): Promise<void> {}
}

describe('a worker of the queue', () => {
  let app: WebhooksFixture;
  let deadLetters: DeadLetter[];
  let worker: DeliveryWorker;
  beforeEach(() => {
    app = new WebhooksFixture({ webhooks: { shutdownTimeout: 5_000 } });
    deadLetters = [];
    const { clock, inFlight, processor, lines } = app;
    worker = new DeliveryWorker({
      ...{ clock, inFlight, processor, errors, logger: lines.logger },
      cipher: new BodyCipher(undefined),
      isolation: new Isolation(clock, { pause: () => {}, resume: () => {} }),
      attempts: 3,
      onDeadLetter: (deadLetter) => deadLetters.push(deadLetter),
    });
  });

  it('keeps a delivery whose topic this process does not know, and says so', async () => {
    // It was completed as handled, and its body was removed.
    app.handle('ORDERS_CREATE');
    const job = new Job('PRODUCTS_CREATE');
    await expect(worker.work(job)).rejects.toThrow('could not be handed to its handlers');
    expect(job.data).toMatchObject({ body: { text: '{}' } });
    expect(app.lines.matching('no handler for PRODUCTS_CREATE')).toHaveLength(1);
    const last = new Job('PRODUCTS_CREATE', 2);
    await expect(worker.work(last)).rejects.toThrow(UnrecoverableError);
    expect(deadLetters).toMatchObject([{ topic: 'PRODUCTS_CREATE', attempts: 3 }]);
  });

  it('completes a delivery that only the toolkit itself handles', async () => {
    let runs = 0;
    app.follow('PRODUCTS_CREATE', () => runs++);
    const job = new Job('PRODUCTS_CREATE');
    await worker.work(job);
    expect([runs, job.data]).toEqual([1, expect.anything()]);
    expect(job.data).not.toHaveProperty('body');
  });

  it('decides by its own number of attempts', async () => {
    app.handle('PRODUCTS_CREATE', () => Promise.reject(new Error('no')));
    await expect(worker.work(new Job('PRODUCTS_CREATE', 1))).rejects.not.toThrow(
      UnrecoverableError,
    );
    await expect(worker.work(new Job('PRODUCTS_CREATE', 2))).rejects.toThrow(UnrecoverableError);
  });

  it('waits 20 seconds at most for a connection that gives no answer', async () => {
    // A connection with an offline queue never rejects: the delivery was never ended.
    const handled = app.handle('PRODUCTS_CREATE');
    const job = new Job('PRODUCTS_CREATE');
    let writes = 0;
    job.write = () => {
      writes++;
      return new Promise(() => {});
    };
    const work = worker.work(job);
    for (let write = 1; write <= 2; write++) {
      while (writes < write) await turn();
      app.clock.advance(20_000);
    }
    await work;
    expect([handled.length, app.clock.alarms]).toEqual([1, 0]);
    expect(app.lines.matching('could not be recorded')).toHaveLength(2);
  });

  it('no longer waits for it when a shutdown does not', async () => {
    app.handle('PRODUCTS_CREATE');
    const job = new Job('PRODUCTS_CREATE');
    job.write = () => new Promise(() => {});
    const work = worker.work(job);
    await turn();
    const drained = app.inFlight.drain();
    await turn();
    app.clock.advance(5_000);
    await drained;
    await work;
    expect(progressIn(job.progress).handled).toEqual([]);
    expect(app.lines.matching('shut down before the queue')).toHaveLength(1);
  });
});
