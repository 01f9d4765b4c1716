import { sizeOf } from '../base/api-limits.js';
import type { ApiLimits } from '../base/rate-limits.js';
import type { DevClock } from '../base/dev-clock.js';
import { HEADERS, WIRE } from '../base/vendor.js';
import { graphqlNames } from '../http/graphql-operation.js';
import type { Answerer } from '../http/http-listener.js';
import { jsonReply, type StoreReply, type StoreRequest } from '../http/store-request.js';
import type { RequestFault } from './fault.js';
import type { Faults } from './faults.js';

/** What a {@link FaultyAnswerer} depends on. */
interface FaultyShop {
  /** Domain of the shop. */
  readonly shop: string;
  readonly faults: Faults;
  readonly clock: DevClock;
  /** The time in the answers of the store. */
  readonly now: () => Date;
  /** The limits of each app at this time. */
  readonly limits: () => ApiLimits;
  /** The app that an access token belongs to. */
  readonly apiKeyOf: (token: string) => string | undefined;
  /** Revokes every token of an app. */
  readonly revoke: (apiKey: string) => void;
  /** Called with each fault that happens, in words. */
  readonly note: (summary: string, status: number | undefined) => void;
}

/** A shop that misbehaves as its faults say. */
export class FaultyAnswerer implements Answerer {
  constructor(
    private readonly inner: Answerer,
    private readonly context: FaultyShop,
  ) {}

  bodyLimit(path: string): number {
    return this.inner.bodyLimit(path);
  }

  async answer(request: StoreRequest): Promise<StoreReply> {
    const { shop, faults, clock } = this.context;
    const apiKey = (): string | undefined =>
      this.context.apiKeyOf(request.header(HEADERS.accessToken) ?? '');
    const { method } = request;
    const path = request.url.pathname;
    const operations = (): readonly string[] => graphqlNames(request);
    const fault = faults.ofRequest({ shop, method, path, operations, apiKey });
    if (!fault) return this.inner.answer(request);
    if (fault.latency) await clock.sleep(fault.latency);
    if (fault.revokesTokens) this.context.revoke(apiKey() ?? '');
    const isExecuted = fault.executed || fault.truncated || !replaces(fault);
    const executed = isExecuted ? await this.inner.answer(request) : undefined;
    const reply = this.replyOf(fault, request, executed);
    const summary = `${method} ${path}: ${wordsFor(fault)}, ${executed ? '' : 'not '}executed`;
    this.context.note(summary, reply.breaks === 'before' ? undefined : reply.status);
    return reply;
  }

  private replyOf(
    { status, headers, body, html, throttled, reset, truncated }: RequestFault,
    request: StoreRequest,
    executed: StoreReply | undefined,
  ): StoreReply {
    if (reset) return { status: 500, breaks: 'before' };
    if (executed && truncated) return { ...executed, breaks: 'within' };
    const date = { Date: this.context.now().toUTCString() };
    if (throttled) return throttledReply(request, this.context.limits(), date);
    if (html)
      return {
        status: status ?? 200,
        headers: { ...date, 'Content-Type': 'text/html; charset=utf-8', ...headers },
        body: PAGE,
      };
    if (status === undefined && executed) return executed;
    const answer = jsonReply(status ?? 500, { errors: 'This is a fault of the simulated store' });
    return {
      ...answer,
      headers: { ...answer.headers, ...date, ...headers },
      ...(body === undefined ? {} : { body }),
    };
  }
}

const PAGE =
  '<!doctype html><html lang="en"><title>Something went wrong</title><h1>Something went wrong</h1><p>This is a fault of the simulated store.</p></html>';

/** True when a fault answers in the place of the store. */
function replaces({ status, html, throttled, reset }: RequestFault): boolean {
  return status !== undefined || Boolean(html || throttled || reset);
}

function wordsFor({ on: _on, times: _times, probability: _odds, ...fault }: RequestFault): string {
  const { headers: _headers, body: _body, executed: _executed, ...told } = fault;
  const words = Object.entries(told).filter(([, value]) => value !== undefined && value !== false);
  return words.map(([name, value]) => (value === true ? name : `${name} ${value}`)).join(', ');
}

function throttledReply(
  { url }: StoreRequest,
  limits: ApiLimits,
  date: Record<string, string>,
): StoreReply {
  if (!url.pathname.endsWith('/graphql.json')) {
    const { capacity, restoreRate } = sizeOf('rest', limits.rest);
    const errors = `Exceeded ${restoreRate} calls per second for api client. Reduce request rates to resume uninterrupted service.`;
    const headers = {
      ...date,
      'Retry-After': (Math.ceil(10 / restoreRate) / 10).toFixed(1),
      [HEADERS.callLimit]: `${capacity}/${capacity}`,
    };
    return { ...jsonReply(429, { errors }, headers), throttled: true };
  }
  const { capacity: maximumAvailable, restoreRate } = sizeOf('graphql', limits.graphql);
  const extensions = { code: 'THROTTLED', documentation: WIRE.limitsDocumentation };
  const throttleStatus = { maximumAvailable, currentlyAvailable: 0, restoreRate };
  const cost = { requestedQueryCost: 10, actualQueryCost: null, throttleStatus };
  return {
    ...jsonReply(
      200,
      { errors: [{ message: 'Throttled', extensions }], extensions: { cost } },
      date,
    ),
    throttled: true,
  };
}
