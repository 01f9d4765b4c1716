/** In what the answers of auth differ from host to host: each host is a value of these. */
export interface PageConventions {
  /** True where the helper pages and the login page also lie below a base path of the app. */
  readonly belowBasePath: boolean;
  /**
   * The path below which a router puts all pages of the app, where the app has named it: without
   * slash at its end, and empty for none.
   */
  readonly basePath: string;
  /**
   * What a page load gets that names no shop: the login page, where the app has one, or App Bridge,
   * which knows the shop inside the admin.
   */
  readonly withoutShop: 'login' | 'app_bridge';
  /**
   * The script with the web components of Polaris, where the pages of the host load it: browsers
   * fetch it early, as they do App Bridge.
   */
  readonly polarisUrl: string | undefined;
  /**
   * Where a page of auth says what it may load: in its header, or in itself, for hosts that may
   * show it inside a page of the app, whose own scripts the header would stop.
   */
  readonly scriptPolicy: 'header' | 'page';
  /** The status for a script that has to take the window elsewhere. */
  readonly reauthorizeStatus: 401 | 403;
  /** The query parameter in which the exit page gets its target. */
  readonly exitParameter: 'redirectUri' | 'exitIframe';
  /**
   * Whether an embedded app asks a shop for scopes that it has not granted. `unless_new_strategy`:
   * not with `future.unstable_newEmbeddedAuthStrategy` or `future.tokenExchange`, where the
   * platform alone asks.
   */
  readonly asksForScopes: 'unless_new_strategy' | 'never';
}

/** Those of Express and Nest. */
export const DEFAULT_CONVENTIONS: PageConventions = {
  belowBasePath: false,
  basePath: '',
  withoutShop: 'login',
  polarisUrl: undefined,
  scriptPolicy: 'header',
  reauthorizeStatus: 403,
  exitParameter: 'redirectUri',
  asksForScopes: 'unless_new_strategy',
};
