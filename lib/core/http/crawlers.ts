import { isbot } from 'isbot';

import { PLATFORM_APPS } from '../vendor.js';

/** No honest name is longer; what comes after it is not searched. */
const LONGEST_NAME = 512;
/**
 * What else would be taken for a crawler: browsers under a test, tools that somebody has to start,
 * and health checks, which take an app that is gone for dead.
 */
const LET_THROUGH =
  /HeadlessChrome\/|Cypress\/|Playwright|HealthCheck|^GoogleHC\/|^kube-probe\/|^(?:axios|bun|curl|deno|go-http-client|got|httpie|insomnia|java|lightmyrequest|node|node-fetch|node-superagent|okhttp|postmanruntime|python-requests|superagent|supertest|undici|wget)(?:[/ ]|$)/i;

/**
 * True for the `User-Agent` of a crawler or of the preview of a link, which must not begin a grant.
 */
export function isCrawler(userAgent: string | undefined): boolean {
  const name = userAgent?.slice(0, LONGEST_NAME);
  if (name === undefined || PLATFORM_APPS.test(name) || LET_THROUGH.test(name)) return false;
  return isbot(name);
}
