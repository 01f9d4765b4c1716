import { BodyTimeoutError, BodyTooLargeError } from '../core.errors.js';

/**
 * How long the rest of a body may take from when it is asked for, in milliseconds: the platform
 * sends a delivery in one go.
 */
export const BODY_TIMEOUT = 10_000;

/**
 * Of the parts that a body is kept in, in bytes: each is as long as all before it together, within
 * these. Only a piece that is longer gets a longer one.
 */
const SHORTEST_PART = 1024;
export const LONGEST_PART = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * What has come in of a body so far, in few parts however small the pieces: a buffer for each piece
 * costs hundreds of bytes, and a client can send one byte at a time. A part stays where it is when
 * the body grows, so that growing needs no more memory than is kept. Beyond `limit` bytes are
 * counted, not kept.
 */
export class BodyBytes {
  length = 0;
  #parts: Buffer[] = [];
  #allocated = 0;

  constructor(private readonly limit: number) {}

  /** Bytes of memory it takes. */
  get allocated(): number {
    return this.#allocated;
  }

  add(piece: Uint8Array): void {
    const growth = this.growthFor(piece.length);
    const left = this.#allocated - this.length;
    this.length += piece.length;
    if (this.length > this.limit) return this.discard();
    const last = this.#parts.at(-1);
    if (growth === 0) return last?.set(piece, last.length - left);
    const part = this.allocate(growth);
    last?.set(piece.subarray(0, left), last.length - left);
    part.set(piece.subarray(left));
    this.#parts.push(part);
    this.#allocated += growth;
    this.resized(growth);
  }

  /**
   * The bytes, in one piece; they are not copied again the next time.
   * @throws {BodyTooLargeError} when there are more than `limit` bytes, or were more than are kept
   */
  read(limit = this.limit): Buffer {
    if (this.length > Math.min(limit, this.limit)) throw bodyTooLarge(limit);
    if (this.#parts.length > 1) this.#join();
    return this.#parts[0]?.subarray(0, this.length) ?? NOTHING;
  }

  /** How many more bytes of memory it takes when `bytes` are added. */
  protected growthFor(bytes: number): number {
    const missing = this.length + bytes - this.#allocated;
    if (missing <= 0 || this.length + bytes > this.limit) return 0;
    const wanted = Math.max(missing, SHORTEST_PART, this.#allocated);
    // Nearly all long parts have one size, and can take each other's place.
    const size = wanted > LONGEST_PART / 2 ? Math.max(missing, LONGEST_PART) : wanted;
    return Math.min(this.limit - this.#allocated, size);
  }

  /** Lets go of the bytes. */
  protected discard(): void {
    this.#replace([], 0);
  }

  /** Memory for a part; what is in it does not matter. */
  protected allocate(size: number): Buffer {
    // Not from the pool that Node shares out: a few bytes of it keep all of it.
    return Buffer.allocUnsafeSlow(size);
  }

  /** Called with memory that is used no longer, and that nobody else has. */
  protected unused(_parts: readonly Buffer[]): void {}

  /** Called whenever it takes more memory than before, or less; in bytes. */
  protected resized(_difference: number): void {}

  #join(): void {
    const whole = Buffer.allocUnsafeSlow(this.length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part.subarray(0, this.length - at), at);
      at += part.length;
    }
    this.#replace([whole], whole.length);
  }

  #replace(parts: Buffer[], allocated: number): void {
    const difference = allocated - this.#allocated;
    const unused = this.#parts;
    this.#parts = parts;
    this.#allocated = allocated;
    this.resized(difference);
    this.unused(unused);
  }
}

/** The error of a body beyond `limit` bytes. */
export function bodyTooLarge(limit: number): BodyTooLargeError {
  return new BodyTooLargeError(
    `The body of the request is longer than the ${limit} bytes that are accepted.`,
  );
}

/** The error of a body that is still not there after {@link BODY_TIMEOUT}. */
export function bodyTimeout(): BodyTimeoutError {
  return new BodyTimeoutError(
    `The body of the request did not arrive within ${BODY_TIMEOUT / 1000} s.`,
  );
}
