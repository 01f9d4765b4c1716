import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { Clock } from '../../../lib/core/time/clock.js';
import { HttpAbortedError } from '../../../lib/core/http/http.errors.js';
import { UserErrorsError } from '../../../lib/graphql-client/graphql-client.errors.js';
import { BulkFixture, all, meddle } from './bulk.fixture.js';

const PRODUCTS = '{ products { edges { node { id title } } } }';
const CREATE =
  'mutation create($product: ProductCreateInput!) { productCreate(product: $product) { userErrors { message } } }';
const FORBIDDEN = new Response('', { status: 403 });

let app: BulkFixture;
beforeEach(async () => {
  app = await BulkFixture.open();
  app.shop.bulkDuration = 'manual';
});
afterEach(() => app.close());

/**
 * The next replies to what contains `words`, then the platform's own; and how often it was sent.
 */
function answering(
  words: string,
  ...replies: (string | Response)[]
): { readonly fetch: typeof fetch; sent: number } {
  const state = {
    sent: 0,
    fetch: meddle(async (body, replyOf) => {
      if (!body.includes(words)) return replyOf();
      state.sent++;
      return replies.shift() ?? replyOf();
    }),
  };
  return state;
}

/** Holds back what contains `words`, as soon as the platform has done it. */
function holding(words: string): {
  readonly fetch: typeof fetch;
  readonly reached: Promise<void>;
  readonly release: () => void;
} {
  let reach!: () => void;
  let release!: () => void;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const fetch = meddle(async (body, replyOf) => {
    const reply = await replyOf();
    if (!body.includes(words)) return reply;
    reach();
    await released;
    return reply;
  });
  return { fetch, reached, release };
}

/**
 * Ten points are what a call is expected to cost at first: they are there after this many
 * milliseconds.
 */
const PACE = 100_000;
const EMPTY_BUCKET = {
  extensions: {
    cost: {
      requestedQueryCost: 10,
      actualQueryCost: 10,
      throttleStatus: { maximumAvailable: 1000, currentlyAvailable: 0, restoreRate: 0.1 },
    },
  },
};

/** Time that passes when the test says so. */
class ManualClock extends Clock {
  #time = Date.UTC(2026, 0, 1);
  readonly #sleepers = new Map<() => void, number>();

  now(): Date {
    return new Date(this.#time);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#sleepers.set(resolve, ms);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(resolve);
        reject(signal.reason);
      });
    });
  }

  async untilAsleep(ms: number): Promise<void> {
    while (![...this.#sleepers.values()].includes(ms)) await new Promise(setImmediate);
  }

  /** Lets that many milliseconds pass, for those who sleep so long. */
  wake(ms: number): void {
    this.#time += ms;
    for (const [wake, slept] of this.#sleepers) if (slept === ms) wake();
  }
}

const refusedCancel = (status: string) =>
  JSON.stringify({
    data: {
      outcome: {
        bulkOperation: { id: '1', status },
        userErrors: [{ field: null, message: 'No.' }],
      },
    },
  });

describe('cancelling a bulk operation', () => {
  it('is tried again after a bad moment of the platform', async () => {
    const platform = answering('cancelBulkOperation', new Response('', { status: 502 }));
    const run = (await app.admin({ fetch: platform.fetch })).bulk.query(PRODUCTS);
    await run.start();
    await run.cancel();
    expect([platform.sent, app.shop.bulkOperations[0]!.status]).toEqual([
      2,
      expect.stringMatching(/^CANCEL/),
    ]);
  });

  it('can be asked for again when it failed', async () => {
    const platform = answering('cancelBulkOperation', FORBIDDEN.clone());
    const run = (await app.admin({ fetch: platform.fetch })).bulk.query(PRODUCTS);
    await run.start();
    await expect(run.cancel()).rejects.toMatchObject({ status: 403 });
    await run.cancel();
    expect(app.shop.bulkOperations[0]!.status).toMatch(/^CANCEL/);
  });

  it('says that the platform refused it', async () => {
    const { fetch } = answering('cancelBulkOperation', refusedCancel('RUNNING'));
    const run = (await app.admin({ fetch })).bulk.query(PRODUCTS);
    await run.start();
    await expect(run.cancel()).rejects.toThrow(UserErrorsError);
  });

  it('is done when the operation has ended by itself', async () => {
    const run = (await app.admin()).bulk.query(PRODUCTS);
    await run.start();
    await app.shop.completeBulkOperations();
    await run.cancel();
    expect(app.shop.bulkOperations[0]!.status).toBe('COMPLETED');
  });

  it('is done when the operation is not even named in a refusal, but has ended', async () => {
    const unnamed = JSON.stringify({
      data: { outcome: { bulkOperation: null, userErrors: [{ field: null, message: 'No.' }] } },
    });
    const { fetch } = answering('cancelBulkOperation', unnamed);
    const run = (await app.admin({ fetch })).bulk.query(PRODUCTS);
    await run.start();
    await app.shop.completeBulkOperations();
    await expect(run.cancel()).resolves.toBeUndefined();
  });
});

describe('starting a bulk operation', () => {
  it('can be tried again when it failed', async () => {
    const { fetch } = answering('startBulkQuery', FORBIDDEN.clone());
    const run = (await app.admin({ fetch })).bulk.query(PRODUCTS);
    await expect(run.start()).rejects.toMatchObject({ status: 403 });
    expect(await run.start()).toBe(run.id);
    expect(app.shop.bulkOperations).toHaveLength(1);
  });

  it('can be tried again when the upload failed, with rows that can be read once only', async () => {
    app.shop.bulkDuration = 0;
    const { fetch } = answering('stageBulkVariables', FORBIDDEN.clone());
    function* rows() {
      yield { product: { title: 'Lamp' } };
    }
    const run = (await app.admin({ fetch })).bulk.mutate(CREATE, rows());
    await expect(run.start()).rejects.toMatchObject({ status: 403 });
    expect(await all(run)).toHaveLength(1);
  });

  it('goes on for the others when one loop is left', async () => {
    const platform = holding('startBulkQuery');
    const run = (await app.admin({ fetch: platform.fetch })).bulk.query(PRODUCTS);
    const first = run[Symbol.asyncIterator]();
    const next = first.next();
    const others = all(run);
    await platform.reached;
    await first.return!();
    expect(await next).toEqual({ done: true, value: undefined });
    platform.release();
    while (run.id === undefined) await new Promise((resolve) => setImmediate(resolve));
    await app.shop.completeBulkOperations();
    expect(await others).not.toHaveLength(0);
  });

  it('is never sent when it is aborted while it waits for its turn', async () => {
    const sent: string[] = [];
    const drained = meddle(async (body, replyOf) => {
      sent.push(body);
      return JSON.stringify({ ...(JSON.parse(await replyOf()) as object), ...EMPTY_BUCKET });
    });
    const clock = new ManualClock();
    const admin = await app.admin({ fetch: drained, clock });
    await admin.graphql('query { shop { name } }');
    const stop = new AbortController();
    const starting = admin.bulk.query(PRODUCTS, { signal: stop.signal }).start();
    await clock.untilAsleep(PACE);
    const next = admin.graphql('query Next { shop { name } }', { priority: 'background' });
    stop.abort();
    await expect(starting).rejects.toThrow(HttpAbortedError);
    clock.wake(PACE);
    await next;
    expect([
      sent.filter((body) => body.includes('startBulkQuery')),
      app.shop.bulkOperations,
    ]).toEqual([[], []]);
  });

  it('is not waited for when it is aborted, and what it began is cancelled', async () => {
    const platform = holding('startBulkQuery');
    const stop = new AbortController();
    const starting = (await app.admin({ fetch: platform.fetch })).bulk
      .query(PRODUCTS, { signal: stop.signal })
      .start();
    await platform.reached;
    stop.abort();
    await expect(starting).rejects.toThrow(HttpAbortedError);
    expect(app.shop.bulkOperations[0]!.status).not.toMatch(/^CANCEL/);
    platform.release();
    await app.cancelled();
  });

  it('makes room for the next one when what an aborted start began is cancelled', async () => {
    const platform = holding('startBulkQuery');
    const stop = new AbortController();
    const admin = await app.admin({ fetch: platform.fetch, apiVersion: '2025-10' });
    const starting = admin.bulk.query(PRODUCTS, { signal: stop.signal }).start();
    await platform.reached;
    stop.abort();
    await expect(starting).rejects.toThrow(HttpAbortedError);
    const next = admin.bulk.query(PRODUCTS).start();
    platform.release();
    await app.cancelled();
    await app.shop.completeBulkOperations();
    expect(await next).toMatch(/BulkOperation/);
  });
});
