import { parseScopes } from '../../base/access-scopes.js';
import type { AppRegistry } from '../../base/app-registry.js';
import { CONSENT_LIFETIME, OneTimeIds } from '../../base/one-time-ids.js';
import { base64Host, signedQuery } from '../../base/request-factories.js';
import { messagePage } from '../../http/page-layout.js';
import {
  formOf,
  redirectReply,
  type Route,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import { consentPage } from './consent.page.js';
import {
  TokenEndpoint,
  type CodeGrant,
  type RedeemCode,
  type TokenShop,
} from './token.endpoint.js';

/** The authorization request of an app. */
interface AuthorizationRequest extends CodeGrant {
  redirectUri: URL;
  state: string | undefined;
}

const CODE_LIFETIME = 60_000;

/**
 * The authorization-code grant of one shop: consent page and codes. The token endpoint exchanges
 * the codes.
 */
export class OAuthSimulator {
  private readonly consents: OneTimeIds<AuthorizationRequest>;
  private readonly codes: OneTimeIds<AuthorizationRequest>;
  private readonly endpoint: TokenEndpoint;

  readonly routes: readonly Route[] = [
    {
      method: 'GET',
      pattern: /^\/admin\/oauth\/authorize$/,
      answer: (request) => this.authorize(request),
    },
    {
      method: 'POST',
      pattern: /^\/admin\/oauth\/authorize$/,
      answer: (request) => this.decide(request),
    },
    {
      method: 'POST',
      pattern: /^\/admin\/oauth\/access_token$/,
      answer: (request) => this.endpoint.answer(request),
    },
  ];

  constructor(
    private readonly shop: TokenShop,
    private readonly apps: AppRegistry,
    private readonly now: () => Date,
  ) {
    this.consents = new OneTimeIds(CONSENT_LIFETIME, now);
    this.codes = new OneTimeIds(CODE_LIFETIME, now);
    const redeemCode: RedeemCode = (code, app) =>
      this.codes.take(code, (wanted) => wanted.app === app);
    this.endpoint = new TokenEndpoint(shop, apps, redeemCode, now);
  }

  private authorize({ url }: StoreRequest): StoreReply {
    const query = url.searchParams;
    const app = this.apps.get(query.get('client_id') ?? '');
    if (!app)
      return this.refuse(
        'This app is unknown',
        'The client_id of the request belongs to no app of this store.',
      );
    const redirectUri = query.get('redirect_uri') ?? '';
    if (!URL.canParse(redirectUri) || !app.mayRedirectTo(new URL(redirectUri))) {
      return this.refuse(
        'This address is not allowed',
        `The redirect_uri of the request is not one of the addresses ${app.name} has registered.`,
      );
    }
    const scopes = parseScopes(query.get('scope') ?? '');
    if (!scopes)
      return this.refuse(
        'These permissions are unknown',
        `${app.name} asks for a scope the platform does not have.`,
      );
    const mode = query.getAll('grant_options[]').includes('per-user') ? 'online' : 'offline';
    const wanted: AuthorizationRequest = {
      app,
      scopes,
      redirectUri: new URL(redirectUri),
      state: query.get('state') ?? undefined,
      mode,
    };
    return this.shop.installed.hasGranted(app.apiKey, scopes)
      ? this.sendCode(wanted)
      : this.consentPage(wanted);
  }

  private decide(request: StoreRequest): StoreReply {
    const form = formOf(request);
    const wanted = this.consents.take(form.get('consent') ?? '');
    if (!wanted)
      return this.refuse('This page has expired', 'Open the app again to be asked once more.');
    if (form.get('decision') !== 'install') return redirectReply('/admin', 303);
    this.shop.installed.grant(wanted.app, wanted.scopes);
    return this.sendCode(wanted);
  }

  private sendCode(wanted: AuthorizationRequest): StoreReply {
    const { redirectUri, app, state } = wanted;
    const params = {
      ...Object.fromEntries(redirectUri.searchParams),
      code: this.codes.issue(wanted),
      host: base64Host(this.shop.domain),
      shop: this.shop.domain,
      ...(state === undefined ? {} : { state }),
      timestamp: String(Math.floor(this.now().getTime() / 1000)),
    };
    const target = new URL(redirectUri);
    target.search = signedQuery(params, app.apiSecretKey).toString();
    return redirectReply(target.href);
  }

  private consentPage(wanted: AuthorizationRequest): StoreReply {
    const { app, scopes, redirectUri } = wanted;
    const form = {
      action: '/admin/oauth/authorize',
      consent: this.consents.issue(wanted),
      formTargets: [redirectUri.origin],
    };
    return consentPage(this.shop, app, scopes, form);
  }

  private refuse(title: string, text: string): StoreReply {
    return messagePage(this.shop, 400, title, text);
  }
}
