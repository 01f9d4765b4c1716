/**
 * What differs between the hosts of web requests, as data: each host is a value of these, and what
 * `lib/integrations/web` makes of it.
 */
export interface RouteConventions {
  /** The entry point of the host, as messages name it. */
  readonly entryPoint: string;
  /** True where an app that is not embedded has a window of its own. */
  readonly hasStandaloneApps: boolean;
}

/** Remix, and any other host of web `Request` and `Response`. */
export const REMIX_CONVENTIONS: RouteConventions = {
  entryPoint: 'shopwright/remix',
  hasStandaloneApps: true,
};

/** React Router as a framework, versions 7 and 8. */
export const REACT_ROUTER_CONVENTIONS: RouteConventions = {
  entryPoint: 'shopwright/react-router',
  hasStandaloneApps: false,
};
