import { Injectable } from '@nestjs/common';
import type { DynamicModule, InjectionToken, Provider, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { TestingModule } from '@nestjs/testing';
import { afterEach } from '@jest/globals';

import type { Token } from '../../lib/core/binding.js';
import { PlatformConfig } from '../../lib/core/config/platform-config.js';
import type { PlatformPlugin } from '../../lib/core/nest/platform-plugin.js';
import type { Resolver } from '../../lib/platform/kernel/resolver.js';
import { DEFAULT_APP, getPlatformToken } from '../../lib/platform/nest/platform-tokens.js';

/** What an app puts into its container. */
export interface UserModule {
  readonly providers?: Provider[];
  readonly controllers?: Type[];
  readonly imports?: (Type | DynamicModule)[];
}

const booted: TestingModule[] = [];
afterEach(async () => {
  for (const container of booted.splice(0)) await container.close();
});

/** Starts an app with a module of the toolkit in it. Its container is closed after the test. */
export async function boot(
  { feature }: { readonly feature: Type | DynamicModule },
  { imports = [], ...userModule }: UserModule,
): Promise<TestingModule> {
  const container = await Test.createTestingModule({
    ...userModule,
    imports: [feature, ...imports],
  }).compile();
  await container.init();
  booted.push(container);
  return container;
}

/** The module of a feature over the objects of an app, for an app of that name. */
export function moduleOver(
  app: Resolver,
  feature: PlatformPlugin,
  name: string = DEFAULT_APP,
): DynamicModule {
  const token = (of: Token) => getPlatformToken(of, name) as InjectionToken;
  // What every feature has of the app as a whole.
  const config = {
    provide: token(PlatformConfig),
    useFactory: () => app.get(PlatformConfig),
  };
  class ConfigModule {}
  return feature.for({
    name,
    token,
    imports: [{ module: ConfigModule, providers: [config], exports: [config] }],
    providers: (bindings) =>
      bindings.map((binding) => ({
        provide: token(binding.token),
        useValue: app.get(binding.token),
      })),
  });
}

/** Something to be injected. */
@Injectable()
export class Dependency {
  readonly name: string = 'dependency';
}

/** A dependency by another name, for those who make their instances themselves. */
export class Named extends Dependency {
  constructor(override readonly name: string) {
    super();
  }
}

/**
 * A class whose `handle()` is decorated, as esbuild compiles it: decorators are called, constructor
 * types are gone.
 */
export function untyped(
  decorate: (prototype: object, method: string, descriptor: PropertyDescriptor) => void,
): Type {
  class Untyped {
    constructor(readonly dependency: Dependency) {}
    handle(): string {
      return this.dependency.name;
    }
  }
  // Decorated by hand, the class carries what decorators say and not what the compiler adds.
  decorate(
    Untyped.prototype,
    'handle',
    Object.getOwnPropertyDescriptor(Untyped.prototype, 'handle')!,
  );
  Injectable()(Untyped);
  return Untyped;
}
