import type { OnModuleInit } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

import { assertAccessMode, hasBothAccessModes } from '../../auth/tokens/access-mode.js';
import type { AccessMode } from '../../core/config/config.options.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { accessModeKey, marksOf } from './session-routes.js';

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
    for (const { controllers, providers } of this.modules.values())
      for (const { metatype } of [...controllers.values(), ...providers.values()])
        for (const { place, mark } of marksOf<AccessMode>(metatype, accessModeKey(this.app)))
          assertAccessMode(this.config, mark, place);
  }
}
