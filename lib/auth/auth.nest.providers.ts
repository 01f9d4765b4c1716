import type { Provider } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { LifecycleExplorer } from './lifecycle/lifecycle.explorer.js';
import { LifecycleHandlers } from './lifecycle/lifecycle-handlers.js';

/** What only Nest can do: find decorated methods. */
export function authNestProviders(app: PlatformModules): Provider[] {
  return [
    {
      provide: LifecycleExplorer,
      useFactory: (
        discovery: DiscoveryService,
        scanner: MetadataScanner,
        handlers: LifecycleHandlers,
      ) => new LifecycleExplorer(app.name, discovery, scanner, handlers),
      inject: [DiscoveryService, MetadataScanner, app.token(LifecycleHandlers)],
    },
  ];
}
