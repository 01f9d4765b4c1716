import { describe, expect, it } from '@jest/globals';

import { InvalidOptionsError } from '../../../lib/core/core.errors.js';
import { standalonePacer } from '../../../lib/core/http/standalone-pacer.js';
import { MemoryPacer } from '../../../lib/core/pacing/memory-pacer.js';
import { PacerOnDemand, unpaced } from '../../../lib/core/pacing/pacer.js';
import { createPacer } from '../../../lib/core/pacing/pacer.factory.js';
import { isPacingOption } from '../../../lib/core/pacing/pacing-option.js';
import type { PacingOption } from '../../../lib/core/pacing/pacing-option.js';
import { PlatformConfig } from '../../../lib/core/config/platform-config.js';
import { Pacer } from '../../../lib/core/pacing/pacer.js';
import { resolverOf } from '../../support/resolver.js';
import { ManualClock } from '../../support/manual.clock.js';

const client = {
  isOpen: true,
  connect: async () => {},
  sendCommand: async () => 0,
  on: () => {},
  listenerCount: () => 0,
};

describe('the pacing option', () => {
  it.each<PacingOption>([
    'memory',
    false,
    { redis: 'redis://127.0.0.1:6390' },
    { redis: 'rediss://user:word@example.com/2' },
    { redis: client },
    { redis: client, app: 'my-app' },
  ])('may be %p', (option) => {
    expect(isPacingOption(option)).toBe(true);
  });

  it.each([
    true,
    null,
    undefined,
    'redis',
    {},
    { redis: 'localhost:6379' },
    { redis: 'http://localhost' },
    { redis: {} },
    { redis: null },
    { redis: { sendCommand: () => {} } },
    // A cluster.
    { redis: { ...client, masters: [] } },
    { redis: client, app: 'my app' },
    { redis: client, app: '' },
    { redis: client, app: 5 },
  ])('may not be %p', (option) => {
    expect(isPacingOption(option)).toBe(false);
  });

  it.each<[PacingOption, object]>([
    ['memory', MemoryPacer],
    [{ redis: 'redis://127.0.0.1:6390' }, PacerOnDemand],
    [false, unpaced.constructor],
  ])('%p makes the pacer it names', (option, kind) => {
    expect(createPacer(option, new ManualClock()).constructor).toBe(kind);
  });

  it('paces an app within its process when it says nothing', async () => {
    const app = resolverOf();
    expect(app.get(Pacer)).toBeInstanceOf(MemoryPacer);
    await app.close();
  });

  it('is refused with the other options, without the password in a URL', () => {
    const create = () =>
      resolverOf({ pacing: { redis: 'https://:hunter2@cache.example.com' } }).get(PlatformConfig);
    expect(create).toThrow(InvalidOptionsError);
    expect(create).toThrow(/pacing: must be "memory", false, or \{ redis \}/);
    expect(create).not.toThrow(/hunter2/);
  });
});

describe('a pacer that is loaded on demand', () => {
  const request = { app: 'app', shop: 'shop', kind: 'rest', cost: 1 } as const;

  // Every later call of the client failed as well.
  it('is loaded again after it could not be', async () => {
    let loads = 0;
    const pacer = new PacerOnDemand(async () => {
      if (++loads === 1) throw new Error('no such file');
      return unpaced;
    });
    await expect(pacer.reserve(request)).rejects.toThrow('no such file');
    (await pacer.reserve(request)).settle();
    await pacer.reserve(request);
    expect(loads).toBe(2);
  });

  it.each<PacingOption>(['memory', { redis: client }])(
    'lets a call through at once as the pacer of %p does, once that is there',
    async (pacing) => {
      const pacer = standalonePacer('Admin API Client', pacing, 'token');
      expect(pacer.reserveNow(request)).toBeUndefined();
      (await pacer.reserve(request)).settle();
      expect(pacer.reserveNow(request) !== undefined).toBe(pacing === 'memory');
      await pacer.close();
    },
  );

  it('is closed with what it has loaded, and loads nothing for that', async () => {
    const closed: string[] = [];
    class Closing extends MemoryPacer {
      override async close(): Promise<void> {
        closed.push('closed');
        await super.close();
      }
    }
    const load = async () => new Closing(new ManualClock());
    await new PacerOnDemand(load).close();
    expect(closed).toEqual([]);
    const used = new PacerOnDemand(load);
    (await used.reserve(request)).settle();
    await used.close();
    expect(closed).toEqual(['closed']);
  });

  it('paces nothing once it is closed', async () => {
    const pacer = new PacerOnDemand(() => Promise.reject(new Error('loaded')));
    await pacer.close();
    for (let index = 0; index < 1000; index++) (await pacer.reserve(request)).settle();
    expect(() => pacer.reserveNow(request)!.settle()).not.toThrow();
  });
});

describe('unpaced', () => {
  it('lets every call through at once, but none that is aborted', async () => {
    const request = { app: 'app', shop: 'shop', kind: 'rest', cost: 1 } as const;
    for (let index = 0; index < 1000; index++) (await unpaced.reserve(request)).settle();
    await expect(
      unpaced.reserve({ ...request, signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late');
  });
});
