const BASE64_DIGEST = /^[A-Za-z0-9+/]{43}=$/;

/**
 * True for what can be a SHA-256 digest in base64: 32 bytes, written in 44 characters. What is not
 * needs no body to be refused.
 */
export function isBase64Digest(value: unknown): value is string {
  return typeof value === 'string' && BASE64_DIGEST.test(value);
}
