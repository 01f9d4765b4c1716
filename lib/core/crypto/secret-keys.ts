import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { COOKIE_SIGNING_INFO } from '../vendor.js';

/** What a signature is made for. Each purpose has its own key, so that a signature of one is worthless for the other. */
export type KeyPurpose = 'platform' | 'cookie';
export type SignatureEncoding = 'hex' | 'base64' | 'base64url';

/**
 * The app's secrets as prepared HMAC-SHA256 keys: the first signs, every one of them verifies, so that a secret can be rotated
 * without a gap. Comparisons take constant time.
 */
export class SecretKeys {
  readonly #keys: Readonly<Record<KeyPurpose, readonly KeyObject[]>>;

  constructor(secrets: readonly string[]) {
    this.#keys = {
      platform: secrets.map((secret) => createSecretKey(Buffer.from(secret, 'utf8'))),
      cookie: secrets.map((secret) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', COOKIE_SIGNING_INFO, 32)))),
    };
  }

  /** Signs with the current secret. */
  sign(data: string | Uint8Array, encoding: SignatureEncoding, purpose: KeyPurpose = 'platform'): string {
    return digest(this.#keys[purpose][0]!, data).toString(encoding);
  }

  /** True when `signature` (text in `encoding`) was made over `data` with any of the secrets. */
  verify(data: string | Uint8Array, signature: string, encoding: SignatureEncoding, purpose: KeyPurpose = 'platform'): boolean {
    const claimed = Buffer.from(signature, encoding);
    // Node's decoders skip what they do not know: only the canonical spelling of a digest may pass.
    const canonical = claimed.length === 32 && claimed.toString(encoding) === signature;
    let matches = false;
    for (const key of this.#keys[purpose]) {
      matches = timingSafeEqual(digest(key, data), canonical ? claimed : Buffer.alloc(32)) || matches;
    }
    return canonical && matches;
  }
}

function digest(key: KeyObject, data: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
