import * as v from 'valibot';

import { isApiVersion } from '../api-version.js';
import { InvalidOptionsError } from '../core.errors.js';
import type { OptionProblem } from '../core.errors.js';
import { isPacingOption } from '../pacing/pacing-option.js';
import type { PacingOption } from '../pacing/pacing-option.js';
import type { PageConventions } from './page-conventions.js';
import type { Clock } from '../time/clock.js';
import { ENVIRONMENT } from '../vendor.js';
import { isAppPath, noAppPath } from './app-path.js';
import { AppDistribution, fromEnvironment, webhookBodyLimits } from './config.options.js';
import type { ConfigOptions, Environment, FeatureOptions, PathOptions } from './config.options.js';
import { devStoreOrigin } from './dev-store-origin.js';
import { PlatformConfig, PlatformPaths } from './platform-config.js';

const orEnvironment = (name: keyof typeof ENVIRONMENT): string =>
  `or set ${ENVIRONMENT[name].join(' or ')}`;
const aFunction = v.function('must be a function');
const aBoolean = v.optional(v.boolean('must be true or false'));
const pathSuchAs = (example: string) => v.optional(v.custom<string>(isAppPath, noAppPath(example)));
const bytes = v.optional(
  v.pipe(
    v.number('must be a number of bytes'),
    v.integer('must be a whole number of bytes'),
    v.minValue(1, 'must be at least 1 byte'),
  ),
);

const SCHEMA = v.object({
  apiSecretKey: v.pipe(
    v.array(
      v.pipe(v.string('must be a string or a list of strings'), v.nonEmpty('must not be empty')),
    ),
    v.minLength(1, `is missing: pass the app's client secret, ${orEnvironment('apiSecretKey')}`),
  ),
  appUrl: v.pipe(
    v.string('must be a string'),
    v.nonEmpty(`is missing: pass the app's public URL, ${orEnvironment('appUrl')}`),
    v.check(
      (url) => url === '' || isHttpUrl(url),
      'must be a URL with scheme, such as "https://app.example.com"',
    ),
  ),
  apiVersion: v.custom<string>(
    isApiVersion,
    'is missing or malformed: pass a version such as ApiVersion.July26 or "2026-07"',
  ),
  scopes: v.optional(
    v.union(
      [v.string(), v.array(v.string()), v.object({ toArray: v.function() })],
      'must be a list of scopes',
    ),
  ),
  isEmbeddedApp: aBoolean,
  useOnlineTokens: aBoolean,
  expiringOfflineAccessTokens: aBoolean,
  distribution: v.optional(
    v.enum(
      AppDistribution,
      `must be one of ${[...new Set(Object.values(AppDistribution))].join(', ')}`,
    ),
  ),
  userErrors: v.optional(v.picklist(['return', 'throw'], 'must be "return" or "throw"')),
  userAgentPrefix: v.optional(
    v.pipe(v.string('must be a string'), v.regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')),
  ),
  cookiePath: v.optional(
    v.union([pathSuchAs('/'), aFunction], 'must be a path on the app, or a function'),
  ),
  future: v.optional(v.record(v.string(), aBoolean, 'must be an object of flags')),
  isTesting: aBoolean,
  paths: v.optional(
    v.object(
      {
        auth: pathSuchAs('/auth'),
        authCallback: pathSuchAs('/auth/callback'),
        exitIframe: pathSuchAs('/exitiframe'),
        sessionToken: pathSuchAs('/session-token'),
        webhooks: pathSuchAs('/webhooks'),
      },
      'must be an object of paths',
    ),
  ),
  loginPath: pathSuchAs('/login'),
  webhookBodyLimit: bytes,
  webhookBodyMemoryLimit: bytes,
  shopOrigin: v.optional(aFunction),
  fetch: v.optional(aFunction),
  clock: v.optional(v.custom<Clock>(isClock, 'must have now() and sleep()')),
  pacing: v.optional(
    v.custom<PacingOption>(
      isPacingOption,
      'must be "memory", false, or { redis } with a redis:// URL or a client',
    ),
  ),
  logger: v.optional(
    v.custom<object>(
      (value) => typeof value === 'object' && value !== null,
      'must be a LoggerService or { level, log }',
    ),
  ),
});

/** Everything that is wrong with the options, after defaults have been filled in. */
function problemsInConfig(options: Readonly<Record<string, unknown>>): OptionProblem[] {
  const result = v.safeParse(SCHEMA, options);
  const problems = (result.issues ?? []).map((issue) => ({
    option: v.getDotPath(issue)?.replace(/\.\d+$/, '') ?? 'options',
    message: issue.message,
  }));
  return [
    ...problems,
    ...(problems.length === 0
      ? [
          ...problemsInPaths(options['paths'] as PathOptions | undefined),
          ...problemsInLimits(options),
        ]
      : []),
    ...problemsOfCustomApp(options),
  ];
}

function problemsInPaths(paths: PathOptions | undefined): OptionProblem[] {
  const taken = new Map<string, string>();
  return new PlatformPaths(paths).entries().flatMap(([name, path]) => {
    const other = taken.get(path);
    taken.set(path, other ?? name);
    return other === undefined
      ? []
      : [
          {
            option: `paths.${name}`,
            message: `is "${path}", which is the path of ${other} already`,
          },
        ];
  });
}

function problemsInLimits(options: Partial<ConfigOptions>): OptionProblem[] {
  const { webhookBodyLimit, webhookBodyMemoryLimit } = webhookBodyLimits(options);
  if (webhookBodyMemoryLimit >= webhookBodyLimit) return [];
  return [
    {
      option: 'webhookBodyMemoryLimit',
      message: `must be at least as much as one body may have, ${webhookBodyLimit} bytes`,
    },
  ];
}

function problemsOfCustomApp(options: Readonly<Record<string, unknown>>): OptionProblem[] {
  if (options['distribution'] === AppDistribution.PlatformAdmin) {
    return options['adminApiAccessToken']
      ? []
      : [
          {
            option: 'adminApiAccessToken',
            message: 'is missing: an app created in the admin has a fixed access token',
          },
        ];
  }
  return options['apiKey'] && typeof options['apiKey'] === 'string'
    ? []
    : [
        {
          option: 'apiKey',
          message: `is missing: pass the app's client id, ${orEnvironment('apiKey')}`,
        },
      ];
}

function isClock(value: unknown): boolean {
  const clock = value as Partial<Clock> | null;
  return (
    typeof clock === 'object' &&
    typeof clock?.now === 'function' &&
    typeof clock.sleep === 'function'
  );
}

function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** What options are resolved with, beside themselves. */
export interface ResolveConfigContext {
  /** @default process.env */
  readonly environment?: Environment | undefined;
  /** What a facade calls an option, so that problems name what the caller wrote. */
  readonly nameOf?: ((option: string) => string) | undefined;
  /** In what the host differs from others. @default those of Express and Nest */
  readonly conventions?: PageConventions | undefined;
  /** Problems other features found in the same options; reported together. */
  readonly problems?: readonly OptionProblem[] | undefined;
}

/**
 * Fills in the environment and the defaults, checks everything, and freezes.
 * @throws {InvalidOptionsError} naming every problem at once
 */
export function resolveConfig(
  options: ConfigOptions & FeatureOptions,
  context: ResolveConfigContext = {},
): PlatformConfig {
  const environment = context.environment ?? process.env;
  const devStore = options.shopOrigin === undefined ? devStoreOrigin(environment) : {};
  const { origin } = devStore;
  const complete = {
    ...options,
    ...(origin !== undefined && { shopOrigin: () => origin }),
    // The key has to be there for its own message to appear.
    apiVersion: options.apiVersion,
    apiKey: options.apiKey ?? fromEnvironment(environment, 'apiKey'),
    apiSecretKey: asList(options.apiSecretKey) ?? secretsIn(environment),
    scopes: options.scopes ?? fromEnvironment(environment, 'scopes'),
    appUrl: options.appUrl ?? appUrlIn(environment) ?? '',
  };
  const problems = [
    ...problemsInConfig(complete),
    ...(devStore.problem ? [devStore.problem] : []),
    ...(context.problems ?? []),
  ];
  if (problems.length > 0) throw new InvalidOptionsError(renamed(problems, context.nameOf));
  return new PlatformConfig(
    { ...complete, appUrl: withPort(complete.appUrl, environment) },
    environment,
    context.conventions,
  );
}

/** One option of a facade may stand for several of ours: what is wrong with it is said once. */
function renamed(
  problems: readonly OptionProblem[],
  nameOf: (option: string) => string = String,
): OptionProblem[] {
  const said = new Set<string>();
  return problems.flatMap(({ option, message }) => {
    const name = nameOf(option);
    if (name !== option && said.has(name)) return [];
    said.add(name);
    return [{ option: name, message }];
  });
}

/**
 * A development server says in `PORT` where it listens, and its app often only `localhost`. A port
 * that the app names counts, also the usual one, which the address of a URL does not show.
 */
function withPort(appUrl: string, { PORT }: Environment): string {
  const url = new URL(appUrl);
  const isNamed = /^\s*https?:\/\/[^/?#\\]*:\d+(?=[/?#\\\s]|$)/i.test(appUrl);
  if (url.hostname === 'localhost' && !isNamed && PORT) url.port = PORT;
  return url.href;
}

function asList(secrets: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof secrets === 'string' ? [secrets] : secrets;
}

/** Current first. An old one alone is none: there would be nothing to sign with. */
function secretsIn(environment: Environment): readonly string[] {
  const current = fromEnvironment(environment, 'apiSecretKey');
  const old = fromEnvironment(environment, 'oldApiSecretKey');
  return [...new Set(current === undefined ? [] : [current, old ?? current])];
}

/**
 * Many machines set HOST to the address they listen on: what has a scheme is meant to be a URL and
 * wins over what has none.
 */
function appUrlIn(environment: Environment): string | undefined {
  const urls = ENVIRONMENT.appUrl.map((variable) => environment[variable]?.trim() ?? '');
  return (
    urls.find((url) => /^[a-z]+:\/\//i.test(url)) ??
    urls.filter((url) => /\.[a-z]/i.test(url)).map((url) => `https://${url}`)[0]
  );
}
