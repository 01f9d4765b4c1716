import { createHash } from 'node:crypto';

import type { VerifiedDelivery, WebhookFacts } from '../../deliveries/webhook-delivery.js';
import type { BodyCipher } from './body-cipher.js';
import { MOST_TIMES } from './bullmq.driver.js';

/** How long a delivery is known after its end, in seconds: its duplicates are ignored. */
const KEPT = { age: 7 * 24 * 3_600 };

/** A delivery as it is stored: plain JSON. */
export interface StoredDelivery {
  /** Of this form. */
  readonly version: 1;
  readonly facts: WebhookFacts;
  readonly path: string;
  /** Gone as soon as all handlers have succeeded. */
  readonly body?: StoredBody | undefined;
}

/** A body; as text where that keeps all its bytes, so that it can be read in the queue. */
type StoredBody =
  | { readonly text: string }
  | { readonly base64: string }
  /** With a key of the app's. */
  | { readonly encrypted: string };

/** What has been done for a delivery, as it is stored beside it: plain JSON. */
export interface DeliveryProgress {
  /** Names of the handlers that have succeeded. */
  readonly handled: readonly string[];
  /** Processes that ended while they handled it, since it was added or given up. */
  readonly crashes: number;
  /** How many had ended when it was given up. */
  readonly forgiven: number;
  /** Set when it is given up, and until a replay begins. */
  readonly givenUp?: GivenUp | undefined;
}

/** What is known of a delivery that was given up. */
export interface GivenUp {
  /** The starts that BullMQ had counted: after a replay it counts from 0. */
  readonly atStart: number;
  /** How often it was begun, orderly shutdowns left out. */
  readonly tries: number;
  /** Names of the handlers that failed last. */
  readonly handlers?: readonly string[] | undefined;
}

/**
 * The id of a delivery in the queue: the same for each attempt of the platform, so that all but the
 * first are ignored. Never the id itself, which may be of a form that a queue refuses.
 */
export function jobIdOf(app: string, { shop, webhookId }: WebhookFacts): string {
  const key = JSON.stringify([app, shop, webhookId]);
  return `d-${createHash('sha256').update(key).digest('hex')}`;
}

/** @param id of the delivery in the queue: an encrypted body opens under it alone */
export function toStored(
  { facts, body, path }: VerifiedDelivery,
  id: string,
  cipher: BodyCipher,
): StoredDelivery {
  return { version: 1, facts, path, body: storedBody(body, id, cipher) };
}

function storedBody(body: Buffer, id: string, cipher: BodyCipher): StoredBody {
  if (cipher.seals) return { encrypted: cipher.seal(body, id) };
  const text = body.toString('utf8');
  // PostgreSQL has no text with this character.
  const isText = !text.includes('\0') && Buffer.from(text, 'utf8').equals(body);
  return isText ? { text } : { base64: body.toString('base64') };
}

/**
 * How the driver keeps a delivery. It never gives one up by itself: how often a delivery is begun
 * is up to the process that handles it, which may have other options than the one that stored it.
 * @param backoff in milliseconds
 */
export function jobOptionsOf(id: string, backoff: number): object {
  return {
    jobId: id,
    attempts: MOST_TIMES,
    backoff: { type: 'exponential', delay: backoff, jitter: 0.5 },
    removeOnComplete: KEPT,
    removeOnFail: KEPT,
    stackTraceLimit: 1,
  };
}

/** What a job holds; `undefined` when it is not of this form. */
export function storedIn(data: unknown): StoredDelivery | undefined {
  const { version, facts, path } = Object(data) as Partial<StoredDelivery>;
  const { topic, shop, webhookId } = Object(facts) as Partial<WebhookFacts>;
  const isStored =
    version === 1 && [topic, shop, webhookId, path].every((value) => typeof value === 'string');
  return isStored ? (data as StoredDelivery) : undefined;
}

/**
 * The delivery again, as it was received.
 * @throws {WebhookQueueError} when its body is encrypted with a key that is not there
 */
export function fromStored(
  { facts, path }: StoredDelivery,
  body: StoredBody,
  id: string,
  cipher: BodyCipher,
): VerifiedDelivery {
  return { facts, path, body: bytesOf(body, id, cipher) };
}

function bytesOf(body: StoredBody, id: string, cipher: BodyCipher): Buffer {
  if ('encrypted' in body) return cipher.open(body.encrypted, id);
  return 'base64' in body ? Buffer.from(body.base64, 'base64') : Buffer.from(body.text, 'utf8');
}

/** What a job says of its progress. A new one says nothing. */
export function progressIn(progress: unknown): DeliveryProgress {
  const {
    handled = [],
    crashes = 0,
    forgiven = 0,
    givenUp,
  } = Object(progress) as Partial<DeliveryProgress>;
  return { handled, crashes, forgiven, givenUp };
}
