import type { ApplicationConfig, ContextId, DiscoveryService, ModuleRef } from '@nestjs/core';

import { modulesOf, resolveInContext } from './handler.explorer.js';
import type { HandlerHost } from './handler.explorer.js';

/** An enhancer that Nest does not create with the app. */
type ScopedEnhancer = ReturnType<DiscoveryService['getProviders']>[number];

/**
 * The pipes, guards and interceptors of a Nest app that are request-scoped or transient. Nest
 * creates them for the routes of controllers; around any other method they have to be resolved
 * first, or Nest leaves them out or runs them without having called their constructor.
 */
export class ScopedEnhancers {
  #modules: ReadonlyMap<unknown, ModuleRef> | undefined;

  constructor(
    private readonly config: ApplicationConfig,
    private readonly discovery: DiscoveryService,
  ) {}

  /**
   * The global ones that run around a method: the pipes, and guards and interceptors where
   * `enhancers` is true. Complete once the app is initialised.
   */
  around(enhancers: boolean): readonly ScopedEnhancer[] {
    const { config } = this;
    return [
      ...config.getGlobalRequestPipes(),
      ...(enhancers
        ? [...config.getGlobalRequestGuards(), ...config.getGlobalRequestInterceptors()]
        : []),
    ];
  }

  /**
   * The transient ones that decorate the class of a provider or its methods. For a provider that is
   * instantiated for each call, Nest creates them with it.
   */
  on(host: HandlerHost): readonly ScopedEnhancer[] {
    if (!('instance' in host)) return [];
    return [...new Set(host.enhancers)].filter(({ isTransient }) => isTransient);
  }

  /**
   * Creates them for one call, where `ExternalContextCreator` looks for them.
   * @param inquirerId Nest's id of the provider that has the method
   */
  async resolve(
    enhancers: readonly ScopedEnhancer[],
    contextId: ContextId,
    inquirerId: string,
  ): Promise<void> {
    if (enhancers.length === 0) return;
    const modules = (this.#modules ??= modulesOf(this.discovery.getProviders()));
    await Promise.all(
      enhancers.map(async (enhancer) => {
        const module = modules.get(enhancer.host)!;
        const instance = await resolveInContext({ token: enhancer.token, module }, contextId);
        // A transient one was created for itself; Nest looks for the one of the provider.
        if (enhancer.isTransient)
          enhancer.setInstanceByContextId(contextId, { instance, isResolved: true }, inquirerId);
      }),
    );
  }
}
