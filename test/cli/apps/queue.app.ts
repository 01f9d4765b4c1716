import { Module } from '@nestjs/common';

import { PlatformModule } from '../../../lib/index.js';
import { bullmqQueue } from '../../../lib/webhooks/queue/bullmq/index.js';
import { appOptions } from '../../support/app.js';
import { stage } from './stage.js';

/** An app whose deliveries wait in a queue. */
@Module({
  imports: [
    PlatformModule.forRootAsync({
      useFactory: () => ({
        ...appOptions({ shopOrigin: (shop) => stage.shopOrigin(shop) }),
        sessionStorage: stage.storage,
        webhooks: {
          queue: bullmqQueue({ connection: { redis: { host: '127.0.0.1', port: stage.port } } }),
        },
      }),
    }),
  ],
})
export class QueueModule {}
