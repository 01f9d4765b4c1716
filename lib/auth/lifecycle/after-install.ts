import type { Session } from '../../sessions/session.js';

/**
 * The toolkit's own part of an installation, such as subscribing to webhooks: when a shop has
 * installed the app, installed it again, or granted other scopes than before. Bound by the
 * platform.
 */
export abstract class AfterInstall {
  /**
   * Gets the shop's offline session. May reject: the install stands, the failure is logged, and it
   * is tried again. May take its time: the merchant's browser waits ten seconds for it at most, and
   * it goes on in the background.
   */
  abstract run(session: Session): Promise<void>;
}
