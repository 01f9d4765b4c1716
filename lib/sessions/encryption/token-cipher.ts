import type { KeyObject } from 'node:crypto';

import { SessionEncryptionError } from '../sessions.errors.js';
import { keyRingOf } from './key-ring.js';
import type { EncryptionKey } from './key-ring.js';
import { openBytes, sealBytes } from './sealed-bytes.js';

/** Version of the stored text. No token of the platform begins like this. */
const PREFIX = 'sw1';

/**
 * Where a token is kept. It opens nowhere else, so that nobody who writes to the storage can pass
 * one shop's token off as another's.
 */
interface TokenPlace {
  readonly sessionId: string;
  readonly shop: string;
  readonly field: 'accessToken' | 'refreshToken';
}

/**
 * Tokens as texts that only the keys open: `sw1:<key id>:<nonce, tag and ciphertext in base64url>`,
 * AES-256-GCM.
 */
export class TokenCipher {
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #sealing: readonly [id: string, key: KeyObject];

  /**
   * @param keys the first one seals, any of them opens
   * @throws {InvalidOptionsError} when one of them is no key
   */
  constructor(keys: readonly EncryptionKey[]) {
    this.#keys = keyRingOf(keys);
    this.#sealing = [...this.#keys][0]!;
  }

  /** A different text each time. */
  seal(token: string, place: TokenPlace): string {
    const [id, key] = this.#sealing;
    const sealed = sealBytes(key, Buffer.from(token), boundTo(id, place));
    return `${PREFIX}:${id}:${sealed.toString('base64url')}`;
  }

  /** True for a text that the key that seals has sealed, by the key's id. */
  isCurrent(text: string): boolean {
    return text.startsWith(`${PREFIX}:${this.#sealing[0]}:`);
  }

  /**
   * The token again; a text that was never sealed is answered as it is.
   * @throws {SessionEncryptionError} when the key it was sealed with is not there, or does not open
   * it here
   */
  open(text: string, place: TokenPlace): string {
    const [prefix, id, sealed] = text.split(':');
    if (prefix !== PREFIX || id === undefined || sealed === undefined) return text;
    const key = this.#keys.get(id);
    if (!key) {
      throw new SessionEncryptionError(
        `A session of ${place.shop} was encrypted with the key "${id}", which is not among the keys. Keep a key until nothing is encrypted with it.`,
      );
    }
    try {
      const bytes = Buffer.from(sealed, 'base64url');
      return openBytes(key, bytes, boundTo(id, place)).toString();
    } catch (cause) {
      throw new SessionEncryptionError(
        `The ${place.field} of a session of ${place.shop} cannot be decrypted: "${id}" is not the key it was encrypted with, or the stored text was changed.`,
        { cause },
      );
    }
  }
}

/** True for a text that {@link TokenCipher.seal} has made, with whatever key. */
export function isSealed(text: string | undefined): boolean {
  return text?.startsWith(`${PREFIX}:`) ?? false;
}

function boundTo(keyId: string, { sessionId, shop, field }: TokenPlace): Buffer {
  return Buffer.from(JSON.stringify([PREFIX, keyId, sessionId, shop, field]));
}
