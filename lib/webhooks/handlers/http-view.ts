import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';

const NOTHING = Object.freeze({});
const WITHOUT_REQUEST = {
  headers: { value: NOTHING, writable: true, configurable: true },
  params: { value: NOTHING, writable: true, configurable: true },
  query: { value: NOTHING, writable: true, configurable: true },
};

/**
 * Lets guards and interceptors that are written for HTTP routes read the delivery as their request:
 * one without headers, parameters and query, since a queue may hand it over long after the HTTP
 * request has ended.
 */
export function readableAsRequest(delivery: WebhookDelivery): WebhookDelivery {
  return 'headers' in delivery ? delivery : Object.defineProperties(delivery, WITHOUT_REQUEST);
}

/**
 * The response that guards and interceptors of a webhook handler see. What they put on it goes
 * nowhere: the receiver answers the platform by itself.
 */
export class DiscardedResponse {
  statusCode = 200;
  readonly headersSent = false;
  readonly locals: Record<string, unknown> = {};
  readonly #headers = new Map<string, unknown>();

  setHeader(name: string, value: unknown): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }

  getHeader(name: string): unknown {
    return this.#headers.get(name.toLowerCase());
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name: string): this {
    this.#headers.delete(name.toLowerCase());
    return this;
  }

  /** As {@link setHeader}, under the name of Express and Fastify. */
  header(name: string, value: unknown): this {
    return this.setHeader(name, value);
  }

  /** As {@link setHeader}, under the name of Express. */
  set(name: string, value: unknown): this {
    return this.setHeader(name, value);
  }

  /** As {@link getHeader}, under the name of Express. */
  get(name: string): unknown {
    return this.getHeader(name);
  }

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  /** As {@link status}, under the name of Fastify. */
  code(code: number): this {
    return this.status(code);
  }

  /** Events such as `finish` never come. */
  on(): this {
    return this;
  }

  /** As {@link on}. */
  once(): this {
    return this;
  }
}
