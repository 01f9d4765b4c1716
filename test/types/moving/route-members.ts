/**
 * Checked by the compiler, never run: routes that are not the admin's, as they are written with the
 * official packages, with nothing but their imports changed.
 */
import {
  AppDistribution,
  ApiVersion,
  MemorySessionStorage,
  boundary,
  shopifyApp,
} from '../../../lib/integrations/remix/index.js';
import type {
  AppProxyContext,
  CheckoutContext,
  CustomerAccountContext,
  FlowContext,
  FulfillmentServiceContext,
  StorefrontApiContext,
  StorefrontGraphqlClient,
  UnauthenticatedStorefrontContext,
} from '../../../lib/integrations/remix/index.js';
import {
  boundary as routerBoundary,
  shopifyApp as routerApp,
} from '../../../lib/integrations/react-router/index.js';
import type { POSContext } from '../../../lib/integrations/react-router/index.js';
import type { ActionFunctionArgs, LoaderFunctionArgs } from './route-types.js';

const options = {
  apiVersion: ApiVersion.July26,
  appUrl: 'https://app.example',
  sessionStorage: new MemorySessionStorage(),
  distribution: AppDistribution.AppStore,
};
const { authenticate, unauthenticated } = shopifyApp(options);
const router = routerApp(options);

// app/routes/apps.reviews.tsx
export const proxyLoader = async ({ request }: LoaderFunctionArgs) => {
  const { admin, liquid, session, storefront } = await authenticate.public.appProxy(request);
  if (!session) return liquid('Hello {{ shop.name }}', { layout: false });
  const response = await admin.graphql('query { shop { name } }');
  const products = await storefront.graphql(
    'query ($first: Int!) { products(first: $first) { nodes { title } } }',
    { variables: { first: 5 }, headers: { 'X-Own': '1' }, tries: 2 },
  );
  const { data } = await products.json();
  console.log(session.shop, (await response.json()).data, data.products.nodes);
  return liquid('<a href="/apps/reviews/new">New</a>', {
    status: 201,
    headers: { 'X-Own': '1' },
  });
};
export const proxyAction = async ({ request }: ActionFunctionArgs) => {
  const context: AppProxyContext = await router.authenticate.public.appProxy(request);
  if (context.session) await inStorefront(context.storefront, context.storefront.graphql);
  return context.liquid('Not found', 404);
};
async function inStorefront(
  context: StorefrontApiContext,
  graphql: StorefrontGraphqlClient,
): Promise<string> {
  await context.graphql('query { shop { name } }');
  const { data } = await (await graphql('query { shop { name } }')).json();
  return data.shop.name;
}

// app/routes/api.checkout.tsx, api.account.tsx, api.pos.tsx
export const extensions = async ({ request }: LoaderFunctionArgs) => {
  const checkout: CheckoutContext = await authenticate.public.checkout(request, {
    corsHeaders: ['X-My-Header'],
  });
  const account: CustomerAccountContext = await authenticate.public.customerAccount(request);
  const pos: POSContext = await router.authenticate.pos(request);
  const shops = [checkout, account, pos].map(({ sessionToken }) => sessionToken.dest);
  return checkout.cors(Response.json({ shops }));
};

// app/routes/flow.tsx, app/routes/fulfillment_order_notification.tsx
export const flowAction = async ({ request }: ActionFunctionArgs) => {
  const { admin, payload, session }: FlowContext = await authenticate.flow(request);
  await admin.graphql('query { shop { name } }');
  return Response.json({ amount: payload.properties.amount, shop: session.shop });
};
export const fulfillmentAction = async ({ request }: ActionFunctionArgs) => {
  const context: FulfillmentServiceContext = await router.authenticate.fulfillmentService(request);
  if (context.payload.kind !== 'FULFILLMENT_REQUEST') return new Response();
  await context.admin.graphql('query { assignedFulfillmentOrders(first: 5) { nodes { id } } }');
  return Response.json({ shop: context.session.shop });
};

// A job without a request.
export async function job(shop: string): Promise<string> {
  const context: UnauthenticatedStorefrontContext = await unauthenticated.storefront(shop);
  return inStorefront(context.storefront, context.storefront.graphql);
}

// app/routes/app.tsx
export function ErrorBoundary(error: unknown) {
  return boundary.error(error) ?? routerBoundary.error(error);
}
export const headers = (args: {
  loaderHeaders: Headers;
  parentHeaders: Headers;
  actionHeaders: Headers;
  errorHeaders: Headers | undefined;
}): Headers => boundary.headers(args);
