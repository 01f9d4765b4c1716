import { isRecord } from '../../core/json.js';
import { EVENT_HEADERS } from '../../core/vendor.js';
import { readFacts } from '../deliveries/webhook.verifier.js';
import type { VerifiedDelivery } from '../deliveries/webhook-delivery.js';
import { InvalidWebhookMessageError } from '../webhooks.errors.js';

/** What a message carries, and the names of its members for errors. */
interface Envelope {
  /** In place of the path of an HTTP delivery: which subscriptions it can be of. */
  readonly source: 'eventbridge' | 'pubsub';
  readonly body: Buffer;
  /** In place of headers. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Such as `detail.metadata`. */
  readonly attributesAt: string;
}

/**
 * The delivery in a message of EventBridge, SQS or Pub/Sub.
 * @throws {InvalidWebhookMessageError} naming the member that is missing or wrong
 */
export function deliveryIn(message: unknown): VerifiedDelivery {
  const { source, body, attributes, attributesAt } = envelopeOf(message);
  const texts = new Map(
    Object.entries(attributes).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name.toLowerCase(), value]] : [],
    ),
  );
  const type = texts.has(EVENT_HEADERS.topic) ? 'events' : 'webhooks';
  const read = readFacts(type, (name) => texts.get(name));
  if (read.kind === 'read') return { facts: read.facts, body, path: source };
  const names = (read.missingHeaders ?? []).map((name) => `${attributesAt}["${name}"]`);
  throw new InvalidWebhookMessageError(
    names.length > 0
      ? `The message is no delivery: it lacks ${names.join(', ')}.`
      : `The message is no delivery: ${attributesAt} names no shop.`,
  );
}

function envelopeOf(message: unknown): Envelope {
  if (!isRecord(message)) throw notAMessage('it is no object');
  if (Array.isArray(message['Records']))
    throw notAMessage('it is a batch. Hand over its Records one by one');
  // A record of a Lambda function, or what the client of SQS receives.
  const text = message['body'] ?? message['Body'];
  if (typeof text === 'string') return eventIn(parsed(text), 'body.');
  if ('detail' in message) return eventIn(message, '');
  // What Pub/Sub pushes, or what its client pulls.
  if (isRecord(message['message'])) return publishedIn(message['message'], 'message.');
  if ('data' in message || 'attributes' in message) return publishedIn(message, '');
  throw notAMessage(
    'it has no detail (EventBridge), no body (SQS), and neither message nor data (Pub/Sub)',
  );
}

function eventIn(event: unknown, at: string): Envelope {
  const detail = isRecord(event) ? event['detail'] : undefined;
  if (!isRecord(detail)) throw notAMessage(`${at}detail is no object`);
  const { metadata, payload } = detail;
  if (!isRecord(metadata)) throw notAMessage(`${at}detail.metadata is no object`);
  if (payload === undefined) throw notAMessage(`${at}detail.payload is missing`);
  return {
    source: 'eventbridge',
    body: Buffer.from(JSON.stringify(payload)),
    attributes: metadata,
    attributesAt: `${at}detail.metadata`,
  };
}

function publishedIn(
  { data, attributes }: Readonly<Record<string, unknown>>,
  at: string,
): Envelope {
  if (!isRecord(attributes)) throw notAMessage(`${at}attributes is no object`);
  const body = bytesOf(data);
  if (!body) throw notAMessage(`${at}data is neither bytes nor a text in base64`);
  return { source: 'pubsub', body, attributes, attributesAt: `${at}attributes` };
}

const BASE64 = /^[\w+/-]+={0,2}$/;

function bytesOf(data: unknown): Buffer | undefined {
  if (data instanceof Uint8Array && data.length > 0) return Buffer.from(data);
  return typeof data === 'string' && BASE64.test(data) ? Buffer.from(data, 'base64') : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without the cause: the parser quotes the message.
    throw notAMessage('body is no JSON');
  }
}

function notAMessage(problem: string): InvalidWebhookMessageError {
  return new InvalidWebhookMessageError(`The message is no delivery: ${problem}.`);
}
