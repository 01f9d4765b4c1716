import { Inject, Module } from '@nestjs/common';
import type {
  DynamicModule,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { bindValue } from '../../core/binding.js';
import type { Binding } from '../../core/binding.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformModules } from '../../core/nest/platform-plugin.js';
import { Resolver } from '../kernel/resolver.js';

const IN_FLIGHT = Symbol('in flight');
const LIFETIMES = Symbol('lifetimes');

/** Nest's own record of a module, whose class it does not export. */
type NestModule = ModulesContainer extends Map<string, infer Record> ? Record : never;

// Nest has no hook that runs before, or after, those of all other modules. It calls `onModuleInit`
// module by module in descending order of `distance` from the root of the app, `onModuleDestroy` in
// ascending order; it looks the distances up when it calls the first hook of all, and keeps them.
// They are set while providers are made: larger than all others for what has to start first,
// smaller than all others for what has to stop first.

/** Starts what begins with an app before the hooks of any other module run. */
@Module({})
export class StartModule implements OnModuleInit {
  constructor(
    @Inject(LIFETIMES) private readonly lifetimes: Resolver,
    private readonly modules: ModulesContainer,
  ) {
    const distances = [...modules.values()].map(({ distance }) => distance);
    const last = Math.max(...distances.filter((distance) => distance < Infinity)) + 1;
    for (const module of modulesOf(modules, StartModule)) module.distance = last;
  }

  /** @param bindings of all of the app, in the order in which they start */
  static for(app: PlatformModules, bindings: readonly Binding[]): DynamicModule {
    const lasting = bindings.filter(({ start, ready, close }) => start ?? ready ?? close);
    return {
      module: StartModule,
      imports: [...app.imports],
      providers: [
        {
          provide: LIFETIMES,
          useFactory: (...made: unknown[]) => lifetimesOf(lasting, made),
          inject: lasting.map(({ token }) => app.token(token)),
        },
      ],
      exports: [LIFETIMES],
    };
  }

  onModuleInit(): void {
    try {
      this.lifetimes.start();
    } catch (error) {
      // Nest calls no hook of a container that did not start: the other apps of it end here.
      for (const { instance } of modulesOf(this.modules, StartModule))
        void (instance as unknown as StartModule).lifetimes.close().catch(() => {});
      throw error;
    }
  }
}

/**
 * Begins what runs handlers when every other module has been started, and waits for what is in
 * flight before any other module is destroyed: a handler may need a database that a provider of the
 * app opens in `onModuleInit` and closes in `onModuleDestroy`. The HTTP server still listens then,
 * so that new deliveries are answered.
 */
@Module({})
export class ShutdownModule
  implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  constructor(
    @Inject(IN_FLIGHT) private readonly inFlight: InFlight,
    @Inject(LIFETIMES) private readonly lifetimes: Resolver,
    private readonly modules: ModulesContainer,
  ) {
    const others = [...modules.values()].filter(({ metatype }) => metatype !== ShutdownModule);
    const first = Math.min(...others.map(({ distance }) => distance)) - 1;
    for (const module of modulesOf(modules, ShutdownModule)) module.distance = first;
  }

  static for(app: PlatformModules, start: DynamicModule): DynamicModule {
    return {
      module: ShutdownModule,
      imports: [...app.imports, start],
      providers: [{ provide: IN_FLIGHT, useExisting: app.token(InFlight) }],
    };
  }

  onApplicationBootstrap(): void {
    this.lifetimes.ready();
  }

  /**
   * For all apps of the container at once: their limits would add up if one waited for the other.
   */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(
      modulesOf(this.modules, ShutdownModule).map(({ instance }) =>
        (instance as unknown as ShutdownModule).inFlight.drain(),
      ),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.lifetimes.close();
  }
}

/** The modules of that class, of all apps of the container. */
function modulesOf(modules: ModulesContainer, of: NestModule['metatype']): NestModule[] {
  return [...modules.values()].filter(({ metatype }) => metatype === of);
}

/** Objects that Nest has made, with what starts and closes them. */
function lifetimesOf(bindings: readonly Binding[], made: readonly unknown[]): Resolver {
  const lifetimes = new Resolver(
    bindings.map((binding, at) => ({ ...binding, ...bindValue(binding.token, made[at]) })),
  );
  for (const { token } of bindings) lifetimes.get(token);
  return lifetimes;
}
