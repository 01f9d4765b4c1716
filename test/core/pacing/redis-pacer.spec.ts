import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';

import { systemClock } from '../../../lib/core/time/clock.js';
import { PlatformLogger } from '../../../lib/core/logger.js';
import type { LogSeverity } from '../../../lib/core/logger.js';
import type { PaceRequest } from '../../../lib/core/pacing/pacer.js';
import { RedisPacer } from '../../../lib/core/pacing/redis-pacer.js';
import type { RedisClientLike } from '../../../lib/core/redis/redis.driver.js';
import { ManualClock } from '../../support/manual.clock.js';

const REQUEST: PaceRequest = { app: 'app', shop: 'shop', kind: 'rest', cost: 1 };

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function pacerOver(redis: string | RedisClientLike) {
  const lines: string[] = [];
  const logger = new PlatformLogger(
    { log: (_: LogSeverity, line: string) => lines.push(line) },
    systemClock,
  );
  const pacer = new RedisPacer({ redis, clock: systemClock, logger });
  open.push(pacer);
  return { pacer, lines };
}

async function portOfNobody(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Answers like a client whose server has each of the scripts or has lost it. */
class ScriptedClient implements RedisClientLike {
  isOpen = true;
  readonly calls: string[] = [];
  readonly keys: string[] = [];

  constructor(
    private readonly answers: Partial<Record<'connect' | 'EVALSHA' | 'EVAL', () => unknown>>,
  ) {}

  async connect(): Promise<unknown> {
    this.calls.push('connect');
    this.isOpen = true;
    return this.answers.connect?.();
  }

  async sendCommand([name, , , key]: string[]): Promise<unknown> {
    this.calls.push(name!);
    if (name === 'EVALSHA') this.keys.push(key!);
    return this.answers[name as 'EVALSHA' | 'EVAL']?.() ?? 0;
  }

  on(): void {}

  listenerCount(): number {
    return 1;
  }
}

const failing = (message: string) => () => {
  throw new Error(message);
};

describe('a pacer whose Redis cannot be reached', () => {
  it('paces within the process, and warns once, without the password', async () => {
    const { pacer, lines } = pacerOver(`redis://:hunter2@127.0.0.1:${await portOfNobody()}`);
    for (let index = 0; index < 5; index++) (await pacer.reserve(REQUEST)).settle();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/Redis cannot be used for pacing/);
    expect(lines[0]).not.toMatch(/hunter2/);
  });

  it('still keeps within the bucket', async () => {
    const { pacer } = pacerOver(new ScriptedClient({ EVALSHA: failing('gone') }));
    const bucket = { available: 0, capacity: 40, restoreRate: 1 };
    (await pacer.reserve(REQUEST)).settle({ bucket });
    const waiting = pacer.reserve({ ...REQUEST, signal: AbortSignal.timeout(50) });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('does not wait for a server that never answers', async () => {
    const { pacer, lines } = pacerOver(
      new ScriptedClient({ EVALSHA: () => new Promise(() => {}) }),
    );
    (await pacer.reserve(REQUEST)).settle();
    expect(lines).toHaveLength(1);
  });

  // It was not looked for any more for an hour.
  it('looks for it again after a second, also when the clock was set back meanwhile', async () => {
    let isAway = true;
    const client = new ScriptedClient({ EVALSHA: () => (isAway ? failing('gone')() : 0) });
    const clock = new ManualClock();
    const pacer = new RedisPacer({ redis: client, clock });
    open.push(pacer);
    await pacer.reserve(REQUEST);
    clock.time -= 3_600_000;
    await pacer.reserve(REQUEST);
    isAway = false;
    clock.time += 1000;
    const before = client.calls.length;
    await pacer.reserve(REQUEST);
    await new Promise(setImmediate);
    expect(client.calls.length).toBeGreaterThan(before);
  });

  it('ends a wait with the reason of the signal, not with the trouble of the server', async () => {
    const { pacer, lines } = pacerOver(new ScriptedClient({ EVALSHA: failing('gone') }));
    await expect(
      pacer.reserve({ ...REQUEST, signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late');
    expect(lines).toEqual([]);
  });
});

describe('the way to Redis', () => {
  it('connects a client that is not open, and leaves it open', async () => {
    const client = new ScriptedClient({});
    client.isOpen = false;
    const { pacer } = pacerOver(client);
    await pacer.reserve(REQUEST);
    await pacer.close();
    expect(client.calls).toEqual(['connect', 'EVALSHA']);
    expect(client.isOpen).toBe(true);
  });

  it('sends the script when the server does not have it', async () => {
    const client = new ScriptedClient({ EVALSHA: failing('NOSCRIPT No matching script.') });
    const { pacer, lines } = pacerOver(client);
    await pacer.reserve(REQUEST);
    expect(client.calls).toEqual(['EVALSHA', 'EVAL']);
    expect(lines).toEqual([]);
  });

  it.each([-1, 'OK'])(
    'is clear when the server answers %p, which is no time to wait',
    async (answer) => {
      const { pacer } = pacerOver(new ScriptedClient({ EVALSHA: () => answer }));
      const request = { ...REQUEST, signal: AbortSignal.timeout(500) };
      const ticket = await pacer.reserve(request);
      expect(() => ticket.settle()).not.toThrow();
    },
  );

  it('is not opened again when the app has closed its client', async () => {
    const client = new ScriptedClient({});
    const { pacer } = pacerOver(client);
    const ticket = await pacer.reserve(REQUEST);
    client.isOpen = false;
    ticket.settle();
    await pacer.reserve(REQUEST);
    expect(client.calls).not.toContain('connect');
  });

  it('leads to the bucket of the app that is named, else of the one that the call names', async () => {
    const client = new ScriptedClient({});
    for (const app of ['mine', async () => 'hash', undefined]) {
      const pacer = new RedisPacer({ redis: client, clock: systemClock, app });
      open.push(pacer);
      await pacer.reserve(REQUEST);
    }
    expect(client.keys).toEqual(
      ['mine', 'hash', 'app'].map((app) => `shopwright:pace:{rest ${app} shop}`),
    );
  });

  it('is not asked about a call whose cost is none', async () => {
    const client = new ScriptedClient({});
    await expect(
      pacerOver(client).pacer.reserve({ ...REQUEST, cost: Number.NaN }),
    ).rejects.toMatchObject({ code: 'ERR_REQUEST_INVALID' });
    expect(client.calls).toEqual([]);
  });

  it('is given up at once when it is closed before the server has answered', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    open.push({ close: () => server.close() });
    await new Promise((resolve) => server.once('listening', resolve));
    const { pacer } = pacerOver(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const waiting = pacer.reserve(REQUEST);
    while (sockets.length === 0) await new Promise(setImmediate);
    const begin = performance.now();
    await pacer.close();
    (await waiting).settle();
    // It would be waited for five seconds.
    expect(performance.now() - begin).toBeLessThan(4000);
    for (const socket of sockets) socket.destroy();
  });

  it('is not taken before the first call', async () => {
    const { pacer, lines } = pacerOver(`redis://127.0.0.1:${await portOfNobody()}`);
    await pacer.close();
    expect(lines).toEqual([]);
  });
});
