import { isAppPath, noAppPath } from '../../core/config/app-path.js';
import { AppDistribution } from '../../core/config/config.options.js';
import type { PageConventions } from '../../core/config/page-conventions.js';
import type { OptionProblem } from '../../core/core.errors.js';
import { withoutTrailingSlashes } from '../../core/shop-domain.js';
import type { PlatformOptions } from '../../platform/kernel/platform.options.js';
import type { AnyNestModule } from '../../platform/nest/lazy-container.js';
import type { RestClientOptions } from '../../rest-client/rest-client.options.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { RouteConventions } from './route-conventions.js';

/** What `platformApp` of a host of web requests takes. */
export interface WebAppOptions<Resources extends ResourceSet = RegisteredResources>
  extends
    Omit<PlatformOptions, 'paths' | 'loginPath' | keyof RestClientOptions>,
    RestClientOptions<Resources> {
  /** Needed by every app but one that was made in the admin of a store. */
  readonly sessionStorage?: SessionStorage | undefined;
  /**
   * The path below which the router puts all routes of the app: `basename` of Remix and React
   * Router. The other paths are meant below it, as the router means them. @default none
   */
  readonly basePath?: string | undefined;
  /**
   * Where the splat route lies that calls `authenticate.admin`; the paths of OAuth and of the
   * helper pages are below it. @default '/auth'
   */
  readonly authPathPrefix?: string | undefined;
  /**
   * The route that calls `login()`; pages that name no shop are sent there.
   * @default `<authPathPrefix>/login`
   */
  readonly loginPath?: string | undefined;
  /**
   * Nest modules whose `@WebhookHandler` methods and providers belong to this app; `handle()` runs
   * them, and `authenticate.webhook()` with `webhooks.enqueueFromRoutes`. @default none
   */
  readonly modules?: readonly AnyNestModule[] | undefined;
}

/** What `platformApp` takes as well where the pages of the host load the components of Polaris. */
export interface PolarisOption {
  /**
   * The script with the web components of Polaris that browsers fetch early, such as a copy of the
   * app's own: the one that `AppProvider` is given. @default the platform's CDN
   */
  readonly polarisUrl?: string | undefined;
}

/**
 * The same options as every other part of the toolkit reads them. Where every app is embedded, one
 * that was made in the admin of a store is the exception: nothing signs its requests.
 */
export function toPlatformOptions(
  {
    authPathPrefix,
    modules: _,
    basePath: __,
    polarisUrl,
    ...options
  }: WebAppOptions & PolarisOption,
  { hasStandaloneApps, pages }: RouteConventions,
): PlatformOptions {
  // What is no text is no path, either: the check of the paths says so.
  const prefix = withoutTrailingSlashes(String(authPathPrefix || '/auth'));
  const paths = {
    auth: prefix,
    exitIframe: `${prefix}/exit-iframe`,
    sessionToken: `${prefix}/session-token`,
  };
  return {
    ...options,
    // The log names it among the unknown options of a host that does not load the components.
    ...(pages.polarisUrl === undefined && { polarisUrl }),
    ...(!hasStandaloneApps && {
      isEmbeddedApp: options.distribution !== AppDistribution.PlatformAdmin,
    }),
    paths,
    loginPath: options.loginPath ?? `${prefix}/login`,
  };
}

/** The conventions of a host for the pages of one app: one that names its base path is known. */
export function pageConventions(
  { basePath, polarisUrl }: Pick<WebAppOptions, 'basePath'> & PolarisOption,
  { pages }: RouteConventions,
): PageConventions {
  return {
    ...pages,
    polarisUrl: pages.polarisUrl && (polarisUrl ?? pages.polarisUrl),
    ...(isAppPath(basePath) && {
      belowBasePath: false,
      basePath: withoutTrailingSlashes(basePath),
    }),
  };
}

/** What a header can name between angle brackets. */
function isScriptUrl(url: unknown): boolean {
  return typeof url === 'string' && /^[\x21\x23-\x3b\x3d\x3f-\x7e]+$/.test(url);
}

/** What is wrong with options by the conventions of a host alone. */
export function problemsInConventions(
  options: Pick<WebAppOptions, 'distribution' | 'sessionStorage' | 'basePath'> & PolarisOption,
  { entryPoint, hasStandaloneApps, pages }: RouteConventions,
): OptionProblem[] {
  const isEmbeddedGiven = !hasStandaloneApps && Object.hasOwn(options, 'isEmbeddedApp');
  const isStorageMissing =
    options.sessionStorage === undefined && options.distribution !== AppDistribution.PlatformAdmin;
  return [
    ...(options.basePath === undefined || isAppPath(options.basePath)
      ? []
      : [{ option: 'basePath', message: noAppPath('/app') }]),
    ...(pages.polarisUrl === undefined || isScriptUrl(options.polarisUrl ?? pages.polarisUrl)
      ? []
      : [
          {
            option: 'polarisUrl',
            message: `must be the URL of a script, encoded and without spaces, such as "${pages.polarisUrl}"`,
          },
        ]),
    ...(isEmbeddedGiven
      ? [
          {
            option: 'isEmbeddedApp',
            message: `is no option of ${entryPoint}: its apps are embedded in the admin. Leave it out, or import shopwright/remix for an app with a window of its own`,
          },
        ]
      : []),
    ...(isStorageMissing
      ? [
          {
            option: 'sessionStorage',
            message: `is missing: pass a storage, such as SqliteSessionStorage of shopwright/sessions/sqlite. Only an app of AppDistribution.PlatformAdmin needs none`,
          },
        ]
      : []),
  ];
}

const NAMES: Readonly<Record<string, string>> = {
  'paths.auth': 'authPathPrefix',
  'paths.exitIframe': 'authPathPrefix',
  'paths.sessionToken': 'authPathPrefix',
  'paths.webhooks': 'webhooks.path',
};

/** What the options of these hosts call an option of the toolkit. @param given by the app */
export function webNameOf(option: string, given: Pick<WebAppOptions, 'loginPath'>): string {
  if (option === 'loginPath' && given.loginPath === undefined) return 'authPathPrefix';
  return NAMES[option] ?? option;
}
