import type { AuthService } from '../../auth/auth.service.js';
import type { SignedSource } from '../../auth/signed/signed-source.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PathName } from '../../core/config/config.options.js';
import { denied } from '../../core/decision.js';
import type { Decision, DeniedDecision } from '../../core/decision.js';
import type { InboundRequest, Reply } from '../../core/http/inbound-request.js';
import { replyTo } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import { EVENT_HEADERS, WEBHOOK_HEADERS } from '../../core/vendor.js';
import type { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import type { SignedDeliveryReceiver } from '../../webhooks/signed/signed-delivery.receiver.js';
import type { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import type { HandlerDiscovery } from './handler-discovery.js';
import { normalizedPath } from '../../core/config/platform-config.js';

/** What {@link PlatformRoutes} work with. */
interface PlatformRoutesDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly auth: AuthService;
  readonly webhooks: WebhookReceiver;
  readonly signed: SignedDeliveryReceiver;
  readonly registry: WebhookRegistry;
  readonly inFlight: InFlight;
  readonly discovery: HandlerDiscovery;
}

/**
 * Answers the paths that belong to the toolkit: start and end of OAuth, the two helper pages, and
 * webhooks, Flow actions and notifications of fulfillment services wherever a handler of the app
 * wants them.
 */
export class PlatformRoutes {
  constructor(private readonly dependencies: PlatformRoutesDependencies) {}

  /**
   * The reply, or `undefined` when the path belongs to the app. What goes wrong is logged and
   * answered with 500. Everything is answered with 503 once the app is shutting down.
   * @throws {BootError} when the modules of the app could not be started
   */
  handle(request: InboundRequest): Promise<Reply | undefined> | undefined {
    // Handlers in the modules of the app may be known only later: a signed request may be for one.
    const isSigned =
      request.header(EVENT_HEADERS.hmac) !== undefined ||
      request.header(WEBHOOK_HEADERS.hmac) !== undefined;
    return isSigned || this.#match(request) !== undefined ? this.#answer(request) : undefined;
  }

  /** Whether the path of a request is one of the toolkit's own, as far as is known by now. */
  owns(request: InboundRequest): boolean {
    return this.#match(request) !== undefined;
  }

  async #answer(request: InboundRequest): Promise<Reply | undefined> {
    const { config, logger, discovery } = this.dependencies;
    if (discovery.pending) await discovery.pending;
    const path = this.#match(request);
    if (path === undefined) return undefined;
    try {
      return replyTo(request, await this.#decide(path, request), config);
    } catch (error) {
      logger.error('A request could not be answered', { path: request.path, error });
      return replyTo(request, internalError(), config);
    }
  }

  #decide(path: OwnPath, request: InboundRequest): Promise<Decision> {
    const { webhooks, signed, inFlight } = this.dependencies;
    if (path === 'webhooks') return webhooks.receive(request);
    if (path === 'flow' || path === 'fulfillment_service') return signed.receive(path, request);
    return inFlight.admit(() => this.#page(path, request));
  }

  async #page(path: Exclude<PathName, 'webhooks'>, request: InboundRequest): Promise<Decision> {
    if (path === 'authCallback') return this.#finish(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return denied(405, 'method_not_allowed', 'This address answers GET requests only.', [
        ['allow', 'GET, HEAD'],
      ]);
    }
    switch (path) {
      case 'auth':
        return this.dependencies.auth.begin(request);
      case 'exitIframe':
        return this.dependencies.auth.exitIframe(request);
      case 'sessionToken':
        return this.dependencies.auth.sessionTokenPage(request);
    }
  }

  async #finish(request: InboundRequest): Promise<Decision> {
    const outcome = await this.dependencies.auth.callback(request);
    if (outcome.kind !== 'granted') return outcome;
    const landing = this.dependencies.auth.landing(request, outcome.session);
    return { ...landing, headers: [...(landing.headers ?? []), ...outcome.headers] };
  }

  /** Which of the toolkit's paths this is. The address that a handler names is a webhook path. */
  #match({ path }: InboundRequest): OwnPath | undefined {
    const { config, registry, signed } = this.dependencies;
    const own = config.paths.match(path);
    if (own !== undefined) return own;
    const named = normalizedPath(path);
    if (!registry.paths(config).includes(named)) return undefined;
    return signed.sourceAt(named) ?? 'webhooks';
  }
}

/** Which path it is, or what is sent to it. */
type OwnPath = PathName | SignedSource;

/** The reply to a request on which the app's or the toolkit's own code failed. */
export function internalError(): DeniedDecision {
  return denied(500, 'internal_error', 'The app failed to answer this request. Its log says why.');
}
