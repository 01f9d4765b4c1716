import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AppProxyForm, AppProxyLink, AppProxyProvider } from 'shopwright/remix/react';

import { appUrl, authenticate } from '../shopify.server';
import { addWish, wishesOf } from '../wishes.server';

/**
 * The page `/apps/wishes` of the storefront, rendered with React. Its path in the app is the one
 * that the proxy has in the storefront: the router of the browser knows no other.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.public.appProxy(request);
  if (!session) throw new Response('This shop has to open the app again.', { status: 404 });
  return { appUrl, wishes: wishesOf(session.shop) };
}

export async function action({ request }: ActionFunctionArgs) {
  const { session } = await authenticate.public.appProxy(request);
  if (!session) throw new Response('This shop has to open the app again.', { status: 404 });
  const wish = String((await request.formData()).get('wish') ?? '').trim();
  if (wish) addWish(session.shop, wish);
  return { wish };
}

export default function Wishes() {
  const { appUrl, wishes } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <AppProxyProvider appUrl={appUrl}>
      <main style={{ maxWidth: '40rem', margin: 'auto', padding: '1rem', fontFamily: 'system-ui' }}>
        <h1>Wishes</h1>
        {/* Nothing to discover: the storefront does not have the routes of the app. */}
        <AppProxyForm method="post" action="/apps/wishes" discover="none">
          <label>
            What should this shop sell? <input name="wish" required maxLength={80} />
          </label>{' '}
          <button type="submit">Send</button>
        </AppProxyForm>
        {actionData?.wish && <p role="status">{`Noted: ${actionData.wish}`}</p>}
        <ul>
          {wishes.map((wish, index) => (
            <li key={index}>{wish}</li>
          ))}
        </ul>
        <AppProxyLink href="/apps/wishes/products">What it sells already</AppProxyLink>
      </main>
    </AppProxyProvider>
  );
}
