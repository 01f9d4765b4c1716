import { HEADERS } from '../base/vendor.js';
import { reasonOf } from '../http/failed-fetch.js';
import { graphqlNames } from '../http/graphql-operation.js';
import type { Answerer } from '../http/http-listener.js';
import type { StoreReply, StoreRequest } from '../http/store-request.js';
import { RecordedExchange, type ExchangeAnswer } from './recorded-exchange.js';

const KEPT = 1000;
/** Bytes of all bodies that are kept. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Bytes of the answer of an app that are kept; the platform itself reads none. */
const KEPT_OF_ANSWER = 4096;

/** The headers of one connection, which `fetch` sets itself. */
const OF_CONNECTION = new Set(
  'connection content-length expect host keep-alive te transfer-encoding upgrade'.split(' '),
);

/**
 * What went over the wire between one platform and its apps: the last 1000 exchanges, and at most
 * 32 MB of bodies. Nothing is read or redacted before it is asked for.
 */
export class TrafficLog {
  private readonly kept: RecordedExchange[] = [];
  private lastId = 0;
  private bytes = 0;
  /** The fetch to apps, recorded. */
  readonly toApp: typeof fetch;

  /** @param fetch to apps */
  constructor(
    private readonly now: () => Date,
    fetch: typeof globalThis.fetch,
  ) {
    this.toApp = this.recordingFetch(fetch);
  }

  /** Oldest first. */
  get exchanges(): readonly RecordedExchange[] {
    return this.kept;
  }

  clear(): void {
    this.kept.length = 0;
    this.bytes = 0;
  }

  /** @throws TypeError when there is no such exchange any more */
  require(id: number): RecordedExchange {
    const found = this.kept.find((exchange) => exchange.id === id);
    if (!found) throw new TypeError(`No exchange ${id} is recorded; the last 1000 are kept.`);
    return found;
  }

  /** Sends the request of an exchange again. @param originOf a shop */
  async replay(id: number, originOf: (shop: string) => string): Promise<Response> {
    const { direction, shop, method, address, requestHeaders, requestBody } = this.require(id).wire;
    const headers = new Headers();
    for (const [name, value] of requestHeaders)
      if (!OF_CONNECTION.has(name.toLowerCase())) headers.append(name, value);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody && requestBody ? { body: new Uint8Array(requestBody) } : {};
    const init: RequestInit = { method, headers, ...body, redirect: 'manual' };
    return direction === 'out'
      ? this.toApp(address, init)
      : globalThis.fetch(originOf(shop) + address, init);
  }

  /** A shop whose requests are recorded. */
  recording(shop: string, inner: Answerer): Answerer {
    return {
      bodyLimit: (path) => inner.bodyLimit(path),
      answer: async (request) => {
        const exchange = this.begin(shop, request);
        try {
          const reply = await inner.answer(request);
          const isReset = reply.breaks === 'before';
          if (isReset) this.settle(exchange, undefined, 'the connection was reset');
          else this.settle(exchange, answerOf(reply));
          return reply;
        } catch (error) {
          this.settle(exchange, undefined, reasonOf(error));
          throw error;
        }
      },
    };
  }

  private recordingFetch(inner: typeof fetch): typeof fetch {
    return async (input, init) => {
      const sent = new Headers(init?.headers);
      const address = String(input);
      const exchange = this.keep({
        direction: 'out',
        shop: sent.get(HEADERS.webhook.shop) ?? shopIn(address, sent),
        method: init?.method ?? 'GET',
        address,
        requestHeaders: sent,
        requestBody: init?.body instanceof Uint8Array ? init.body : undefined,
        operations: () => [],
      });
      try {
        const response = await inner(input, init);
        const { status, headers } = response;
        this.settle(exchange, { status, headers, body: undefined });
        void this.keepAnswer(exchange, response);
        return response;
      } catch (error) {
        this.settle(exchange, undefined, reasonOf(error));
        throw error;
      }
    };
  }

  /** A short answer is kept, too, when its length is known: others may never end. */
  private async keepAnswer(exchange: RecordedExchange, response: Response): Promise<void> {
    const length = Number(response.headers.get('content-length') ?? Infinity);
    if (!(length <= KEPT_OF_ANSWER)) return;
    const { status, headers } = response;
    const body = await response
      .clone()
      .text()
      .catch(() => undefined);
    this.settle(exchange, { status, headers, body });
  }

  private begin(shop: string, request: StoreRequest): RecordedExchange {
    return this.keep({
      direction: 'in',
      shop,
      method: request.method,
      address: request.url.pathname + request.url.search,
      requestHeaders: request.headers,
      requestBody: request.body,
      operations: () => graphqlNames(request),
    });
  }

  private keep(source: Omit<RecordedExchange['wire'], 'id' | 'at'>): RecordedExchange {
    const exchange = new RecordedExchange({ ...source, id: ++this.lastId, at: this.now() });
    this.kept.push(exchange);
    this.bytes += exchange.size;
    this.drop();
    return exchange;
  }

  private settle(
    exchange: RecordedExchange,
    answer: ExchangeAnswer | undefined,
    error?: string,
  ): void {
    const before = exchange.size;
    exchange.settle(answer, error);
    if (!this.kept.includes(exchange)) return;
    this.bytes += exchange.size - before;
    this.drop();
  }

  private drop(): void {
    while (this.kept.length > KEPT || (this.bytes > KEPT_BYTES && this.kept.length > 1))
      this.bytes -= this.kept.shift()?.size ?? 0;
  }
}

function answerOf({ status, headers, body = '' }: StoreReply): ExchangeAnswer {
  const isStream = typeof body === 'object' && !(body instanceof Uint8Array);
  return { status, headers: Object.entries(headers ?? {}), body: isStream ? undefined : body };
}

/** The shop of a request to an app that is no webhook. */
function shopIn(address: string, headers: Headers): string {
  return new URL(address).searchParams.get('shop') ?? headers.get('x-forwarded-host') ?? '';
}
