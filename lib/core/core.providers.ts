import { bind, typedToken } from './binding.js';
import { InFlight } from './concurrency/in-flight.js';
import type { ConfigOptions } from './config/config.options.js';
import { PlatformConfig } from './config/platform-config.js';
import { SecretKeys } from './crypto/secret-keys.js';
import { ApiCaller } from './http/api-caller.js';
import { HttpTransport } from './http/http-transport.js';
import { PlatformLogger } from './logger.js';
import { Pacer, unpaced } from './pacing/pacer.js';
import { createPacer } from './pacing/pacer.factory.js';
import { Telemetry } from './telemetry/telemetry.js';
import { Clock, systemClock } from './time/clock.js';

/** The options that the core bindings read. */
interface CoreOptions extends Pick<ConfigOptions, 'clock' | 'fetch' | 'logger' | 'pacing'> {
  /** How long a shutdown waits for work in flight, in milliseconds. */
  readonly shutdownTimeout: number;
}

/** The ports that the app has passed. */
export const CORE_OPTIONS = typedToken<CoreOptions>('CORE_OPTIONS');

/** Makes calls that are not paced, for APIs that the platform limits per buyer. */
export const UNPACED_CALLER = typedToken<ApiCaller>('UNPACED_CALLER');

/** Makes calls without retries and pacing, for calls whose outcome a user waits for. */
export const SINGLE_ATTEMPT_CALLER = typedToken<ApiCaller>('SINGLE_ATTEMPT_CALLER');

/** The retries of a call to the platform, and the timeout of each attempt in milliseconds. */
const CALLS = { retries: 2, timeout: 30_000 };

function secretsIn(config: PlatformConfig): string[] {
  const { apiSecretKeys, adminApiAccessToken = '', privateAppStorefrontAccessToken = '' } = config;
  return [...apiSecretKeys, adminApiAccessToken, privateAppStorefrontAccessToken];
}

/** The bindings of the core. */
export const CORE_BINDINGS = [
  bind(Clock, { options: CORE_OPTIONS }, ({ options }) => options.clock ?? systemClock),
  bind(
    PlatformLogger,
    { options: CORE_OPTIONS, config: PlatformConfig, clock: Clock },
    ({ options, config, clock }) => new PlatformLogger(options.logger, clock, secretsIn(config)),
  ),
  bind(
    InFlight,
    { options: CORE_OPTIONS, clock: Clock, logger: PlatformLogger },
    ({ options, ...ports }) => new InFlight({ ...ports, limit: options.shutdownTimeout }),
  ),
  bind(
    Telemetry,
    { clock: Clock, logger: PlatformLogger },
    ({ clock, logger }) => new Telemetry(clock, logger),
    { start: (telemetry) => telemetry.start() },
  ),
  bind(
    SecretKeys,
    { config: PlatformConfig, clock: Clock },
    ({ config, clock }) => new SecretKeys(config.apiSecretKeys, clock),
  ),
  bind(
    HttpTransport,
    { options: CORE_OPTIONS, clock: Clock, logger: PlatformLogger },
    ({ options, ...ports }) => new HttpTransport({ ...ports, fetch: options.fetch }),
  ),
  bind(
    Pacer,
    { options: CORE_OPTIONS, clock: Clock, logger: PlatformLogger },
    ({ options, clock, logger }) => createPacer(options.pacing ?? 'memory', clock, logger),
    { close: (pacer) => pacer.close() },
  ),
  bind(
    ApiCaller,
    { config: PlatformConfig, transport: HttpTransport, pacer: Pacer, telemetry: Telemetry },
    ({ config, ...ports }) => new ApiCaller({ ...CALLS, ...ports, app: config.apiKey }),
  ),
  bind(
    UNPACED_CALLER,
    { config: PlatformConfig, transport: HttpTransport, telemetry: Telemetry },
    ({ config, ...ports }) =>
      new ApiCaller({ ...CALLS, ...ports, pacer: unpaced, app: config.apiKey }),
  ),
  bind(
    SINGLE_ATTEMPT_CALLER,
    { config: PlatformConfig, transport: HttpTransport, telemetry: Telemetry },
    ({ config, ...ports }) =>
      new ApiCaller({ ...CALLS, ...ports, pacer: unpaced, app: config.apiKey, retries: 0 }),
  ),
];
