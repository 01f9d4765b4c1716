import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createClient } from 'redis';

import { systemClock } from '../../lib/core/time/clock.js';
import { PlatformLogger } from '../../lib/core/logger.js';
import type { LogSeverity } from '../../lib/core/logger.js';
import { PaceBucket, LEAST_RATE } from '../../lib/core/pacing/pace-bucket.js';
import type { Draw } from '../../lib/core/pacing/pace-bucket.js';
import type {
  PaceRequest,
  Pacer,
  Priority,
  Settlement,
  Ticket,
} from '../../lib/core/pacing/pacer.js';
import { RedisPacer } from '../../lib/core/pacing/redis-pacer.js';
import { PACE_SCRIPT } from '../../lib/core/pacing/redis.script.js';
import type { PaceCommand } from '../../lib/core/pacing/redis.script.js';
import { PlatformBucket } from '../core/pacing/platform.bucket.js';
import { ManualClock } from '../support/manual.clock.js';

const URL_OF_REDIS = process.env['REDIS_URL']!;
const EMPTY = { available: 0, capacity: 1000, restoreRate: 20 };

const redis = createClient({ url: URL_OF_REDIS });
const pacers: Pacer[] = [];
let tests = 0;
let request: PaceRequest;

beforeEach(async () => {
  if (!redis.isOpen) await redis.connect();
  request = { app: `test-${process.pid}-${++tests}`, shop: 'shop', kind: 'graphql', cost: 1 };
});
afterEach(async () => {
  for (const pacer of pacers.splice(0)) await pacer.close();
  await redis.del(keyOf(request));
});
afterAll(() => redis.close());

function keyOf({ app, shop, kind }: PaceRequest): string {
  return `shopwright:pace:{${kind} ${app} ${shop}}`;
}

/** A pacer with a connection of its own, as another process has it. */
function createPacer(url = URL_OF_REDIS) {
  const lines: string[] = [];
  const logger = new PlatformLogger(
    { log: (_: LogSeverity, line: string) => lines.push(line) },
    systemClock,
  );
  const pacer = new RedisPacer({ redis: url, clock: systemClock, logger });
  pacers.push(pacer);
  return Object.assign(pacer, { lines });
}

async function withEmptyBucket() {
  const [a, b] = [createPacer(), createPacer()];
  (await a.reserve(request)).settle({ bucket: EMPTY });
  // Each connection keeps its order: what b asks from here on comes after what a told.
  (await a.reserve({ ...request, cost: 0 })).settle({});
  return { a, b };
}

/** Two pacers, and a call under way that takes up the whole bucket until it is released. */
async function withTakenBucket() {
  const [a, b] = [createPacer(), createPacer()];
  (await a.reserve(request)).settle({ bucket: { ...EMPTY, available: EMPTY.capacity } });
  const all = await a.reserve({ ...request, cost: EMPTY.capacity });
  return { a, b, release: () => all.settle({ actualCost: 0 }) };
}

/** Lets a call ask, and goes on when it waits. */
async function wait(
  pacer: Pacer,
  call: Partial<PaceRequest> = {},
): Promise<{ ticket: Promise<Ticket> }> {
  const before = await waitersInRedis();
  const ticket = pacer.reserve({ ...request, ...call });
  while ((await waitersInRedis()) === before) await new Promise((resolve) => setImmediate(resolve));
  return { ticket };
}

/**
 * Calls that take up the whole bucket, one after another, and remember in which order they got it.
 */
class Line {
  private readonly order: string[] = [];
  private readonly calls: Promise<void>[] = [];

  async join(name: string, pacer: Pacer, priority?: Priority): Promise<void> {
    const { ticket } = await wait(pacer, { priority, cost: EMPTY.capacity });
    this.calls.push(
      ticket.then(({ settle }) => {
        this.order.push(name);
        settle({ actualCost: 0 });
      }),
    );
  }

  async served(): Promise<readonly string[]> {
    await Promise.all(this.calls);
    return this.order;
  }
}

/** How often the identifier of a waiting call stands in what is kept. */
async function waitersInRedis(): Promise<number> {
  return ((await redis.get(keyOf(request))) ?? '').split('due').length - 1;
}

describe('pacers of two processes', () => {
  it('share one bucket', async () => {
    const { b } = await withEmptyBucket();
    const waiting = b.reserve({ ...request, cost: 500, signal: AbortSignal.timeout(100) });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('serve who came first, wherever it waits', async () => {
    const { a, b, release } = await withTakenBucket();
    const line = new Line();
    for (const [name, pacer] of Object.entries({ a1: a, b1: b, b2: b, a2: a }))
      await line.join(name, pacer);
    release();
    expect(await line.served()).toEqual(['a1', 'b1', 'b2', 'a2']);
  });

  it('let interactive calls pass background calls, of which every fifth goes through', async () => {
    const { a, b, release } = await withTakenBucket();
    const line = new Line();
    for (const name of ['b0', 'b1']) await line.join(name, a, 'background');
    for (const [index, name] of ['i0', 'i1', 'i2', 'i3', 'i4'].entries())
      await line.join(name, index % 2 ? a : b);
    release();
    expect(await line.served()).toEqual(['i0', 'i1', 'i2', 'i3', 'b0', 'i4', 'b1']);
  });

  it('give the place of a call that was aborted to the next one', async () => {
    const { a, b, release } = await withTakenBucket();
    const abort = new AbortController();
    const first = await wait(a, { cost: 900, signal: abort.signal });
    const second = await wait(b, { cost: 900 });
    abort.abort(new Error('no longer needed'));
    await expect(first.ticket).rejects.toThrow('no longer needed');
    release();
    (await second.ticket).settle();
  });

  it('go on when a process dies that was the next', async () => {
    const { b, release } = await withTakenBucket();
    // Nobody ever looks after this one.
    expect(
      await run({ op: 'ask', id: 'dead', kind: 'graphql', cost: 1, priority: 'interactive' }),
    ).toBeGreaterThan(0);
    release();
    (await b.reserve(request)).settle();
    expect(b.lines).toEqual([]);
  });

  it('go on when a reply tells numbers that are none', async () => {
    const { a, b, release } = await withTakenBucket();
    release();
    // As parsed from a reply, whose types nobody has checked.
    const told = {
      bucket: { available: 1, capacity: null, restoreRate: 0 },
      actualCost: NaN,
    } as unknown as Settlement;
    (await a.reserve(request)).settle(told);
    (await b.reserve(request)).settle();
    expect([...a.lines, ...b.lines]).toEqual([]);
  });

  it('keep nothing for ever', async () => {
    await withEmptyBucket();
    const left = await redis.pTTL(keyOf(request));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(3_600_000);
  });

  it('need no script on the server', async () => {
    const { a } = await withEmptyBucket();
    await redis.scriptFlush();
    (await a.reserve(request)).settle();
    expect(a.lines).toEqual([]);
  });

  it('let everybody through when they are closed', async () => {
    const { b } = await withTakenBucket();
    const { ticket } = await wait(b);
    await b.close();
    (await ticket).settle();
    const late = await b.reserve(request);
    expect(() => late.settle()).not.toThrow();
  });
});

describe('a Redis that is lost for a while', () => {
  it('is done without, with one warning, and used again when it is back', async () => {
    const cable = await layCable();
    try {
      const pacer = createPacer(cable.url);
      (await pacer.reserve(request)).settle({ bucket: { ...EMPTY, available: 1000 } });
      cable.cut();
      for (let index = 0; index < 5; index++) (await pacer.reserve(request)).settle();
      expect(pacer.lines).toHaveLength(1);
      expect(pacer.lines[0]).toMatch(/WARN.*Redis cannot be used for pacing/);
      cable.mend();
      while (pacer.lines.length < 2) {
        (await pacer.reserve({ ...request, cost: 0 })).settle({});
        await systemClock.sleep(20);
      }
      expect(pacer.lines[1]).toMatch(/Redis is back/);
      const before = await redis.get(keyOf(request));
      (await pacer.reserve(request)).settle();
      expect(await redis.get(keyOf(request))).not.toBe(before);
    } finally {
      await cable.remove();
    }
  });
});

/** A way to the server that can be interrupted. */
async function layCable() {
  const target = new URL(URL_OF_REDIS);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(target.port || 6379), target.hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [near, far].forEach((end) => end.destroy()));
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    mend: () => void (isCut = false),
    remove: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function run(command: PaceCommand): Promise<number> {
  return Number(
    await redis.eval(PACE_SCRIPT.text, {
      keys: [keyOf(request)],
      arguments: [JSON.stringify(command)],
    }),
  );
}

/**
 * What happens, with the milliseconds that pass before: a call is sent, or one that is under way is
 * answered.
 */
const STEP = fc.record({
  after: fc.noBias(fc.integer({ min: 0, max: 1500 })),
  cost: fc.option(fc.constantFrom(1, 1, 1, 5), { freq: 2 }),
  which: fc.nat(),
  /** What others, who are not asked, take out of the same bucket. */
  others: fc.constantFrom(0, 0, 0, 1, 5),
  outcome: fc.constantFrom('told', 'told', 'told', 'told without cost', 'silent', 'lost'),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

const PLATFORM = fc.record({
  capacity: fc.constantFrom(5, 20),
  restoreRate: fc.constantFrom(0.3, 1, 3),
  round: fc.constantFrom(Math.floor, Math.ceil),
  tellsRate: fc.boolean(),
});
type PlatformLimits = typeof PLATFORM extends fc.Arbitrary<infer T> ? T : never;

interface UnderWay {
  readonly id: string;
  readonly draw: Draw;
  readonly told: Settlement;
}

describe('the script', () => {
  it('waits for a finite time after others have emptied the bucket', async () => {
    let now = 1_000_000;
    const call = async (id: string, available: number, throttled = false): Promise<void> => {
      expect(await ask(id)).toBe(0);
      await run({
        op: 'settle',
        id,
        kind: 'rest',
        now,
        told: { bucket: { available, capacity: 40 }, throttled },
      });
    };
    const ask = (id: string): Promise<number> =>
      run({ op: 'ask', id, kind: 'rest', now, cost: 1, priority: 'interactive' });
    await call('first', 10);
    now += 100;
    await call('second', 0);
    await call('third', 0, true);
    // Who waits that long looks again after a second.
    expect(await ask('fourth')).toBe(1000);
    for (let second = 1; second < 1 / LEAST_RATE; second++) {
      now += 1000;
      expect(await ask('fourth')).toBeGreaterThan(0);
    }
    now += 1000;
    expect(await ask('fourth')).toBe(0);
  });

  // The server's clock is set, too: for an hour nothing was left in the bucket.
  it('holds nobody back for longer when the clock is set back while a call is under way and others wait', async () => {
    let now = 10_000_000;
    const ask = (id: string, cost = 1): Promise<number> =>
      run({ op: 'ask', id, kind: 'rest', now, cost, priority: 'interactive' });
    const settle = (id: string, available: number): Promise<number> =>
      run({
        op: 'settle',
        id,
        kind: 'rest',
        now,
        told: { bucket: { available, capacity: 40, restoreRate: 2 } },
      });
    await ask('first', 40);
    expect(await ask('second')).toBe(250);
    now -= 3_600_000;
    await settle('first', 0);
    // Who waits half a second looks again after half of that.
    expect(await ask('second')).toBe(250);
    now += 500;
    expect(await ask('second')).toBe(0);
    now -= 3_600_000;
    await settle('second', 39);
    expect(await ask('third')).toBe(0);
  });

  it('does not let who has room, but not its turn, ask without a pause', async () => {
    const now = 1_000_000;
    const ask = (id: string, cost: number): Promise<number> =>
      run({ op: 'ask', id, kind: 'rest', now, cost, priority: 'interactive' });
    await ask('all', 40);
    expect(await ask('first', 1)).toBe(250);
    expect(await ask('second', 0)).toBe(250);
    await run({
      op: 'settle',
      id: 'all',
      kind: 'rest',
      now,
      told: { bucket: { available: 40, capacity: 40 }, actualCost: 0 },
    });
    expect(await ask('second', 0)).toBe(10);
    expect(await ask('first', 1)).toBe(0);
    expect(await ask('second', 0)).toBe(0);
  });

  it('holds back and lets through exactly as the bucket in memory does', async () => {
    await fc.assert(
      fc.asyncProperty(
        PLATFORM,
        fc.array(STEP, { minLength: 60, maxLength: 120 }),
        compareWithMemory,
      ),
      { numRuns: 100 },
    );
  });
});

async function compareWithMemory(
  { tellsRate, ...limits }: PlatformLimits,
  steps: readonly Step[],
): Promise<void> {
  await redis.del(keyOf(request));
  const clock = new ManualClock();
  const platform = new PlatformBucket({ clock, ...limits });
  const bucket = new PaceBucket('rest', clock.time);
  const underWay: UnderWay[] = [];
  const send = async (id: string, cost: number): Promise<void> => {
    const common = { id, kind: 'rest', now: clock.time } as const;
    const wait = bucket.timeUntil(cost, clock.time);
    const answer = await run({ op: 'ask', cost, priority: 'interactive', ...common });
    // The script answers when to look again, which is the wait itself only when that is short.
    expect(answer).toBe(
      wait === Infinity ? 250 : Math.min(wait, Math.max(250, Math.min(Math.ceil(wait / 2), 1000))),
    );
    if (wait > 0) return void (await run({ op: 'leave', ...common }));
    const draw = bucket.draw(cost, clock.time);
    const throttled = !platform.take(cost);
    const { restoreRate, ...state } = platform.state;
    underWay.push({
      id,
      draw,
      told: {
        bucket: tellsRate ? { ...state, restoreRate } : state,
        actualCost: throttled ? 0 : cost,
        throttled,
      },
    });
  };
  const answer = async ({ which, outcome }: Step): Promise<void> => {
    const [call] = underWay.splice(which % Math.max(1, underWay.length), 1);
    if (!call) return;
    const { bucket: state, throttled } = call.told;
    const told = {
      told: call.told,
      'told without cost': { bucket: state, throttled },
      silent: {},
      lost: undefined,
    }[outcome];
    bucket.settle(call.draw, clock.time, told);
    await run({ op: 'settle', id: call.id, kind: 'rest', now: clock.time, told });
  };
  for (const [index, step] of steps.entries()) {
    clock.time += step.after;
    platform.take(step.others);
    await (step.cost === null ? answer(step) : send(String(index), step.cost));
  }
}
