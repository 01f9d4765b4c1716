/**
 * Checked by the compiler, never run: which members an app has, by its distribution and by whether
 * it is embedded, and that they are inferred from its options.
 */
import {
  ApiVersion,
  AppDistribution,
  MemorySessionStorage,
  Session,
  shopifyApp,
} from '../../../lib/integrations/remix/index.js';
import type {
  AdminContext,
  RemixApp,
  RemixAppOptions,
  ShopifyApp,
} from '../../../lib/integrations/remix/index.js';
import { shopifyApp as routerApp } from '../../../lib/integrations/react-router/index.js';
import type {
  AdminContext as RouterContext,
  ReactRouterApp,
  ShopifyApp as RouterApp,
} from '../../../lib/integrations/react-router/index.js';
import { restResources } from '../../../lib/rest-client/resources/generated/versions/2026-07.js';
import { same, type Same } from './same.js';

const common = { apiVersion: ApiVersion.July26, appUrl: 'https://app.example' } as const;
const sessionStorage = new MemorySessionStorage();
declare const request: Request;

// An app of the app store, which is embedded.
const embedded = shopifyApp({ ...common, sessionStorage, restResources });
export const isDefault: RemixApp<typeof restResources> = embedded;
const { sessionToken, redirect, admin } = await embedded.authenticate.admin(request);
export const subject: string = sessionToken.sub;
export const elsewhere: Response = redirect('/app');
export const product = await admin.rest.resources.Product.find({
  session: new Session({ id: '1', shop: 's', state: '', isOnline: false }),
  id: 1,
});
same<Same<typeof embedded.sessionStorage, MemorySessionStorage>>();
await embedded.login(request);

// @ts-expect-error Its sessions have to be stored.
shopifyApp({ ...common });
// @ts-expect-error No such option: a slip of the pen is found here.
shopifyApp({ ...common, sessionStorage, sesionStorage: sessionStorage });

// An app with a window of its own.
const standalone = shopifyApp({ ...common, sessionStorage, isEmbeddedApp: false });
const own = await standalone.authenticate.admin(request);
await own.billing.check();
await own.scopes.query();
// @ts-expect-error Nothing frames it.
own.redirect('/app');
// @ts-expect-error No session token comes with its requests.
void own.sessionToken.sub;
await standalone.login(request);

// The typed resources of the option, also behind a delivery, and what REST answers.
const delivery = await embedded.authenticate.webhook(request);
if (delivery.session) {
  const { session } = delivery;
  const { data } = await delivery.admin.rest.resources.Product.all({ session, limit: 5 });
  void data[0]?.title;
  const reply: Pick<Response, 'ok' | 'status' | 'json' | 'text'> = await delivery.admin.rest.get({
    path: 'products',
  });
  await reply.json();
}

// An app that was made in the admin of a store.
const custom = shopifyApp({
  ...common,
  distribution: AppDistribution.ShopifyAdmin,
  adminApiAccessToken: 'shpat_1',
});
await custom.authenticate.webhook(request);
await custom.sessionStorage.loadSession('1');
await custom.unauthenticated.admin('s.myshopify.com');
// @ts-expect-error Its merchant never logs in.
void custom.login;
// @ts-expect-error No session token comes with its requests.
void (await custom.authenticate.admin(request)).sessionToken;

// An app whose options are made elsewhere.
export function appOf(options: RemixAppOptions): RemixApp {
  const app = shopifyApp(options);
  return app;
}

// Apps for React Router.
const router = routerApp({ ...common, sessionStorage, distribution: AppDistribution.AppStore });
export const isRouterDefault: ReactRouterApp = router;
const inRouter = await router.authenticate.admin(request);
export const routerSubject: string = inRouter.sessionToken.sub;
same<Same<typeof router.sessionStorage, MemorySessionStorage>>();
await router.login(request);
// @ts-expect-error Its apps are embedded.
routerApp({ ...common, sessionStorage, isEmbeddedApp: false });
// @ts-expect-error Its sessions have to be stored.
routerApp({ ...common });
const customRouter = routerApp({ ...common, distribution: AppDistribution.PlatformAdmin });
const inCustomRouter = await customRouter.authenticate.admin(request);
await inCustomRouter.admin.graphql('query { shop { name } }');
// @ts-expect-error Its merchant never logs in.
void customRouter.login;
// @ts-expect-error Nothing frames it.
void inCustomRouter.redirect;

// The names of types say the same.
const config = { ...common, sessionStorage, isEmbeddedApp: false } as const;
export const byOptions: ShopifyApp<typeof config> = shopifyApp(config);
export const standaloneContext: AdminContext<typeof standalone> = own;
export const embeddedContext: AdminContext = await byDefault().authenticate.admin(request);
export const routerContext: RouterContext<typeof router> = inRouter;
export const routerByOptions: RouterApp<{ distribution: AppDistribution.ShopifyAdmin }> =
  customRouter;
declare function byDefault(): ShopifyApp;
