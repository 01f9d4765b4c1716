import { Inject, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { InvalidOptionsError } from '../../core/core.errors.js';
import { assemble } from './platform-module.factory.js';
import { PlatformKernel } from '../kernel/platform-kernel.js';
import { ConfigurableModuleClass } from './platform.module-definition.js';
import { PLATFORM_NAME } from './platform-tokens.js';

/**
 * The root of one app in a container: its kernel and its rooms. `shopwright` exports the form that
 * also has the hosts.
 */
@Module({})
export class PlatformRootModule
  extends ConfigurableModuleClass
  implements OnModuleInit, OnApplicationShutdown
{
  constructor(
    @Inject(PLATFORM_NAME) private readonly name: string,
    private readonly kernel: PlatformKernel,
    private readonly modules: ModulesContainer,
  ) {
    super();
  }

  /** The module of an app whose kernel exists already. */
  static forKernel(kernel: PlatformKernel): DynamicModule {
    return assemble(
      { module: this },
      { providers: [{ provide: PlatformKernel, useValue: kernel }] },
      {},
    );
  }

  onModuleInit(): void {
    const namesakes = [...this.modules.values()].filter(
      ({ providers }) => providers.get(PLATFORM_NAME)?.instance === this.name,
    );
    if (namesakes.length > 1) {
      const message = `"${this.name}" is registered ${namesakes.length} times: import the module once, or give each app a name of its own`;
      throw new InvalidOptionsError([{ option: 'name', message }]);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.kernel.close();
  }
}
