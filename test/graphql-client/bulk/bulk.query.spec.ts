import { inspect } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { HttpAbortedError } from '../../../lib/core/http/http.errors.js';
import {
  BulkOperationError,
  BulkTransferError,
} from '../../../lib/graphql-client/bulk/bulk.errors.js';
import { UserErrorsError } from '../../../lib/graphql-client/graphql-client.errors.js';
import { BulkFixture, HastyClock, all, meddle } from './bulk.fixture.js';

const PRODUCTS =
  '{ products { edges { node { id title variants { edges { node { id sku } } } } } } }';

let app: BulkFixture;
beforeEach(async () => {
  app = await BulkFixture.open();
});
afterEach(() => app.close());

describe('a bulk query', () => {
  it('answers with every object as a row, the inner ones with the id of the one they belong to', async () => {
    const rows = await all((await app.admin()).bulk.query(PRODUCTS));
    const products = app.shop.products;
    expect(rows.filter((row) => row.__parentId === undefined).map((row) => row['title'])).toEqual(
      products.map(({ title }) => title),
    );
    const parents = rows.filter((row) => row.__parentId !== undefined).map((row) => row.__parentId);
    expect(parents).toEqual(
      products.flatMap(({ id, variants }) => variants.map(() => `gid://shopify/Product/${id}`)),
    );
  });

  it('puts rows below their parents when asked to', async () => {
    const admin = await app.admin();
    const rows = await all(admin.bulk.query<{ title: string }>(PRODUCTS, { nested: true }));
    const found = rows.map(({ title, __children }) => [
      title,
      __children.map((child) => child['sku']),
    ]);
    expect(found).toEqual(
      app.shop.products.map(({ title, variants }) => [title, variants.map(({ sku }) => sku)]),
    );
  });

  it('tells apart what was not started nested', async () => {
    const admin = await app.admin();
    const id = await admin.bulk.query(PRODUCTS).start();
    const error = await all(admin.bulk.resume(id, { nested: true })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(BulkTransferError);
    expect(error).toMatchObject({
      line: app.shop.products.length + 1,
      shop: app.shop.domain,
      operation: `Bulk operation ${id}`,
    });
  });

  it('answers with nothing when nothing is found', async () => {
    const admin = await app.admin();
    expect(
      await all(admin.bulk.query('{ products(query: "title:nowhere") { edges { node { id } } } }')),
    ).toEqual([]);
  });

  it('does nothing before it is asked for rows', async () => {
    const run = (await app.admin()).bulk.query(PRODUCTS);
    expect([run.id, app.shop.bulkOperations]).toEqual([undefined, []]);
  });

  it('reads the same result again, without running again', async () => {
    const run = (await app.admin()).bulk.query(PRODUCTS);
    expect(await all(run)).toEqual(await all(run));
    expect(app.shop.bulkOperations).toHaveLength(1);
  });

  it('looks more and more seldom for the end', async () => {
    app.shop.bulkDuration = 'manual';
    const clock = new HastyClock();
    const stop = new AbortController();
    const rows = all((await app.admin({ clock })).bulk.query(PRODUCTS, { signal: stop.signal }));
    while (clock.slept.length < 5) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000, 16_000]);
    stop.abort();
    await expect(rows).rejects.toThrow(HttpAbortedError);
  });

  it('survives a bad minute of the platform while it waits', async () => {
    let bad = 9;
    const fetch = meddle(async (body, replyOf) =>
      body.includes('readBulkOperation') && bad-- > 0
        ? new Response('', { status: 503 })
        : replyOf(),
    );
    expect(await all((await app.admin({ fetch })).bulk.query(PRODUCTS))).not.toHaveLength(0);
  });

  it.each([
    [
      'fails with the status of a success',
      '{"errors":[{"message":"Internal error","extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}',
    ],
    ['answers with a page', '<html>one moment</html>'],
  ])('survives that the platform %s while it waits', async (_, reply) => {
    let bad = 1;
    const fetch = meddle(async (body, replyOf) =>
      body.includes('readBulkOperation') && bad-- > 0 ? reply : replyOf(),
    );
    expect(await all((await app.admin({ fetch })).bulk.query(PRODUCTS))).not.toHaveLength(0);
  });

  it('gives up when the platform stays away', async () => {
    const fetch = meddle(async (body, replyOf) =>
      body.includes('readBulkOperation') ? new Response('', { status: 503 }) : replyOf(),
    );
    await expect(all((await app.admin({ fetch })).bulk.query(PRODUCTS))).rejects.toMatchObject({
      code: 'ERR_HTTP_INTERNAL',
    });
  });

  it('says what the platform finds wrong with it', async () => {
    const refused = all((await app.admin()).bulk.query('{ shop { name } }'));
    await expect(refused).rejects.toThrow(UserErrorsError);
    await expect(refused).rejects.toMatchObject({
      shop: app.shop.domain,
      userErrors: [{ code: 'INVALID' }],
    });
  });

  it('says why it failed, and where the part is that was done', async () => {
    app.shop.bulkDuration = 'manual';
    const rows = all((await app.admin()).bulk.query(PRODUCTS));
    await app.operations(1);
    await app.shop.failBulkOperations('TIMEOUT', 2);
    const error = (await rows.catch((thrown: unknown) => thrown)) as BulkOperationError;
    expect(error).toBeInstanceOf(BulkOperationError);
    expect(error.bulkOperation).toMatchObject({ status: 'FAILED', errorCode: 'TIMEOUT' });
    expect((await (await fetch(error.partialDataUrl!)).text()).trim().split('\n')).toHaveLength(2);
    expect(error.message).not.toContain('http');
    expect([inspect(error), JSON.stringify(error)].join()).not.toContain(error.partialDataUrl);
  });

  it.each(['http://elsewhere.example/file', 'file:///etc/passwd', 'nonsense'])(
    'does not fetch a file from %s',
    async (url) => {
      const asked: string[] = [];
      const listening = meddle(async (_, replyOf) =>
        (await replyOf()).replace(/"url":"[^"]+"/, `"url":"${url}"`),
      );
      const fetch: typeof globalThis.fetch = (input, init) => (
        asked.push(String(input)),
        listening(input, init)
      );
      await expect(all((await app.admin({ fetch })).bulk.query(PRODUCTS))).rejects.toThrow(
        BulkTransferError,
      );
      expect(asked.filter((one) => !one.endsWith('/graphql.json'))).toEqual([]);
    },
  );
});

describe('the end of a bulk query before its end', () => {
  beforeEach(() => {
    app.shop.bulkDuration = 'manual';
  });

  it('cancels the operation when the signal is aborted', async () => {
    const stop = new AbortController();
    const rows = all((await app.admin()).bulk.query(PRODUCTS, { signal: stop.signal }));
    await app.operations(1);
    stop.abort();
    await expect(rows).rejects.toThrow(HttpAbortedError);
    await app.cancelled();
  });

  it('cancels the operation when the loop is left while it waits', async () => {
    const rows = (await app.admin()).bulk.query(PRODUCTS)[Symbol.asyncIterator]();
    const next = rows.next();
    await app.operations(1);
    expect(await rows.return!()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    await app.cancelled();
  });

  it('cancels the operation when told to, and whoever waits for it hears so', async () => {
    const run = (await app.admin()).bulk.query(PRODUCTS);
    await run.start();
    const rows = all(run);
    await run.cancel();
    await expect(rows).rejects.toThrow(HttpAbortedError);
    expect(app.shop.bulkOperations[0]!.status).toMatch(/^CANCEL/);
  });

  it('starts nothing when it was aborted before', async () => {
    await expect(
      all((await app.admin()).bulk.query(PRODUCTS, { signal: AbortSignal.abort() })),
    ).rejects.toThrow(HttpAbortedError);
    expect(app.shop.bulkOperations).toEqual([]);
  });

  it('can leave the operation running, for another process to resume', async () => {
    const stop = new AbortController();
    const run = (await app.admin()).bulk.query(PRODUCTS, {
      signal: stop.signal,
      keepRunning: true,
    });
    const rows = all(run);
    await app.operations(1);
    while (run.id === undefined) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(rows).rejects.toThrow(HttpAbortedError);
    const resumed = all((await app.admin()).bulk.resume(run.id));
    await app.shop.completeBulkOperations();
    expect(await resumed).not.toHaveLength(0);
    expect(app.shop.bulkOperations).toHaveLength(1);
  });

  it('says so when there is nothing to resume', async () => {
    const missing = all((await app.admin()).bulk.resume('gid://shopify/BulkOperation/1'));
    await expect(missing).rejects.toMatchObject({
      code: 'ERR_BULK_TRANSFER',
      shop: app.shop.domain,
    });
  });
});

describe('the limit of bulk operations', () => {
  it.each([
    ['2025-10', 1],
    ['2026-01', 5],
  ])('is kept within a process: in version %s %i at a time', async (apiVersion, limit) => {
    app.shop.bulkDuration = 'manual';
    const asked: string[] = [];
    const fetch = meddle(async (body, replyOf) => (asked.push(body), replyOf()));
    const admin = await app.admin({ apiVersion, fetch });
    const runs = Array.from({ length: limit + 1 }, () => all(admin.bulk.query(PRODUCTS)));
    await app.operations(limit);
    expect(asked.filter((body) => body.includes('startBulkQuery'))).toHaveLength(limit);
    app.shop.bulkDuration = 0;
    await app.shop.completeBulkOperations();
    expect((await Promise.all(runs)).every((rows) => rows.length > 0)).toBe(true);
    expect(app.shop.bulkOperations).toHaveLength(limit + 1);
  });

  it.each([
    ['2025-10', 1],
    ['2026-01', 5],
  ])(
    'makes what other processes have used up worth waiting for, in version %s',
    async (apiVersion, limit) => {
      app.shop.bulkDuration = 'manual';
      const other = await app.admin({ apiVersion });
      for (let run = 0; run < limit; run++) await other.bulk.query(PRODUCTS).start();
      const clock = new HastyClock();
      const rows = all((await app.admin({ apiVersion, clock })).bulk.query(PRODUCTS));
      while (clock.slept.length < 2) await new Promise((resolve) => setImmediate(resolve));
      expect(app.shop.bulkOperations).toHaveLength(limit);
      app.shop.bulkDuration = 0;
      await app.shop.completeBulkOperations();
      expect(await rows).not.toHaveLength(0);
    },
  );
});
