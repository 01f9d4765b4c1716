import type { Clock } from '../../../core/time/clock.js';
import { Lock } from '../../coordination/lock.js';
import { explained, isDuplicate } from './prisma.errors.js';
import { keyOf } from './prisma-models.js';
import type { PrismaModel } from './prisma-models.js';

/**
 * Holds names as rows. This machine's clock counts: what Prisma asks a database for its time with
 * differs for each.
 */
export class PrismaLock extends Lock {
  constructor(
    private readonly model: PrismaModel,
    private readonly clock: Clock,
  ) {
    super();
  }

  take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    const id = keyOf(name);
    return explained('take a lock', async () => {
      const held = await this.model.findUnique({ where: { id } });
      const hold = { holder, until: this.#fromNow(leaseMs) };
      if (!held) return isFirst(this.model.create({ data: { id, ...hold } }));
      if ((held['until'] as Date) > this.#fromNow(0)) return false;
      // Not if it was renewed, or taken over, since we looked.
      const { count } = await this.model.updateMany({
        where: { id, holder: held['holder'], until: held['until'] },
        data: hold,
      });
      return count === 1;
    });
  }

  renew(name: string, holder: string, leaseMs: number): Promise<boolean> {
    return explained('renew a lock', async () => {
      const where = { id: keyOf(name), holder, until: { gt: this.#fromNow(0) } };
      return (
        (await this.model.updateMany({ where, data: { until: this.#fromNow(leaseMs) } })).count ===
        1
      );
    });
  }

  async release(name: string, holder: string): Promise<void> {
    await explained('release a lock', () =>
      this.model.deleteMany({ where: { id: keyOf(name), holder } }),
    );
  }

  #fromNow(ms: number): Date {
    return new Date(this.clock.now().getTime() + Math.ceil(ms));
  }
}

/** False when another made the row first. */
export async function isFirst(creation: Promise<unknown>): Promise<boolean> {
  try {
    await creation;
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}
