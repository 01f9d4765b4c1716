import { Link, useNavigate } from '@remix-run/react';
import { AppProvider as PolarisAppProvider } from '@shopify/polaris';
import type { AppProviderProps as PolarisAppProviderProps } from '@shopify/polaris';
import english from '@shopify/polaris/locales/en.json' with { type: 'json' };
import { forwardRef } from 'react';
import type { ComponentProps, ReactElement } from 'react';

import { AppBridgeScript, onWindow, useAdminNavigation } from '../../web/react/app-bridge.js';

/** Props of {@link AppProvider}: its own, and those of the provider of Polaris. */
export interface AppProviderProps extends Omit<PolarisAppProviderProps, 'i18n' | 'linkComponent'> {
  /** The app's API key. */
  readonly apiKey: string;
  /** False for an app outside the admin: App Bridge is left out. @default true */
  readonly isEmbeddedApp?: boolean | undefined;
  /** The texts of Polaris. @default English */
  readonly i18n?: PolarisAppProviderProps['i18n'];
  /** The App Bridge script, for tests against a simulated store. @default the platform's CDN */
  readonly __APP_BRIDGE_URL?: string | undefined;
}

/**
 * What every page of an app in the admin stands in: App Bridge, Polaris, whose links are links of
 * the router, and the admin's navigation as the router's.
 * @see https://shopify.dev/docs/api/app-bridge-library
 * @example
 * <AppProvider apiKey={apiKey}>
 *   <Outlet />
 * </AppProvider>
 */
export function AppProvider({
  apiKey,
  isEmbeddedApp = true,
  i18n = english,
  children,
  __APP_BRIDGE_URL,
  ...polaris
}: AppProviderProps): ReactElement {
  return (
    <>
      {isEmbeddedApp && <EmbeddedApp apiKey={apiKey} src={__APP_BRIDGE_URL} />}
      <PolarisAppProvider {...polaris} i18n={i18n} linkComponent={RouterLink}>
        {children}
      </PolarisAppProvider>
    </>
  );
}

function EmbeddedApp(props: { readonly apiKey: string; readonly src?: string | undefined }) {
  useAdminNavigation(onWindow, useNavigate());
  return <AppBridgeScript {...props} />;
}

type PolarisLinkProps = ComponentProps<NonNullable<PolarisAppProviderProps['linkComponent']>>;

/** What Polaris makes its links of; the address is `to` where a component of the app has set it. */
const RouterLink = /* @__PURE__ */ forwardRef<HTMLAnchorElement, PolarisLinkProps>(
  function RouterLink({ url, to, external, target, ...props }, ref) {
    const opens = external ? { target: '_blank', rel: 'noopener noreferrer' } : { target };
    return <Link {...opens} {...props} to={url ?? to} ref={ref} />;
  },
);
