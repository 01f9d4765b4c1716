import type { FactoryProvider, InjectionToken } from '@nestjs/common';

import { LifecycleHandlers } from '../../auth/lifecycle/lifecycle-handlers.js';
import { Lifecycle } from '../../auth/lifecycle/lifecycle.js';
import { ApiClients } from '../../auth/clients/shop-clients.js';
import { AuthService } from '../../auth/auth.service.js';
import { AppProxyAuthenticator } from '../../auth/public/app-proxy.authenticator.js';
import { ExtensionAuthenticator } from '../../auth/public/extension.authenticator.js';
import { ScopesService } from '../../auth/scopes/scopes.service.js';
import { QueryHmacAuthenticator } from '../../auth/signed/query-hmac.authenticator.js';
import { SignedRequestAuthenticator } from '../../auth/signed/signed-request.authenticator.js';
import { TokenClient } from '../../auth/tokens/token.client.js';
import { TokenManager } from '../../auth/tokens/token-manager.js';
import { BillingGate } from '../../billing/billing-gate.js';
import { BillingService } from '../../billing/billing.service.js';
import { typedToken } from '../../core/binding.js';
import type { Binding, Token } from '../../core/binding.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { CORE_OPTIONS } from '../../core/core.providers.js';
import { HttpTransport } from '../../core/http/http-transport.js';
import { PlatformLogger } from '../../core/logger.js';
import { Pacer } from '../../core/pacing/pacer.js';
import { Telemetry } from '../../core/telemetry/telemetry.js';
import { Clock } from '../../core/time/clock.js';
import { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { AdminBulkClient } from '../../graphql-client/bulk/admin-bulk.client.js';
import { StorefrontGraphqlClient } from '../../graphql-client/storefront-graphql.client.js';
import { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import { InstallationStore } from '../../sessions/coordination/installation.store.js';
import { Lock } from '../../sessions/coordination/lock.js';
import { WebhookInbox } from '../../sessions/coordination/webhook.inbox.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { WebhookIngest } from '../../webhooks/ingest/webhook-ingest.js';
import { WebhooksPageEndpoint } from '../../webhooks/page/webhooks-page.endpoint.js';
import { DeadLetters } from '../../webhooks/queue/dead-letters.js';
import { WebhookQueue } from '../../webhooks/queue/webhook.queue.js';
import { WebhookRegistrar } from '../../webhooks/subscriptions/webhook.registrar.js';
import { WebhookRollout } from '../../webhooks/subscriptions/webhook-rollout.js';
import { SIGNED_PATHS } from '../../webhooks/webhooks.providers.js';
import { PlatformApi } from '../api/platform.api.js';
import { PlatformClients } from '../api/platform-clients.js';
import { SharedChecks } from '../health/shared-checks.js';
import { HandlerDiscovery } from '../host/handler-discovery.js';
import { PlatformRoutes } from '../host/platform-routes.js';
import { RequestContexts } from '../host/request-context.js';
import { GIVEN_STORAGE, HOST_CONTEXT, PLATFORM_OPTIONS } from '../kernel/option-tokens.js';
import { Resolver } from '../kernel/resolver.js';

// A provider costs Nest several times what it costs to make the object. So what an app has no name
// for, and can neither ask for nor replace, is made beside Nest.

/** What most objects need. Nest makes these first, of nothing that is made beside it. */
const BASE: readonly Token[] = [
  PLATFORM_OPTIONS,
  HOST_CONTEXT,
  PlatformConfig,
  CORE_OPTIONS,
  Clock,
  PlatformLogger,
  InFlight,
  Telemetry,
  HttpTransport,
  Pacer,
];

/** What the package exports, what hosts inject, and the ports: the providers of a Nest app. */
const PROVIDED: ReadonlySet<Token> = new Set([
  ...BASE,
  ...[GIVEN_STORAGE, SessionStorage, Lock, WebhookInbox, InstallationStore],
  ...[AdminRestClient, AdminGraphqlClient, AdminBulkClient, StorefrontGraphqlClient],
  ...[TokenClient, TokenManager, ScopesService, Lifecycle, LifecycleHandlers, AuthService],
  ...[ApiClients, AppProxyAuthenticator, ExtensionAuthenticator],
  ...[QueryHmacAuthenticator, SignedRequestAuthenticator, SIGNED_PATHS],
  ...[BillingService, BillingGate],
  ...[WebhookRegistry, WebhookReceiver, WebhookIngest, WebhookRegistrar, WebhookRollout],
  ...[WebhookQueue, DeadLetters, WebhooksPageEndpoint],
  ...[PlatformClients, PlatformApi, PlatformRoutes, RequestContexts],
  ...[HandlerDiscovery, SharedChecks],
]);

/** The injection token of an object of one app. */
type TokenOf = (token: Token) => InjectionToken;

/** A factory of Nest's that is given objects of an app. */
export type ObjectsFactory<T> = Required<Pick<FactoryProvider<T>, 'useFactory' | 'inject'>>;

/** Under which an app has its inner objects. */
export const INNER_OBJECTS = typedToken<Resolver>('INNER_OBJECTS');

/** Those objects of an app that are no providers of a Nest app. */
export class InnerObjects {
  readonly #rows: ReadonlyMap<Token, Binding>;

  /** @param bindings of all of an app */
  constructor(bindings: readonly Binding[]) {
    const inner = bindings.filter(({ token }) => !PROVIDED.has(token));
    this.#rows = new Map(inner.map((row) => [row.token, row]));
  }

  /** True for the token of an inner object. */
  has(token: Token): boolean {
    return this.#rows.has(token);
  }

  /** The provider of what makes the inner objects of an app, each when it is first needed. */
  provider(token: TokenOf): FactoryProvider<Resolver> {
    return {
      provide: token(INNER_OBJECTS),
      useFactory: (...base: unknown[]) => {
        const objects = new Resolver([...this.#rows.values()]);
        for (const [at, each] of BASE.entries()) objects.give(each, base[at]);
        return objects;
      },
      inject: BASE.map(token),
    };
  }

  /**
   * A factory that is given objects of an app. For an inner one Nest injects what that is made of,
   * so that what is overridden reaches it.
   * @param needs the tokens of what `make` is given, in this order
   */
  factory<T>(
    token: TokenOf,
    needs: readonly Token[],
    make: (...objects: unknown[]) => T,
  ): ObjectsFactory<T> {
    if (!needs.some((each) => this.has(each)))
      return { useFactory: make, inject: needs.map(token) };
    const injected = [...this.#providersBelow(needs)].filter((each) => !BASE.includes(each));
    return {
      useFactory: (objects: Resolver, ...given: unknown[]) => {
        for (const [at, each] of injected.entries()) objects.give(each, given[at]);
        return make(...needs.map((each) => objects.get(each)));
      },
      inject: [token(INNER_OBJECTS), ...injected.map(token)],
    };
  }

  /** Those of the tokens that are providers, and the providers that the others are made of. */
  #providersBelow(tokens: readonly Token[]): Set<Token> {
    const reached = new Set(tokens);
    for (const token of reached)
      for (const needed of this.#rows.get(token)?.inject ?? []) reached.add(needed);
    return new Set([...reached].filter((token) => !this.has(token)));
  }
}
