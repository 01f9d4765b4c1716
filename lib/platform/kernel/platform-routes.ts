import type { AuthService } from '../../auth/auth.service.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PathName } from '../../core/config/platform-paths.js';
import { denied } from '../../core/decision.js';
import type { Decision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { replyTo } from '../../core/http/reply.js';
import type { Reply } from '../../core/http/reply.js';
import type { PlatformLogger } from '../../core/logger.js';
import { EVENT_HEADERS, WEBHOOK_HEADERS } from '../../core/vendor.js';
import type { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import type { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { withoutSlash } from '../../webhooks/subscriptions/webhook-subscription.js';

/**
 * False for what surely belongs to the app, so that it need not wait until the container exists.
 * Handlers in the app's modules are known only then: what is signed may be for one of them.
 */
export function mayBelongToToolkit(
  request: InboundRequest,
  config: PlatformConfig,
  handlers: WebhookRegistry,
): boolean {
  const isSigned = [EVENT_HEADERS.hmac, WEBHOOK_HEADERS.hmac].some(
    (name) => request.header(name) !== undefined,
  );
  return isSigned || toolkitPath(request.url.pathname, config, handlers) !== undefined;
}

/**
 * Answers the paths that belong to the toolkit: start and end of OAuth, the two helper pages, and
 * webhooks wherever a handler of the app wants them.
 */
export class PlatformRoutes {
  constructor(
    private readonly config: PlatformConfig,
    private readonly logger: PlatformLogger,
    private readonly auth: AuthService,
    private readonly webhooks: WebhookReceiver,
    private readonly handlers: WebhookRegistry,
    private readonly inFlight: InFlight,
  ) {}

  /**
   * The reply, or `undefined` when the path belongs to the app. Never throws: what goes wrong is
   * logged and answered with 500. Everything is answered with 503 once the app is shutting down.
   */
  async handle(request: InboundRequest): Promise<Reply | undefined> {
    const path = toolkitPath(request.url.pathname, this.config, this.handlers);
    if (path === undefined) return undefined;
    try {
      return replyTo(request, await this.decide(path, request), this.config);
    } catch (error) {
      this.logger.error('A request could not be answered', { path: request.url.pathname, error });
      const decision = denied(
        500,
        'internal_error',
        'The app failed to answer this request. Its log says why.',
      );
      return replyTo(request, decision, this.config);
    }
  }

  private async decide(path: PathName, request: InboundRequest): Promise<Decision> {
    return path === 'webhooks'
      ? this.webhooks.receive(request)
      : this.inFlight.admit(() => this.page(path, request));
  }

  private async page(
    path: Exclude<PathName, 'webhooks'>,
    request: InboundRequest,
  ): Promise<Decision> {
    if (path === 'authCallback') return this.finish(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return denied(405, 'method_not_allowed', 'This address answers GET requests only.', [
        ['allow', 'GET, HEAD'],
      ]);
    }
    switch (path) {
      case 'auth':
        return this.auth.begin(request);
      case 'exitIframe':
        return this.auth.exitIframe(request);
      case 'sessionToken':
        return this.auth.sessionTokenPage(request);
    }
  }

  private async finish(request: InboundRequest): Promise<Decision> {
    const outcome = await this.auth.callback(request);
    if (outcome.kind !== 'granted') return outcome;
    const landing = this.auth.landing(request, outcome.session);
    return { ...landing, headers: [...(landing.headers ?? []), ...outcome.headers] };
  }
}

/**
 * Which of the toolkit's paths this is. Where a handler of the app wants its deliveries is another
 * webhook path.
 */
function toolkitPath(
  pathname: string,
  config: PlatformConfig,
  handlers: WebhookRegistry,
): PathName | undefined {
  return (
    config.paths.match(pathname) ??
    (handlers.paths(config).includes(withoutSlash(pathname)) ? 'webhooks' : undefined)
  );
}
