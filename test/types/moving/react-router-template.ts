/**
 * Checked by the compiler, never run: the server and the routes of a React Router app as they are
 * written with the official package, with nothing but its imports changed.
 */
import {
  ApiVersion,
  AppDistribution,
  BillingInterval,
  BillingReplacementBehavior,
  LoginErrorType,
  SessionNotFoundError,
  shopifyApp,
} from '../../../lib/integrations/react-router/index.js';
import type {
  AdminApiContext,
  AdminContext,
  LoginError,
  ScopesContext,
  ShopifyApp,
  UnauthenticatedAdminContext,
  WebhookContext,
} from '../../../lib/integrations/react-router/index.js';
import type { AppSubscription, OneTimePurchase } from '../../../lib/integrations/api/index.js';
import { MemorySessionStorage } from '../../../lib/sessions/index.js';
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from './route-types.js';

// app/shopify.server.ts
const shopify = shopifyApp({
  apiKey: process.env['SHOPIFY_API_KEY'],
  apiSecretKey: process.env['SHOPIFY_API_SECRET'] || '',
  apiVersion: ApiVersion.October25,
  scopes: process.env['SCOPES']?.split(','),
  appUrl: process.env['SHOPIFY_APP_URL'] || '',
  authPathPrefix: '/auth',
  sessionStorage: new MemorySessionStorage(),
  distribution: AppDistribution.AppStore,
  polarisUrl: 'https://app.example.com/polaris.js',
  future: { expiringOfflineAccessTokens: true },
  billing: {
    Yearly: {
      trialDays: 7,
      replacementBehavior: BillingReplacementBehavior.ApplyImmediately,
      lineItems: [
        {
          amount: 100,
          currencyCode: 'USD',
          interval: BillingInterval.Annual,
          discount: { durationLimitInIntervals: 1, value: { percentage: 0.1 } },
        },
      ],
    },
    Metered: {
      lineItems: [
        { amount: 10, currencyCode: 'USD', interval: BillingInterval.Usage, terms: '1 $ a mail' },
      ],
    },
  },
  ...(process.env['SHOP_CUSTOM_DOMAIN']
    ? { customShopDomains: [process.env['SHOP_CUSTOM_DOMAIN']] }
    : {}),
});

export { shopify };
export const apiVersion = ApiVersion.October25;
export const {
  addDocumentResponseHeaders,
  authenticate,
  unauthenticated,
  login,
  registerWebhooks,
  sessionStorage,
} = shopify;
export const held: { app: ShopifyApp } = { app: shopify };

// app/entry.server.tsx
export const streamTimeout = 5000;
export async function handleRequest(
  request: Request,
  responseStatusCode: number,
  responseHeaders: Headers,
  _reactRouterContext: EntryContext,
): Promise<Response> {
  addDocumentResponseHeaders(request, responseHeaders);
  return new Response(null, { headers: responseHeaders, status: responseStatusCode });
}

// app/routes/app.tsx
export const appLoader = async ({ request }: LoaderFunctionArgs) => {
  await authenticate.admin(request);
  return { apiKey: process.env['SHOPIFY_API_KEY'] || '' };
};

// app/routes/app._index.tsx
export const action = async ({ request }: ActionFunctionArgs) => {
  const { admin } = await authenticate.admin(request);
  const response = await admin.graphql(
    `#graphql
      mutation populateProduct($product: ProductCreateInput!) {
        productCreate(product: $product) { product { id variants(first: 10) { edges { node { id } } } } }
      }`,
    { variables: { product: { title: 'Red Snowboard' } } },
  );
  const responseJson = await response.json();
  const product = responseJson.data!.productCreate!.product!;
  const variantId = product.variants.edges[0]!.node!.id!;
  const variantResponse = await admin.graphql(
    `#graphql
      mutation updateVariant($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
        productVariantsBulkUpdate(productId: $productId, variants: $variants) { productVariants { id } }
      }`,
    { variables: { productId: product.id, variants: [{ id: variantId, price: '100.00' }] } },
  );
  const variantResponseJson = await variantResponse.json();
  return {
    product: responseJson!.data!.productCreate!.product,
    variant: variantResponseJson!.data!.productVariantsBulkUpdate!.productVariants,
  };
};

// app/routes/app.billing.tsx
export const loader = async ({ request }: LoaderFunctionArgs) => {
  const { billing, cors, redirect, scopes, session, sessionToken } =
    await authenticate.admin(request);
  const check = await billing.require({
    plans: ['Yearly'],
    isTest: true,
    onFailure: async (error: unknown) => {
      console.error(error);
      return billing.request({ plan: 'Yearly', isTest: true, returnUrl: '/app' });
    },
  });
  const [subscription] = check.appSubscriptions;
  const lineItem = subscription?.lineItems?.[0];
  if (lineItem)
    await billing.updateUsageCappedAmount({
      subscriptionLineItemId: lineItem.id,
      cappedAmount: { amount: 20, currencyCode: 'USD' },
    });
  const { granted, required, optional } = await scopes.query();
  if (granted.length < required.length + optional.length) throw redirect('/app/scopes', 302);
  return cors(Response.json({ shop: session.shop, user: sessionToken.sub }));
};

// Functions that take what a context holds.
export async function titles({ graphql }: AdminApiContext): Promise<string[]> {
  const response = await graphql('query { products(first: 5) { nodes { title } } }');
  const { data } = await response.json();
  return data?.products.nodes.map(({ title }: { title: string }) => title) ?? [];
}
export async function askForScopes({ scopes }: ScopesContext): Promise<void> {
  await scopes.request(['read_orders']);
}
export async function page(context: AdminContext<typeof shopify>): Promise<string[]> {
  await askForScopes(context);
  return titles(context.admin);
}

// app/routes/auth.login/route.tsx
export const loginLoader = async ({ request }: LoaderFunctionArgs) => {
  const errors: LoginError = await login(request);
  return { missing: errors.shop === LoginErrorType.MissingShop };
};

// app/routes/webhooks.app.uninstalled.tsx
export const uninstalled = async ({ request }: ActionFunctionArgs) => {
  const { shop, session, topic } = await authenticate.webhook(request);
  console.log(`Received ${topic} webhook for ${shop}`);
  if (session) {
    const sessions = await sessionStorage.findSessionsByShop(shop);
    await sessionStorage.deleteSessions(sessions.map(({ id }) => id));
  }
  return new Response();
};

// app/routes/webhooks.products.tsx
export const products = async ({ request }: ActionFunctionArgs) => {
  const context: WebhookContext = await authenticate.webhook(request);
  const { admin, payload, webhookType, triggeredAt, eventId, name, handle } = context;
  console.log(payload.admin_graphql_api_id, webhookType, triggeredAt, eventId, name, handle);
  if (!admin) throw new Response('Gone', { status: 410 });
  await titles(admin);
  return Response.json({ shop: context.session.shop });
};

// Types that apps read from the functions, as of a queue of deliveries.
type Delivery = Awaited<ReturnType<typeof authenticate.webhook>>;
export const enqueue: (request: Request) => Promise<Pick<Delivery, 'payload' | 'shop' | 'topic'>> =
  authenticate.webhook;
export const orderOf = ({ payload }: Delivery): string => payload.order.name;
export const amountOf = (run: Awaited<ReturnType<typeof authenticate.flow>>): number =>
  run.payload.properties.amount;
export const kindOf = (
  notice: Awaited<ReturnType<typeof authenticate.fulfillmentService>>,
): string => notice.payload.kind;
type Payments = Awaited<ReturnType<typeof authenticate.admin>>['billing'];
export async function subscriptionsOf(billing: Payments): Promise<AppSubscription[]> {
  const { appSubscriptions, oneTimePurchases } = await billing.check();
  const purchases: OneTimePurchase[] = oneTimePurchases;
  return purchases.length > 0 ? [] : appSubscriptions;
}

// A job without a request.
export async function job(shop: string): Promise<string[]> {
  try {
    const context: UnauthenticatedAdminContext = await unauthenticated.admin(shop);
    return await titles(context.admin);
  } catch (error) {
    if (error instanceof SessionNotFoundError) return [error.message];
    throw error;
  }
}
