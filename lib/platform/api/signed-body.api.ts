import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { isDelivered } from '../../core/crypto/secret-keys.js';
import { WEBHOOK_HEADERS } from '../../core/vendor.js';
import { bytesOf, inboundOf } from './raw-request.js';
import type { RawDelivery } from './raw-request.js';

/** Why a signed body must not be believed. */
type SignedBodyRejection = 'missing_body' | 'missing_hmac' | 'invalid_hmac';

/** Whether a body was signed by the platform, and why not. */
export type SignedBodyCheck =
  { readonly valid: true } | { readonly valid: false; readonly reason: SignedBodyRejection };

/**
 * `api.flow` and `api.fulfillmentService`: requests of the platform that are signed as deliveries
 * are, and carry none of their headers.
 */
export class SignedBodyApi {
  constructor(
    private readonly config: PlatformConfig,
    private readonly keys: SecretKeys,
  ) {}

  /** Checks the signature of a body that the app has read by itself, unparsed. */
  async validate({ rawBody, rawRequest }: RawDelivery): Promise<SignedBodyCheck> {
    const body = bytesOf(rawBody);
    const hmac = inboundOf(rawRequest, this.config).header(WEBHOOK_HEADERS.hmac);
    if (body.length === 0) return { valid: false, reason: 'missing_body' };
    if (!hmac) return { valid: false, reason: 'missing_hmac' };
    return this.keys.verify(body, hmac, 'base64') && isDelivered(body)
      ? { valid: true }
      : { valid: false, reason: 'invalid_hmac' };
  }
}
