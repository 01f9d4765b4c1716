import type { HeadersFunction, LinksFunction, LoaderFunctionArgs } from '@remix-run/node';
import { Link, Outlet, useLoaderData, useRouteError } from '@remix-run/react';
import polarisStyles from '@shopify/polaris/build/esm/styles.css?url';
import { boundary } from 'shopwright/remix';
import { AppProvider } from 'shopwright/remix/react';

import { api, authenticate } from '../shopify.server';

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: polarisStyles }];

export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  return { apiKey: api.config.apiKey, appBridge: api.config.appBridgeUrl(session.shop) };
}

export default function Layout() {
  const { apiKey, appBridge } = useLoaderData<typeof loader>();
  return (
    <AppProvider apiKey={apiKey} __APP_BRIDGE_URL={appBridge}>
      <nav style={{ display: 'flex', gap: '1rem', padding: '1rem' }}>
        <Link to="/app" rel="home">
          Products
        </Link>
        <Link to="/app/shop">Shop</Link>
      </nav>
      <Outlet />
    </AppProvider>
  );
}

// What `authenticate.admin` throws has to reach the browser, with its headers.
export function ErrorBoundary() {
  return boundary.error(useRouteError());
}

export const headers: HeadersFunction = (args) => boundary.headers(args);
