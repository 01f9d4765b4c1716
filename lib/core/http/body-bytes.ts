import { BodyTimeoutError, BodyTooLargeError } from '../core.errors.js';

/** How long the rest of a body may take from when it is asked for, in milliseconds: the platform sends a delivery in one go. */
export const BODY_TIMEOUT = 10_000;

const SMALLEST = 1024;
const NOTHING = Buffer.alloc(0);

/**
 * What has come in of a body so far, in one buffer however small the pieces: a buffer for each piece costs hundreds of bytes, and a
 * client can send one byte at a time. Beyond `limit` bytes are counted, not kept.
 */
export class BodyBytes {
  length = 0;
  #kept = NOTHING;

  constructor(private readonly limit: number) {}

  add(piece: Uint8Array): void {
    const start = this.length;
    this.length += piece.length;
    if (this.length > this.limit) {
      this.#kept = NOTHING;
      return;
    }
    if (this.length > this.#kept.length) this.#grow();
    this.#kept.set(piece, start);
  }

  /** @throws {BodyTooLargeError} when there are more than `limit` bytes, or were more than are kept */
  read(limit = this.limit): Buffer {
    if (this.length > Math.min(limit, this.limit)) throw bodyTooLarge(limit);
    return this.#kept.subarray(0, this.length);
  }

  #grow(): void {
    const grown = Buffer.allocUnsafe(Math.min(this.limit, Math.max(this.length, this.#kept.length * 2, SMALLEST)));
    grown.set(this.#kept);
    this.#kept = grown;
  }
}

/** The error of a body beyond `limit` bytes. */
export function bodyTooLarge(limit: number): BodyTooLargeError {
  return new BodyTooLargeError(`The body of the request is longer than the ${limit} bytes that are accepted.`);
}

/** The error of a body that is still not there after {@link BODY_TIMEOUT}. */
export function bodyTimeout(): BodyTimeoutError {
  return new BodyTimeoutError(`The body of the request did not arrive within ${BODY_TIMEOUT / 1000} s.`);
}
