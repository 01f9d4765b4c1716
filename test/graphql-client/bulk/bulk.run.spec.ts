import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { HttpAbortedError } from '../../../lib/core/http/http.errors.js';
import { UserErrorsError } from '../../../lib/graphql-client/graphql-client.errors.js';
import { BulkFixture, all, meddle } from './bulk.fixture.js';

const PRODUCTS = '{ products { edges { node { id title } } } }';
const CREATE = 'mutation create($product: ProductCreateInput!) { productCreate(product: $product) { userErrors { message } } }';
const FORBIDDEN = new Response('', { status: 403 });

let app: BulkFixture;
beforeEach(async () => {
  app = await BulkFixture.open();
  app.shop.bulkDuration = 'manual';
});
afterEach(() => app.close());

/** The next replies to what contains `words`, then the platform's own; and how often it was sent. */
function answering(words: string, ...replies: (string | Response)[]): { readonly fetch: typeof fetch; sent: number } {
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
function holding(words: string): { readonly fetch: typeof fetch; readonly reached: Promise<void>; readonly release: () => void } {
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

const refusedCancel = (status: string) =>
  JSON.stringify({ data: { outcome: { bulkOperation: { id: '1', status }, userErrors: [{ field: null, message: 'No.' }] } } });

describe('cancelling a bulk operation', () => {
  it('is tried again after a bad moment of the platform', async () => {
    const platform = answering('cancelBulkOperation', new Response('', { status: 502 }));
    const run = (await app.admin({ fetch: platform.fetch })).bulk.query(PRODUCTS);
    await run.start();
    await run.cancel();
    expect([platform.sent, app.shop.bulkOperations[0]!.status]).toEqual([2, expect.stringMatching(/^CANCEL/)]);
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
    const unnamed = JSON.stringify({ data: { outcome: { bulkOperation: null, userErrors: [{ field: null, message: 'No.' }] } } });
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

  it('is not waited for when it is aborted, and what it began is cancelled', async () => {
    const platform = holding('startBulkQuery');
    const stop = new AbortController();
    const starting = (await app.admin({ fetch: platform.fetch })).bulk.query(PRODUCTS, { signal: stop.signal }).start();
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
