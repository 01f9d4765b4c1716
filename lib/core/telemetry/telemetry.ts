import type { ApiCall, ApiReply } from '../http/api-call.js';
import type { PlatformLogger } from '../logger.js';
import type { Clock } from '../time/clock.js';

/** What is known of a decision or response, whatever it is of. */
export interface MeasuredOutcome {
  readonly kind: string;
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
  readonly session?: { readonly shop: string } | undefined;
  /** Where there may be no session: the shop that the platform vouches for. */
  readonly shop?: string | undefined;
}

/** What requests ask to be let in for. */
export type InboundSurface =
  | 'admin'
  | 'oauth_begin'
  | 'oauth_callback'
  | 'app_proxy'
  | 'checkout'
  | 'customer_account'
  | 'pos'
  | 'flow'
  | 'fulfillment_service'
  | 'signed_body'
  | 'signed_query';

/** A request for a token. */
export interface MeasuredTokenRequest {
  readonly shop: string;
  /** Of the token endpoint. */
  readonly url: string;
  /** Its `grant_type`, such as `refresh_token` or the URN of a token exchange. */
  readonly grant: string;
}

/** What identifies a delivery whose signature is right. */
export interface MeasuredDelivery {
  readonly topic: string;
  readonly shop: string;
  readonly webhookId: string;
}

/**
 * What measures the work of an app: each method runs `work` inside a span, and settles as it does.
 */
export interface Instruments {
  /** A call to an API of the platform, with its waits and retries. */
  apiCall<T>(call: ApiCall<T>, work: () => Promise<ApiReply<T>>): Promise<ApiReply<T>>;
  tokenRequest<T>(request: MeasuredTokenRequest, work: () => Promise<T>): Promise<T>;
  /** The decision about a request that is no delivery. */
  authentication<T extends MeasuredOutcome>(
    surface: InboundSurface,
    work: () => Promise<T>,
  ): Promise<T>;
  /** The same where nothing has to be waited for. */
  decision<T extends MeasuredOutcome>(surface: InboundSurface, work: () => T): T;
  /** @param work is told what the delivery is once its signature was found right */
  delivery<T extends MeasuredOutcome>(
    work: (verified: (delivery: MeasuredDelivery) => void) => Promise<T>,
  ): Promise<T>;
  /** One handler of a delivery. */
  handler(name: string, delivery: MeasuredDelivery, work: () => unknown): unknown;
}

/** Where `@opentelemetry/api` 1.x keeps what an SDK has registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/**
 * The way to OpenTelemetry: without an SDK nothing is loaded and nothing is measured. Read
 * {@link instruments} before work that is measured; `undefined` costs nothing.
 */
export class Telemetry {
  /** Set once an SDK was found and `@opentelemetry/api` is loaded. */
  instruments: Instruments | undefined;
  /** Resolves when that has been found out. */
  loaded: Promise<void> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly logger: PlatformLogger,
  ) {}

  /** Looks whether an SDK was registered before the app was started. */
  start(): void {
    if (REGISTERED in globalThis) this.loaded = this.#load();
  }

  async #load(): Promise<void> {
    try {
      // In `try`, so that bundlers let it be missing.
      const api = await import('@opentelemetry/api');
      const { OpenTelemetryInstruments } = await import('./open-telemetry.js');
      this.instruments = new OpenTelemetryInstruments(api, this.clock);
    } catch (error) {
      this.logger.warn(
        'An OpenTelemetry SDK is there, but @opentelemetry/api could not be loaded: nothing is measured',
        { error },
      );
    }
  }
}
