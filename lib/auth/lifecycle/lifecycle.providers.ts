import type { Provider } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { Clock } from '../../core/time/clock.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { PlatformLogger } from '../../core/logger.js';
import { Lock } from '../../sessions/coordination/lock.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { ApiClients } from '../clients/shop-clients.js';
import { InstallationRecords } from '../installations/installation-records.js';
import { LifecycleExplorer } from './lifecycle.explorer.js';
import { LifecycleHandlers } from './lifecycle-handlers.js';
import { AfterInstall, Lifecycle } from './lifecycle.js';

/** The providers of the lifecycle, for the app called `app`. */
export function lifecycleProviders(app: string): Provider[] {
  return [
    {
      provide: Lifecycle,
      useFactory: (
        config: PlatformConfig,
        clock: Clock,
        logger: PlatformLogger,
        inFlight: InFlight,
        lock: Lock,
        storage: SessionStorage,
        clients: ApiClients,
        records: InstallationRecords,
        handlers: LifecycleHandlers,
        afterInstall: AfterInstall,
      ) =>
        new Lifecycle({
          config,
          clock,
          logger,
          inFlight,
          lock,
          storage,
          clients,
          records,
          handlers,
          afterInstall,
        }),
      inject: [
        PlatformConfig,
        Clock,
        PlatformLogger,
        InFlight,
        Lock,
        SessionStorage,
        ApiClients,
        InstallationRecords,
        LifecycleHandlers,
        AfterInstall,
      ],
    },
    {
      provide: LifecycleExplorer,
      useFactory: (
        discovery: DiscoveryService,
        scanner: MetadataScanner,
        handlers: LifecycleHandlers,
      ) => new LifecycleExplorer(app, discovery, scanner, handlers),
      inject: [DiscoveryService, MetadataScanner, LifecycleHandlers],
    },
  ];
}
