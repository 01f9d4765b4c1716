import { Injectable, Logger, Module } from '@nestjs/common';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';

import { BootError } from '../../lib/core/core.errors.js';
import { PlatformModule } from '../../lib/index.js';
import { LazyContainer } from '../../lib/platform/nest/lazy-container.js';
import { createKernel } from '../../lib/platform/kernel/platform-kernel.js';
import type { PlatformKernel } from '../../lib/platform/kernel/platform-kernel.js';
import { PlatformServices } from '../../lib/platform/kernel/platform-services.js';
import { appOptions } from '../support/app.js';
import { delivery } from '../webhooks/webhooks.fixture.js';

const handles: LazyContainer[] = [];

function boot(
  modules: readonly object[] = [],
  kernel: PlatformKernel = createKernel(appOptions()),
): LazyContainer {
  const handle = new LazyContainer(kernel, modules);
  handles.push(handle);
  return handle;
}

afterEach(async () => {
  await Promise.all(handles.splice(0).map((handle) => handle.close()));
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
  it('hands out the very objects of the kernel it was built over', async () => {
    const kernel = createKernel(appOptions());
    const services = await boot([], kernel).services();
    expect(services).toBeInstanceOf(PlatformServices);
    expect(Reflect.get(services.routes, 'config')).toBe(kernel.config);
  });

  it('serves its own app, whatever apps there are in the modules of the user', async () => {
    const paths = { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exit' };
    @Module({
      imports: [PlatformModule.forRoot({ ...appOptions({ apiKey: 'key-b' }), name: 'b', paths })],
    })
    class WithAppB {}

    const kernel = createKernel(appOptions());
    const services = await boot([WithAppB], kernel).services();
    expect(Reflect.get(services.routes, 'config')).toBe(kernel.config);
  });

  it('keeps a failed boot to itself until first use, then names the cause', async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listener);
    const handle = boot([BrokenModule]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.off('unhandledRejection', listener);
    expect(unhandled).toEqual([]);
    await expect(handle.services()).rejects.toThrow(BootError);
    await expect(handle.ready()).rejects.toThrow(/NeedsWhatIsMissing/);
  });

  it('fails beside a Nest app that is booting without stopping it, and both log afterwards', async () => {
    const seen = new Collected();
    const handle = boot([SlowModule, BrokenModule]);
    const app = await NestFactory.createApplicationContext(SlowModule, { logger: seen });
    await expect(handle.ready()).rejects.toThrow(BootError);
    new Logger('Neighbour').log('still here');
    expect(seen.lines).toContain('still here');
    await app.close();
  });

  it('leaves the logger of the process as it found it', async () => {
    const seen = new Collected();
    Logger.overrideLogger(seen);
    await boot([SlowModule]).ready();
    new Logger('Neighbour').log('unchanged');
    expect(seen.lines).toEqual(['unchanged']);
  });

  // Boots once waited for each other: one that never ends kept every later app of the process from
  // starting, and from closing.
  it('neither waits for nor disturbs another one that is stuck', async () => {
    const stuck = boot([
      {
        module: class Stuck {},
        providers: [{ provide: 'NEVER', useFactory: () => new Promise(() => {}) }],
      },
    ]);
    handles.splice(handles.indexOf(stuck), 1);
    const other = boot();
    await expect(other.services()).resolves.toBeInstanceOf(PlatformServices);
    await other.close();
  });

  it('takes nothing in once it is closed, also when it was still booting then', async () => {
    const handle = boot([SlowModule]);
    const closed = Promise.all([handle.close(), handle.close()]);
    const { webhooks } = await handle.services();
    expect(await webhooks.receive(delivery())).toMatchObject({
      status: 503,
      reason: 'shutting_down',
    });
    await closed;
    expect(await webhooks.receive(delivery())).toMatchObject({
      status: 503,
      reason: 'shutting_down',
    });
  });

  it('can be closed twice, unused, and after a boot that failed', async () => {
    const unused = boot();
    await unused.close();
    await unused.close();
    const failed = boot([BrokenModule]);
    await expect(failed.close()).resolves.toBeUndefined();
  });
});
