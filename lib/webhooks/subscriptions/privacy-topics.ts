import { isCommand } from '../../core/command-mark.js';
import type { PlatformLogger } from '../../core/logger.js';
import { PRIVACY_TOPICS } from '../../core/vendor.js';

/**
 * Names the privacy topics that nothing acts upon, in the log. To be called where deliveries arrive
 * at the toolkit: elsewhere a route of the app may handle them.
 */
export function tellUnhandledPrivacy(
  logger: PlatformLogger,
  handles: (topic: string) => boolean,
): void {
  const unhandled = PRIVACY_TOPICS.filter((topic) => !handles(topic));
  if (unhandled.length > 0 && !isCommand())
    logger.info(
      'Deliveries of these privacy topics are acknowledged, but no handler acts upon them',
      { topics: unhandled.join(', ') },
    );
}
