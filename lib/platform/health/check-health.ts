import { InvalidOptionsError } from '../../core/core.errors.js';
import { objectsOf } from '../host/app-objects.js';
import type { NestObjects } from '../host/app-objects.js';
import type { HostApp } from '../host/host-app.js';
import { HealthChecks, checkedOf } from './health-checks.js';
import type { HealthOptions, HealthReport } from './health-report.js';

/** An app to check: what `platformApp()` returned, or a Nest app. */
export type CheckedApp = HostApp | NestObjects;

/**
 * Checks what an app depends on: that it has started, its session storage, its lock, the depth of
 * its queue, and its clock against the platform's. For the readiness probe of whatever runs it: the
 * report has no secret and no address in it. Calls while a check runs, or less than `maxAge`
 * milliseconds after it, get the same result. Never rejects for what it finds.
 * @param options.name of an app in a Nest app. @default the unnamed one
 * @throws {InvalidOptionsError} when `app` is none, or has no app of that name
 * @example
 * app.get('/health', async (_req, res) => {
 *   const report = await checkHealth(shopify);
 *   res.status(report.isHealthy ? 200 : 503).json(report);
 * });
 */
export async function checkHealth(
  app: CheckedApp,
  { name, ...options }: HealthOptions & { readonly name?: string | undefined } = {},
): Promise<HealthReport> {
  return healthChecks(app, name, options).run();
}

/** @throws {InvalidOptionsError} when `app` is none, or has no app of that name */
function healthChecks(
  app: CheckedApp,
  name: string | undefined,
  options: HealthOptions,
): HealthChecks {
  const objectOf = objectsOf(app, name);
  try {
    if (objectOf) return new HealthChecks(checkedOf(objectOf), options);
  } catch {
    const message = `has no app called "${name ?? 'default'}": import PlatformModule`;
    throw new InvalidOptionsError([{ option: 'app', message }]);
  }
  const message = 'is no app: pass what platformApp() returned, or a Nest app';
  throw new InvalidOptionsError([{ option: 'app', message }]);
}
