import { coversScope } from '../../base/access-scopes.js';
import type { AppRegistry, RegisteredApp } from '../../base/app-registry.js';
import type { EventLog } from '../../base/event-log.js';
import { sameText } from '../../base/signing.js';
import { TOKEN_URN } from '../../base/vendor.js';
import {
  jsonReply,
  type ByteStream,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import { TOKEN_SECONDS, type AccessTokens } from '../../state/apps/access-tokens.js';
import type { TokenPair } from '../../state/apps/access-token.js';
import type { Installation } from '../../state/apps/installation.js';
import type { TokenGrant, TokenRequest, TokenRequestHook } from '../../state/apps/token-request.js';
import type { ShopUser } from '../../state/shop/shop-identity.js';
import type { ConsentShop } from './consent.page.js';
import { checkSessionToken } from './session-token-check.js';
import { fieldsOf, grantOf, wantsExpiring, type Fields } from './token-fields.js';

/** The part of a shop that the grants read and change. */
export interface TokenShop extends ConsentShop {
  readonly log: EventLog;
  readonly tokens: AccessTokens;
  readonly tokenRequests: TokenRequest[];
  readonly onTokenRequest: TokenRequestHook | undefined;
}

/** The merchant's consent that an authorization code represents. */
export interface CodeGrant {
  readonly app: RegisteredApp;
  readonly scopes: readonly string[];
  readonly mode: 'offline' | 'online';
}

/** Redeems an authorization code of an app; undefined when it is invalid. */
export type RedeemCode = (code: string, app: RegisteredApp) => CodeGrant | undefined;

/** Issues the access tokens of one shop. */
export class TokenEndpoint {
  constructor(
    private readonly shop: TokenShop,
    private readonly apps: AppRegistry,
    private readonly redeemCode: RedeemCode,
    private readonly now: () => Date,
  ) {}

  /** Responds to a token request, through the shop's `onTokenRequest`. */
  async answer(request: StoreRequest): Promise<StoreReply> {
    const fields = fieldsOf(request);
    if (!fields)
      return errorReply(
        400,
        'invalid_request',
        'The request body is neither a JSON object nor a form',
      );
    const grant = grantOf(fields);
    if (!grant)
      return errorReply(400, 'unsupported_grant_type', 'The store does not know this grant_type');
    const requested = REQUESTED_MODES.get(fields['requested_token_type'] ?? '');
    const noted: TokenRequest = {
      apiKey: fields['client_id'] ?? '',
      grant,
      ...(requested && { requested }),
    };
    this.shop.tokenRequests.push(noted);
    if (this.shop.tokenRequests.length > MOST_NOTED) this.shop.tokenRequests.shift();
    const answer = (): StoreReply => this.grant(noted, fields);
    const reply = this.shop.onTokenRequest
      ? await this.shop.onTokenRequest(noted, answer)
      : answer();
    if (reply === 'cut') return { status: 502, body: CUT };
    noted.status = reply.status;
    return reply;
  }

  private grant(request: TokenRequest, fields: Fields): StoreReply {
    const app = this.apps.get(request.apiKey);
    const reply = app
      ? this.grantTo(app, request, fields)
      : errorReply(400, 'application_cannot_be_found', 'No application has this client_id');
    if (reply.note) {
      const summary = `${request.grant} of ${app?.name ?? 'an unknown app'} refused: ${reply.note}`;
      this.shop.log.add({ kind: 'token', summary, status: reply.status });
    }
    return reply;
  }

  private grantTo(
    app: RegisteredApp,
    { grant, requested }: TokenRequest,
    fields: Fields,
  ): StoreReply {
    if (!knowsSecret(app, fields['client_secret'] ?? ''))
      return errorReply(401, 'invalid_client', 'The client_secret is wrong');
    // A code cannot be used again, even when the request fails.
    const code =
      grant === 'authorization_code' ? this.redeemCode(fields['code'] ?? '', app) : undefined;
    const installation = this.shop.installed.find(app.apiKey);
    if (!installation) return NOT_INSTALLED[grant];
    switch (grant) {
      case 'authorization_code':
        return code ? this.forCode(code, installation, fields) : BAD_CODE;
      case 'token_exchange':
        return this.forSessionToken(app, installation, requested, fields);
      case 'migration':
        return this.forNonExpiringToken(installation, requested, fields);
      case 'refresh_token':
        return this.forRefreshToken(installation, fields);
      case 'client_credentials':
        return app.clientCredentials ? this.forCredentials(installation) : NOT_PERMITTED;
    }
  }

  private forCode(code: CodeGrant, installation: Installation, fields: Fields): StoreReply {
    if (code.mode === 'offline') return this.offline(installation, fields);
    const own = code.scopes.filter((scope) => coversScope(installation.scopes, scope));
    return this.online(installation, own, this.shop.user);
  }

  private forSessionToken(
    app: RegisteredApp,
    installation: Installation,
    mode: TokenRequest['requested'],
    fields: Fields,
  ): StoreReply {
    const { userId, problem } = checkSessionToken(
      fields['subject_token'] ?? '',
      app,
      this.shop.domain,
      this.now(),
    );
    if (problem !== undefined)
      return errorReply(400, 'invalid_subject_token', `The session token is not valid: ${problem}`);
    if (!mode)
      return errorReply(
        400,
        'invalid_request',
        'The requested_token_type is neither an online nor an offline token',
      );
    if (mode === 'offline') return this.offline(installation, fields);
    const { user } = this.shop;
    return this.online(
      installation,
      installation.scopes,
      userId === user.id ? user : { ...user, id: userId, account_owner: false },
    );
  }

  private forNonExpiringToken(
    { apiKey, scopes }: Installation,
    mode: TokenRequest['requested'],
    fields: Fields,
  ): StoreReply {
    if (mode !== 'offline' || !wantsExpiring(fields))
      return errorReply(
        400,
        'invalid_request',
        'An offline token can only be exchanged for an expiring offline token',
      );
    const pair = this.shop.tokens.migrate(apiKey, fields['subject_token'] ?? '', scopes);
    return pair
      ? this.pairReply(pair)
      : errorReply(
          400,
          'invalid_subject_token',
          'The token is not a non-expiring offline token of this app',
        );
  }

  private forRefreshToken({ apiKey, scopes }: Installation, fields: Fields): StoreReply {
    const pair = this.shop.tokens.refresh(apiKey, fields['refresh_token'] ?? '', scopes);
    return pair ? this.pairReply(pair) : INACTIVE_REFRESH_TOKEN;
  }

  private forCredentials({ apiKey, scopes }: Installation): StoreReply {
    const { token } = this.shop.tokens.clientCredentials(apiKey, scopes);
    return granted({
      access_token: token,
      scope: scopes.join(','),
      expires_in: TOKEN_SECONDS.clientCredentials,
    });
  }

  private offline({ apiKey, scopes }: Installation, fields: Fields): StoreReply {
    if (wantsExpiring(fields)) return this.pairReply(this.shop.tokens.expiring(apiKey, scopes));
    return granted({
      access_token: this.shop.tokens.offline(apiKey, scopes).token,
      scope: scopes.join(','),
    });
  }

  private online(
    { apiKey, scopes }: Installation,
    own: readonly string[],
    user: ShopUser,
  ): StoreReply {
    return granted({
      access_token: this.shop.tokens.online(apiKey, own).token,
      scope: scopes.join(','),
      expires_in: TOKEN_SECONDS.online,
      associated_user_scope: own.join(','),
      associated_user: user,
    });
  }

  private pairReply({ access, refreshToken, refreshExpiresAt }: TokenPair): StoreReply {
    return granted({
      access_token: access.token,
      scope: access.scopes.join(','),
      expires_in: TOKEN_SECONDS.offline,
      refresh_token: refreshToken,
      refresh_token_expires_in: Math.floor(
        (refreshExpiresAt.getTime() - this.now().getTime()) / 1000,
      ),
    });
  }
}

/** How many requests are noted. */
const MOST_NOTED = 1000;

const NOT_STORED = { 'Cache-Control': 'no-store' };

const REQUESTED_MODES: ReadonlyMap<string, 'offline' | 'online'> = new Map([
  [TOKEN_URN.offline, 'offline'],
  [TOKEN_URN.online, 'online'],
]);

const BAD_CODE = errorReply(
  400,
  'invalid_request',
  'The authorization code was not found or was already used',
);
const INACTIVE_REFRESH_TOKEN = errorReply(
  400,
  'invalid_grant',
  'This request requires an active refresh_token',
);
const NOT_PERMITTED = errorReply(
  400,
  'shop_not_permitted',
  'The shop does not belong to the developer of the app',
);
const ABSENT = errorReply(
  400,
  'app_not_installed',
  'The application is not installed on this shop',
);

/** The response to an app that is not installed: its code and its tokens were revoked. */
const NOT_INSTALLED: Readonly<Record<TokenGrant, StoreReply>> = {
  authorization_code: BAD_CODE,
  refresh_token: INACTIVE_REFRESH_TOKEN,
  token_exchange: ABSENT,
  migration: ABSENT,
  client_credentials: ABSENT,
};

function granted(answer: object): StoreReply {
  return jsonReply(200, answer, NOT_STORED);
}

function errorReply(status: 400 | 401, error: string, description: string): StoreReply {
  return {
    ...jsonReply(status, { error, error_description: description }, NOT_STORED),
    note: `${error}. ${description}`,
  };
}

/** A body that closes the connection before its first byte. */
const CUT: ByteStream = {
  [Symbol.asyncIterator]: () => ({
    next: () => Promise.reject(new Error('The connection is cut on command.')),
  }),
};

/** True for the app's secret, and for the one before it while that counts. */
function knowsSecret({ apiSecretKey, previousSecret }: RegisteredApp, secret: string): boolean {
  const isPrevious = previousSecret !== undefined && sameText(secret, previousSecret);
  return sameText(secret, apiSecretKey) || isPrevious;
}
