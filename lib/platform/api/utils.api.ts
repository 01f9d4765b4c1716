import { isVersionCompatible } from '../../core/api-version.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { verifyProxyHmac } from '../../core/crypto/proxy-signature.js';
import { verifyQueryHmac } from '../../core/crypto/query-hmac.js';
import type { HmacQuery, HmacSignator } from '../../core/crypto/query-hmac.js';
import type { SecretKeys, SecretUse } from '../../core/crypto/secret-keys.js';
import {
  legacyUrlToShopAdminUrl,
  sanitizeHost,
  sanitizeShop,
  shopAdminUrlToLegacyUrl,
} from '../../core/shop-domain.js';
import type { Clock } from '../../core/time/clock.js';

/** What {@link UtilsApi} works with. */
interface UtilsApiDependencies {
  readonly config: PlatformConfig;
  readonly keys: SecretKeys;
  readonly clock: Clock;
}

// Written out: an app that exports one of these could not name the type of a function of ours.
type Sanitize = {
  (value: unknown, throwOnInvalid: true): string;
  (value: unknown, throwOnInvalid?: boolean): string | null;
};
type TranslateUrl = (url: unknown) => string | null;

/** `api.utils`: questions about domains, signatures and versions. */
export class UtilsApi {
  readonly sanitizeShop: Sanitize = sanitizeShop;
  readonly sanitizeHost: Sanitize = sanitizeHost;
  readonly shopAdminUrlToLegacyUrl: TranslateUrl = shopAdminUrlToLegacyUrl;
  readonly legacyUrlToShopAdminUrl: TranslateUrl = legacyUrlToShopAdminUrl;

  constructor(private readonly dependencies: UtilsApiDependencies) {}

  /**
   * True when a query was signed with a secret of this app: `hmac` on requests from the admin,
   * `signature` on requests through an app proxy, which also have to name their shop.
   * @throws {InvalidHmacError} when it carries no usable signature or timestamp, or a parameter of
   * the platform is repeated or has a value that the platform never sends
   */
  async validateHmac(
    query: HmacQuery,
    { signator = 'admin' }: { readonly signator?: HmacSignator | undefined } = {},
  ): Promise<boolean> {
    const { keys, clock } = this.dependencies;
    const verify = signator === 'appProxy' ? verifyProxyHmac : verifyQueryHmac;
    return verify(query, keys, clock.now());
  }

  /**
   * Whether the previous secrets of `apiSecretKey` are still in use in this process, in their
   * order: when not, they may go.
   */
  previousSecretUse(): readonly SecretUse[] {
    return this.dependencies.keys.previous;
  }

  /** True when `current` is `reference` or newer. @param current default: the app's version */
  versionCompatible(
    reference: string,
    current: string = this.dependencies.config.apiVersion,
  ): boolean {
    return isVersionCompatible(reference, current);
  }

  /** True when `current` is older than `reference`. @param current default: the app's version */
  versionPriorTo(reference: string, current?: string): boolean {
    return !this.versionCompatible(reference, current);
  }
}
