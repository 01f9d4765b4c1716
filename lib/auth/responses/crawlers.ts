import { denied } from '../../core/decision.js';
import { isCrawler } from '../../core/http/crawlers.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { AuthDenied } from './auth-responses.js';

/** How much of the name of a crawler is logged. */
const LOGGED = 100;

const CRAWLER = denied(
  410,
  'crawler',
  'This page belongs to an app for merchants: there is nothing to index or to preview.',
);

/**
 * The denial for a crawler or a link preview, for which no OAuth must be started; `undefined` for
 * every other client.
 */
export function deniedForCrawler(
  request: InboundRequest,
  logger: PlatformLogger,
): AuthDenied | undefined {
  const userAgent = request.header('user-agent');
  if (!isCrawler(userAgent)) return undefined;
  logger.info('A crawler was denied', { userAgent: userAgent?.slice(0, LOGGED) });
  return CRAWLER;
}
