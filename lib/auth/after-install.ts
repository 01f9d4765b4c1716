import type { Session } from '../sessions/session.js';

/** What has to happen whenever a shop has granted an offline token, such as subscribing to webhooks. Bound by the platform. */
export abstract class AfterInstall {
  /**
   * May reject: the install stands, and the failure is logged. May take its time: the merchant's browser waits ten seconds for it at
   * most, and it goes on in the background.
   */
  abstract run(session: Session): Promise<void>;
}
