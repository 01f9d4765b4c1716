import { randomBytes } from 'node:crypto';

/** An access token that a shop has issued. */
export interface AccessToken {
  readonly token: string;
  readonly apiKey: string;
  readonly mode: 'offline' | 'online';
  readonly scopes: readonly string[];
  /** Online tokens end after a day; offline ones live until the app is uninstalled. */
  readonly expiresAt?: Date;
}

/** Seconds that an online token lives. */
export const ONLINE_TOKEN_SECONDS = 86_399;

/** The access tokens that one shop has issued and not revoked. */
export class AccessTokens {
  private readonly issued = new Map<string, AccessToken>();

  constructor(private readonly now: () => Date) {}

  /** The app's offline token: the same one as long as its scopes do not change. */
  offline(apiKey: string, scopes: readonly string[]): AccessToken {
    const current = this.offlineTokenOf(apiKey);
    if (current && sameScopes(current.scopes, scopes)) return current;
    if (current) this.issued.delete(current.token);
    return this.keep({ token: `shpat_${randomBytes(16).toString('hex')}`, apiKey, mode: 'offline', scopes });
  }

  /** A new token of the shop's user. */
  online(apiKey: string, scopes: readonly string[]): AccessToken {
    const expiresAt = new Date(this.now().getTime() + ONLINE_TOKEN_SECONDS * 1000);
    return this.keep({ token: `shpua_${randomBytes(16).toString('hex')}`, apiKey, mode: 'online', scopes, expiresAt });
  }

  /** The token with the given text, unless it is unknown, revoked or expired. */
  find(text: string): AccessToken | undefined {
    const found = this.issued.get(text);
    return found?.expiresAt && found.expiresAt <= this.now() ? undefined : found;
  }

  revoke(apiKey: string): void {
    for (const { token } of this.all().filter((issued) => issued.apiKey === apiKey)) this.issued.delete(token);
  }

  private all(): AccessToken[] {
    return [...this.issued.values()];
  }

  private offlineTokenOf(apiKey: string): AccessToken | undefined {
    return this.all().find((issued) => issued.apiKey === apiKey && issued.mode === 'offline');
  }

  private keep(token: AccessToken): AccessToken {
    this.issued.set(token.token, token);
    return token;
  }
}

function sameScopes(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join() === [...b].sort().join();
}
