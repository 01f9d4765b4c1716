import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { InvalidOptionsError } from '../../core/core.errors.js';
import type { OptionProblem } from '../../core/core.errors.js';

/** A key to encrypt tokens with. */
export interface EncryptionKey {
  /**
   * Stands beside what the key has encrypted: letters, digits, `.`, `_` and `-`; 64 at most. Never
   * used for another key.
   */
  readonly id: string;
  /**
   * 32 bytes, or the same as text in hex or base64. Make one with `openssl rand -base64 32`; a
   * passphrase is none.
   */
  readonly key: Uint8Array | string;
}

const KEY_BYTES = 32;
const ID = /^[\w.-]{1,64}$/;
const HEX = /^[0-9a-f]{64}$/i;
/** 32 bytes in either alphabet, padded or not. */
const BASE64 = /^[\w+/-]{43}=?$/;

/**
 * The keys by id, in the order given.
 * @throws {InvalidOptionsError} that names everything that is wrong, and no key
 */
export function keyRingOf(keys: readonly EncryptionKey[]): ReadonlyMap<string, KeyObject> {
  const entries: readonly (Partial<EncryptionKey> | null | undefined)[] = Array.isArray(keys)
    ? keys
    : [];
  const problems: OptionProblem[] = [];
  const ring = new Map<string, KeyObject>();
  if (entries.length === 0)
    problems.push({ option: 'keys', message: 'is no list of one or more { id, key }' });
  for (const [index, entry] of entries.entries()) {
    const { id, key } = entry ?? {};
    const bytes = bytesOf(key);
    if (!bytes)
      problems.push({
        option: `keys[${index}].key`,
        message: `is not ${KEY_BYTES} bytes, nor those in hex or base64`,
      });
    if (typeof id !== 'string' || !ID.test(id)) {
      problems.push({
        option: `keys[${index}].id`,
        message: 'is not made of 1 to 64 letters, digits, ".", "_" or "-"',
      });
    } else if (ring.has(id)) {
      problems.push({
        option: `keys[${index}].id`,
        message: `"${id}" stands for another key already`,
      });
    } else if (bytes) {
      ring.set(id, createSecretKey(bytes));
    }
  }
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return ring;
}

function bytesOf(key: unknown): Uint8Array | undefined {
  if (isUint8Array(key)) return key.length === KEY_BYTES ? key : undefined;
  if (typeof key !== 'string') return undefined;
  if (HEX.test(key)) return Buffer.from(key, 'hex');
  return BASE64.test(key) ? Buffer.from(key, 'base64') : undefined;
}

/** Also for one of another realm, and without the import of `node:util` that is there for it. */
const isUint8Array = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';
