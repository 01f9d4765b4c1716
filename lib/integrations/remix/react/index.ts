/**
 * Components for Remix apps. They run on the server and in browsers.
 * @module shopwright/remix/react
 */
export { AppProvider } from './app-provider.js';
export type { AppProviderProps } from './app-provider.js';
export { AppProxyForm } from './app-proxy-form.js';
export {
  AppProxyLink,
  AppProxyProvider,
  AppProxyProviderContext,
} from '../../web/react/app-proxy.js';
export type {
  AppProxyLinkProps,
  AppProxyProviderContextProps,
  AppProxyProviderProps,
} from '../../web/react/app-proxy.js';
export { MissingProviderError } from '../../web/react/react.errors.js';
