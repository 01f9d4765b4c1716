import type { OnModuleInit } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import type { ModulesContainer } from '@nestjs/core';

import { assertAccessMode, hasBothAccessModes } from '../../auth/tokens/access-mode.js';
import type { AccessMode } from '../../core/config/config.options.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { accessModeKey } from './session-routes.js';

/** Refuses, at boot, handlers that ask for sessions that the app has not. */
export class AccessModeCheck implements OnModuleInit {
  constructor(
    private readonly app: string,
    private readonly modules: ModulesContainer,
    private readonly config: PlatformConfig,
  ) {}

  /** @throws {InvalidOptionsError} naming the handler or its class */
  onModuleInit(): void {
    // Nothing has to be looked through.
    if (hasBothAccessModes(this.config)) return;
    for (const module of this.modules.values())
      for (const { metatype } of [...module.controllers.values(), ...module.providers.values()])
        if (typeof metatype === 'function') this.#check(metatype);
  }

  #check({ name, prototype }: { readonly name: string; readonly prototype?: object }): void {
    if (!prototype) return;
    const methods = prototype as Readonly<Record<string, object>>;
    this.#assert(prototype.constructor, name);
    for (const method of new MetadataScanner().getAllMethodNames(prototype))
      this.#assert(methods[method]!, `${name}.${method}`);
  }

  #assert(target: object, place: string): void {
    const mode: unknown = Reflect.getMetadata(accessModeKey(this.app), target);
    if (mode !== undefined) assertAccessMode(this.config, mode as AccessMode, place);
  }
}
