import { describe, expect, it } from '@jest/globals';

import { InvalidOptionsError } from '../../../lib/core/core.errors.js';
import { bullmqQueue } from '../../../lib/webhooks/queue/bullmq/index.js';
import type { BullmqQueueOptions } from '../../../lib/webhooks/queue/bullmq/index.js';
import { resolveBullmqOptions } from '../../../lib/webhooks/queue/bullmq/bullmq.options.js';

const problemsIn = (options: unknown): string[] => {
  try {
    bullmqQueue(options as BullmqQueueOptions);
    return [];
  } catch (error) {
    return (error as InvalidOptionsError).problems.map(({ option }) => option);
  }
};

describe('the options of a queue in BullMQ', () => {
  it.each([
    ['redis://localhost:6379', 'redis'],
    ['rediss://user:password@redis.example.com', 'redis'],
    [new URL('postgres://localhost/app'), 'postgresql'],
    ['postgresql://localhost/app', 'postgresql'],
    [{ redis: { host: 'localhost' } }, 'redis'],
    [{ redis: { sendCommand: () => {} } }, 'redis-client'],
    [{ postgresql: { host: 'localhost', schema: 'queues' } }, 'postgresql'],
  ])('take %s as %s', (connection, kind) => {
    expect(resolveBullmqOptions({ connection }).target.kind).toBe(kind);
  });

  it('have BullMQ create its tables, unless they say otherwise', () => {
    const target = (options: Partial<BullmqQueueOptions> = {}) =>
      resolveBullmqOptions({ connection: 'postgres://localhost/app', ...options }).target;
    expect(target()).toMatchObject({ options: { migrate: true } });
    expect(target({ migrate: false })).toMatchObject({ options: { migrate: false } });
  });

  it.each([
    undefined,
    '',
    'localhost:6379',
    'http://localhost',
    {},
    { redis: 'redis://localhost' },
    { redis: {}, postgresql: {} },
    { postgresql: { query: () => {}, connect: () => {} } },
  ])('refuse %p as a connection', (connection) => {
    expect(problemsIn({ connection })).toEqual(['webhooks.queue.connection']);
  });

  it('name everything that is wrong at once, and no password', () => {
    const wrong = {
      connection: 'mysql://user:a-password@localhost',
      worker: 'yes',
      concurrency: 0,
      attempts: 1.5,
      backoff: -1,
      lockDuration: 999,
      ordering: 'topic',
      onDeadLetter: 'log',
      name: 'a:b',
      prefix: 1,
      migrate: 1,
    } as unknown as BullmqQueueOptions;
    expect(problemsIn(wrong).sort()).toEqual(
      Object.keys(wrong)
        .map((option) => `webhooks.queue.${option}`)
        .sort(),
    );
    expect(() => bullmqQueue(wrong)).toThrow(InvalidOptionsError);
    expect(() => bullmqQueue(wrong)).not.toThrow(/a-password/);
    expect(problemsIn(undefined)).toEqual(['webhooks.queue.connection']);
  });

  it('refuse keys that are none', () => {
    const connection = 'redis://localhost';
    expect(() => bullmqQueue({ connection, encryptionKeys: [{ id: 'k', key: 'short' }] })).toThrow(
      InvalidOptionsError,
    );
    expect(() => bullmqQueue({ connection, encryptionKeys: [] })).toThrow(InvalidOptionsError);
  });
});
