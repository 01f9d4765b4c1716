import type * as OpenTelemetry from '@opentelemetry/api';
import type {
  Attributes,
  Counter,
  Histogram,
  Span,
  SpanKind,
  SpanStatusCode,
  Tracer,
} from '@opentelemetry/api';

import type { ApiCall, ApiReply } from '../http/api-call.js';
import { stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { VERSION } from '../version.js';
import type {
  InboundSurface,
  Instruments,
  MeasuredDelivery,
  MeasuredOutcome,
  MeasuredTokenRequest,
} from './telemetry.js';

const SCOPE = 'shopwright';
/** Of durations in seconds, as the semantic conventions recommend them. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The names of spans; what an attribute says alone would not tell two of them apart in a list. */
const INBOUND: Readonly<Record<InboundSurface, string>> = {
  admin: 'authenticate',
  oauth_begin: 'begin oauth',
  oauth_callback: 'complete oauth',
  app_proxy: 'authenticate app proxy',
  checkout: 'authenticate checkout',
  customer_account: 'authenticate customer account',
  pos: 'authenticate pos',
  flow: 'authenticate flow',
  fulfillment_service: 'authenticate fulfillment service',
  signed_body: 'authenticate signed body',
  signed_query: 'authenticate signed query',
};

/** One span, with the measurement that goes with it. */
interface Measured<T> {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly duration: Histogram;
  /** Of few values: of the span and of the measurement. */
  readonly labels: Attributes;
  /** Of the span alone. */
  readonly details?: Attributes;
  /** Of few values: what the result says. */
  readonly labelsOf?: (result: T) => Attributes;
  readonly detailsOf?: (result: T) => Attributes;
}

/** How a span ends: with a result, or with an error, each of which is returned. */
interface Ending<T> {
  readonly span: Span;
  readonly done: (result: T) => T;
  readonly failed: (error: unknown) => unknown;
}

/**
 * Spans and metrics through `@opentelemetry/api`. No attribute holds a token, a header, a query or
 * a body; what has failed is told by the code or the name of its error alone.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export class OpenTelemetryInstruments implements Instruments {
  readonly #tracer: Tracer;
  readonly #kinds: typeof SpanKind;
  readonly #statuses: typeof SpanStatusCode;
  readonly #api: Histogram;
  readonly #tokens: Histogram;
  readonly #auth: Histogram;
  readonly #webhooks: Histogram;
  readonly #handlers: Histogram;
  readonly #cost: Counter;
  readonly #retries: Counter;

  /** @param api the package, which apps need not have: it is given, not imported */
  constructor(
    api: Pick<typeof OpenTelemetry, 'trace' | 'metrics' | 'SpanKind' | 'SpanStatusCode'>,
    private readonly clock: Clock,
  ) {
    this.#tracer = api.trace.getTracer(SCOPE, VERSION);
    this.#kinds = api.SpanKind;
    this.#statuses = api.SpanStatusCode;
    const meter = api.metrics.getMeter(SCOPE, VERSION);
    const duration = (of: string, description: string): Histogram =>
      meter.createHistogram(`shopwright.${of}.duration`, {
        ...{ unit: 's', description },
        advice: { explicitBucketBoundaries: BUCKETS },
      });
    this.#api = duration('api', 'Calls to APIs of the platform, with waits and retries.');
    this.#tokens = duration('token', 'Requests for access tokens.');
    this.#auth = duration('auth', 'Decisions about requests that are no deliveries.');
    this.#webhooks = duration('webhook', 'Deliveries, until they are answered.');
    this.#handlers = duration('webhook.handler', 'Handlers of deliveries.');
    this.#cost = meter.createCounter('shopwright.api.cost', {
      unit: '{point}',
      description: 'What calls have cost of the rate limits of the platform.',
    });
    this.#retries = meter.createCounter('shopwright.api.retries', {
      unit: '{attempt}',
      description: 'How often calls were sent again because they had failed.',
    });
  }

  apiCall<T>(call: ApiCall<T>, work: () => Promise<ApiReply<T>>): Promise<ApiReply<T>> {
    const { operation, shop, kind, request } = call;
    const labels = { 'shopwright.api': kind, 'http.request.method': request.method };
    return this.#measure<ApiReply<T>>(
      {
        name: operation,
        kind: this.#kinds.CLIENT,
        duration: this.#api,
        labels,
        details: { 'shopwright.shop': shop, 'shopwright.operation': operation, ...urlOf(request) },
        labelsOf: ({ response: { status } }) => ({
          'http.response.status_code': status,
          ...(status >= 400 && { 'error.type': String(status) }),
        }),
        detailsOf: ({ retries, usage, requestId }) => {
          const cost = usage?.actualCost ?? call.cost();
          this.#cost.add(cost, labels);
          if (retries > 0) this.#retries.add(retries, labels);
          return {
            'shopwright.cost': cost,
            ...(retries > 0 && { 'http.request.resend_count': retries }),
            ...(requestId !== undefined && { 'shopwright.request_id': requestId }),
          };
        },
      },
      work,
    );
  }

  tokenRequest<T>({ shop, url, grant }: MeasuredTokenRequest, work: () => Promise<T>): Promise<T> {
    // Of a URN its last part.
    const name = grant.slice(grant.lastIndexOf(':') + 1);
    return this.#measure(
      {
        name: `token ${name}`,
        kind: this.#kinds.CLIENT,
        duration: this.#tokens,
        labels: { 'shopwright.grant': name, 'http.request.method': 'POST' },
        details: { 'shopwright.shop': shop, ...urlOf({ url }) },
      },
      work,
    );
  }

  authentication<T extends MeasuredOutcome>(
    surface: InboundSurface,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.#measure(this.#inbound(surface), work);
  }

  decision<T extends MeasuredOutcome>(surface: InboundSurface, work: () => T): T {
    return this.#inSpan<T, T>(this.#inbound(surface), ({ failed, done }) => {
      let outcome: T;
      try {
        outcome = work();
      } catch (error) {
        throw failed(error);
      }
      return done(outcome);
    });
  }

  #inbound(surface: InboundSurface): Measured<MeasuredOutcome> {
    return {
      name: INBOUND[surface],
      duration: this.#auth,
      labels: { 'shopwright.surface': surface },
      labelsOf: labelsOfOutcome,
      detailsOf: ({ session, shop = session?.shop }): Attributes =>
        shop === undefined ? {} : { 'shopwright.shop': shop },
    };
  }

  delivery<T extends MeasuredOutcome>(
    work: (verified: (delivery: MeasuredDelivery) => void) => Promise<T>,
  ): Promise<T> {
    // A request may name any topic: only one that is signed is a label.
    let topic: Attributes = {};
    return this.#measure(
      {
        name: 'receive webhook',
        kind: this.#kinds.CONSUMER,
        duration: this.#webhooks,
        labels: {},
        labelsOf: (outcome) => ({ ...topic, ...labelsOfOutcome(outcome) }),
      },
      (span) =>
        work((delivery) => {
          topic = { 'shopwright.webhook.topic': delivery.topic };
          span.setAttributes(detailsOfDelivery(delivery));
        }),
    );
  }

  handler(name: string, delivery: MeasuredDelivery, work: () => unknown): Promise<unknown> {
    return this.#measure(
      {
        name: `handle ${delivery.topic}`,
        duration: this.#handlers,
        labels: {
          'shopwright.webhook.handler': name,
          'shopwright.webhook.topic': delivery.topic,
        },
        details: detailsOfDelivery(delivery),
      },
      async () => work(),
    );
  }

  #measure<T>(measured: Measured<T>, work: (span: Span) => Promise<T>): Promise<T> {
    return this.#inSpan(measured, async ({ span, failed, done }) => {
      let result: T;
      try {
        result = await work(span);
      } catch (error) {
        throw failed(error);
      }
      return done(result);
    });
  }

  /** @param work calls `done` or `failed`, with which the span ends */
  #inSpan<T, Returned>(measured: Measured<T>, work: (ending: Ending<T>) => Returned): Returned {
    const { name, kind = this.#kinds.INTERNAL, duration, labels, details } = measured;
    const attributes = { ...labels, ...details };
    const passed = stopwatch(this.clock);
    return this.#tracer.startActiveSpan(name, { kind, attributes }, (span) => {
      const end = (found: Attributes): void => {
        span.setAttributes(found);
        if (found['error.type'] !== undefined) span.setStatus({ code: this.#statuses.ERROR });
        duration.record(passed() / 1000, { ...labels, ...found });
        span.end();
      };
      return work({
        span,
        done: (result) => {
          span.setAttributes(measured.detailsOf?.(result) ?? {});
          end(measured.labelsOf?.(result) ?? {});
          return result;
        },
        failed: (error) => {
          end({ 'error.type': typeOf(error) });
          return error;
        },
      });
    });
  }
}

function labelsOfOutcome({ kind, reason, status = 200 }: MeasuredOutcome): Attributes {
  return {
    'shopwright.decision': kind,
    ...(reason !== undefined && { 'shopwright.reason': reason }),
    ...(status >= 500 && { 'error.type': reason ?? String(status) }),
  };
}

function detailsOfDelivery({ topic, shop, webhookId }: MeasuredDelivery): Attributes {
  return {
    'shopwright.webhook.topic': topic,
    'shopwright.webhook.id': webhookId,
    'shopwright.shop': shop,
  };
}

/** Without its query, which may hold what must not be seen. */
function urlOf({ url }: { readonly url: string }): Attributes {
  const { hostname, port, origin, pathname, protocol } = new URL(url);
  return {
    'url.full': origin + pathname,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'http:' ? 80 : 443),
  };
}

/** Its message may quote anything. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
