import type { HeadersFunction } from 'react-router';
import { Link, Outlet, useRouteError } from 'react-router';
import { boundary } from 'shopwright/react-router';
import { AppProvider } from 'shopwright/react-router/react';

import styles from '../app.css?url';
import { api, authenticate } from '../shopify.server';
import type { Route } from './+types/app';

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }];

export async function loader({ request }: Route.LoaderArgs) {
  const { session } = await authenticate.admin(request);
  return { apiKey: api.config.apiKey, appBridge: api.config.appBridgeUrl(session.shop) };
}

export default function Layout({ loaderData: { apiKey, appBridge } }: Route.ComponentProps) {
  return (
    <AppProvider apiKey={apiKey} __APP_BRIDGE_URL={appBridge}>
      <s-app-nav>
        <Link to="/app" rel="home">
          Products
        </Link>
        <Link to="/app/shop">Shop</Link>
      </s-app-nav>
      <Outlet />
    </AppProvider>
  );
}

// What `authenticate.admin` throws has to reach the browser, with its headers.
export function ErrorBoundary() {
  return boundary.error(useRouteError());
}

export const headers: HeadersFunction = (args) => boundary.headers(args);
