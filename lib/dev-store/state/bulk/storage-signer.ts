import { randomBytes } from 'node:crypto';
import { hmacHex, sameText } from '../../base/signing.js';

/** The path of the results of bulk operations, followed by the operation's number and `.jsonl`. */
export const RESULT_PATH = '/bulk-results/';

/** How long a result can be downloaded, in seconds. */
export const RESULT_LIFETIME = 7 * 24 * 60 * 60;

/** How long a file can be uploaded, in seconds. */
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

  /** The problem of a signed address; undefined when it is valid. */
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

/** The error codes of the storage. */
type StorageProblem = 'SignatureDoesNotMatch' | 'ExpiredToken';
