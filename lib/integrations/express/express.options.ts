import type { BillingOptions } from '../../billing/billing.options.js';
import type { ConfigOptions } from '../../core/config/config.options.js';
import type { FutureFlags } from '../../core/config/future-flags.js';
import type { OptionProblem } from '../../core/core.errors.js';
import { platformOptionsOf, problemsInApi } from '../../platform/api/api.options.js';
import type { ApiOptions } from '../../platform/api/api.options.js';
import type { AnyNestModule } from '../../platform/nest/lazy-container.js';
import type { PlatformOptions } from '../../platform/kernel/platform.options.js';
import type { RestClientOptions } from '../../rest-client/rest-client.options.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';

/** The app itself, under the names the platform's own library knows. */
export type ExpressApiOptions<Resources extends ResourceSet = RegisteredResources> =
  ApiOptions<Resources>;

/** What {@link platformApp} takes. */
export interface ExpressAppOptions<
  Resources extends ResourceSet = RegisteredResources,
> extends Omit<
  PlatformOptions,
  keyof ConfigOptions | keyof RestClientOptions | keyof BillingOptions
> {
  readonly api: ExpressApiOptions<Resources>;
  readonly auth?:
    | {
        /** Start of the OAuth grant. @default '/auth' */
        readonly path?: string | undefined;
        /** End of the OAuth grant. @default `<auth.path>/callback` */
        readonly callbackPath?: string | undefined;
      }
    | undefined;
  /** The page that leaves the admin's frame. @default '/exitiframe' */
  readonly exitIframePath?: string | undefined;
  /**
   * Requests of a user are made with that user's own token; an offline token is kept besides.
   * @default false
   */
  readonly useOnlineTokens?: boolean | undefined;
  /** Flags of the platform's own packages; those of `api.future` count as well. */
  readonly future?: FutureFlags | undefined;
  /**
   * Nest modules whose `@WebhookHandler` methods and providers belong to this app. @default none
   */
  readonly modules?: readonly AnyNestModule[] | undefined;
}

/** The same options as every other part of the toolkit reads them. */
export function toPlatformOptions(given: ExpressAppOptions): PlatformOptions {
  const { api, auth, exitIframePath, modules: _, ...rest } = given;
  return {
    ...platformOptionsOf(api ?? {}),
    ...Object.fromEntries(withoutEffect(given).map((name) => [name, undefined])),
    ...rest,
    future: { ...api?.future, ...rest.future },
    paths: { auth: auth?.path, authCallback: auth?.callbackPath, exitIframe: exitIframePath },
  };
}

/** What counts in `api`, whatever the app says beside it. */
const COUNTS_IN_API = /^(?:hostName|hostScheme|isCustomStoreApp|future)$/;

/** The names in `api` that have no effect: `paths`, and what the app says beside `api` as well. */
function withoutEffect(given: ExpressAppOptions): string[] {
  return Object.entries(given.api ?? {}).flatMap(([name, value]) => {
    const isSaidBeside = Object.hasOwn(given, name) && !COUNTS_IN_API.test(name);
    return value !== undefined && (isSaidBeside || name === 'paths') ? [name] : [];
  });
}

/** What is wrong with what only this host knows. */
export function problemsInExpress({ api, auth }: ExpressAppOptions): OptionProblem[] {
  return [
    ...problemsInApi(api ?? {}).map(({ option, message }) => ({
      option: `api.${option}`,
      message,
    })),
    ...(typeof (auth ?? {}) === 'object'
      ? []
      : [{ option: 'auth', message: 'must be an object: { path, callbackPath }' }]),
  ];
}

/** The names that would otherwise be lost: of `paths` nothing is read, of `auth` two paths. */
export function unknownInExpress(
  given: ExpressAppOptions & { readonly paths?: unknown },
): string[] {
  const { path: _, callbackPath: __, ...others } = given.auth ?? {};
  const names = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [`auth.${name}`],
  );
  if (given.paths !== undefined) names.push('paths');
  return [...names, ...withoutEffect(given).map((name) => `api.${name}`)];
}

const NAMES: Readonly<Record<string, string>> = {
  appUrl: 'api.hostName',
  'paths.auth': 'auth.path',
  'paths.authCallback': 'auth.callbackPath',
  'paths.exitIframe': 'exitIframePath',
  'paths.webhooks': 'webhooks.path',
};
const TOP_LEVEL =
  /^(?:api|auth|webhooks|hooks|sessionStorage|inbox|lock|installations|useOnlineTokens|enhancers|modules|future)$/;

/**
 * What the options of Express call an option of the toolkit: `apiKey` is `api.apiKey`, unless the
 * app has written it elsewhere.
 */
export function expressNameOf(option: string, given: ExpressAppOptions): string {
  if (Object.hasOwn(NAMES, option)) return NAMES[option]!;
  const [name = ''] = option.split('.');
  const isTopLevel =
    Object.hasOwn(given, name) ||
    (TOP_LEVEL.test(name) && !Object.hasOwn(Object(given.api) as object, name));
  return isTopLevel ? option : `api.${option}`;
}
