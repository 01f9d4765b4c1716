import { Clock, systemClock } from '../../lib/core/time/clock.js';
import { ApiCaller } from '../../lib/core/http/api-caller.js';
import type { ApiCallerOptions } from '../../lib/core/http/api-caller.js';
import { HttpTransport } from '../../lib/core/http/http-transport.js';
import { unpaced } from '../../lib/core/pacing/pacer.js';

/**
 * A caller over a fetch of the test: unpaced, one attempt, no timeout unless the test says
 * otherwise.
 */
export function apiCaller(
  fetch: typeof globalThis.fetch | undefined,
  clock: Clock = systemClock,
  options: Partial<ApiCallerOptions> = {},
): ApiCaller {
  return new ApiCaller({
    transport: new HttpTransport({ fetch, clock }),
    pacer: unpaced,
    app: 'test-app',
    retries: 0,
    ...options,
  });
}
