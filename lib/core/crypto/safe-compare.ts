import { createHash, timingSafeEqual } from 'node:crypto';

import { SafeCompareError } from '../core.errors.js';

type Comparable = string | Record<string, string> | string[] | number[];

/**
 * Compares two strings, lists or records in constant time.
 * @throws {SafeCompareError} when the two are of different types
 */
export function safeCompare(a: Comparable, b: Comparable): boolean {
  if (typeof a !== typeof b || Array.isArray(a) !== Array.isArray(b)) {
    throw new SafeCompareError(`Mismatched data types provided: ${typeName(a)} and ${typeName(b)}`);
  }
  return timingSafeEqual(fingerprint(a), fingerprint(b));
}

// Equal lengths whatever goes in, so that not even the length of a secret shows in the time taken.
function fingerprint(value: Comparable): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest();
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
