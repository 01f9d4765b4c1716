import { denied } from '../../core/decision.js';
import type { DeniedDecision, HeaderList, ResponseDecision } from '../../core/decision.js';
import { frameAncestors } from '../../core/http/content-security-policy.js';
import { wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { Session } from '../../sessions/session.js';
import type { AdminDecision } from '../auth-decisions.js';
import type { AuthDependencies } from '../auth-dependencies.js';
import type { AuthUrls } from '../responses/auth-urls.js';
import { answerOfHook } from '../responses/hook-responses.js';
import type { OAuthFlow } from '../oauth/oauth-flow.js';
import { shopRefused } from '../credentials/request-queries.js';
import type { VerifiedSessionToken } from '../tokens/token-exchanger.js';
import { deniedForTokenError } from '../responses/token-refusals.js';
import type { SessionProblem } from './session-check.js';

/** What requests of the admin are answered with, however they were recognised. */
export class AdminResponses {
  constructor(
    private readonly deps: AuthDependencies,
    private readonly urls: AuthUrls,
    private readonly flow: OAuthFlow,
  ) {}

  /**
   * Lets a request go on, once the app knows what has happened to the installation. @param
   * options.isGranted the session has come with this request
   */
  async granted(
    request: InboundRequest,
    session: Session,
    token?: VerifiedSessionToken,
    options?: { readonly isGranted: boolean },
  ): Promise<AdminDecision> {
    const { config, clients } = this.deps;
    const answer = await this.settle(session, options);
    if (answer) return answer;
    const headers: HeaderList = wantsDocument(request)
      ? [['content-security-policy', frameAncestors(config, session.shop)]]
      : [];
    const granted = clients.for(session, { sessionToken: token?.text });
    return {
      kind: 'granted',
      session,
      admin: granted.admin,
      get storefront() {
        return granted.storefront;
      },
      headers,
      ...(token && { sessionToken: token.payload }),
    };
  }

  /** The shop has to be asked: on its own page, or, when a script calls, by App Bridge. */
  reauthorize(request: InboundRequest, shop: string, problem: SessionProblem): ResponseDecision {
    this.deps.logger.info('A shop has to be authenticated again', { shop, reason: problem });
    if (wantsDocument(request)) return this.flow.begin(request, { shop });
    return this.urls.reauthorize(
      this.urls.begin(request, shop),
      problem,
      'The app has to be authorized again by the shop.',
    );
  }

  /** To where merchants type their shop, if the app has such a page. */
  withoutShop(request: InboundRequest, shop: null | undefined): AdminDecision {
    const { loginPath } = this.deps.config;
    if (loginPath === undefined) return shopRefused(shop);
    if (request.url.pathname !== loginPath)
      return { kind: 'redirect', location: loginPath, reason: 'login' };
    return denied(
      500,
      'login_route',
      `${loginPath} is the login page itself: its route has to call login(), not authenticate.admin().`,
    );
  }

  /**
   * Tells the app what has happened to the installation; answers what it makes of it, if that ends
   * the request.
   */
  async settle(
    session: Session,
    { isGranted = false }: { readonly isGranted?: boolean } = {},
  ): Promise<ResponseDecision | undefined> {
    try {
      await this.deps.lifecycle.settle(session, { isGranted });
      return undefined;
    } catch (error) {
      if (!(error instanceof Response))
        this.deps.logger.error('The app failed to deal with an installation', {
          shop: session.shop,
          error,
        });
      return deniedForTokenError(error) ?? answerOfHook(error);
    }
  }
}

/** For a session token of one shop beside the address of another. */
export function foreignShop(): DeniedDecision {
  return denied(
    403,
    'shop_mismatch',
    'The session token was issued in another shop than the one in the address.',
  );
}
