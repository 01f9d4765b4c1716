import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { InstallationRecords } from '../installations/installation-records.js';

/**
 * Runs what the app does when a shop has to authenticate again. A port: the lifecycle's handlers.
 */
interface ReauthorizationHandlers {
  run(event: 'needs_reauthorization', context: { readonly shop: string }): Promise<unknown>;
}

/** What {@link Reauthorization} works with. */
export interface ReauthorizationDependencies {
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly records: InstallationRecords;
  readonly handlers: ReauthorizationHandlers;
}

/** Records which shops have to authenticate again, and runs the handlers of the event. */
export class Reauthorization {
  constructor(private readonly dependencies: ReauthorizationDependencies) {}

  /**
   * Records that a shop has to authenticate again, and runs the handlers of the event once. Does
   * not wait for them, as a shutdown does: a handler may ask for the very session. The caller holds
   * the shop's lock.
   * @param cause why its token cannot be renewed
   */
  async require(shop: string, cause?: unknown): Promise<void> {
    const { records, handlers, logger, inFlight } = this.dependencies;
    if (!(await records.needsReauthorization(shop))) return;
    logger.warn(
      'The platform no longer renews the token of a shop: somebody of the shop has to open the app',
      { shop, error: cause },
    );
    inFlight
      .track(handlers.run('needs_reauthorization', { shop }))
      .catch((error: unknown) =>
        logger.error('A handler of needs_reauthorization failed', { shop, error }),
      );
  }
}
