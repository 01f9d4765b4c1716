import type { OnApplicationBootstrap } from '@nestjs/common';

import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { PRIVACY_TOPICS } from '../../core/vendor.js';
import { DEFAULT_APP } from '../../platform/nest/platform-tokens.js';
import type { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { shownUri, uriOf } from '../../webhooks/subscriptions/webhook-subscription.js';
import type { WebhookRegistrar } from '../../webhooks/subscriptions/webhook.registrar.js';

/** What a {@link BootReport} tells of. */
interface BootReportDependencies {
  /** Name of the app. */
  readonly app: string;
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly registry: WebhookRegistry;
  readonly registrar: WebhookRegistrar;
}

/**
 * Writes one line of level `log` once an app has started, as Nest's own router does for the routes
 * of controllers: what the toolkit answers, which methods handle webhooks, and what it subscribes
 * each shop to.
 */
export class BootReport implements OnApplicationBootstrap {
  constructor(private readonly dependencies: BootReportDependencies) {}

  onApplicationBootstrap(): void {
    const { app, logger } = this.dependencies;
    logger.info('The app has started', {
      ...(app !== DEFAULT_APP && { app }),
      routes: this.#routes(),
      handlers: this.#handlers(),
      subscriptions: this.#subscriptions(),
    });
  }

  #routes(): string[] {
    const { config, registry } = this.dependencies;
    if (!registry.receives) return [];
    const own = config.paths
      .entries()
      .map(([name]) => `${name === 'webhooks' ? 'POST' : 'GET'} ${config.paths[name]}`);
    return [...new Set([...own, ...registry.paths(config).map((path) => `POST ${path}`)])];
  }

  #handlers(): string[] {
    const { registry } = this.dependencies;
    return registry.handlers().map(({ topic, name }) => `${topic} ${name}`);
  }

  /** Those of every shop: the platform knows the privacy topics from the app itself. */
  #subscriptions(): string[] {
    const { config, registrar } = this.dependencies;
    return registrar
      .topics()
      .filter((topic) => !PRIVACY_TOPICS.includes(topic))
      .flatMap((topic) => [
        ...new Set(
          registrar.wanted(topic).map((wanted) => `${topic} ${shownUri(uriOf(wanted, config))}`),
        ),
      ]);
  }
}
