import { Module } from '@nestjs/common';
import type { OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';

import { PlatformModule } from '../../../lib/index.js';
import { appOptions } from '../../support/app.js';
import { stage } from './stage.js';

const options = () =>
  appOptions({ shopOrigin: (shop) => stage.shopOrigin(shop), sessionStorage: stage.storage });

@Module({ imports: [PlatformModule.forRoot(options())] })
export class AppModule implements OnModuleDestroy, OnApplicationShutdown {
  onModuleDestroy(): void {
    stage.closed++;
  }

  onApplicationShutdown(): void {}
}

@Module({ imports: [PlatformModule.forRootAsync({ name: 'b', useFactory: options })] })
export class NamedModule {}

/** The other app has no tokens to migrate. */
@Module({
  imports: [
    PlatformModule.forRoot(options()),
    PlatformModule.forRoot({
      ...appOptions({ apiKey: 'other-key' }),
      name: 'b',
      paths: { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exit' },
    }),
  ],
})
export class TwoApps {}

/** A Nest module without the toolkit. */
@Module({ providers: [] })
export class OtherModule {}
