import { InstallationRecords } from '../../lib/auth/installations/installation-records.js';
import { InstallationCheck } from '../../lib/auth/lifecycle/installation-check.js';
import type { Presence } from '../../lib/auth/lifecycle/installation-check.js';
import { TokenManager } from '../../lib/auth/tokens/token-manager.js';
import { bind, bindValue } from '../../lib/core/binding.js';
import { InFlight } from '../../lib/core/concurrency/in-flight.js';
import { PlatformConfig } from '../../lib/core/config/platform-config.js';
import type { InboundRequest } from '../../lib/core/http/inbound-request.js';
import { PlatformLogger } from '../../lib/core/logger.js';
import type { LogSeverity } from '../../lib/core/logger.js';
import { Clock } from '../../lib/core/time/clock.js';
import { signedWebhook } from '../../lib/dev-store/base/request-factories.js';
import type { SignedWebhookOptions } from '../../lib/dev-store/base/request-factories.js';
import type { PlatformOptions } from '../../lib/platform/kernel/platform.options.js';
import type { Resolver } from '../../lib/platform/kernel/resolver.js';
import { WebhookInbox } from '../../lib/sessions/coordination/webhook.inbox.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import type { WebhookDelivery } from '../../lib/webhooks/deliveries/webhook-delivery.js';
import { WebhookReceiver } from '../../lib/webhooks/deliveries/webhook.receiver.js';
import {
  WebhookProcessor,
  ShopContextLoader,
} from '../../lib/webhooks/deliveries/webhook.processor.js';
import { WebhookTimeLimit } from '../../lib/webhooks/handlers/webhook.dispatcher.js';
import { WebhookRegistry } from '../../lib/webhooks/handlers/webhook.registry.js';
import type { BuiltInHandler } from '../../lib/webhooks/handlers/webhook.registry.js';
import { WebhookQueue } from '../../lib/webhooks/queue/webhook.queue.js';
import { BUILT_IN_HANDLERS, OWN_WEBHOOKS } from '../../lib/webhooks/webhooks.providers.js';
import { API_SECRET, APP_URL, SHOP } from '../support/app.js';
import { resolverOf } from '../support/resolver.js';

/**
 * Sleeps up to this long, in milliseconds, are part of what a test watches; longer ones are alarms
 * that only `advance` sets off.
 */
const NAP = 1_000;

/**
 * A clock that stands still until someone takes a nap: then it jumps, after whoever was waiting has
 * had a turn.
 */
export class JumpingClock extends Clock {
  #now = Date.parse('2026-07-01T12:00:00Z');
  #alarms: { readonly at: number; readonly ring: () => void }[] = [];
  readonly slept: number[] = [];

  /** How many long sleeps are under way. */
  get alarms(): number {
    return this.#alarms.length;
  }

  now(): Date {
    return new Date(this.#now);
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms > NAP) return this.#alarm(ms, signal);
    this.slept.push(ms);
    await new Promise((resolve) => setImmediate(resolve));
    this.advance(ms);
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#alarms.filter(({ at }) => at <= this.#now);
    this.#alarms = this.#alarms.filter(({ at }) => at > this.#now);
    for (const { ring } of due) ring();
  }

  #alarm(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#alarms = this.#alarms.filter((one) => one !== alarm);
        reject(signal?.reason);
      };
      const ring = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const alarm = { at: this.#now + ms, ring };
      this.#alarms.push(alarm);
      signal?.addEventListener('abort', onAbort);
    });
  }
}

/** Every line that was logged, at any level. */
export class Lines {
  readonly all: string[] = [];
  readonly logger = new PlatformLogger(
    {
      level: 3 as LogSeverity,
      log: (_severity: LogSeverity, line: string): void => void this.all.push(line),
    },
    new JumpingClock(),
  );

  matching(part: string): string[] {
    return this.all.filter((line) => line.includes(part));
  }
}

interface ReplacedServices {
  readonly shops?: ShopContextLoader | undefined;
  readonly queue?: WebhookQueue | undefined;
}

/** The webhooks of an app, without a container. */
export class WebhooksFixture {
  readonly lines = new Lines();
  readonly clock = new JumpingClock();
  readonly storage = new MemorySessionStorage(this.clock);
  /** What the toolkit itself does after the handlers. */
  readonly builtInHandlers: BuiltInHandler[] = [];
  readonly app: Resolver;
  readonly registry: WebhookRegistry;
  readonly inbox: WebhookInbox;
  readonly config: PlatformConfig;
  readonly records: InstallationRecords;
  readonly tokens: TokenManager;
  readonly inFlight: InFlight;
  readonly timeLimit: WebhookTimeLimit;
  readonly processor: WebhookProcessor;
  readonly receiver: WebhookReceiver;
  /** What the platform says when it is asked whether the shop has the app. */
  presence: Presence = 'uninstalled';

  constructor(
    options: Partial<PlatformOptions> = {},
    {
      shops,
      queue,
      ...ports
    }: Partial<Pick<PlatformOptions, 'inbox' | 'clock'>> & ReplacedServices = {},
  ) {
    this.app = resolverOf(
      { clock: this.clock, sessionStorage: this.storage, ...options, ...ports },
      [
        bindValue(PlatformLogger, this.lines.logger),
        bindValue(OWN_WEBHOOKS, []),
        bindValue(BUILT_IN_HANDLERS, this.builtInHandlers),
        bind(
          InstallationCheck,
          {},
          () => ({ of: async () => this.presence }) as unknown as InstallationCheck,
        ),
        ...(shops ? [bindValue(ShopContextLoader, shops)] : []),
        ...(queue ? [bindValue(WebhookQueue, queue)] : []),
      ],
    );
    this.registry = this.app.get(WebhookRegistry);
    this.inbox = this.app.get(WebhookInbox);
    this.config = this.app.get(PlatformConfig);
    this.records = this.app.get(InstallationRecords);
    this.tokens = this.app.get(TokenManager);
    this.inFlight = this.app.get(InFlight);
    this.timeLimit = this.app.get(WebhookTimeLimit);
    this.processor = this.app.get(WebhookProcessor);
    this.receiver = this.app.get(WebhookReceiver);
  }

  /** Has the toolkit do something of its own with the deliveries of a topic. */
  follow(topic: string, run: (delivery: WebhookDelivery) => unknown): void {
    this.builtInHandlers.push({
      topic,
      name: `follow-up of ${topic}`,
      runsInRoutes: false,
      run: async (delivery) => void (await run(delivery)),
    });
  }

  /**
   * Registers a handler that does `run` and returns what reached it; `callbackUrl` is where its
   * deliveries arrive.
   */
  handle(
    topic: string,
    run: (delivery: WebhookDelivery) => unknown = () => {},
    callbackUrl?: string,
  ): WebhookDelivery[] {
    const deliveries: WebhookDelivery[] = [];
    this.registry.add({
      kind: 'handler',
      topic,
      subscription: { deliveryMethod: 'http', callbackUrl },
      name: `test handler of ${topic}`,
      run: async (delivery) => {
        deliveries.push(delivery);
        await run(delivery);
      },
    });
    return deliveries;
  }
}

/**
 * A delivery as it arrives; `headers` replaces single ones, and takes away those that are
 * undefined.
 */
export function delivery(
  options: Partial<SignedWebhookOptions> = {},
  {
    headers = {},
    ...request
  }: Partial<Omit<InboundRequest, 'headers'>> & {
    headers?: Record<string, string | undefined>;
  } = {},
): InboundRequest {
  const signed = signedWebhook({
    secret: API_SECRET,
    shop: SHOP,
    topic: 'products/create',
    payload: { id: 1 },
    ...options,
  });
  const all = new Map(
    Object.entries({ ...signed.headers, ...headers }).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const { url = new URL('/webhooks', APP_URL) } = request;
  return {
    method: 'POST',
    url,
    path: url.pathname,
    header: (name) => all.get(name.toLowerCase()),
    rawBody: async () => signed.body,
    ...request,
  };
}
