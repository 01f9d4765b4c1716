import { describe, expect, it } from '@jest/globals';

import { InvalidOptionsError } from '../../../lib/core/core.errors.js';
import { MemoryPacer } from '../../../lib/core/pacing/memory-pacer.js';
import { unpaced } from '../../../lib/core/pacing/pacer.js';
import { createPacer } from '../../../lib/core/pacing/pacer.factory.js';
import { isPacingOption } from '../../../lib/core/pacing/pacing-option.js';
import type { PacingOption } from '../../../lib/core/pacing/pacing-option.js';
import { RedisPacer } from '../../../lib/core/pacing/redis-pacer.js';
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
    [{ redis: 'redis://127.0.0.1:6390' }, RedisPacer],
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

describe('unpaced', () => {
  it('lets every call through at once, but none that is aborted', async () => {
    const request = { app: 'app', shop: 'shop', kind: 'rest', cost: 1 } as const;
    for (let index = 0; index < 1000; index++) (await unpaced.reserve(request)).settle();
    await expect(
      unpaced.reserve({ ...request, signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late');
  });
});
