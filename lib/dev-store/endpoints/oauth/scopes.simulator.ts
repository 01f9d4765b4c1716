import { parseScopes } from '../../base/access-scopes.js';
import type { AppRegistry, RegisteredApp } from '../../base/app-registry.js';
import { CONSENT_LIFETIME, OneTimeIds } from '../../base/one-time-ids.js';
import { appPath, messagePage } from '../../http/page-layout.js';
import {
  formOf,
  redirectReply,
  type Route,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import { consentPage, type ConsentShop } from './consent.page.js';

const PATH = '/admin/oauth/install';

/** The page on which the admin installs an app, or grants more scopes to an installed one. */
export class ScopesSimulator {
  private readonly consents: OneTimeIds<{ app: RegisteredApp; scopes: readonly string[] }>;

  readonly routes: readonly Route[] = [
    { method: 'GET', pattern: /^\/admin\/oauth\/install$/, answer: (request) => this.ask(request) },
    {
      method: 'POST',
      pattern: /^\/admin\/oauth\/install$/,
      answer: (request) => this.decide(request),
    },
  ];

  constructor(
    private readonly shop: ConsentShop,
    private readonly apps: AppRegistry,
    now: () => Date,
  ) {
    this.consents = new OneTimeIds(CONSENT_LIFETIME, now);
  }

  private ask({ url }: StoreRequest): StoreReply {
    const query = url.searchParams;
    const app = this.apps.get(query.get('client_id') ?? '');
    if (!app)
      return this.refuse(
        'This app is unknown',
        'The client_id of the request belongs to no app of this store.',
      );
    const required = parseScopes(query.get('scope') || (app.scopes ?? []).join());
    const optional = parseScopes(query.get('optional_scopes') ?? '');
    if (!required || !optional)
      return this.refuse(
        'These permissions are unknown',
        `${app.name} asks for a scope the platform does not have.`,
      );
    const undeclared = optional.filter((scope) => !app.optionalScopes.includes(scope));
    if (undeclared.length > 0)
      return this.refuse(
        'These permissions are not declared',
        `The configuration of ${app.name} has no optional scope ${undeclared.join(', ')}.`,
      );
    const installation = this.shop.installed.find(app.apiKey);
    const scopes =
      parseScopes([...(installation?.scopes ?? []), ...required, ...optional].join()) ?? [];
    if (this.shop.installed.hasGranted(app.apiKey, scopes)) return redirectReply(appPath(app));
    return consentPage(this.shop, app, scopes, {
      action: PATH,
      consent: this.consents.issue({ app, scopes }),
    });
  }

  private decide(request: StoreRequest): StoreReply {
    const form = formOf(request);
    const wanted = this.consents.take(form.get('consent') ?? '');
    if (!wanted)
      return this.refuse('This page has expired', 'Open the app again to be asked once more.');
    const { app, scopes } = wanted;
    const installed = this.shop.installed.find(app.apiKey) !== undefined;
    if (form.get('decision') !== 'install')
      return redirectReply(installed ? appPath(app) : '/admin', 303);
    if (installed) this.shop.installed.setScopes(app.apiKey, scopes);
    else this.shop.installed.grant(app, scopes);
    return redirectReply(appPath(app), 303);
  }

  private refuse(title: string, text: string): StoreReply {
    return messagePage(this.shop, 400, title, text);
  }
}
