import type { AuthHooks } from '../../lib/auth/auth.options.js';
import type { Presence } from '../../lib/auth/lifecycle/installation-check.js';
import { InstallationRecords } from '../../lib/auth/installations/installation-records.js';
import { LifecycleHandlers } from '../../lib/auth/lifecycle/lifecycle-handlers.js';
import { Uninstallation } from '../../lib/auth/lifecycle/uninstallation.js';
import { Clock } from '../../lib/core/time/clock.js';
import type { InFlight } from '../../lib/core/concurrency/in-flight.js';
import { resolveConfig } from '../../lib/core/config/platform-config.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import type { InboundRequest } from '../../lib/core/http/inbound-request.js';
import { PlatformLogger } from '../../lib/core/logger.js';
import type { LogSeverity } from '../../lib/core/logger.js';
import { signedWebhook } from '../../lib/dev-store/base/request-factories.js';
import type { SignedWebhookOptions } from '../../lib/dev-store/base/request-factories.js';
import type { PlatformOptions } from '../../lib/platform/kernel/platform.options.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { MemoryRecordStore } from '../../lib/sessions/storages/memory/memory-record.store.js';
import { RecordWebhookInbox } from '../../lib/sessions/coordination/webhook.inbox.js';
import type { TokenManager } from '../../lib/auth/tokens/token-manager.js';
import { ShopContextLoader } from '../../lib/webhooks/deliveries/shop-context-loader.js';
import type { WebhookDelivery } from '../../lib/webhooks/deliveries/webhook-delivery.js';
import { WebhookDispatcher } from '../../lib/webhooks/handlers/webhook.dispatcher.js';
import type { BuiltInHandler } from '../../lib/webhooks/handlers/built-in-handler.js';
import { WebhookReceiver } from '../../lib/webhooks/deliveries/webhook.receiver.js';
import type { WebhookReceiverDependencies } from '../../lib/webhooks/deliveries/webhook.receiver.js';
import { WebhookRegistry } from '../../lib/webhooks/handlers/webhook.registry.js';
import type { HandlerDefaults } from '../../lib/webhooks/handlers/webhook.registry.js';
import { WebhookTimeLimit } from '../../lib/webhooks/deliveries/webhook-time-limit.js';
import { WebhookVerifier } from '../../lib/webhooks/deliveries/webhook.verifier.js';
import { timeoutsIn } from '../../lib/webhooks/webhooks.options.js';
import { apiCaller } from '../support/api-caller.js';
import { apiClients } from '../support/api-clients.js';
import { inFlightOf } from '../support/in-flight.js';
import { tokenManager } from '../support/token-manager.js';
import { API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';

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

/** The webhooks of an app, without a container. */
export class WebhooksFixture {
  readonly lines = new Lines();
  readonly clock = new JumpingClock();
  readonly storage = new MemorySessionStorage(this.clock);
  readonly registry: WebhookRegistry;
  /** What the toolkit itself does after the handlers. */
  readonly builtInHandlers: BuiltInHandler[] = [];
  readonly inbox = new RecordWebhookInbox(new MemoryRecordStore(this.clock));
  readonly config;
  readonly records: InstallationRecords;
  readonly tokens: TokenManager;
  readonly inFlight: InFlight;
  readonly timeLimit: WebhookTimeLimit;
  readonly receiver: WebhookReceiver;
  /** What the platform says when it is asked whether the shop has the app. */
  presence: Presence = 'uninstalled';

  constructor(
    options: Partial<PlatformOptions> = {},
    parts: Partial<WebhookReceiverDependencies> = {},
    defaults: HandlerDefaults = {},
  ) {
    const { logger } = this.lines;
    const caller = apiCaller(options.fetch);
    this.registry = new WebhookRegistry(logger, defaults);
    this.config = resolveConfig(appOptions(options));
    this.records = new InstallationRecords({
      app: this.config.apiKey,
      clock: this.clock,
      store: this.storage.companions.installations,
    });
    this.tokens = tokenManager({
      config: this.config,
      clock: this.clock,
      logger,
      storage: this.storage,
      fetch: options.fetch,
    });
    const { handlerTimeout, shutdownTimeout } = timeoutsIn(options);
    const clock = parts.clock ?? this.clock;
    this.inFlight = inFlightOf(clock, logger, shutdownTimeout);
    this.timeLimit = new WebhookTimeLimit({
      clock,
      logger,
      inFlight: this.inFlight,
      handlerTimeout,
    });
    this.receiver = new WebhookReceiver({
      config: this.config,
      clock,
      logger,
      verifier: new WebhookVerifier(new SecretKeys(this.config.apiSecretKeys)),
      inbox: this.inbox,
      access: new ShopContextLoader({
        config: this.config,
        logger,
        storage: this.storage,
        tokens: this.tokens,
        clients: apiClients(this.config, caller, logger),
      }),
      dispatcher: new WebhookDispatcher(
        this.config,
        this.registry,
        logger,
        this.builtInHandlers,
        this.timeLimit,
      ),
      inFlight: this.inFlight,
      timeLimit: this.timeLimit,
      ...parts,
    });
  }

  uninstallation(hooks?: AuthHooks): Uninstallation {
    const { config, clock, storage, records } = this;
    const { logger } = this.lines;
    return new Uninstallation({
      config,
      clock,
      logger,
      storage,
      records,
      lock: storage.companions.lock,
      handlers: new LifecycleHandlers(hooks),
      check: { of: async () => this.presence },
    });
  }

  /** Has the toolkit do something of its own with the deliveries of a topic. */
  follow(topic: string, run: (delivery: WebhookDelivery) => unknown): void {
    this.builtInHandlers.push({
      topic,
      name: `follow-up of ${topic}`,
      subscribesAlone: true,
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
  return {
    method: 'POST',
    url: new URL('/webhooks', APP_URL),
    header: (name) => all.get(name.toLowerCase()),
    rawBody: async () => signed.body,
    ...request,
  };
}
