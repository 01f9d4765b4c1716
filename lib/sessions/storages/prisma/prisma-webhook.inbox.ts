import { randomUUID } from 'node:crypto';

import type { Clock } from '../../../core/time/clock.js';
import { DONE_FOR, WebhookInbox, digestOf } from '../../coordination/webhook.inbox.js';
import type { Claim, DeliveryKey } from '../../coordination/webhook.inbox.js';
import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import { explained } from './prisma.errors.js';
import { isFirst } from './prisma.lock.js';
import type { PrismaModel } from './prisma-models.js';

/** Remembers deliveries as rows. This machine's clock counts. */
export class PrismaWebhookInbox extends WebhookInbox {
  readonly #removal: ThrottledTask;

  constructor(
    private readonly model: PrismaModel,
    private readonly clock: Clock,
  ) {
    super();
    this.#removal = new ThrottledTask(clock);
  }

  async claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    const id = digestOf(key);
    const claim = await explained('claim a webhook delivery', async (): Promise<Claim> => {
      const token = randomUUID();
      const lease = { token, until: this.#fromNow(leaseMs), isDone: false };
      const row = await this.model.findUnique({ where: { id } });
      if (!row) {
        const isOurs = await isFirst(this.model.create({ data: { id, ...lease, handled: '[]' } }));
        return isOurs ? { state: 'claimed', token, handled: [] } : { state: 'busy' };
      }
      if ((row['until'] as Date) > this.#fromNow(0))
        return { state: row['isDone'] ? 'done' : 'busy' };
      // Not if another has claimed it, or renewed, since we looked.
      const { count } = await this.model.updateMany({
        where: { id, token: row['token'], until: row['until'] },
        data: lease,
      });
      return count === 1
        ? { state: 'claimed', token, handled: JSON.parse(String(row['handled'])) as string[] }
        : { state: 'busy' };
    });
    this.#removal.maybeRun(() => this.#removeOld());
    return claim;
  }

  async renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean> {
    return this.#change('renew a claim', key, token, { until: this.#fromNow(leaseMs) });
  }

  async complete(key: DeliveryKey, token: string): Promise<void> {
    const outcome = { token: null, until: this.#fromNow(DONE_FOR), isDone: true, handled: '[]' };
    await this.#change('note that a webhook delivery is done', key, token, outcome);
  }

  async release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void> {
    await this.#change('release a webhook delivery', key, token, {
      token: null,
      until: this.#fromNow(0),
      handled: JSON.stringify(handled),
    });
  }

  #change(
    what: string,
    key: DeliveryKey,
    token: string,
    data: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    return explained(
      what,
      async () =>
        (await this.model.updateMany({ where: { id: digestOf(key), token }, data })).count === 1,
    );
  }

  /**
   * What is not done is kept as long: the platform's next attempt has to know which handlers are
   * done with it.
   */
  async #removeOld(): Promise<false> {
    const isOld = [
      { isDone: true, until: { lt: this.#fromNow(0) } },
      { until: { lt: this.#fromNow(-DONE_FOR) } },
    ];
    await this.model.deleteMany({ where: { OR: isOld } });
    return false;
  }

  #fromNow(ms: number): Date {
    return new Date(this.clock.now().getTime() + Math.ceil(ms));
  }
}
