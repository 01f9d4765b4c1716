import { randomBytes } from 'node:crypto';
import { signedAppUrl, signedSessionToken } from '../../base/request-factories.js';
import type { ShopContext } from '../shop/shop.context.js';

/**
 * Opens apps as the admin of one shop does: at signed URLs, with session tokens of the shop's user.
 * Throws a TypeError when an app is unknown.
 */
export class AppOpener {
  private readonly adminSession = randomBytes(32).toString('hex');

  constructor(private readonly shop: Pick<ShopContext, 'identity' | 'apps' | 'now'>) {}

  /** @param overrides claims to replace */
  sessionToken(apiKey: string, overrides: Record<string, unknown>): string {
    const { apiSecretKey: secret } = this.shop.apps.require(apiKey);
    const { domain, user } = this.shop.identity;
    return signedSessionToken({
      apiKey,
      secret,
      shop: domain,
      userId: user.id,
      overrides,
      now: this.shop.now(),
    });
  }

  /** The URL of an app in the admin's frame. */
  embeddedUrl(apiKey: string, path: string): string {
    const { locale } = this.shop.identity.user;
    const idToken = this.sessionToken(apiKey, {});
    return this.url(apiKey, path, {
      embedded: '1',
      session: this.adminSession,
      locale,
      id_token: idToken,
    });
  }

  /** The URL of an app outside the frame. */
  launchUrl(apiKey: string, path: string): string {
    return this.url(apiKey, path, {});
  }

  private url(apiKey: string, path: string, params: Record<string, string>): string {
    const app = this.shop.apps.require(apiKey);
    return signedAppUrl({
      ...app,
      shop: this.shop.identity.domain,
      path,
      params,
      now: this.shop.now(),
    });
  }
}
