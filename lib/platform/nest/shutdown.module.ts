import { Module } from '@nestjs/common';
import type { DynamicModule, OnModuleDestroy } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformModules } from '../../core/nest/platform-plugin.js';

/** Nest's own record of a module, whose class it does not export. */
type NestModule = ModulesContainer extends Map<string, infer Record> ? Record : never;

/**
 * Waits for what is in flight before any other module of the container is destroyed: a handler may
 * need a database that a provider of the app closes in `onModuleDestroy`. The HTTP server still
 * listens then, so that new deliveries are answered.
 *
 * Nest has no hook for this. It calls `onModuleDestroy` module by module, from the root of the app
 * outwards: in ascending order of `distance`, which it looks up when it calls the first hook of all
 * (`onModuleInit`) and keeps. A smaller distance than all others, set while providers are made,
 * puts this module first at the end, and last at the start.
 */
@Module({})
export class ShutdownModule implements OnModuleDestroy {
  constructor(
    private readonly inFlight: InFlight,
    private readonly modules: ModulesContainer,
  ) {
    const others = [...modules.values()].filter(({ metatype }) => metatype !== ShutdownModule);
    const first = Math.min(...others.map(({ distance }) => distance)) - 1;
    for (const module of this.#ofAllApps()) module.distance = first;
  }

  static for(app: PlatformModules): DynamicModule {
    return { module: ShutdownModule, imports: [app.kernel] };
  }

  /**
   * For all apps of the container at once: their limits would add up if one waited for the other.
   */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(
      this.#ofAllApps().map(({ instance }) =>
        (instance as unknown as ShutdownModule).inFlight.drain(),
      ),
    );
  }

  #ofAllApps(): NestModule[] {
    return [...this.modules.values()].filter(({ metatype }) => metatype === ShutdownModule);
  }
}
