import { Module } from '@nestjs/common';
import { ApiVersion, PlatformModule } from 'shopwright';
import { SqliteSessionStorage } from 'shopwright/sessions/sqlite';

import { DeliveryLog } from './delivery.log.js';
import { HomeController } from './home.controller.js';
import { InstallationHandlers } from './installation.handlers.js';
import { plans } from './plans.js';
import { ProductHandlers } from './product.handlers.js';
import { ProductsController } from './products.controller.js';
import { ReportsController } from './reports.controller.js';
import { SubscriptionHandlers } from './subscription.handlers.js';

// The app's key, secret, scopes and URL come from the environment: PLATFORM_API_KEY,
// PLATFORM_API_SECRET, SCOPES, HOST. DEV_STORE names a simulated store (see demo.ts); without it
// shops are reached on the internet.
const devStore = process.env['DEV_STORE'];

@Module({
  imports: [
    PlatformModule.forRootAsync({
      paths: { auth: '/auth', webhooks: '/webhooks' },
      useFactory: () => ({
        apiVersion: ApiVersion.July26,
        billing: plans,
        sessionStorage: new SqliteSessionStorage(process.env['DATABASE'] ?? 'sessions.db'),
        shopOrigin: devStore ? () => devStore : undefined,
      }),
    }),
  ],
  controllers: [HomeController, ProductsController, ReportsController],
  providers: [DeliveryLog, InstallationHandlers, ProductHandlers, SubscriptionHandlers],
})
export class AppModule {}
