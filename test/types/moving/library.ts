/**
 * Checked by the compiler, never run: an app over the library object as it is written with the
 * official package, with nothing but its imports changed.
 */
import express from 'express';

import {
  ApiVersion,
  BillingInterval,
  BotActivityDetected,
  CookieNotFound,
  DataType,
  DeliveryMethod,
  FeatureDeprecatedError,
  HttpResponseError,
  HttpThrottlingError,
  InvalidOAuthError,
  LogSeverity,
  Method,
  RequestedTokenType,
  Session,
  ShopifyError,
  ShopifyHeader,
  StatusCode,
  WebhookOperation,
  WebhookValidationErrorReason,
  privacyTopics,
  shopifyApi,
} from '../../../lib/integrations/api/index.js';
import type {
  AddHandlersParams,
  BeginParams,
  ConfigParams,
  GraphqlClient,
  RegisterReturn,
  RestClient,
  SessionParams,
  Shopify,
  WebhookHandlerFunction,
} from '../../../lib/integrations/api/index.js';

const config: ConfigParams = {
  apiKey: 'key',
  apiSecretKey: 'secret',
  scopes: ['read_products'],
  hostName: 'app.example.com',
  hostScheme: 'https',
  apiVersion: ApiVersion.July26,
  isEmbeddedApp: true,
  isCustomStoreApp: false,
  userAgentPrefix: 'My app',
  cookiePath: (session: Session) => `/shops/${session.shop}/`,
  isTesting: true,
  logger: {
    level: LogSeverity.Debug,
    httpRequests: true,
    timestamps: true,
    log: async (severity, message) => console.log(severity, message),
  },
  billing: {
    Pro: {
      trialDays: 7,
      lineItems: [{ amount: 5, currencyCode: 'USD', interval: BillingInterval.Annual }],
    },
  },
};
const shopify: Shopify = shopifyApi(config);
const { apiSecretKey, hostName, hostScheme, billing } = shopify.config;
export const read: (string | object | undefined)[] = [apiSecretKey, hostName, hostScheme, billing];

const app = express();
app.get('/auth', async (req, res) => {
  const begin: BeginParams = {
    shop: shopify.utils.sanitizeShop(String(req.query['shop']), true),
    callbackPath: '/auth/callback',
    isOnline: false,
    rawRequest: req,
    rawResponse: res,
  };
  await shopify.auth.begin(begin);
});
app.get('/auth/callback', async (req, res) => {
  try {
    const callback = await shopify.auth.callback({
      rawRequest: req,
      rawResponse: res,
      expiring: true,
    });
    const registered: RegisterReturn = await shopify.webhooks.register({
      session: callback.session,
    });
    for (const { success, operation, deliveryMethod } of registered['ORDERS_PAID'] ?? [])
      if (success && operation === WebhookOperation.Create)
        console.log(deliveryMethod === DeliveryMethod.Http);
    res.redirect(await shopify.auth.getEmbeddedAppUrl({ rawRequest: req, rawResponse: res }));
  } catch (error) {
    if (error instanceof BotActivityDetected) res.status(StatusCode.Gone);
    else if (error instanceof CookieNotFound || error instanceof InvalidOAuthError)
      res.status(StatusCode.BadRequest);
    else if (error instanceof ShopifyError) res.status(StatusCode.InternalServerError);
    res.send();
  }
});

export async function returnedInWorker(rawRequest: Request): Promise<Response> {
  const { session, headers } = await shopify.auth.callback<Headers>({ rawRequest });
  const { headers: inferred } = await shopify.auth.callback({ rawRequest });
  return new Response(inferred.get('x'), { headers: [...headers, ['Location', session.shop]] });
}

const onPaid: WebhookHandlerFunction = async (topic, shop, body, webhookId, apiVersion) =>
  console.log(topic, shop, body, webhookId, apiVersion);
const handlers: AddHandlersParams = {
  ORDERS_PAID: [
    {
      deliveryMethod: DeliveryMethod.Http,
      callbackUrl: '/webhooks',
      callback: onPaid,
      includeFields: ['id'],
    },
  ],
};
shopify.webhooks.addHandlers(handlers);
export const mandatory: boolean = privacyTopics.includes('SHOP_REDACT');
app.post('/webhooks', express.text({ type: '*/*' }), async (req, res) => {
  const context = { startedAt: Date.now() };
  await shopify.webhooks.process({ rawBody: req.body, rawRequest: req, rawResponse: res, context });
});
app.post('/flow', express.text({ type: '*/*' }), async (req, res) => {
  const flow = await shopify.flow.validate({
    rawBody: req.body,
    rawRequest: req,
    rawResponse: res,
  });
  if (!flow.valid && flow.reason === WebhookValidationErrorReason.MissingHmac)
    console.log(req.get(ShopifyHeader.Hmac), flow.reason);
  const order = await shopify.fulfillmentService.validate({ rawBody: req.body, rawRequest: req });
  res.sendStatus(flow.valid || order.valid ? StatusCode.Ok : StatusCode.Unauthorized);
});
app.post('/graphql', async (req, res) => {
  const sessionId = await shopify.session.getCurrentId({
    isOnline: true,
    rawRequest: req,
    rawResponse: res,
  });
  const session = new Session({ id: sessionId!, shop: 's', state: '', isOnline: true });
  const reply = await shopify.clients.graphqlProxy({ session, rawBody: req.body });
  res.send(reply.body);
});

export async function calls(params: SessionParams): Promise<void> {
  const session = new Session(params);
  const stored = Session.fromPropertyArray(session.toPropertyArray(true), true);
  const graphql: GraphqlClient = new shopify.clients.Graphql({
    session: stored,
    apiVersion: ApiVersion.April26,
  });
  const rest: RestClient = new shopify.clients.Rest({ session });
  await rest.get({ path: 'products', data: {} });
  await rest.delete({ path: 'products/1', data: 'ignored' });
  const { data, extensions } = await graphql.request('{ shop { name } }', {
    variables: { first: 1 },
    headers: { 'x-own': '1' },
    retries: 2,
  });
  console.log(data.shop.name, extensions?.cost);
  try {
    await rest.post({
      path: 'products',
      data: { product: { title: 'One' } },
      type: DataType.JSON,
      extraHeaders: { 'x-own': 1 },
      tries: 2,
    });
  } catch (error) {
    if (error instanceof HttpThrottlingError) console.log(error.response.retryAfter);
    else if (error instanceof HttpResponseError)
      console.log(error.response.code, error.response.statusText, error.response.headers);
    else if (error instanceof FeatureDeprecatedError) throw error;
  }
  const { session: exchanged } = await shopify.auth.tokenExchange({
    shop: session.shop,
    sessionToken: 'token',
    requestedTokenType: RequestedTokenType.OfflineAccessToken,
    expiring: true,
  });
  const payload = await shopify.session.decodeSessionToken('token');
  const ids = [
    shopify.session.getOfflineId(session.shop),
    shopify.session.getJwtSessionId(session.shop, payload.sub),
  ];
  const { activeSubscriptions } = await shopify.billing.subscriptions({ session: exchanged });
  const price = activeSubscriptions[0]?.lineItems[0]?.plan.pricingDetails;
  await shopify.billing.createUsageRecord({
    session,
    description: 'A mail',
    price: { amount: 1, currencyCode: 'USD' },
    isTest: true,
  });
  await shopify.billing.cancel({ session, subscriptionId: 'id', prorate: true });
  console.log(ids, price, Method.Get, shopify.utils.versionCompatible(ApiVersion.July26));
  await shopify.logger.info('Done', { shop: session.shop });
}
