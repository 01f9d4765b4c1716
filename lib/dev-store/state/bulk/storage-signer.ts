import { randomBytes } from 'node:crypto';
import { hmacHex, sameText } from '../../base/signing.js';

/**
 * Where the results of bulk operations are downloaded, followed by the operation's number and
 * `.jsonl`.
 */
export const RESULT_PATH = '/bulk-results/';

/** Seconds that a result can be downloaded. */
export const RESULT_LIFETIME = 7 * 24 * 60 * 60;

/** Seconds that an upload may wait. */
export const UPLOAD_LIFETIME = 60 * 60;

/** Signs the addresses of the shop's file storage: a signed address needs no token. */
export class StorageSigner {
  private readonly key = randomBytes(32).toString('hex');

  constructor(private readonly now: () => Date) {}

  /** @param lifetime seconds */
  signedPath(method: 'GET' | 'PUT', path: string, lifetime: number): string {
    const expires = String(Math.floor(this.now().getTime() / 1000) + lifetime);
    return `${path}?${new URLSearchParams({ Expires: expires, Signature: this.signature(`${method} ${path} ${expires}`) })}`;
  }

  /** What is wrong with a signed address; undefined when it holds. */
  problemOf(method: 'GET' | 'PUT', { pathname, searchParams }: URL): StorageProblem | undefined {
    const expires = searchParams.get('Expires') ?? '';
    const valid = this.verify(
      `${method} ${pathname} ${expires}`,
      searchParams.get('Signature') ?? '',
    );
    if (!valid) return 'SignatureDoesNotMatch';
    return Number(expires) * 1000 < this.now().getTime() ? 'ExpiredToken' : undefined;
  }

  signature(text: string): string {
    return hmacHex(this.key, text);
  }

  verify(text: string, signature: string): boolean {
    return sameText(signature, this.signature(text));
  }
}

/** Why the storage refuses, in its own codes. */
export type StorageProblem = 'SignatureDoesNotMatch' | 'ExpiredToken';
