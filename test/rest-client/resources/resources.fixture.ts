import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import { LogSeverity, PlatformLogger } from '../../../lib/core/logger.js';
import { AdminRestClient } from '../../../lib/rest-client/admin-rest.client.js';
import type { ResourceSet } from '../../../lib/rest-client/resources/resource-set.js';
import { apiCaller } from '../../support/api-caller.js';
import { APP_URL, SHOP } from '../../support/app.js';
import { ManualClock } from '../../support/manual.clock.js';
import { ScriptedFetch, json } from '../../support/scripted-fetch.js';
import type { Scripted } from '../../support/scripted-fetch.js';

export const SESSION = { shop: SHOP, accessToken: 'session-token' };

/** Versions that the tables describe, oldest first. */
export const VERSIONS = [
  '2024-10',
  '2025-01',
  '2025-04',
  '2025-07',
  '2025-10',
  '2026-01',
  '2026-04',
  '2026-07',
] as const;

/** True when a version is among `always`, `until 2024-10` or `since 2025-01`. */
export function isIn(versions: string, version: string): boolean {
  const [word, limit = ''] = versions.split(' ');
  return word === 'always' || (word === 'until' ? version <= limit : version >= limit);
}

export interface Mounted<Resources extends ResourceSet> {
  readonly rest: Resources;
  readonly script: ScriptedFetch;
  /** What was logged. */
  readonly lines: string[];
}

/** A set of resources in an app of its own, whose calls are answered from a list. */
export function mounted<Resources extends ResourceSet>(
  resources: Resources,
  apiVersion: string,
  ...answers: Scripted[]
): Mounted<Resources> {
  const script = new ScriptedFetch(...(answers.length > 0 ? answers : [() => json({})]));
  const lines: string[] = [];
  const clock = new ManualClock();
  const logger = new PlatformLogger(
    { level: LogSeverity.Debug, log: (_: LogSeverity, line: string) => lines.push(line) },
    clock,
  );
  const config = resolveConfig(
    { apiKey: 'key', apiSecretKey: 'secret', appUrl: APP_URL, apiVersion },
    { environment: {} },
  );
  const client = new AdminRestClient(config, apiCaller(script.fetch, clock), logger, resources);
  return { rest: client.resources as Resources, script, lines };
}
