import { redactedAddress, redactedBody, redactedHeaders } from './redacted.js';

/** One side of a recorded exchange, without tokens and secrets. */
export interface RecordedMessage {
  /** By lower-case name; those of one name joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** As text; undefined when it was not kept, such as a stream. */
  readonly body: string | undefined;
}

/** What an exchange was made of, as it went over the wire. */
interface ExchangeSource {
  readonly id: number;
  readonly direction: 'in' | 'out';
  readonly at: Date;
  readonly shop: string;
  readonly method: string;
  /** Path and query of a request to the store, or the URL of one to an app. */
  readonly address: string;
  readonly requestHeaders: Iterable<readonly [string, string]>;
  readonly requestBody: Uint8Array | undefined;
  readonly operations: () => readonly string[];
}

/** The answer of an exchange, as it went over the wire. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: string | Uint8Array | undefined;
}

/**
 * A request to the store, or of the store to an app, with its answer. Tokens, codes and secrets are
 * replaced by `[redacted]`. The object is live: the answer is there once it was sent.
 */
export class RecordedExchange {
  /** The answer as it was sent; undefined while there is none. */
  #answer: ExchangeAnswer | undefined;
  #error: string | undefined;
  readonly #source: ExchangeSource;

  constructor(source: ExchangeSource) {
    this.#source = source;
  }

  /** Its number, from 1; for `devStore.replay`. */
  get id(): number {
    return this.#source.id;
  }

  /** `'in'` for a request to the store, `'out'` for one to an app, such as a delivery. */
  get direction(): 'in' | 'out' {
    return this.#source.direction;
  }

  /** When it began, in the store's time. */
  get at(): Date {
    return this.#source.at;
  }

  /** Domain of the shop. */
  get shop(): string {
    return this.#source.shop;
  }

  get method(): string {
    return this.#source.method;
  }

  /** Path and query of a request to the store, or the URL of one to an app. */
  get address(): string {
    return redactedAddress(this.#source.address);
  }

  /** The names of the GraphQL operation and of the fields that it begins with. */
  get operations(): readonly string[] {
    return this.#source.operations();
  }

  /** The topic of a webhook. */
  get topic(): string | undefined {
    return this.direction === 'out' ? this.request.headers['x-shopify-topic'] : undefined;
  }

  get request(): RecordedMessage {
    return messageOf(this.#source.requestHeaders, this.#source.requestBody);
  }

  get response(): (RecordedMessage & { readonly status: number }) | undefined {
    const answer = this.#answer;
    return answer && { status: answer.status, ...messageOf(answer.headers, answer.body) };
  }

  /** Why there is no answer. */
  get error(): string | undefined {
    return this.#error;
  }

  /** The cost that a GraphQL call was told. */
  get cost(): { readonly requested: number; readonly actual: number | null } | undefined {
    const body = this.operations.length > 0 ? this.response?.body : undefined;
    const cost = body === undefined ? undefined : costIn(body);
    return cost?.requestedQueryCost === undefined
      ? undefined
      : { requested: cost.requestedQueryCost, actual: cost.actualQueryCost ?? null };
  }

  /** @internal */
  settle(answer: ExchangeAnswer | undefined, error?: string): void {
    this.#answer = answer;
    this.#error = error;
  }

  /** The request as it went over the wire, secrets included. @internal */
  get wire(): ExchangeSource {
    return this.#source;
  }

  /** @internal */
  get size(): number {
    const { requestBody } = this.#source;
    return (requestBody?.length ?? 0) + (this.#answer?.body?.length ?? 0);
  }

  toJSON(): object {
    const { id, direction, at, shop, method, address, operations, topic } = this;
    const { request, response, error, cost } = this;
    return {
      ...{ id, direction, at, shop, method, address, operations, topic },
      ...{ request, response, error, cost },
    };
  }
}

function messageOf(
  headers: Iterable<readonly [string, string]>,
  body: string | Uint8Array | undefined,
): RecordedMessage {
  const shown = redactedHeaders(headers);
  const text = typeof body === 'object' ? Buffer.from(body).toString() : body;
  return {
    headers: shown,
    body: text === undefined ? undefined : redactedBody(text, shown['content-type'] ?? ''),
  };
}

function costIn(
  body: string,
): { requestedQueryCost?: number; actualQueryCost?: number } | undefined {
  try {
    const answer = JSON.parse(body) as { extensions?: { cost?: object } } | null;
    return answer?.extensions?.cost;
  } catch {
    return undefined;
  }
}
