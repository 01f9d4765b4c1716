/**
 * Checked by the compiler, never run: types of the library object and of an Express app as apps of
 * the official packages name them, with nothing but the imports changed.
 */
import { ApiVersion, LogSeverity, shopifyApi } from '../../../lib/integrations/api/index.js';
import type {
  ConfigInterface,
  ConfigParams,
  RegisterReturn,
  Session,
  Shopify,
  WebhookProcessParams,
} from '../../../lib/integrations/api/index.js';
import { shopifyApp } from '../../../lib/integrations/express/index.js';
import type { AppConfigParams, ShopifyApp } from '../../../lib/integrations/express/index.js';
import { restResources } from '../../../lib/rest-client/resources/generated/versions/2026-07.js';
import { MemorySessionStorage } from '../../../lib/sessions/index.js';
import type { SessionStorage } from '../../../lib/sessions/index.js';

// A function that takes the object gets that of an Express app as well.
const config: ConfigParams = {
  apiSecretKey: 'secret',
  hostName: 'app.example.com',
  apiVersion: ApiVersion.July26,
  isEmbeddedApp: true,
  restResources,
  logger: { level: LogSeverity.Info, log: (severity, message) => console.log(severity, message) },
  future: { customerAddressDefaultFix: true, lineItemBilling: true },
};
const library = shopifyApi({ ...config, restResources });
const options = {
  api: { apiVersion: ApiVersion.July26, restResources },
  auth: { path: '/api/auth', callbackPath: '/api/auth/callback' },
  webhooks: { path: '/api/webhooks' },
  sessionStorage: new MemorySessionStorage(),
};
const app = shopifyApp(options);
function logged(shopify: Shopify): Shopify['logger'] {
  const { hostName, scopes }: ConfigInterface = shopify.config;
  shopify.logger.info(hostName, { scopes: scopes?.toString() });
  return shopify.logger;
}
export const loggers = [logged(library), logged(app.api), logged(shopifyApi(config))];
export const typed: Shopify<ConfigParams, typeof restResources> = library;
interface Future {
  readonly lineItemBilling: true;
}
export const byFuture: Shopify<ConfigParams, typeof restResources, Future> = library;
const full: ConfigParams<typeof restResources, Future> = { ...config, restResources };
export const fromFull: Shopify<typeof full, typeof restResources> = shopifyApi(full);
// By options alone, by resources alone (releases before 10), and by nothing.
export const byParamsAlone: Shopify<ConfigParams<typeof restResources>> = library;
export const byResources: Shopify<typeof restResources> = library;
export const counts = [
  byParamsAlone.rest.Product.count({ session: {} as Session }),
  byResources.rest.Order.count({ session: {} as Session }),
  (library as Shopify).rest['Product'].count({ session: {} as Session }),
];
export const product = new typed.rest.Product({ session: {} as Session });

// The app by its options, with and without resources and a storage.
export const apps: ShopifyApp[] = [app, shopifyApp({ api: { apiVersion: ApiVersion.July26 } })];
type Params = AppConfigParams<typeof restResources, MemorySessionStorage>;
export const byParams: ShopifyApp<Params> = app;
export const byOptions: ShopifyApp<typeof options> = app;
export const order = new byParams.api.rest.Order({ session: {} as Session });
export const other = new byOptions.api.rest.Order({ session: {} as Session });
export const plain: ShopifyApp<AppConfigParams> = shopifyApp({
  api: { apiVersion: ApiVersion.July26 },
});
export const storage: SessionStorage = app.config.sessionStorage;
// @ts-expect-error There is no such resource.
void byParams.api.rest.Unicorn;

// Deliveries and subscriptions.
export async function handled(params: WebhookProcessParams, session: Session): Promise<string[]> {
  await library.webhooks.process({ ...params, context: { waitUntil: () => {} } });
  const results: RegisterReturn = await app.api.webhooks.register({ session });
  return Object.values(results).flatMap((steps) =>
    steps.flatMap(({ success, result }) => {
      const { errors, data } = result as { errors?: { message: string }[]; data?: unknown };
      return success ? [] : [errors?.[0]?.message ?? JSON.stringify(data)];
    }),
  );
}
