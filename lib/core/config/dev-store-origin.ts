import type { OptionProblem } from '../core.errors.js';
import { ENVIRONMENT } from '../vendor.js';
import type { Environment } from './config.options.js';

const [VARIABLE] = ENVIRONMENT.devStore;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The origin of a simulated store that the environment names: every shop is reached there. It may
 * only name this machine, and nothing in production, where it would hand the app's secret and its
 * shops to whoever listens on that port.
 */
export function devStoreOrigin(environment: Environment): {
  readonly origin?: string;
  readonly problem?: OptionProblem;
} {
  const address = environment[VARIABLE]?.trim();
  if (!address) return {};
  const problem = (message: string) => ({ problem: { option: VARIABLE, message } });
  if (environment['NODE_ENV'] === 'production')
    return problem('is for development: remove it from the environment in production');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOrigin = url?.protocol === 'http:' && url.href === `${url.origin}/`;
  if (!url || !isOrigin || !LOOPBACK.has(url.hostname))
    return problem(
      'must be the address of a simulated store on this machine, such as "http://localhost:4000"',
    );
  return { origin: url.origin };
}
