import type { ReactElement, ReactNode } from 'react';
import { useNavigate } from 'react-router';

import {
  AppBridgeScript,
  PolarisScript,
  onDocument,
  useAdminNavigation,
} from '../../web/react/app-bridge.js';

/** Props of every page. */
interface PageProps {
  readonly children?: ReactNode;
  /**
   * The script with the web components of Polaris, such as a copy of the app's own; the option of
   * this name has browsers fetch it early. @default the platform's CDN
   */
  readonly polarisUrl?: string | undefined;
  /** The App Bridge script, for tests against a simulated store. @default the platform's CDN */
  readonly __APP_BRIDGE_URL?: string | undefined;
}

/** Props of {@link AppProvider}. */
export interface AppProviderProps extends PageProps {
  /** The app's API key. */
  readonly apiKey: string;
  /** False for a page that is shown outside the admin: App Bridge is left out. @default true */
  readonly embedded?: boolean | undefined;
}

/** Props of a page outside of the admin, such as that of the login form: it needs no API key. */
interface StandaloneProps extends PageProps {
  readonly embedded: false;
  readonly apiKey?: string | undefined;
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
export function AppProvider(props: AppProviderProps | StandaloneProps): ReactElement {
  const { children, polarisUrl, __APP_BRIDGE_URL } = props;
  return (
    <>
      {(props.embedded === undefined || props.embedded) && (
        <EmbeddedApp apiKey={props.apiKey} src={__APP_BRIDGE_URL} />
      )}
      <PolarisScript src={polarisUrl} />
      {children}
    </>
  );
}

function EmbeddedApp(props: { readonly apiKey: string; readonly src?: string | undefined }) {
  useAdminNavigation(onDocument, useNavigate());
  return <AppBridgeScript {...props} />;
}
