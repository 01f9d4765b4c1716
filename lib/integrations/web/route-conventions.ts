import type { PageConventions } from '../../core/config/page-conventions.js';
import { POLARIS_URL } from '../../core/vendor.js';

/**
 * What differs between the hosts of web requests, as data: each host is a value of these, and what
 * `lib/integrations/web` makes of it.
 */
export interface RouteConventions {
  /** The entry point of the host, as messages name it. */
  readonly entryPoint: string;
  /** True where an app that is not embedded has a window of its own. */
  readonly hasStandaloneApps: boolean;
  /** Where the authenticator of point-of-sale extensions stands: below `public`, or beside it. */
  readonly pos: 'public' | 'authenticate';
  /**
   * What a call of `billing` leads to whose access token the platform rejects for good: the shop
   * authorizes the app again, or the request comes again with a fresh session token.
   */
  readonly billingRefused: 'reauthorize' | 'again';
  /** What auth has to know. */
  readonly pages: PageConventions;
}

const ROUTES: PageConventions = {
  belowBasePath: false,
  basePath: '',
  withoutShop: 'login',
  polarisUrl: undefined,
  scriptPolicy: 'page',
  reauthorizeStatus: 401,
  exitParameter: 'exitIframe',
  asksForScopes: 'unless_new_strategy',
};

/** Remix, and any other host of web `Request` and `Response`. */
export const REMIX_CONVENTIONS: RouteConventions = {
  entryPoint: 'shopwright/remix',
  hasStandaloneApps: true,
  pos: 'public',
  billingRefused: 'reauthorize',
  pages: ROUTES,
};

/** React Router as a framework, versions 7 and 8. */
export const REACT_ROUTER_CONVENTIONS: RouteConventions = {
  entryPoint: 'shopwright/react-router',
  hasStandaloneApps: false,
  pos: 'authenticate',
  billingRefused: 'again',
  pages: {
    ...ROUTES,
    belowBasePath: true,
    withoutShop: 'app_bridge',
    polarisUrl: POLARIS_URL,
    asksForScopes: 'never',
  },
};
