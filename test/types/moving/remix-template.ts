/**
 * Checked by the compiler, never run: the server and the routes of a Remix app as they are written
 * with the official package, with nothing but its imports changed.
 */
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from './route-types.js';
import { remixRedirect } from './route-types.js';

import {
  ApiVersion,
  AppDistribution,
  BillingInterval,
  DeliveryMethod,
  LogSeverity,
  LoginErrorType,
  shopifyApp,
} from '../../../lib/integrations/remix/index.js';
import type {
  AdminApiContext,
  AdminContext,
  AdminGraphqlClient,
  JwtPayload,
  LoginError,
  ScopesContext,
  ScopesDetail,
  ShopifyApp,
  UnauthenticatedAdminContext,
  WebhookContext,
} from '../../../lib/integrations/remix/index.js';
import { SQLiteSessionStorage } from '../../../lib/sessions/storages/sqlite/index.js';
import type { Session } from '../../../lib/sessions/session.js';
import { same, type Same } from './same.js';

// app/shopify.server.ts
const shopify = shopifyApp({
  apiKey: process.env['SHOPIFY_API_KEY'],
  apiSecretKey: process.env['SHOPIFY_API_SECRET'] || '',
  apiVersion: ApiVersion.January26,
  scopes: process.env['SCOPES']?.split(','),
  appUrl: process.env['SHOPIFY_APP_URL'] || '',
  authPathPrefix: '/auth',
  sessionStorage: new SQLiteSessionStorage('database.sqlite'),
  distribution: AppDistribution.AppStore,
  useOnlineTokens: true,
  future: {
    unstable_newEmbeddedAuthStrategy: true,
    expiringOfflineAccessTokens: true,
  },
  billing: {
    Monthly: {
      lineItems: [{ amount: 5, currencyCode: 'USD', interval: BillingInterval.Every30Days }],
    },
    Once: { amount: 9.99, currencyCode: 'EUR', interval: BillingInterval.OneTime },
  },
  webhooks: {
    APP_UNINSTALLED: { deliveryMethod: DeliveryMethod.Http, callbackUrl: '/webhooks' },
    PRODUCTS_UPDATE: [
      { deliveryMethod: DeliveryMethod.PubSub, pubSubProject: 'p', pubSubTopic: 't' },
    ],
  },
  hooks: {
    afterAuth: async ({ session, admin }) => {
      await shopify.registerWebhooks({ session });
      const response = await admin.graphql(`#graphql
        query { shop { name } }`);
      console.log((await response.json()).data?.shop.name);
    },
  },
  logger: {
    level: LogSeverity.Warning,
    httpRequests: true,
    timestamps: true,
    log: (severity, message) => {
      if (severity === LogSeverity.Error) console.error(message.toUpperCase());
    },
  },
  ...(process.env['SHOP_CUSTOM_DOMAIN']
    ? { customShopDomains: [process.env['SHOP_CUSTOM_DOMAIN']] }
    : {}),
});

export { shopify };
export const apiVersion = ApiVersion.January26;
export const addDocumentResponseHeaders = shopify.addDocumentResponseHeaders;
export const authenticate = shopify.authenticate;
export const unauthenticated = shopify.unauthenticated;
export const login = shopify.login;
export const registerWebhooks = shopify.registerWebhooks;
export const sessionStorage = shopify.sessionStorage;

// app/entry.server.tsx
export function handleRequest(
  request: Request,
  responseStatusCode: number,
  responseHeaders: Headers,
  _remixContext: EntryContext,
): Response {
  addDocumentResponseHeaders(request, responseHeaders);
  responseHeaders.set('Content-Type', 'text/html');
  return new Response('<!doctype html>', {
    headers: responseHeaders,
    status: responseStatusCode,
  });
}

// app/routes/_index/route.tsx
export const landing = async ({ request }: LoaderFunctionArgs) => {
  const url = new URL(request.url);
  if (url.searchParams.get('shop')) throw remixRedirect(`/app?${url.searchParams.toString()}`);
  return { showForm: Boolean(login) };
};

// app/routes/auth.$.tsx
export const authLoader = async ({ request }: LoaderFunctionArgs) => {
  await authenticate.admin(request);
  return null;
};

// app/routes/auth.login/error.server.tsx
interface LoginErrorMessage {
  shop?: string;
}

export function loginErrorMessage(loginErrors: LoginError): LoginErrorMessage {
  if (loginErrors?.shop === LoginErrorType.MissingShop)
    return { shop: 'Please enter your shop domain to log in' };
  if (loginErrors?.shop === LoginErrorType.InvalidShop)
    return { shop: 'Please enter a valid shop domain to log in' };
  return {};
}

// app/routes/auth.login/route.tsx
export const loginAction = async ({ request }: ActionFunctionArgs) => {
  const errors = loginErrorMessage(await login(request));
  return { errors };
};

// app/routes/app._index.tsx
export const action = async ({ request }: ActionFunctionArgs) => {
  const { admin } = await authenticate.admin(request);
  const color = ['Red', 'Orange', 'Yellow', 'Green'][Math.floor(Math.random() * 4)];
  const response = await admin.graphql(
    `#graphql
      mutation populateProduct($product: ProductCreateInput!) {
        productCreate(product: $product) { product { id variants(first: 10) { edges { node { id } } } } }
      }`,
    { variables: { product: { title: `${color} Snowboard` } } },
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

// app/routes/app.reports.tsx: what else a context has.
export const loader = async ({ request }: LoaderFunctionArgs) => {
  const { admin, billing, cors, redirect, scopes, session, sessionToken } =
    await authenticate.admin(request);
  const user: string = sessionToken.sub;
  const payload: JwtPayload = sessionToken;
  const shop: string = session.shop;
  await billing.require({
    plans: ['Monthly'],
    isTest: true,
    onFailure: async () => billing.request({ plan: 'Monthly', isTest: true }),
  });
  const { hasActivePayment, appSubscriptions } = await billing.check({
    plans: ['Monthly', 'Once'],
    isTest: false,
  });
  const [subscription] = appSubscriptions;
  if (subscription)
    await billing.cancel({ subscriptionId: subscription.id, isTest: true, prorate: true });
  await billing.createUsageRecord({
    description: 'One mail',
    price: { amount: 1, currencyCode: 'USD' },
    isTest: true,
  });
  const detail: ScopesDetail = await scopes.query();
  if (!detail.granted.includes('read_orders')) await scopes.request(['read_orders']);
  const { revoked } = await scopes.revoke(['read_orders']);
  if (!hasActivePayment) return redirect('shopify://admin/products', { target: '_parent' });
  if (revoked.length > 0) return redirect('/app', 303);
  const answer = await countProducts(admin.graphql, admin);
  return cors(Response.json({ answer, user, payload, shop }));
};

// Functions that take what a context holds.
async function countProducts(graphql: AdminGraphqlClient, admin: AdminApiContext): Promise<number> {
  const response = await graphql('query { productsCount { count } }', {
    variables: { query: 'tag:new' },
    headers: { 'X-Own': '1' },
    apiVersion: ApiVersion.January26,
    tries: 2,
    signal: AbortSignal.timeout(1000),
  });
  const again = await admin.graphql('query { productsCount { count } }');
  await forwarded(admin.graphql);
  await forwardedBy(admin);
  const { data } = await response.json();
  return data.productsCount.count + (await again.json()).data.productsCount.count;
}
// Functions that know a `Response` alone.
type Variables = Record<string, unknown>;
async function forwarded(
  graphql: (query: string, options?: { variables?: Variables }) => Promise<Response>,
): Promise<Response> {
  const response = await graphql('query { shop { name } }', { variables: { first: 1 } });
  if (!response.ok) throw new Error(response.statusText);
  return response.clone();
}
async function forwardedBy(admin: {
  graphql: (query: string) => Promise<Response>;
}): Promise<Response> {
  return admin.graphql('query { shop { name } }');
}
export async function inContext(context: AdminContext<typeof shopify>): Promise<string> {
  const { sessionToken, redirect, ...rest } = context;
  const { scopes }: ScopesContext = rest;
  await scopes.query();
  if (!sessionToken.sub) throw redirect('/app');
  return context.session.shop;
}
export async function inAnyContext({ admin, session }: AdminContext): Promise<Session> {
  await admin.graphql('query { shop { name } }');
  return session;
}

// app/routes/webhooks.app.scopes_update.tsx
export const webhookAction = async ({ request }: ActionFunctionArgs) => {
  const context = await authenticate.webhook(request);
  const { payload, session, topic, shop, admin, webhookId, apiVersion: version } = context;
  console.log(`Received ${topic} webhook for ${shop}`, webhookId, version);
  const current = payload.current as string[];
  switch (topic) {
    case 'APP_UNINSTALLED':
      if (session) await sessionStorage.deleteSessions([session.id]);
      break;
    case 'APP_SCOPES_UPDATE':
      if (session) console.log(session.id, current.toString());
      break;
    default:
      throw new Response('Unhandled webhook topic', { status: 404 });
  }
  if (!session) throw new Response();
  await admin.graphql('query { shop { name } }');
  await tagged(context);
  throw new Response();
};
async function tagged(context: WebhookContext): Promise<string> {
  if (!context.admin) return context.topic;
  const response = await context.admin.graphql('mutation { tagsAdd { node { id } } }');
  return `${context.session.shop} ${(await response.json()).data}`;
}

// A job without a request.
export async function job(shop: string): Promise<string | undefined> {
  const { admin, session }: UnauthenticatedAdminContext = await unauthenticated.admin(shop);
  await admin.graphql('query { shop { name } }');
  const stored = await sessionStorage.loadSession(session.id);
  return stored?.scope;
}
export const held: { app: ShopifyApp } = { app: shopify };

// The object that the app gave, as what it is.
same<Same<typeof sessionStorage, SQLiteSessionStorage>>();
