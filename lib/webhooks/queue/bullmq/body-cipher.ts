import type { KeyObject } from 'node:crypto';

import { keyRingOf } from '../../../sessions/encryption/key-ring.js';
import type { EncryptionKey } from '../../../sessions/encryption/key-ring.js';
import { openBytes, sealBytes } from '../../../sessions/encryption/sealed-bytes.js';
import { WebhookQueueError } from '../../webhooks.errors.js';

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
    return `${id}:${sealBytes(key, body, boundTo(id, place)).toString('base64')}`;
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
    try {
      return openBytes(key, Buffer.from(sealed, 'base64'), boundTo(id, place));
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
