import { Inject, Module } from '@nestjs/common';
import type {
  DynamicModule,
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

/**
 * Starts what begins with the app, and at the end waits for what is in flight before any other
 * module of the container is destroyed: a handler may need a database that a provider of the app
 * closes in `onModuleDestroy`. The HTTP server still listens then, so that new deliveries are
 * answered.
 *
 * Nest has no hook for this. It calls `onModuleDestroy` module by module, from the root of the app
 * outwards: in ascending order of `distance`, which it looks up when it calls the first hook of all
 * (`onModuleInit`) and keeps. A smaller distance than all others, set while providers are made,
 * puts this module first at the end, and last at the start.
 */
@Module({})
export class LifetimeModule implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    @Inject(IN_FLIGHT) private readonly inFlight: InFlight,
    @Inject(LIFETIMES) private readonly lifetimes: Resolver,
    private readonly modules: ModulesContainer,
  ) {
    const others = [...modules.values()].filter(({ metatype }) => metatype !== LifetimeModule);
    const first = Math.min(...others.map(({ distance }) => distance)) - 1;
    for (const module of this.#ofAllApps()) module.distance = first;
  }

  /** @param bindings of all of the app, in the order in which they start */
  static for(app: PlatformModules, bindings: readonly Binding[]): DynamicModule {
    const lasting = bindings.filter(({ start, close }) => start ?? close);
    return {
      module: LifetimeModule,
      imports: [...app.imports],
      providers: [
        { provide: IN_FLIGHT, useExisting: app.token(InFlight) },
        {
          provide: LIFETIMES,
          useFactory: (...made: unknown[]) => lifetimesOf(lasting, made),
          inject: lasting.map(({ token }) => app.token(token)),
        },
      ],
    };
  }

  onModuleInit(): void {
    this.lifetimes.start();
  }

  /**
   * For all apps of the container at once: their limits would add up if one waited for the other.
   */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(
      this.#ofAllApps().map(({ instance }) =>
        (instance as unknown as LifetimeModule).inFlight.drain(),
      ),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.lifetimes.close();
  }

  #ofAllApps(): NestModule[] {
    return [...this.modules.values()].filter(({ metatype }) => metatype === LifetimeModule);
  }
}

/** Objects that Nest has made, with what starts and closes them. */
function lifetimesOf(bindings: readonly Binding[], made: readonly unknown[]): Resolver {
  const lifetimes = new Resolver(
    bindings.map((binding, at) => ({ ...binding, ...bindValue(binding.token, made[at]) })),
  );
  for (const { token } of bindings) lifetimes.get(token);
  return lifetimes;
}
