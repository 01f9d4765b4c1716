import type { ReactElement, ReactNode } from 'react';
import { useNavigate } from 'react-router';

import {
  AppBridgeScript,
  PolarisScript,
  onDocument,
  useAdminNavigation,
} from '../../web/react/app-bridge.js';

/** Props of {@link AppProvider}. */
export interface AppProviderProps {
  /** The app's API key. */
  readonly apiKey: string;
  /**
   * False for an app that is shown outside the admin: App Bridge is left out. @default true
   */
  readonly embedded?: boolean | undefined;
  readonly children?: ReactNode;
  /**
   * The script with the web components of Polaris, such as a copy of the app's own; the option of
   * this name has browsers fetch it early. @default the platform's CDN
   */
  readonly polarisUrl?: string | undefined;
  /** The App Bridge script, for tests against a simulated store. @default the platform's CDN */
  readonly __APP_BRIDGE_URL?: string | undefined;
}

/**
 * What every page of an app in the admin stands in: App Bridge, the web components of Polaris, and
 * the admin's navigation as the router's.
 * @see https://shopify.dev/docs/api/app-bridge-library
 * @example
 * <AppProvider apiKey={apiKey}>
 *   <Outlet />
 * </AppProvider>
 */
export function AppProvider({
  apiKey,
  embedded = true,
  children,
  polarisUrl,
  __APP_BRIDGE_URL,
}: AppProviderProps): ReactElement {
  return (
    <>
      {embedded && <EmbeddedApp apiKey={apiKey} src={__APP_BRIDGE_URL} />}
      <PolarisScript src={polarisUrl} />
      {children}
    </>
  );
}

function EmbeddedApp(props: { readonly apiKey: string; readonly src?: string | undefined }) {
  useAdminNavigation(onDocument, useNavigate());
  return <AppBridgeScript {...props} />;
}
