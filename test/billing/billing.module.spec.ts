import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';

import { AuthUrls } from '../../lib/auth/responses/auth-urls.js';
import { BillingGate } from '../../lib/billing/billing-gate.js';
import { BillingModule } from '../../lib/billing/billing.module.js';
import { BILLING } from '../../lib/billing/billing.providers.js';
import { BillingService } from '../../lib/billing/billing.service.js';
import { Clock } from '../../lib/core/time/clock.js';
import { PlatformConfig } from '../../lib/core/config/platform-config.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import { PlatformLogger } from '../../lib/core/logger.js';
import type { PlatformModules } from '../../lib/core/nest/platform-plugin.js';
import { page } from '../auth/auth.fixture.js';
import { createBilling } from './billing.fixture.js';
import { subscribed } from './shop.charges.js';

class KernelModule {}
class AuthModule {}

describe('the module of the room', () => {
  it('hands out the service of the app and a gate over it', async () => {
    const app = await createBilling();
    subscribed(app);
    const providers = [
      { provide: BILLING, useValue: app.billing },
      { provide: PlatformConfig, useValue: app.config },
      { provide: Clock, useValue: app.clock },
      { provide: PlatformLogger, useValue: new PlatformLogger({ log: () => {} }, app.clock, []) },
    ];
    const keys = new SecretKeys(app.config.apiSecretKeys);
    const auth = {
      module: AuthModule,
      providers: [{ provide: AuthUrls, useValue: new AuthUrls(app.config, keys, app.clock) }],
      exports: [AuthUrls],
    };
    const kernel = {
      module: KernelModule,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
    const context = await Test.createTestingModule({
      imports: [BillingModule.for({ name: 'default', kernel, auth } as PlatformModules)],
    }).compile();
    expect(context.get(BillingService)).toBe(app.billing);
    await expect(
      context.get(BillingGate).require(page('/'), app.session, { plans: 'Pro' }),
    ).resolves.toMatchObject({ kind: 'granted' });
    await context.close();
  });
});
