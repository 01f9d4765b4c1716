import { randomBytes } from 'node:crypto';
import { coversScope } from '../../base/access-scopes.js';
import type { AccessToken, TokenPair } from './access-token.js';

/** The lifetimes of tokens, in seconds. */
export const TOKEN_SECONDS = {
  online: 86_399,
  clientCredentials: 86_399,
  offline: 3600,
  refresh: 90 * 86_400,
} as const;

/**
 * How long the previous refresh token stays valid in case the response was lost. In milliseconds,
 * like the next.
 */
const GRACE = 30 * 86_400_000;
/** How long a migration can be repeated, for the same reason. */
const MIGRATION_GRACE = 7 * 86_400_000;

/** The expiring offline tokens of one app: only one pair is valid at a time. */
interface Renewal {
  pair: TokenPair;
  /** The refresh token that the pair was issued for; valid until the pair's own is used. */
  previous?: { readonly token: string; readonly until: Date };
  /** The non-expiring token that the pair was issued for; it returns the same pair again. */
  migrated?: { readonly token: string; readonly until: Date };
}

/** The tokens that one shop has issued and not revoked. */
export class AccessTokens {
  private readonly issued = new Map<string, AccessToken>();
  private readonly renewals = new Map<string, Renewal>();

  /** @param note called with each issued token and its kind */
  constructor(
    private readonly now: () => Date,
    private readonly note: (token: AccessToken, kind: string) => void,
  ) {}

  /** The app's non-expiring offline token: the same one as long as its scopes do not change. */
  offline(apiKey: string, scopes: readonly string[]): AccessToken {
    const current = this.all(apiKey).find(isNonExpiring);
    if (current && sameScopes(current.scopes, scopes))
      return this.logged(current, 'offline access token');
    if (current) this.issued.delete(current.token);
    return this.logged(
      this.keep({ token: accessTokenText(), apiKey, mode: 'offline', scopes }),
      'offline access token',
    );
  }

  /** A new token of a user of the shop. */
  online(apiKey: string, scopes: readonly string[]): AccessToken {
    const token = this.keep({
      token: randomText('shpua'),
      apiKey,
      mode: 'online',
      scopes,
      expiresAt: this.after(TOKEN_SECONDS.online),
    });
    return this.logged(token, 'online access token');
  }

  /** A new token for the app's own credentials; earlier ones stay valid. */
  clientCredentials(apiKey: string, scopes: readonly string[]): AccessToken {
    const expiresAt = this.after(TOKEN_SECONDS.clientCredentials);
    return this.logged(
      this.keep({ token: accessTokenText(), apiKey, mode: 'offline', scopes, expiresAt }),
      'client credentials token',
    );
  }

  /** A new token with some scopes of another, which it ends with. @param seconds its lifetime */
  delegate(parent: AccessToken, scopes: readonly string[], seconds?: number | null): AccessToken {
    const { apiKey, mode, token } = parent;
    const expiresAt = seconds == null ? parent.expiresAt : this.after(seconds);
    const delegated = { token: accessTokenText(), apiKey, mode, scopes, parent: token };
    return this.logged(
      this.keep(expiresAt ? { ...delegated, expiresAt } : delegated),
      'delegated access token',
    );
  }

  /** Ends a delegated token. */
  endDelegated({ token, parent }: AccessToken): void {
    if (parent !== undefined) this.issued.delete(token);
  }

  /** A new pair, which revokes every earlier pair; a non-expiring token stays valid. */
  expiring(apiKey: string, scopes: readonly string[]): TokenPair {
    return this.renew(apiKey, scopes, {});
  }

  /**
   * A new pair for a refresh token: the current one, or the one before it while the current one is
   * unused, for at most 30 days. Undefined when the token is invalid.
   */
  refresh(apiKey: string, refreshToken: string, scopes: readonly string[]): TokenPair | undefined {
    const renewal = this.renewals.get(apiKey);
    if (!renewal) return undefined;
    const { pair, previous } = renewal;
    if (refreshToken === pair.refreshToken && pair.refreshExpiresAt > this.now()) {
      const until = new Date(
        Math.min(this.now().getTime() + GRACE, pair.refreshExpiresAt.getTime()),
      );
      return this.renew(apiKey, scopes, { previous: { token: refreshToken, until } });
    }
    return previous?.token === refreshToken && previous.until > this.now()
      ? this.renew(apiKey, scopes, { previous })
      : undefined;
  }

  /**
   * A pair for a non-expiring offline token, which is revoked by it. Within 7 days a repeated
   * request returns the same pair with a new lifetime of an hour, unless that pair was renewed or
   * replaced. Undefined when the token is invalid.
   */
  migrate(apiKey: string, token: string, scopes: readonly string[]): TokenPair | undefined {
    const renewal = this.renewals.get(apiKey);
    if (renewal?.migrated?.token === token && renewal.migrated.until > this.now()) {
      const access = this.keep({
        ...renewal.pair.access,
        expiresAt: this.after(TOKEN_SECONDS.offline),
      });
      renewal.pair = { ...renewal.pair, access };
      this.note(access, 'expiring offline access token');
      return renewal.pair;
    }
    const found = this.issued.get(token);
    if (found?.apiKey !== apiKey || !isNonExpiring(found)) return undefined;
    this.issued.delete(token);
    return this.renew(apiKey, scopes, {
      migrated: { token, until: new Date(this.now().getTime() + MIGRATION_GRACE) },
    });
  }

  /** The token with the given text, unless it is unknown, revoked or expired. */
  find(text: string): AccessToken | undefined {
    const found = this.issued.get(text);
    if (found?.parent !== undefined && !this.find(found.parent)) return undefined;
    return found?.expiresAt && found.expiresAt <= this.now() ? undefined : found;
  }

  /** Changes the scopes of every token of an app; a delegated one gets none that it had not. */
  setScopes(apiKey: string, scopes: readonly string[]): void {
    for (const token of this.all(apiKey)) {
      const kept = token.scopes.filter((scope) => coversScope(scopes, scope));
      this.keep({ ...token, scopes: token.parent === undefined ? scopes : kept });
    }
    const renewal = this.renewals.get(apiKey);
    if (renewal) renewal.pair = { ...renewal.pair, access: { ...renewal.pair.access, scopes } };
  }

  /** Revokes every token of an app. */
  revoke(apiKey: string): void {
    for (const { token } of this.all(apiKey)) this.issued.delete(token);
    this.renewals.delete(apiKey);
  }

  /** Expires the expiring access tokens of an app now; refresh tokens stay valid. */
  expire(apiKey: string): void {
    for (const token of this.all(apiKey))
      if (token.expiresAt) this.keep({ ...token, expiresAt: this.now() });
  }

  /** Expires the refresh tokens of an app now; access tokens stay valid. */
  expireRefresh(apiKey: string): void {
    const renewal = this.renewals.get(apiKey);
    if (renewal)
      this.renewals.set(apiKey, { pair: { ...renewal.pair, refreshExpiresAt: this.now() } });
  }

  private renew(
    apiKey: string,
    scopes: readonly string[],
    origin: Omit<Renewal, 'pair'>,
  ): TokenPair {
    const old = this.renewals.get(apiKey);
    if (old) this.issued.delete(old.pair.access.token);
    const access = this.keep({
      token: accessTokenText(),
      apiKey,
      mode: 'offline',
      scopes,
      expiresAt: this.after(TOKEN_SECONDS.offline),
    });
    const pair: TokenPair = {
      access,
      refreshToken: randomText('shprt'),
      refreshExpiresAt: this.after(TOKEN_SECONDS.refresh),
    };
    this.renewals.set(apiKey, { ...origin, pair });
    this.note(access, 'expiring offline access token');
    return pair;
  }

  private after(seconds: number): Date {
    return new Date(this.now().getTime() + seconds * 1000);
  }

  private all(apiKey: string): AccessToken[] {
    return [...this.issued.values()].filter((token) => token.apiKey === apiKey);
  }

  private keep(token: AccessToken): AccessToken {
    this.issued.set(token.token, token);
    return token;
  }

  private logged(token: AccessToken, kind: string): AccessToken {
    this.note(token, kind);
    return token;
  }
}

function isNonExpiring(token: AccessToken): boolean {
  return token.mode === 'offline' && token.expiresAt === undefined && token.parent === undefined;
}

function accessTokenText(): string {
  return randomText('shpat');
}

function randomText(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString('hex')}`;
}

function sameScopes(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join() === [...b].sort().join();
}
