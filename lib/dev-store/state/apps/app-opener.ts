import { randomBytes } from 'node:crypto';
import { signedAppUrl, signedSessionToken } from '../../base/request-factories.js';
import type { ShopContext } from '../shop/shop.context.js';

/**
 * How the admin of one shop opens apps: at signed addresses, with session tokens of the shop's
 * user. Throws a TypeError when an app is unknown.
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

  /** Where an app is opened in the admin's frame. */
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

  /** Where an app is opened by itself. */
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
