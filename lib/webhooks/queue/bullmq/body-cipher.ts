import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { keyRingOf } from '../../../sessions/encryption/key-ring.js';
import type { EncryptionKey } from '../../../sessions/encryption/key-ring.js';
import { WebhookQueueError } from '../../webhooks.errors.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Bodies as texts that only the keys open: `<key id>:<nonce, tag and ciphertext in base64>`,
 * AES-256-GCM.
 */
export class BodyCipher {
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #sealing: readonly [id: string, key: KeyObject] | undefined;

  /**
   * @param keys the first one seals, any of them opens; none where bodies are not encrypted
   * @throws {InvalidOptionsError} when one of them is no key
   */
  constructor(keys: readonly EncryptionKey[] | undefined) {
    this.#keys = keys === undefined ? new Map() : keyRingOf(keys);
    this.#sealing = [...this.#keys][0];
  }

  /** False where bodies are stored as they are. */
  get seals(): boolean {
    return this.#sealing !== undefined;
  }

  /** A different text each time. @param place the body opens nowhere else */
  seal(body: Buffer, place: string): string {
    const [id, key] = this.#sealing!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
      boundTo(id, place),
    );
    const ciphertext = Buffer.concat([cipher.update(body), cipher.final()]);
    return `${id}:${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64')}`;
  }

  /**
   * The body again.
   * @throws {WebhookQueueError} when the key it was sealed with is not there, or does not open it
   * here
   */
  open(text: string, place: string): Buffer {
    const [id = '', sealed = ''] = text.split(':');
    const key = this.#keys.get(id);
    if (!key)
      throw new WebhookQueueError(
        `A delivery was encrypted with the key "${id}", which is not among \`encryptionKeys\`. Keep a key for as long as the queue holds what it encrypted.`,
      );
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(boundTo(id, place))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]);
    } catch (cause) {
      throw new WebhookQueueError(
        `A delivery cannot be decrypted: "${id}" is not the key it was encrypted with, or what is stored was changed.`,
        { cause },
      );
    }
  }
}

function boundTo(keyId: string, place: string): Buffer {
  return Buffer.from(JSON.stringify(['delivery', keyId, place]));
}
