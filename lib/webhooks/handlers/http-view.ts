import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';

/** What a request of Express or Fastify has, as one that was sent without anything has it. */
const MEMBERS: Readonly<Record<string, () => unknown>> = {
  headers: () => ({}),
  params: () => ({}),
  query: () => ({}),
  cookies: () => ({}),
  socket: () => ({}),
  connection: () => ({}),
  method: () => 'POST',
  url: () => '',
  originalUrl: () => '',
  path: () => '',
  get: () => nothing,
  header: () => nothing,
  ...Object.fromEntries(listeners().map((name) => [name, () => chain])),
};

/**
 * Made when they are read, for each delivery its own: guards write into them. Not enumerable, since
 * the delivery is no request to anybody else.
 */
const AS_REQUEST: PropertyDescriptorMap = Object.fromEntries(
  Object.entries(MEMBERS).map(([name, make]) => {
    const keep = (delivery: object, value: unknown): unknown => {
      Object.defineProperty(delivery, name, { value, writable: true, configurable: true });
      return value;
    };
    const descriptor: PropertyDescriptor & ThisType<object> = {
      configurable: true,
      get() {
        return keep(this, make());
      },
      set(value: unknown) {
        keep(this, value);
      },
    };
    return [name, descriptor];
  }),
);

/**
 * Lets guards and interceptors that are written for HTTP routes read the delivery as their request:
 * one without address, headers, parameters and query, since a queue may hand it over long after the
 * HTTP request has ended.
 */
export function readableAsRequest(delivery: WebhookDelivery): WebhookDelivery {
  return 'headers' in delivery ? delivery : Object.defineProperties(delivery, AS_REQUEST);
}

/**
 * The response that guards and interceptors of a webhook handler see, with the methods of Node,
 * Express and Fastify. What they put on it goes nowhere: the receiver answers the platform by
 * itself.
 */
export class DiscardedResponse {
  statusCode = 200;
  statusMessage = '';
  headersSent = false;
  readonly locals: Record<string, unknown> = {};
  readonly #headers = new Map<string, unknown>();

  /** Under the name of Fastify: Node's response. */
  get raw(): this {
    return this;
  }

  /** Under the name of Fastify. */
  get sent(): boolean {
    return this.headersSent;
  }

  get writableEnded(): boolean {
    return this.headersSent;
  }

  setHeader(name: unknown, value: unknown): this {
    this.#headers.set(nameOf(name), value);
    return this;
  }

  getHeader(name: unknown): unknown {
    return this.#headers.get(nameOf(name));
  }

  getHeaders(): Record<string, unknown> {
    return Object.fromEntries(this.#headers);
  }

  getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  hasHeader(name: unknown): boolean {
    return this.#headers.has(nameOf(name));
  }

  removeHeader(name: unknown): this {
    this.#headers.delete(nameOf(name));
    return this;
  }

  /** As {@link setHeader}, under the name of Express: or several headers as an object. */
  set(name: unknown, value?: unknown): this {
    const pairs =
      typeof name === 'object' && name !== null ? Object.entries(name) : [[name, value]];
    for (const [one, its] of pairs) this.setHeader(one, its);
    return this;
  }

  /** As {@link set}, under the name of Express and Fastify. */
  header(name: unknown, value?: unknown): this {
    return this.set(name, value);
  }

  /** As {@link set}, under the name of Fastify. */
  headers(headers: unknown): this {
    return this.set(headers);
  }

  /** As {@link getHeader}, under the name of Express. */
  get(name: unknown): unknown {
    return this.getHeader(name);
  }

  append(name: unknown, value: unknown): this {
    const before = this.getHeader(name);
    return this.setHeader(name, before === undefined ? value : [before, value].flat());
  }

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  /** As {@link status}, under the name of Fastify. */
  code(code: number): this {
    return this.status(code);
  }

  /** Under the name of Node. */
  writeHead(code: number): this {
    return this.status(code);
  }

  write(): boolean {
    return true;
  }

  /** Seems to be sent from now on. */
  end(): this {
    this.headersSent = true;
    return this;
  }
}

/** What sends a response, in Express and Fastify. */
const SENDING = 'send json jsonp sendStatus sendFile download redirect render';
/** What changes nothing that anybody could read back. */
const WITHOUT_EFFECT =
  'type contentType vary links location attachment cookie setCookie clearCookie flushHeaders';

for (const name of SENDING.split(' ')) define(name, DiscardedResponse.prototype.end);
for (const name of [...WITHOUT_EFFECT.split(' '), ...listeners()]) define(name, chain);

function define(name: string, value: unknown): void {
  Object.defineProperty(DiscardedResponse.prototype, name, {
    value,
    writable: true,
    configurable: true,
  });
}

/** The methods that add and remove listeners: events such as `finish` never come. */
function listeners(): string[] {
  return [
    ...['on', 'once', 'off', 'addListener', 'removeListener', 'removeAllListeners'],
    ...['prependListener', 'prependOnceListener', 'emit'],
  ];
}

function chain<T>(this: T): T {
  return this;
}

function nothing(): undefined {
  return undefined;
}

function nameOf(name: unknown): string {
  return String(name).toLowerCase();
}
