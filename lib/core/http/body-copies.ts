import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { LinkedSet } from '../concurrency/in-flight.js';
import { isBase64Digest } from '../crypto/secret-keys.js';
import { inBackground } from '../time/clock.js';
import { EVENT_HEADERS, WEBHOOK_HEADERS } from '../vendor.js';
import { LONGEST_PART, BodyCopy } from './body-copy.js';
import type { Answer, BodyAccount } from './body-copy.js';
import { BODY_TIMEOUT } from './body.errors.js';
import type { FreedReason } from './body.errors.js';

/** Milliseconds between two looks at all bodies. */
const TURN = 1_000;
const TURNS_TO_ARRIVE = BODY_TIMEOUT / TURN;
/**
 * The share of the total that is freed beside what is needed: a look at many small bodies for every
 * piece would cost more than the piece.
 */
const SPARE = 1 / 8;
/** Bytes. Shorter pieces are copied: an object for each would cost as much as its bytes. */
const SHORTEST_KEPT = 512;

/**
 * The bodies that are kept in memory, within one total. When it is reached, bodies are dropped:
 * those that have stalled, oldest first, then the oldest. Besides, a body is freed when its request
 * has been answered, and when it has not arrived in time: one timer for all looks after that, once
 * a second while there are bodies.
 */
export class BodyCopies implements BodyAccount {
  turn = 0;
  /** Oldest first. */
  readonly #copies = new LinkedSet<BodyCopy>();
  readonly #totals: number[] = [];
  /**
   * Memory of bodies that were dropped, for those that made them go: what is left to the garbage
   * collector stays for a while, and adds up.
   */
  #spare: Uint8Array[] = [];
  #allocated = 0;
  /** The last turn in which the total was reached. */
  #reachedAt = -Infinity;
  #watching = false;

  /** @param later calls `act` after some milliseconds, and keeps no process alive */
  constructor(private readonly later: (ms: number, act: () => void) => void = inBackground) {}

  /** Bytes of memory that are taken. */
  get allocated(): number {
    return this.#allocated;
  }

  /**
   * True while there is memory in plenty: only then pieces are kept instead of copied, since their
   * memory cannot become that of others when bodies are dropped.
   */
  get isCalm(): boolean {
    return this.#allocated <= this.total / 4 && this.#reachedAt < this.turn - 1;
  }

  get total(): number {
    return this.#totals.length > 0 ? Math.max(...this.#totals) : Infinity;
  }

  /**
   * Sets the total, in bytes; of all that are set, the largest counts.
   * @returns takes it back; without effect the second time
   */
  limitTo(total: number): () => void {
    this.#totals.push(total);
    let held = true;
    return () => {
      if (held) this.#totals.splice(this.#totals.indexOf(total), 1);
      held = false;
    };
  }

  /**
   * Begins a body.
   * @param limit bytes of it that are kept at most
   * @param answer the response to its request: what nobody has read is freed when that has ended.
   * Without one, {@link close} it
   */
  open(limit: number, answer?: Answer): BodyCopy {
    const copy = new BodyCopy(this, limit, answer);
    copy.place = this.#copies.add(copy);
    this.#watch();
    return copy;
  }

  /** Frees a body that nobody will read any more. What was read is its reader's. */
  close(copy: BodyCopy): void {
    if (copy.place) this.#free(copy, 'late');
  }

  release(copy: BodyCopy): void {
    if (this.#remove(copy)) this.#allocated -= copy.allocated;
  }

  reserve(asking: BodyCopy, bytes: number): boolean {
    if (this.#fits(bytes)) return true;
    this.#reachedAt = this.turn;
    const goal = this.total * (1 - SPARE) - bytes;
    this.#freeUseless();
    for (const goesFirst of [
      (copy: BodyCopy) => copy.isStalled,
      (copy: BodyCopy) => copy !== asking || !this.#fits(bytes),
    ]) {
      for (const copy of this.#copies.values()) {
        if (this.#allocated <= goal || asking.isFreed) break;
        if (copy.allocated > 0 && goesFirst(copy)) this.#free(copy, 'dropped');
      }
    }
    return !asking.isFreed;
  }

  count(copy: BodyCopy, difference: number): void {
    if (copy.place) this.#allocated += difference;
  }

  allocate(size: number): Uint8Array {
    const spare = size === LONGEST_PART ? this.#spare.pop() : undefined;
    if (spare) return spare;
    while (this.#spare.length > 0 && !this.#fits(size + this.#spare.length * LONGEST_PART))
      this.#spare.pop();
    return Buffer.allocUnsafeSlow(size);
  }

  reuse(parts: readonly Uint8Array[]): void {
    for (const part of parts) {
      if (part.length === LONGEST_PART && this.#fits((this.#spare.length + 1) * LONGEST_PART))
        this.#spare.push(part);
    }
  }

  #fits(bytes: number): boolean {
    return this.#allocated + bytes <= this.total;
  }

  #freeUseless(): void {
    for (const copy of this.#copies.values()) {
      const { over } = copy;
      if (over) this.#free(copy, over);
      else if (!copy.isComplete && copy.age > TURNS_TO_ARRIVE) this.#free(copy, 'late');
    }
  }

  #free(copy: BodyCopy, reason: FreedReason): void {
    if (copy.isFreed) return;
    copy.free(reason);
    this.#remove(copy);
  }

  #remove(copy: BodyCopy): boolean {
    const { place } = copy;
    copy.place = undefined;
    return place !== undefined && this.#copies.delete(place);
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    this.later(TURN, () => {
      this.#watching = false;
      this.turn++;
      this.#freeUseless();
      if (this.#reachedAt < this.turn - 1 || this.#copies.size === 0) this.#spare = [];
      if (this.#copies.size > 0) this.#watch();
    });
  }
}

/** Those of this process. */
export const bodyCopies = new BodyCopies();

/**
 * Published before any listener sees a request. Node documents it as experimental, so it is used
 * here only and the ladder of `readRawBody` stands behind it.
 */
const REQUEST_START = 'http.server.request.start';

/**
 * Where a request keeps its copy. A weak map would hold all that refer to one another for longer:
 * the collector clears it in full collections only.
 */
const COPY = Symbol('shopwright body copy');
/** What took the bytes from the socket before, and what handed them to readers. */
const PUSH = Symbol('shopwright request push');
const READ = Symbol('shopwright request read');
type CopiedRequest = IncomingMessage & {
  [COPY]?: BodyCopy;
  [PUSH]?: IncomingMessage['push'];
  [READ]?: IncomingMessage['read'];
};
const limits: number[] = [];

/**
 * Copies the bytes of every request that carries a webhook signature, as they arrive from the
 * socket and whatever reads them afterwards, for `readRawBody`. Counted: all callers share one
 * subscription, with the largest `limit` (bytes) of them.
 * @returns releases this caller's share; without effect the second time
 */
export function teeSignedBodies(limit: number): () => void {
  if (limits.length === 0) subscribe(REQUEST_START, onRequestStart);
  limits.push(limit);
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    limits.splice(limits.indexOf(limit), 1);
    if (limits.length === 0) unsubscribe(REQUEST_START, onRequestStart);
  };
}

/** The copy of a request's body, if there is one. */
export function copyOf(request: CopiedRequest): BodyCopy | undefined {
  return request[COPY];
}

/**
 * Copies the bytes of an unread request while it is read. No event reports its response: close the
 * copy at the end.
 */
export function copyUnread(request: CopiedRequest, limit: number): BodyCopy {
  const copy = (request[COPY] = bodyCopies.open(limit));
  request.on('data', (chunk: Buffer | string) =>
    copy.add(typeof chunk === 'string' ? Buffer.from(chunk, request.readableEncoding!) : chunk),
  );
  request.once('end', () => copy.end());
  return copy;
}

function onRequestStart(message: unknown): void {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const signature = request.headers[EVENT_HEADERS.hmac] || request.headers[WEBHOOK_HEADERS.hmac];
  if (signature && isBase64Digest(signature)) tee(request, response);
}

function tee(request: CopiedRequest, response: ServerResponse): void {
  if (request[COPY]) return;
  request[COPY] = bodyCopies.open(Math.max(...limits), response);
  request[PUSH] = request.push;
  request.push = copyAndPush;
  request[READ] = request.read;
  request.read = copyAndRead;
}

/**
 * The same functions for all requests: as long as each had one of its own for a property, V8 kept
 * every request and its body alive until it collected the whole heap.
 */
function copyAndPush(this: CopiedRequest, chunk: unknown, encoding?: BufferEncoding): boolean {
  const copy = this[COPY]!;
  // Deno makes no Buffer of what it reads.
  if (ArrayBuffer.isView(chunk)) {
    const piece = chunk as Uint8Array;
    copy.add(piece, standsAlone(piece) && bodyCopies.isCalm && !isHandedOn(this));
  }
  const goesOn = this[PUSH]!(chunk, encoding);
  if (chunk === null) copy.end();
  return goesOn;
}

/** All that is not handed on at once goes through here, also into nothing. */
function copyAndRead(this: CopiedRequest, size?: number): unknown {
  const copy = this[COPY]!;
  // To read nothing is how a stream asks itself for more.
  if (size !== 0 && !(copy.isAwaited && flowsIntoNothing(this))) copy.copyKept();
  return this[READ]!(size);
}

/** True for a piece that is worth keeping, and shares its memory with nothing else. */
function standsAlone({ buffer, length }: Uint8Array): boolean {
  return length >= SHORTEST_KEPT && buffer.byteLength === length;
}

/** True when somebody gets what comes in as soon as it does. */
function isHandedOn(request: IncomingMessage): boolean {
  return request.readableFlowing === true && request.listenerCount('data') > 0;
}

/** True when nobody gets what comes in. */
export function flowsIntoNothing(request: IncomingMessage): boolean {
  return request.readableFlowing === true && request.listenerCount('data') === 0;
}
