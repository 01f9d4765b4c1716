import type { AdminContext } from '../../auth/clients/admin-context.js';
import { withLazyClients } from '../../auth/clients/lazy-clients.js';
import type { ExtensionTokenPayload } from '../../auth/credentials/session-token.js';
import type { AppProxyAuthenticator } from '../../auth/public/app-proxy.authenticator.js';
import type {
  ExtensionAuthenticator,
  ExtensionOptions,
  ExtensionSurface,
} from '../../auth/public/extension.authenticator.js';
import { liquidPage } from '../../auth/public/liquid.js';
import type { LiquidInit } from '../../auth/public/liquid.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { webRequest } from '../../core/http/web-http.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';
import { responseTo, withCors, withHeaders } from './web-response.js';

/**
 * Makes a page of Liquid that the platform renders within the shop's theme:
 * `return liquid('Hello {{ shop.name }}')`. The paths of its links and forms end with a slash.
 * @param init a status, or what a `Response` takes, with `layout: false` for a page without the
 * theme's layout
 */
export type LiquidResponseFunction = (body: string, init?: number | LiquidInit) => Response;

/** A request through the app proxy of a shop that has the app. */
export interface AppProxyContextWithSession<Resources extends ResourceSet = RegisteredResources> {
  /** The app's own in the shop: a visitor has none. */
  readonly session: Session;
  readonly admin: AdminContext<Resources>;
  readonly storefront: StorefrontClient;
  readonly liquid: LiquidResponseFunction;
}

/** A request through the app proxy of a shop that lacks the app or has to open it again. */
export interface AppProxyContextWithoutSession {
  readonly session: undefined;
  readonly admin: undefined;
  readonly storefront: undefined;
  readonly liquid: LiquidResponseFunction;
}

/** A request through the app proxy of a shop. */
export type AppProxyContext<Resources extends ResourceSet = RegisteredResources> =
  AppProxyContextWithSession<Resources> | AppProxyContextWithoutSession;

/** A request of an extension that runs outside of the admin. */
export interface ExtensionContext {
  /** What the request's session token says. */
  readonly sessionToken: ExtensionTokenPayload;
  /** Makes a response readable for the extension: return what it returns. */
  readonly cors: (response: Response) => Response;
}

/**
 * Authenticates a request of an extension.
 * @throws {Response} 401 without a valid session token, 410 for a crawler, 204 for a preflight
 * request
 */
export type AuthenticateExtension = (
  request: Request,
  options?: ExtensionOptions,
) => Promise<ExtensionContext>;

/** What these members work with. */
export interface PublicDependencies {
  readonly config: PlatformConfig;
  readonly appProxy: AppProxyAuthenticator;
  readonly extensions: ExtensionAuthenticator;
}

/** `authenticate.public`. */
export interface PublicMembers<Resources extends ResourceSet = RegisteredResources> {
  /**
   * Authenticates a request that a visitor of a shop has sent through the app proxy, by the
   * signature of its query. Without an installed app the context has `liquid` alone.
   * @throws {Response} 400 when the query was not signed by the platform, or more than 90 s ago
   */
  readonly appProxy: (request: Request) => Promise<AppProxyContext<Resources>>;
  /** For extensions of the checkout; `dest` of their token is the domain of the shop. */
  readonly checkout: AuthenticateExtension;
  /** For extensions of customer accounts. */
  readonly customerAccount: AuthenticateExtension;
}

/** @param app is asked when a request comes, once the modules of the app have started */
export function publicMembers<Resources extends ResourceSet>(
  app: () => Promise<PublicDependencies>,
): PublicMembers<Resources> {
  return {
    appProxy: async (request) => authenticateAppProxy(await app(), request),
    checkout: extensionMember(app, 'checkout'),
    customerAccount: extensionMember(app, 'customer_account'),
  };
}

/** Where the authenticator of point-of-sale extensions stands. */
export interface PosMember {
  /** For extensions of the point of sale. */
  readonly pos: AuthenticateExtension;
}

/** @param app is asked when a request comes, once the modules of the app have started */
export function posMember(app: () => Promise<PublicDependencies>): PosMember {
  return { pos: extensionMember(app, 'pos') };
}

function extensionMember(
  app: () => Promise<PublicDependencies>,
  surface: ExtensionSurface,
): AuthenticateExtension {
  return async (request, options) => {
    const { config, extensions } = await app();
    const inbound = webRequest(request, config);
    const decision = extensions.authenticate(inbound, surface, options);
    if (decision.kind === 'preflight')
      throw withHeaders(new Response(null, { status: decision.status }), decision.headers);
    if (decision.kind === 'denied') throw responseTo(inbound, decision, config);
    const { sessionToken, headers } = decision;
    return { sessionToken, cors: (response) => withCors(response, headers) };
  };
}

async function authenticateAppProxy<Resources extends ResourceSet>(
  { config, appProxy }: PublicDependencies,
  request: Request,
): Promise<AppProxyContext<Resources>> {
  const inbound = webRequest(request, config);
  const decision = await appProxy.authenticate(inbound);
  if (decision.kind === 'denied') throw responseTo(inbound, decision, config);
  const { session, clients } = decision;
  if (!session || !clients)
    return { session: undefined, admin: undefined, storefront: undefined, liquid };
  return withLazyClients({ session, liquid }, clients, [
    'admin',
    'storefront',
  ]) as AppProxyContextWithSession<Resources>;
}

const liquid: LiquidResponseFunction = (template, init) => {
  const { body, status, statusText, headers } = liquidPage(template, init);
  const response = new Response(body, { status, statusText });
  response.headers.delete('content-type');
  for (const [name, value] of headers) response.headers.append(name, value);
  return response;
};
