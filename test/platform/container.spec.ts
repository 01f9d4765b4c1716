import { Injectable, Logger, Module } from '@nestjs/common';
import type { LoggerService, OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';

import { BootError } from '../../lib/core/core.errors.js';
import { TokenManager } from '../../lib/auth/tokens/token-manager.js';
import { bindValue } from '../../lib/core/binding.js';
import {
  PlatformConfig,
  PlatformModule,
  WebhookHandler,
  WebhookRegistry,
} from '../../lib/index.js';
import { HandlerDiscovery } from '../../lib/platform/host/handler-discovery.js';
import { PlatformApi } from '../../lib/platform/api/platform.api.js';
import { PlatformRoutes } from '../../lib/platform/host/platform-routes.js';
import type { Resolver } from '../../lib/platform/kernel/resolver.js';
import { LazyContainer } from '../../lib/platform/nest/lazy-container.js';
import { appOptions } from '../support/app.js';
import { resolverOf } from '../support/resolver.js';

/** An app whose modules are searched for handlers. */
interface SearchedApp {
  readonly app: Resolver;
  readonly container: LazyContainer;
}

const open: LazyContainer[] = [];

function boot(modules: readonly object[] = []): SearchedApp {
  const container = new LazyContainer(modules);
  const app = resolverOf({}, [bindValue(HandlerDiscovery, container)]);
  container.boot(app);
  open.push(container);
  return { app, container };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((container) => container.close()));
});

class Missing {}

@Injectable()
class NeedsWhatIsMissing {
  constructor(readonly missing: Missing) {}
}

@Module({ providers: [NeedsWhatIsMissing] })
class BrokenModule {}

@Module({
  providers: [
    { provide: 'SLOW', useFactory: () => new Promise((resolve) => setTimeout(resolve, 50)) },
  ],
})
class SlowModule {}

class Collected implements LoggerService {
  readonly lines: string[] = [];
  log(message: unknown): void {
    this.lines.push(String(message));
  }
  error(message: unknown): void {
    this.lines.push(String(message));
  }
  warn(message: unknown): void {
    this.lines.push(String(message));
  }
}

describe('the hidden container', () => {
  it('searches over the very objects of the app', async () => {
    const injected: unknown[] = [];
    @Injectable()
    class Job {
      constructor(routes: PlatformRoutes, tokens: TokenManager, config: PlatformConfig) {
        injected.push(routes, tokens, config);
      }
    }
    @Module({ providers: [Job] })
    class Jobs {}

    const { app, container } = boot([Jobs]);
    await container.pending;
    expect(injected).toEqual([
      app.get(PlatformRoutes),
      app.get(TokenManager),
      app.get(PlatformConfig),
    ]);
  });

  it('adds the handlers it finds to the app, and not those of other apps in the modules', async () => {
    class Handlers {
      @WebhookHandler('PRODUCTS_CREATE') own(): void {}
      @WebhookHandler('PRODUCTS_DELETE', { app: 'b' }) foreign(): void {}
    }
    const paths = { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exit' };
    @Module({
      imports: [PlatformModule.forRoot({ ...appOptions({ apiKey: 'key-b' }), name: 'b', paths })],
      providers: [Handlers],
    })
    class WithAppB {}

    const { app, container } = boot([WithAppB]);
    await container.pending;
    const registry = app.get(WebhookRegistry);
    expect(registry.handlersFor('PRODUCTS_CREATE')).toHaveLength(1);
    expect(registry.handlersFor('PRODUCTS_DELETE')).toEqual([]);
  });

  it('keeps a failed boot to itself until first use, then names the cause', async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listener);
    const { container } = boot([BrokenModule]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.off('unhandledRejection', listener);
    expect(unhandled).toEqual([]);
    await expect(container.pending).rejects.toThrow(BootError);
    await expect(container.pending).rejects.toThrow(/NeedsWhatIsMissing/);
  });

  it('fails beside a Nest app that is booting without stopping it, and both log afterwards', async () => {
    const seen = new Collected();
    const { container } = boot([SlowModule, BrokenModule]);
    const app = await NestFactory.createApplicationContext(SlowModule, { logger: seen });
    await expect(container.pending).rejects.toThrow(BootError);
    new Logger('Neighbour').log('still here');
    expect(seen.lines).toContain('still here');
    await app.close();
  });

  it('leaves the logger of the process as it found it', async () => {
    const seen = new Collected();
    Logger.overrideLogger(seen);
    await boot([SlowModule]).container.pending;
    new Logger('Neighbour').log('unchanged');
    expect(seen.lines).toEqual(['unchanged']);
  });

  // Boots once waited for each other: one that never ends kept every later app of the process from
  // starting, and from closing.
  it('neither waits for nor disturbs another one that is stuck', async () => {
    const { container: stuck } = boot([
      {
        module: class Stuck {},
        providers: [{ provide: 'NEVER', useFactory: () => new Promise(() => {}) }],
      },
    ]);
    open.splice(open.indexOf(stuck), 1);
    const { container: other } = boot();
    await expect(other.pending).resolves.toBeUndefined();
    await other.close();
  });

  it('does not wait for itself when a module uses the library while it starts', async () => {
    const answers: unknown[] = [];
    @Injectable()
    class Eager implements OnModuleInit {
      constructor(private readonly api: PlatformApi) {}
      async onModuleInit(): Promise<void> {
        const delivery = { rawBody: '{}', rawRequest: new Request('https://app.example.com') };
        await this.api.webhooks.process(delivery).catch((error: Error) => answers.push(error.name));
      }
    }
    @Module({ providers: [Eager] })
    class EagerModule {}
    const { container } = boot([EagerModule]);
    await container.pending;
    expect(answers).toEqual(['InvalidWebhookError']);
  });

  it.each([
    ["Cannot find package '@nestjs/core' imported from /app/x.js", true],
    ["Cannot find package 'stripe' imported from /app/x.js", false],
  ])('asks for Nest only where Nest is missing: %s', async (message, asks) => {
    const missing = Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
    const { container } = boot([
      {
        module: class Needs {},
        providers: [{ provide: 'X', useFactory: () => Promise.reject(missing) }],
      },
    ]);
    const error = await container.pending!.catch((reason: Error) => reason);
    expect((error as Error).message.includes('npm install @nestjs/common')).toBe(asks);
  });

  it('can be closed twice, unused, and after a boot that failed', async () => {
    const { container: unused } = boot();
    await unused.close();
    await unused.close();
    const { container: failed } = boot([BrokenModule]);
    await expect(failed.close()).resolves.toBeUndefined();
  });
});
