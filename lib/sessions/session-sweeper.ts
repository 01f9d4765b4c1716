import { ThrottledTask } from '../core/cache/throttled-task.js';
import type { Clock } from '../core/time/clock.js';
import type { PlatformLogger } from '../core/logger.js';
import type { SessionStorage } from './session.storage.js';

const HOUR = 60 * 60 * 1000;

/** How long ended sessions are kept. */
interface SessionSweeperOptions {
  /** How long an online session is kept after it has expired, in milliseconds. @default a day */
  readonly keptFor?: number | undefined;
}

/**
 * Deletes online sessions that nobody uses any more: each user's next visit makes a new one. It
 * opens no timer.
 */
export class SessionSweeper {
  readonly #keptFor: number;
  readonly #task: ThrottledTask;

  constructor(
    private readonly storage: SessionStorage,
    private readonly clock: Clock,
    private readonly logger: PlatformLogger,
    { keptFor = 24 * HOUR }: SessionSweeperOptions = {},
  ) {
    this.#keptFor = keptFor;
    this.#task = new ThrottledTask(clock);
  }

  /** Answers with how many there were: 0 as well when the storage cannot delete them. */
  async sweep(): Promise<number> {
    const moment = new Date(this.clock.now().getTime() - this.#keptFor);
    return (await this.storage.deleteExpiredSessions?.(moment)) ?? 0;
  }

  /**
   * To be called when an online session was stored. Sweeps in the background, at most once an hour;
   * never throws.
   */
  noticed(): void {
    this.#task.maybeRun(async () => {
      try {
        const count = await this.sweep();
        if (count > 0) this.logger.debug('Expired online sessions were deleted', { count });
      } catch (error) {
        this.logger.warn(
          'Expired online sessions could not be deleted; they are tried again in an hour',
          { error },
        );
      }
      return false;
    });
  }
}
