import { Inject, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { InvalidOptionsError } from '../../core/core.errors.js';
import type { Resolver } from '../kernel/resolver.js';
import { appModuleOver } from './platform-module.factory.js';
import { ConfigurableModuleClass } from './platform.module-definition.js';
import { PLATFORM_NAME } from './platform-tokens.js';

/** The root of one app in a container. `shopwright` exports the form that also has the hosts. */
@Module({})
export class PlatformRootModule extends ConfigurableModuleClass {
  /** @throws {InvalidOptionsError} when another app of the container has the name */
  constructor(@Inject(PLATFORM_NAME) name: string, modules: ModulesContainer) {
    super();
    const namesakes = [...modules.values()].filter(
      ({ providers }) => providers.get(PLATFORM_NAME)?.instance === name,
    );
    if (namesakes.length < 2) return;
    const message = `"${name}" is registered ${namesakes.length} times: import the module once, or give each app a name of its own`;
    throw new InvalidOptionsError([{ option: 'name', message }]);
  }

  /** The module of an app whose objects exist already. */
  static over(resolver: Resolver): DynamicModule {
    return appModuleOver(resolver, { module: this });
  }
}
