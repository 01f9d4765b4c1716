import { isBase64Digest, isDelivered } from '../../core/crypto/secret-keys.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { EVENT_HEADERS, WEBHOOK_HEADERS, WEBHOOK_HEADER_TITLES } from '../../core/vendor.js';
import { normalizeTopic } from '../handlers/webhook.registry.js';
import { SIGNED_MARK } from '../signed/signed-topic.js';
import type { WebhookFacts } from './webhook-delivery.js';

/** Looks up a request header, in any spelling of its name. */
type HeaderLookup = (name: string) => string | undefined;

/** The headers of a delivery whose signature is valid. */
interface VerifiedWebhook {
  readonly kind: 'verified';
  readonly facts: WebhookFacts;
  readonly hmac: string;
}

/** Why a delivery must not be believed. */
type WebhookRejection =
  'missing_body' | 'missing_hmac' | 'invalid_hmac' | 'missing_headers' | 'invalid_shop';

/** A delivery that must not be believed. */
export interface RejectedWebhook {
  readonly kind: 'rejected';
  readonly reason: WebhookRejection;
  /** Required headers that are absent or empty. */
  readonly missingHeaders?: readonly string[];
}

const REQUIRED = ['topic', 'domain', 'apiVersion', 'webhookId'] as const;
/** By family: its headers, and which of them has each fact that not every delivery comes with. */
const FAMILIES = {
  webhooks: {
    headers: WEBHOOK_HEADERS,
    titles: WEBHOOK_HEADER_TITLES,
    optional: (['eventId', 'name', 'triggeredAt'] as const).map(
      (fact) => [fact, WEBHOOK_HEADERS[fact]] as const,
    ),
  },
  events: {
    headers: EVENT_HEADERS,
    titles: EVENT_HEADERS,
    optional: (['eventId', 'handle', 'action', 'resourceId', 'triggeredAt'] as const).map(
      (fact) => [fact, EVENT_HEADERS[fact]] as const,
    ),
  },
} as const;

/**
 * Checks that a delivery comes from the platform and is meant for this app, over the bytes as they
 * were sent.
 */
export class WebhookVerifier {
  constructor(private readonly keys: SecretKeys) {}

  /**
   * Rejects a delivery that no body could make valid; `undefined` when its signature has to be
   * checked.
   */
  precheck(header: HeaderLookup): RejectedWebhook | undefined {
    const hmac = header(EVENT_HEADERS.hmac) || header(WEBHOOK_HEADERS.hmac);
    if (!hmac) return { kind: 'rejected', reason: 'missing_hmac' };
    return isBase64Digest(hmac) ? undefined : { kind: 'rejected', reason: 'invalid_hmac' };
  }

  /**
   * Checks the signature, then reads the rest of the headers. A request with both families of
   * headers counts as an event.
   */
  verify(rawBody: Buffer, header: HeaderLookup): VerifiedWebhook | RejectedWebhook {
    const webhookType = header(EVENT_HEADERS.hmac) ? 'events' : 'webhooks';
    const hmac = header(FAMILIES[webhookType].headers.hmac);
    if (rawBody.length === 0) return { kind: 'rejected', reason: 'missing_body' };
    if (!hmac) return { kind: 'rejected', reason: 'missing_hmac' };
    if (!this.keys.verify(rawBody, hmac, 'base64') || !isDelivered(rawBody))
      return { kind: 'rejected', reason: 'invalid_hmac' };
    const read = readFacts(webhookType, header);
    return read.kind === 'read' ? { kind: 'verified', facts: read.facts, hmac } : read;
  }
}

/** What the headers of a delivery say, whoever has sent them. */
interface ReadFacts {
  readonly kind: 'read';
  readonly facts: WebhookFacts;
}

/**
 * Reads everything but the signature from the headers of a delivery, or from what a message has in
 * place of them.
 */
export function readFacts(
  webhookType: WebhookFacts['webhookType'],
  header: HeaderLookup,
): ReadFacts | RejectedWebhook {
  const { headers, titles, optional } = FAMILIES[webhookType];
  const topic = header(headers.topic);
  const domain = header(headers.domain);
  const apiVersion = header(headers.apiVersion);
  const webhookId = header(headers.webhookId);
  if (!topic || !domain || !apiVersion || !webhookId) {
    const missing = REQUIRED.filter((fact) => !header(headers[fact]));
    const missingHeaders = missing.map((fact) => titles[fact]);
    return { kind: 'rejected', reason: 'missing_headers', missingHeaders };
  }
  const shop = sanitizeShop(domain);
  if (shop === null) return { kind: 'rejected', reason: 'invalid_shop' };
  const facts: { -readonly [Fact in keyof WebhookFacts]: WebhookFacts[Fact] } = {
    webhookType,
    topic: constantOf(topic),
    shop,
    apiVersion,
    webhookId,
  };
  for (const [fact, name] of optional) {
    const value = header(name);
    if (value) facts[fact] = value;
  }
  return { kind: 'read', facts };
}

/** What topics of deliveries are as constants: there are few, and each comes again and again. */
const CONSTANTS = new Map<string, string>();
const MOST_CONSTANTS = 1_000;
const LONGEST_TOPIC = 100;

function constantOf(topic: string): string {
  const known = CONSTANTS.get(topic);
  if (known !== undefined) return known;
  const constant = normalizeTopic(topic).replaceAll(SIGNED_MARK, '_');
  if (topic.length > LONGEST_TOPIC) return constant;
  // Topics are not signed: whoever has one delivery can send it again with others.
  if (CONSTANTS.size >= MOST_CONSTANTS) CONSTANTS.clear();
  CONSTANTS.set(topic, constant);
  return constant;
}
