import { Controller, Get, Injectable, Module } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { describe, expect, it } from '@jest/globals';

import { DevClock } from '../../lib/dev-store/base/dev-clock.js';
import { DevStore } from '../../lib/dev-store/index.js';
import { ApiVersion, InvalidOptionsError, PlatformModule } from '../../lib/index.js';
import type { PlatformOptions } from '../../lib/index.js';
import { platformApi as platformApp } from '../../lib/integrations/api/index.js';
import type { PlatformApiOptions } from '../../lib/integrations/api/platform-api.js';
import { PlatformHealthIndicator, checkHealth } from '../../lib/platform/health/index.js';
import type { HealthOptions, HealthReport } from '../../lib/platform/health/index.js';
import { Lock } from '../../lib/sessions/coordination/lock.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { WebhookQueue } from '../../lib/webhooks/queue/webhook.queue.js';
import type { DeliveryOutcome } from '../../lib/webhooks/queue/webhook.queue.js';
import type { QueueDepth } from '../../lib/webhooks/queue/queue-status.js';
import { API_KEY, API_SECRET, appOptions } from '../support/app.js';

/** As a driver puts them into its messages. */
const CREDENTIALS = 'postgres://app:pa55w0rd@db.example.com/app';

/** The platform's network of static files, whose clock says `date`. */
const platform =
  (headers: Record<string, string>): typeof fetch =>
  async () =>
    new Response(null, { headers });

const TIME = Date.parse('2026-11-23T08:00:00Z');
const NOW = new Date(TIME).toUTCString();

/** The health of an app without a host. */
async function healthOf(
  options: Partial<PlatformApiOptions> & Pick<PlatformOptions, 'sessionStorage'> = {},
  health: HealthOptions = {},
): Promise<HealthReport> {
  const clock = new DevClock({ now: () => new Date(TIME) });
  const app = platformApp({
    apiKey: API_KEY,
    apiSecretKey: API_SECRET,
    hostName: 'app.example.com',
    apiVersion: ApiVersion.July26,
    logger: { log: () => {} },
    clock,
    fetch: platform({ date: NOW }),
    ...options,
  });
  try {
    return await checkHealth(app, health);
  } finally {
    await app.close();
  }
}

class FailingStorage extends MemorySessionStorage {
  override async loadSession(): Promise<never> {
    throw new Error(`connect ECONNREFUSED ${CREDENTIALS}`);
  }
}

/** A lock that everybody gets. */
class OpenLock extends Lock {
  async take(): Promise<boolean> {
    return true;
  }
  async renew(): Promise<boolean> {
    return true;
  }
  async release(): Promise<void> {}
}

class FullQueue extends WebhookQueue {
  async enqueue(): Promise<DeliveryOutcome> {
    return { kind: 'accepted', reason: 'queued' };
  }
  override async depth(): Promise<QueueDepth> {
    return { waiting: 1001, active: 2, delayed: 3, dead: 4 };
  }
}
const queue = { create: () => new FullQueue() };

describe('the health of an app', () => {
  it('is good when all that it depends on is there', async () => {
    expect(await healthOf()).toEqual({
      isHealthy: true,
      checks: {
        configuration: { status: 'up', durationMs: 0 },
        storage: { status: 'up', durationMs: 0 },
        lock: { status: 'up', durationMs: 0 },
        queue: { status: 'up', durationMs: 0, depth: undefined },
        clock: { status: 'up', durationMs: 0, skewMs: 0 },
      },
    });
  });

  it('tells of a storage that fails, without its address and credentials', async () => {
    const report = await healthOf({ sessionStorage: new FailingStorage() });
    expect([report.isHealthy, report.checks.storage]).toEqual([
      false,
      { status: 'down', reason: 'unreachable', durationMs: 0 },
    ]);
    expect(JSON.stringify(report)).not.toMatch(/pa55w0rd|example\.com/);
    expect(report.checks.lock?.status).toBe('up');
  });

  it('waits for each check as long as it may take, and no longer', async () => {
    const clock = new DevClock({ now: () => new Date(TIME) });
    const sessionStorage = Object.assign(new MemorySessionStorage(), {
      loadSession: () => new Promise<never>(() => {}),
    });
    const app = platformApp({ ...hidden(), clock, sessionStorage });
    const report = checkHealth(app, { checks: ['storage'], timeout: 60_000 });
    clock.advance(59_999);
    expect(await Promise.race([report, settled()])).toBe('waits');
    clock.advance(1);
    expect((await report).checks.storage).toEqual({
      status: 'down',
      reason: 'timeout',
      durationMs: 60_000,
    });
    await app.close();
  });

  it('is found out once for all who ask within a second, except for its configuration', async () => {
    const clock = new DevClock({ now: () => new Date(TIME) });
    const sessionStorage = new MemorySessionStorage(clock);
    const calls: string[] = [];
    const { lock: own } = sessionStorage.companions;
    const lock = Object.assign(Object.create(own) as typeof own, {
      take: (...parameters: Parameters<typeof own.take>) => {
        calls.push('take');
        return own.take(...parameters);
      },
      release: (...parameters: Parameters<typeof own.release>) => own.release(...parameters),
    });
    const fetch = platform({ date: NOW });
    const counted: typeof fetch = (...parameters) => {
      calls.push('fetch');
      return fetch(...parameters);
    };
    const app = platformApp({ ...hidden(), clock, sessionStorage, lock, fetch: counted });
    const probes = await Promise.all([checkHealth(app), checkHealth(app), checkHealth(app)]);
    const probe = ['take', 'take', 'fetch'];
    expect(calls.splice(0).sort()).toEqual([...probe].sort());
    expect(probes.every(({ isHealthy }) => isHealthy)).toBe(true);

    clock.advance(999);
    await checkHealth(app);
    expect(calls).toEqual([]);
    // Another limit may find another result; another age does not.
    await checkHealth(app, { timeout: 1_000, checks: ['lock'] });
    await checkHealth(app, { maxAge: 500, checks: ['lock'] });
    expect(calls.splice(0)).toEqual(['take', 'take', 'take', 'take']);
    await checkHealth(app, { maxAge: 60_000, checks: ['lock', 'clock'] });
    expect(calls).toEqual([]);

    clock.advance(1_000);
    await checkHealth(app, { checks: ['clock', 'lock'] });
    expect(calls.splice(0).sort()).toEqual([...probe].sort());

    await app.close();
    const { checks, isHealthy } = await checkHealth(app);
    expect([isHealthy, checks.configuration?.reason]).toEqual([false, 'shutting_down']);
  });

  it('is found out anew by each who asks later, where nothing is to be kept', async () => {
    const sessionStorage = new MemorySessionStorage();
    let loads = 0;
    const load = sessionStorage.loadSession.bind(sessionStorage);
    sessionStorage.loadSession = (id) => {
      loads += 1;
      return load(id);
    };
    const app = platformApp({ ...hidden(), sessionStorage });
    const options: HealthOptions = { checks: ['storage'], maxAge: 0 };
    await Promise.all([checkHealth(app, options), checkHealth(app, options)]);
    await checkHealth(app, options);
    expect(loads).toBe(2);
    await app.close();
  });

  it('is bad when two can hold its lock', async () => {
    const { checks } = await healthOf({ lock: new OpenLock() });
    expect(checks.lock).toMatchObject({ status: 'down', reason: 'not_exclusive' });
  });

  it('counts the deliveries of its queue', async () => {
    const depth = { waiting: 1001, active: 2, delayed: 3, dead: 4 };
    const { checks } = await healthOf({ webhooks: { queue } });
    expect(checks.queue).toMatchObject({ status: 'down', reason: 'too_many_waiting', depth });
    // Those who allow different numbers share nothing.
    const app = platformApp({ ...hidden(), webhooks: { queue } });
    const depthWith = (maxWaiting?: number) => checkHealth(app, { checks: ['queue'], maxWaiting });
    expect((await depthWith(Infinity)).isHealthy).toBe(true);
    expect((await depthWith()).isHealthy).toBe(false);
    await app.close();
    const patient = await healthOf({ webhooks: { queue } }, { maxWaiting: 1001 });
    expect(patient.checks.queue).toMatchObject({ status: 'up', depth });
  });

  it.each<[string, Record<string, string>, object]>([
    ['that is right', { date: NOW, age: '0' }, { status: 'up', skewMs: 0 }],
    [
      'that a cache has told later',
      { date: new Date(TIME - 600_000).toUTCString(), age: '600' },
      { status: 'up', skewMs: 0 },
    ],
    [
      'that is late',
      { date: new Date(TIME + 11_000).toUTCString() },
      { status: 'down', reason: 'clock_skew', skewMs: -11_000 },
    ],
    ['that nobody tells', { date: 'yesterday' }, { status: 'down', reason: 'no_date' }],
  ])('compares its clock with one %s', async (_, headers, expected) => {
    const { checks } = await healthOf({ fetch: platform(headers) }, { checks: ['clock'] });
    expect(checks).toEqual({ clock: { durationMs: 0, ...expected } });
  });

  it('is not bad when the platform cannot be asked for its time', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const { isHealthy, checks } = await healthOf({ fetch }, { checks: ['clock'] });
    expect([isHealthy, checks]).toEqual([true, { clock: { status: 'up', durationMs: 0 } }]);
  });

  it('is bad once it shuts down, and when its modules could not be started', async () => {
    const closing = platformApp(hidden());
    await closing.close();
    const { checks } = await checkHealth(closing, { checks: ['configuration'] });
    expect(checks.configuration).toMatchObject({ status: 'down', reason: 'shutting_down' });

    @Injectable()
    class Broken {
      constructor() {
        throw new Error(CREDENTIALS);
      }
    }
    @Module({ providers: [Broken] })
    class BrokenModule {}
    const { platformApp: expressApp } = await import('../../lib/integrations/express/index.js');
    const { apiKey, apiSecretKey, hostName, apiVersion, logger } = hidden();
    const broken = expressApp({
      api: { apiKey, apiSecretKey, hostName, apiVersion, logger },
      modules: [BrokenModule],
    });
    const report = await checkHealth(broken, { checks: ['configuration'] });
    expect(report.checks.configuration).toMatchObject({ status: 'down', reason: 'boot_failed' });
    expect(JSON.stringify(report)).not.toContain('pa55w0rd');
    await broken.close();
  });

  it('of what is no app is a mistake of the caller', async () => {
    for (const wrong of [undefined, null, 'app', {}, { get: 1 }])
      await expect(checkHealth(wrong as never)).rejects.toThrow(InvalidOptionsError);
  });

  it('is asked of the store that the app works with', async () => {
    const store = await DevStore.open();
    const { domain } = store.shop();
    const app = platformApp({
      ...hidden(),
      fetch: globalThis.fetch,
      shopOrigin: store.shopOrigin,
    });
    try {
      const { checks } = await checkHealth(app, { checks: ['clock'], shop: domain });
      expect(checks.clock).toMatchObject({ status: 'up', skewMs: expect.any(Number) });
    } finally {
      await app.close();
      await store.close();
    }
  });
});

function hidden() {
  return {
    apiKey: API_KEY,
    apiSecretKey: API_SECRET,
    hostName: 'app.example.com',
    apiVersion: ApiVersion.July26,
    logger: { log: () => {} },
    fetch: platform({ date: NOW }),
  };
}

/** Resolves after all that needs no clock. */
async function settled(): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  return 'waits';
}

describe('the indicator for Terminus', () => {
  @Controller()
  class HealthController {
    constructor(
      private readonly health: HealthCheckService,
      private readonly platform: PlatformHealthIndicator,
    ) {}

    @Get('health')
    @HealthCheck()
    check() {
      return this.health.check([
        () => this.platform.isHealthy('platform', { checks: ['storage', 'lock'] }),
      ]);
    }
  }

  async function answer(options: Partial<PlatformOptions>): Promise<[number, string]> {
    const b = { ...appOptions({ ...options, apiKey: 'b' }), name: 'b', routes: false };
    @Module({
      imports: [
        PlatformModule.forRoot(appOptions(options)),
        PlatformModule.forRoot({ ...b, sessionStorage: new MemorySessionStorage() }),
        TerminusModule.forRoot({ logger: false }),
      ],
      controllers: [HealthController],
      providers: [PlatformHealthIndicator.for()],
    })
    class App {}
    const module = await Test.createTestingModule({ imports: [App] }).compile();
    const app: INestApplication = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    try {
      expect((await checkHealth(app, { name: 'b', checks: ['storage'] })).isHealthy).toBe(true);
      await expect(checkHealth(app, { name: 'c' })).rejects.toThrow('no app called "c"');
      const response = await fetch(`${await app.getUrl()}/health`);
      return [response.status, await response.text()];
    } finally {
      await app.close();
    }
  }

  it('reports what is up, and 503 with the reason when something is down', async () => {
    const [ok, up] = await answer({});
    expect([ok, JSON.parse(up)]).toMatchObject([
      200,
      { status: 'ok', details: { platform: { status: 'up', checks: { lock: { status: 'up' } } } } },
    ]);
    const [failed, down] = await answer({ sessionStorage: new FailingStorage() });
    expect([failed, JSON.parse(down)]).toMatchObject([
      503,
      { status: 'error', error: { platform: { checks: { storage: { reason: 'unreachable' } } } } },
    ]);
    expect(down).not.toContain('pa55w0rd');
  });
});
