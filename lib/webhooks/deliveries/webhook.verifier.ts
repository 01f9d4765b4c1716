import { isBase64Digest } from '../../core/crypto/secret-keys.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { EVENT_HEADERS, WEBHOOK_HEADERS, WEBHOOK_HEADER_TITLES } from '../../core/vendor.js';
import { normalizeTopic } from '../subscriptions/webhook-topic.js';

/** Looks up a request header, in any spelling of its name. */
export type HeaderLookup = (name: string) => string | undefined;

/** A delivery whose signature is right. Optional facts are absent when their header is. */
export interface VerifiedWebhook {
  readonly valid: true;
  readonly webhookType: 'webhooks' | 'events';
  readonly hmac: string;
  /** As a constant: `PRODUCTS_CREATE`. */
  readonly topic: string;
  /** The shop, in its canonical spelling. */
  readonly domain: string;
  readonly apiVersion: string;
  readonly webhookId: string;
  readonly eventId?: string;
  readonly name?: string;
  readonly triggeredAt?: string;
  readonly handle?: string;
  readonly action?: string;
  readonly resourceId?: string;
}

/** A delivery that must not be believed, and why. */
export interface RejectedWebhook {
  readonly valid: false;
  readonly reason:
    'missing_body' | 'missing_hmac' | 'invalid_hmac' | 'missing_headers' | 'invalid_shop';
  /** Required headers that are absent or empty. */
  readonly missingHeaders?: readonly string[];
}

export type WebhookVerification = VerifiedWebhook | RejectedWebhook;

const REQUIRED = ['hmac', 'topic', 'domain', 'apiVersion', 'webhookId'] as const;
const FAMILIES = {
  webhooks: {
    headers: WEBHOOK_HEADERS,
    titles: WEBHOOK_HEADER_TITLES,
    optional: ['eventId', 'name', 'triggeredAt'],
  },
  events: {
    headers: EVENT_HEADERS,
    titles: EVENT_HEADERS,
    optional: ['eventId', 'handle', 'action', 'resourceId', 'triggeredAt'],
  },
} as const;

/**
 * Checks that a delivery comes from the platform and is meant for this app, over the bytes as they
 * were sent.
 */
export class WebhookVerifier {
  constructor(private readonly keys: SecretKeys) {}

  /**
   * What can be said against a delivery before its body is known; nothing when its signature has to
   * be checked.
   */
  precheck(header: HeaderLookup): RejectedWebhook | undefined {
    const hmac = header(EVENT_HEADERS.hmac) || header(WEBHOOK_HEADERS.hmac);
    if (!hmac) return { valid: false, reason: 'missing_hmac' };
    return isBase64Digest(hmac) ? undefined : { valid: false, reason: 'invalid_hmac' };
  }

  /**
   * Reads the signature, then the rest of the headers. A request with both families of headers
   * counts as an event.
   */
  verify(rawBody: Buffer, header: HeaderLookup): WebhookVerification {
    const webhookType = header(EVENT_HEADERS.hmac) ? 'events' : 'webhooks';
    const { headers, titles, optional } = FAMILIES[webhookType];
    const names: Readonly<Record<string, string>> = headers;
    const hmac = header(headers.hmac);
    if (rawBody.length === 0) return { valid: false, reason: 'missing_body' };
    if (!hmac) return { valid: false, reason: 'missing_hmac' };
    if (!this.keys.verify(rawBody, hmac, 'base64') || !isDelivered(rawBody))
      return { valid: false, reason: 'invalid_hmac' };

    const missingHeaders = REQUIRED.filter((fact) => !header(headers[fact])).map(
      (fact) => titles[fact],
    );
    if (missingHeaders.length > 0)
      return { valid: false, reason: 'missing_headers', missingHeaders };
    const domain = sanitizeShop(header(headers.domain));
    if (domain === null) return { valid: false, reason: 'invalid_shop' };
    const given = optional
      .map((fact) => [fact, header(names[fact]!)] as const)
      .filter(([, value]) => value);
    return {
      valid: true,
      webhookType,
      hmac,
      topic: normalizeTopic(header(headers.topic)!),
      domain,
      apiVersion: header(headers.apiVersion)!,
      webhookId: header(headers.webhookId)!,
      ...Object.fromEntries(given),
    };
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BRACE = 0x7b;
const OTHER_START = /^[\t\n\r ]*[{[<]/;
const PROXIED_PARAMETERS = ['path_prefix=', 'shop=', 'timestamp='];

/**
 * True for a body as the platform delivers it: JSON or XML. The platform signs session tokens and
 * query strings with the same key and algorithm, and a delivery's topic and shop are not signed at
 * all: without this, whoever has a session token of one shop could post it as the uninstallation of
 * any other. A token starts with a letter and the query of a callback is percent-encoded. The query
 * of an app proxy is signed as the visitor wrote it, sorted: only `{` comes behind the parameters
 * the platform adds, so whatever starts otherwise must not hold all of these.
 */
function isDelivered(body: Buffer): boolean {
  const start = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? BYTE_ORDER_MARK.length
    : 0;
  if (body[start] === BRACE) return true;
  return (
    OTHER_START.test(body.toString('latin1', start)) &&
    !PROXIED_PARAMETERS.every((parameter) => body.includes(parameter))
  );
}
