import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';

import { systemClock } from '../clock.js';
import type { Clock } from '../clock.js';
import { RawBodyUnavailableError } from '../core.errors.js';
import { isBase64Digest } from '../crypto/base64-digest.js';
import { EVENT_HEADERS, WEBHOOK_HEADERS } from '../vendor.js';
import { BODY_TIMEOUT, BodyBytes, bodyTimeout, bodyTooLarge } from './body-bytes.js';
import { TimeLimit } from './time-limit.js';

/** A request of Node's HTTP server, as a framework may have left it. */
export type BodyRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/** Published before any listener sees a request. Node documents it as experimental, so it is used here only and the ladder stands behind it. */
const REQUEST_START = 'http.server.request.start';

/** The bytes of one request, from wherever they are copied. */
class BodyCopy extends BodyBytes {
  complete = false;
}

const copies = new WeakMap<IncomingMessage, BodyCopy>();
const limits: number[] = [];

/**
 * Copies the bytes of every request that carries a webhook signature, as they arrive from the socket and whatever reads them
 * afterwards, for {@link readRawBody}. Counted: all callers share one subscription, with the largest `limit` (bytes) of them.
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

function onRequestStart(message: unknown): void {
  const { request } = message as { request: IncomingMessage };
  const signature = request.headers[EVENT_HEADERS.hmac] || request.headers[WEBHOOK_HEADERS.hmac];
  if (isBase64Digest(signature)) tee(request, Math.max(...limits));
}

function tee(request: IncomingMessage, limit: number): void {
  const copy = new BodyCopy(limit);
  const push = request.push;
  request.push = function (chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk === null) copy.complete = true;
    else if (Buffer.isBuffer(chunk)) copy.add(chunk);
    return push.call(this, chunk, encoding);
  };
  copies.set(request, copy);
}

/**
 * The body as it was sent, up to `limit` bytes: from the copy made on arrival, else from `rawBody`, the unread stream, or a body that
 * was kept as bytes or text. What nobody has read yet is read here. May be called more than once.
 * @throws {BodyTooLargeError} as soon as the length is known to exceed the limit
 * @throws {BodyTimeoutError} when it is not complete 10 s after it was asked for
 * @throws {RawBodyUnavailableError} when only a parsed form is left, or the client went away
 */
export async function readRawBody(request: BodyRequest, limit: number, clock: Clock = systemClock): Promise<Buffer> {
  if (Number(request.headers['content-length']) > limit) throw bodyTooLarge(limit);
  const copy = copies.get(request);
  if (copy) return arrived(request, copy, limit, clock);
  if (Buffer.isBuffer(request.rawBody)) return within(request.rawBody, limit);
  if (!request.readableDidRead) return arrived(request, copyUnread(request, limit), limit, clock);
  if (Buffer.isBuffer(request.body)) return within(request.body, limit);
  // The last rung: text that was decoded from anything but valid UTF-8 no longer matches its signature.
  if (typeof request.body === 'string') return within(Buffer.from(request.body), limit);
  throw new RawBodyUnavailableError(
    'The raw body of the request is gone: something parsed it before the signature could be checked. ' +
      'Answer webhooks before any body parser, or keep the bytes in `rawBody`.',
  );
}

function copyUnread(request: BodyRequest, limit: number): BodyCopy {
  const copy = new BodyCopy(limit);
  copies.set(request, copy);
  request.on('data', (chunk: Buffer | string) =>
    copy.add(typeof chunk === 'string' ? Buffer.from(chunk, request.readableEncoding!) : chunk),
  );
  request.once('end', () => (copy.complete = true));
  return copy;
}

async function arrived(request: BodyRequest, copy: BodyCopy, limit: number, clock: Clock): Promise<Buffer> {
  if (!copy.complete && copy.length <= limit) await theRest(request, copy, limit, new TimeLimit(clock, BODY_TIMEOUT));
  return copy.read(limit);
}

/** Waits until all of the body is here, or too much of it. Reading on is up to us, as the handler of the request: nobody else may ever do it. */
function theRest(request: BodyRequest, copy: BodyCopy, limit: number, time: TimeLimit): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const settle = (error?: Error): void => {
      request.off('data', watch);
      time.signal.removeEventListener('abort', giveUp);
      time.cancel();
      stopWaiting();
      if (error) reject(error);
      else resolve();
    };
    const watch = (): void => {
      // The rest keeps flowing into nothing, so that the client gets to read the answer.
      if (copy.length > limit) settle();
    };
    const giveUp = (): void => settle(bodyTimeout());
    const stopWaiting = finished(request, { writable: false }, (cause) => settle(cause ? wentAway(cause) : undefined));
    time.signal.addEventListener('abort', giveUp);
    request.on('data', watch);
    request.resume();
  });
}

function wentAway(cause: unknown): RawBodyUnavailableError {
  return new RawBodyUnavailableError('The client went away before its request was complete.', 'went_away', { cause });
}

function within(body: Buffer, limit: number): Buffer {
  if (body.length > limit) throw bodyTooLarge(limit);
  return body;
}
