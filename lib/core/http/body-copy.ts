import {
  BodyDroppedError,
  BodyTimeoutError,
  BodyTooLargeError,
  RawBodyUnavailableError,
} from '../core.errors.js';
import type { PlatformError } from '../core.errors.js';

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

/** What is read of a response of Node's HTTP server. */
export interface Answer {
  readonly writableEnded: boolean;
  readonly destroyed: boolean;
  readonly req: { readonly socket: { readonly destroyed: boolean } };
}

/** Whoever counts the memory of bodies. */
export interface BodyAccount {
  /** Bytes of memory that may be taken. */
  readonly total: number;
  /** Turns that have passed: the time by which bodies are stalled or late. */
  readonly turn: number;
  /** False when a body cannot take `bytes` more; it has been freed by then. */
  reserve(copy: BodyCopy, bytes: number): boolean;
  count(copy: BodyCopy, difference: number): void;
  /** Stops counting a body: its bytes are somebody else's from now on. */
  release(copy: BodyCopy): void;
  allocate(size: number): Buffer;
  reuse(parts: readonly Buffer[]): void;
}

/**
 * Why a body was freed: for others, because it did not arrive in time, or because nobody can have a
 * use for it any more.
 */
export type FreedReason = 'dropped' | 'late' | OverReason;
type OverReason = 'answered' | 'went_away';

/**
 * The bytes of one request as they arrive, counted among those of the whole process. When it has
 * been freed, further bytes pass by.
 */
export class BodyCopy extends BodyBytes {
  /** Nothing more will come, or be kept. */
  complete = false;
  readonly #account: BodyAccount;
  #answer: Answer | undefined;
  readonly #openedAt: number;
  #heardAt: number;
  #freed: FreedReason | undefined;
  #waiting: Set<() => void> | undefined;

  /** @internal Use `BodyCopies.open`. */
  constructor(account: BodyAccount, limit: number, answer: Answer | undefined) {
    super(limit);
    this.#account = account;
    this.#answer = answer;
    this.#openedAt = this.#heardAt = account.turn;
  }

  get isFreed(): boolean {
    return this.#freed !== undefined;
  }

  /** Turns since it was begun. */
  get age(): number {
    return this.#account.turn - this.#openedAt;
  }

  /** It is incomplete, and nothing has come for at least a turn. */
  get isStalled(): boolean {
    return !this.complete && this.#account.turn - this.#heardAt > 1;
  }

  /**
   * Why nobody can have a use for it any more. What somebody waits for is of use, also behind an
   * answer.
   */
  get over(): OverReason | undefined {
    const answer = this.#answer;
    if (answer === undefined || this.#waiting?.size) return undefined;
    if (answer.writableEnded) return 'answered';
    // A response queued behind others of its connection gets no event when the connection ends.
    return answer.destroyed || answer.req.socket.destroyed ? 'went_away' : undefined;
  }

  override add(piece: Uint8Array): void {
    if (this.isFreed || this.complete) return;
    this.#heardAt = this.#account.turn;
    const growth = this.growthFor(piece.length);
    if (growth === 0 || this.#account.reserve(this, growth)) super.add(piece);
  }

  /**
   * All the bytes, which are the reader's from then on: they are no longer counted, never dropped,
   * and nothing is added to them.
   * @throws {BodyTooLargeError} when there are more than `limit` bytes
   * @throws {BodyDroppedError} when it was freed for other bodies
   * @throws {BodyTimeoutError} when it was freed because it did not arrive in time
   * @throws {RawBodyUnavailableError} when it was freed because its request was answered, or the
   * client went away
   */
  override read(limit?: number): Buffer {
    if (this.#freed !== undefined && this.length <= (limit ?? Infinity))
      throw errorOf(this.#freed, this.#account.total);
    const bytes = super.read(limit);
    this.complete = true;
    this.#account.release(this);
    // Otherwise the copy, the request and the response refer to one another, and the collector of
    // garbage makes a small delivery a fifth dearer.
    this.#answer = undefined;
    return bytes;
  }

  /**
   * Says that somebody waits for the rest of it.
   * @param onFreed called when it is freed meanwhile
   * @returns ends the waiting
   */
  whileAwaited(onFreed: () => void): () => void {
    const waiting = (this.#waiting ??= new Set());
    waiting.add(onFreed);
    return () => void waiting.delete(onFreed);
  }

  /** @internal Lets go of the bytes. */
  free(reason: FreedReason): void {
    this.#freed = reason;
    this.discard();
    for (const onFreed of this.#waiting ?? []) onFreed();
  }

  protected override resized(difference: number): void {
    this.#account.count(this, difference);
  }

  protected override allocate(size: number): Buffer {
    return this.#account.allocate(size);
  }

  protected override unused(parts: readonly Buffer[]): void {
    this.#account.reuse(parts);
  }
}

function errorOf(reason: FreedReason, total: number): PlatformError {
  switch (reason) {
    case 'dropped':
      return new BodyDroppedError(
        `The body of the request was dropped: all bodies that are being received may take ${total} bytes of memory together.`,
      );
    case 'late':
      return bodyTimeout();
    case 'answered':
      return new RawBodyUnavailableError(
        'The request was answered before its body was asked for. Process a delivery first, and let that answer it.',
        reason,
      );
    case 'went_away':
      return clientWentAway();
  }
}

/** The error of a request whose client hung up. */
export function clientWentAway(cause?: unknown): RawBodyUnavailableError {
  return new RawBodyUnavailableError(
    'The client went away before its request was complete.',
    'went_away',
    { cause },
  );
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
