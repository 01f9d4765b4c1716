import type { AuthService } from './auth/auth.service.js';
import type { PlatformConfig } from './core/config/platform.config.js';
import type { PathName } from './core/config/platform.paths.js';
import { denied } from './core/decision.js';
import type { FinalDecision } from './core/decision.js';
import type { InboundRequest } from './core/http/inbound-request.js';
import { replyTo } from './core/http/reply.js';
import type { Reply } from './core/http/reply.js';
import type { PlatformLogger } from './core/logger.js';
import type { WebhookReceiver } from './webhooks/webhook.receiver.js';

/** Answers the paths that belong to the toolkit: start and end of OAuth, the two helper pages, and webhooks. */
export class PlatformRoutes {
  constructor(
    private readonly config: PlatformConfig,
    private readonly logger: PlatformLogger,
    private readonly auth: AuthService,
    private readonly webhooks: WebhookReceiver,
  ) {}

  /** The reply, or `undefined` when the path belongs to the app. Never throws: what goes wrong is logged and answered with 500. */
  async handle(request: InboundRequest): Promise<Reply | undefined> {
    const path = this.config.paths.match(request.url.pathname);
    if (path === undefined) return undefined;
    try {
      return replyTo(request, await this.decide(path, request));
    } catch (error) {
      this.logger.error('A request could not be answered', { path: request.url.pathname, error });
      return replyTo(request, denied(500, 'internal_error', 'The app failed to answer this request. Its log says why.'));
    }
  }

  private async decide(path: PathName, request: InboundRequest): Promise<FinalDecision> {
    if (path === 'webhooks') return this.webhooks.receive(request);
    if (path === 'authCallback') return this.finish(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return denied(405, 'method_not_allowed', 'This address answers GET requests only.', [['allow', 'GET, HEAD']]);
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

  private async finish(request: InboundRequest): Promise<FinalDecision> {
    const outcome = await this.auth.callback(request);
    if (outcome.kind !== 'granted') return outcome;
    const landing = this.auth.landing(request, outcome.session);
    return { ...landing, headers: [...(landing.headers ?? []), ...outcome.headers] };
  }
}
