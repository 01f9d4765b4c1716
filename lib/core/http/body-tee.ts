import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { isBase64Digest } from '../crypto/secret-keys.js';
import { EVENT_HEADERS, WEBHOOK_HEADERS } from '../vendor.js';
import { bodyCopies } from './body-copies.js';
import type { BodyCopy } from './body-copy.js';

/**
 * Published before any listener sees a request. Node documents it as experimental, so it is used
 * here only and the ladder of `readRawBody` stands behind it.
 */
const REQUEST_START = 'http.server.request.start';

const copies = new WeakMap<IncomingMessage, BodyCopy>();
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
export function copyOf(request: IncomingMessage): BodyCopy | undefined {
  return copies.get(request);
}

/**
 * Copies the bytes of an unread request while it is read. No event reports its response: close the
 * copy at the end.
 */
export function copyUnread(request: IncomingMessage, limit: number): BodyCopy {
  const copy = bodyCopies.open(limit);
  copies.set(request, copy);
  request.on('data', (chunk: Buffer | string) =>
    copy.add(typeof chunk === 'string' ? Buffer.from(chunk, request.readableEncoding!) : chunk),
  );
  request.once('end', () => (copy.complete = true));
  return copy;
}

function onRequestStart(message: unknown): void {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const signature = request.headers[EVENT_HEADERS.hmac] || request.headers[WEBHOOK_HEADERS.hmac];
  if (signature && isBase64Digest(signature)) tee(request, response);
}

function tee(request: IncomingMessage, response: ServerResponse): void {
  const copy = bodyCopies.open(Math.max(...limits), response);
  const push = request.push;
  request.push = function (chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk === null) copy.complete = true;
    else if (Buffer.isBuffer(chunk)) copy.add(chunk);
    return push.call(this, chunk, encoding);
  };
  copies.set(request, copy);
}
