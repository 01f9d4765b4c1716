import type { Place } from '../concurrency/in-flight.js';
import { bodyTooLarge, freedError } from './body.errors.js';
import type { FreedReason, OverReason } from './body.errors.js';

/**
 * Of the parts of a body, in bytes: each is as long as all before it together, within these. Only a
 * longer piece gets a longer one.
 */
const SHORTEST_PART = 1024;
export const LONGEST_PART = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * What has come in of a body so far, in few parts however small the pieces: a buffer for each costs
 * hundreds of bytes, and a client can send one byte at a time. A part stays where it is when the
 * body grows: that needs no more memory than is kept. Beyond `limit` bytes are counted, not kept.
 */
export class BodyBytes {
  length = 0;
  #parts: Uint8Array[] = [];
  #allocated = 0;
  #keepsPieces = true;
  #hasKept = false;

  constructor(protected readonly limit: number) {}

  /** Bytes of memory it takes. */
  get allocated(): number {
    return this.#allocated;
  }

  /**
   * Copies a piece: whoever else reads the request may change it, or give its memory away. One that
   * nobody else has read may be kept instead, until somebody is about to (`copyKept`): for the
   * memory of all the copies, V8 would collect its whole heap again and again.
   */
  add(piece: Uint8Array, mayKeep = false): void {
    const growth = this.growthFor(piece);
    const left = this.#allocated - this.length;
    this.length += piece.length;
    if (this.length > this.limit) return this.discard();
    const last = this.#parts.at(-1);
    if (growth === 0) return last?.set(piece, last.length - left);
    if (mayKeep && this.#keepsPieces && left === 0) {
      this.#hasKept = true;
      return this.#push(piece);
    }
    const part = this.allocate(growth);
    last?.set(piece.subarray(0, left), last.length - left);
    part.set(piece.subarray(left));
    this.#push(part);
  }

  /**
   * The bytes, in one piece; they are not copied again the next time.
   * @throws {BodyTooLargeError} when there are more than `limit` bytes, or were more than are kept
   */
  read(limit = this.limit): Buffer {
    if (this.length > Math.min(limit, this.limit)) throw bodyTooLarge(limit);
    if (this.#parts.length > 1) this.#join();
    this.#keepsPieces = false;
    const [whole] = this.#parts;
    return whole ? Buffer.from(whole.buffer, whole.byteOffset, this.length) : NOTHING;
  }

  /**
   * To be called before anybody else gets a piece: from then on none is kept, and copies stand for
   * those that were. What was read is its reader's already.
   */
  copyKept(): void {
    if (!this.#keepsPieces) return;
    this.#keepsPieces = false;
    if (this.#hasKept) this.#parts = this.#parts.map((part) => new Uint8Array(part));
    this.#hasKept = false;
  }

  /** How many more bytes of memory it takes when a piece is added. */
  protected growthFor(piece: Uint8Array): number {
    const length = this.length + piece.length;
    const missing = length - this.#allocated;
    if (missing <= 0 || length > this.limit) return 0;
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
  protected allocate(size: number): Uint8Array {
    // Not from the pool that Node shares out: a few bytes of it keep all of it.
    return Buffer.allocUnsafeSlow(size);
  }

  /** Called with memory that is used no longer. */
  protected unused(_parts: readonly Uint8Array[]): void {}

  /** Called whenever it takes more memory than before, or less; in bytes. */
  protected resized(_difference: number): void {}

  #push(part: Uint8Array): void {
    this.#parts.push(part);
    this.#allocated += part.length;
    this.resized(part.length);
  }

  #join(): void {
    const whole = Buffer.allocUnsafe(this.length);
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
    if (!this.#hasKept) this.unused(unused);
    this.#hasKept = false;
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
  allocate(size: number): Uint8Array;
  reuse(parts: readonly Uint8Array[]): void;
}

/** Somebody who waits for a body. */
interface Waiting {
  readonly limit: number;
  readonly wake: () => void;
}
const NOBODY: Waiting[] = [];

/**
 * The bytes of one request as they arrive, counted among those of the whole process. When it has
 * been freed, further bytes pass by.
 */
export class BodyCopy extends BodyBytes {
  readonly #account: BodyAccount;
  #answer: Answer | undefined;
  readonly #openedAt: number;
  #heardAt: number;
  #isComplete = false;
  #freed: FreedReason | undefined;
  #waiting: Waiting[] = NOBODY;
  /** @internal Where the account keeps it. */
  place: Place<BodyCopy> | undefined;

  /** @internal Use `BodyCopies.open`. */
  constructor(account: BodyAccount, limit: number, answer: Answer | undefined) {
    super(limit);
    this.#account = account;
    this.#answer = answer;
    this.#openedAt = this.#heardAt = account.turn;
  }

  /** Nothing more will come, or be kept. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Somebody waits for the rest of it. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
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
    return !this.#isComplete && this.#account.turn - this.#heardAt > 1;
  }

  /**
   * Why nobody can have a use for it any more. What somebody waits for is of use, also behind an
   * answer.
   */
  get over(): OverReason | undefined {
    const answer = this.#answer;
    if (answer === undefined || this.isAwaited) return undefined;
    if (answer.writableEnded) return 'answered';
    // A response queued behind others of its connection gets no event when the connection ends.
    return answer.destroyed || answer.req.socket.destroyed ? 'went_away' : undefined;
  }

  override add(piece: Uint8Array, mayKeep?: boolean): void {
    if (this.isFreed || this.#isComplete) return;
    this.#heardAt = this.#account.turn;
    const growth = this.growthFor(piece);
    if (growth > 0 && !this.#account.reserve(this, growth)) return;
    super.add(piece, mayKeep);
    this.#wake();
  }

  /** Nothing more will come. */
  end(): void {
    this.#isComplete = true;
    this.#wake();
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
      throw freedError(this.#freed, this.#account.total);
    const bytes = super.read(limit);
    this.#isComplete = true;
    this.#account.release(this);
    // As long as it refers to its response, a small delivery costs a fifth more, to be collected.
    this.#answer = undefined;
    return bytes;
  }

  /**
   * Says that somebody waits for the rest of it.
   * @param limit bytes; more of them are not waited for
   * @param wake called when it is complete, longer than `limit`, or freed
   * @returns ends the waiting
   */
  wait(limit: number, wake: () => void): () => void {
    const waiting = { limit, wake };
    this.#waiting = [...this.#waiting, waiting];
    return () => void (this.#waiting = this.#waiting.filter((other) => other !== waiting));
  }

  /** @internal Lets go of the bytes. */
  free(reason: FreedReason): void {
    this.#freed = reason;
    this.discard();
    this.#wake();
  }

  #wake(): void {
    const isOver = this.#isComplete || this.isFreed;
    for (const { limit, wake } of this.#waiting) if (isOver || this.length > limit) wake();
  }

  protected override resized(difference: number): void {
    this.#account.count(this, difference);
  }

  protected override allocate(size: number): Uint8Array {
    return this.#account.allocate(size);
  }

  protected override unused(parts: readonly Uint8Array[]): void {
    this.#account.reuse(parts);
  }
}
