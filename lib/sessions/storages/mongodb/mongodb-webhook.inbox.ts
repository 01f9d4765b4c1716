import { randomUUID } from 'node:crypto';

import type { Clock } from '../../../core/time/clock.js';
import { DONE_FOR, WebhookInbox, digestOf } from '../../coordination/webhook.inbox.js';
import type { Claim, DeliveryKey } from '../../coordination/webhook.inbox.js';
import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import type { MongoConnection, OpenDatabase } from './mongodb.connection.js';
import { renewLease, takeLease } from './mongodb-lease.js';

/**
 * Remembers deliveries as documents. What nobody has touched for seven days is deleted, now and
 * then.
 */
export class MongoDBWebhookInbox extends WebhookInbox {
  readonly #removal: ThrottledTask;

  constructor(
    private readonly connection: MongoConnection,
    private readonly collectionName: string,
    clock: Clock,
  ) {
    super();
    this.#removal = new ThrottledTask(clock);
  }

  claim(key: DeliveryKey, leaseMs: number): Promise<Claim> {
    return this.connection.run('claim a webhook delivery', async (database) => {
      this.#removal.maybeRun(() => this.#removeOld(database));
      const token = randomUUID();
      const lease = { key: digestOf(key), owner: token, leaseMs };
      const fields = { set: { state: 'busy' }, initial: { handled: [] } };
      const { isTaken, before } = await takeLease(database, this.#in(database), lease, fields);
      if (isTaken)
        return {
          state: 'claimed',
          token,
          handled: (before['handled'] as string[] | undefined) ?? [],
        };
      return { state: before['state'] === 'done' ? 'done' : 'busy' };
    });
  }

  renew(key: DeliveryKey, token: string, leaseMs: number): Promise<boolean> {
    return this.connection.run('renew a claim', (database) =>
      renewLease(this.#in(database), { key: digestOf(key), owner: token, leaseMs }),
    );
  }

  complete(key: DeliveryKey, token: string): Promise<void> {
    return this.#end(key, token, { state: 'done', leaseMs: DONE_FOR, handled: [] });
  }

  release(key: DeliveryKey, token: string, handled: readonly string[]): Promise<void> {
    return this.#end(key, token, { leaseMs: 0, handled });
  }

  async #end(
    key: DeliveryKey,
    token: string,
    outcome: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.connection.run('note what became of a webhook delivery', (database) =>
      // From here on the document is nobody's, so that its last owner changes it no more.
      this.#in(database).updateOne(
        { _id: digestOf(key), owner: token },
        { $set: { owner: null, ...outcome }, $currentDate: { at: true } },
      ),
    );
  }

  async #removeOld(database: OpenDatabase): Promise<false> {
    const moment = await database.now();
    await this.#in(database).deleteMany({ at: { $lt: new Date(moment.getTime() - DONE_FOR) } });
    return false;
  }

  #in(database: OpenDatabase): ReturnType<OpenDatabase['collection']> {
    return database.collection(this.collectionName);
  }
}
