import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { HttpAbortedError, InvalidRequestError } from '../../../lib/core/http/http.errors.js';
import { BulkTransferError } from '../../../lib/graphql-client/bulk/bulk.errors.js';
import { UserErrorsError } from '../../../lib/graphql-client/graphql-client.errors.js';
import { BulkFixture, all } from './bulk.fixture.js';

const CREATE = `mutation create($product: ProductCreateInput!) {
  productCreate(product: $product) { product { title } userErrors { field message } }
}`;

interface Created {
  readonly productCreate: {
    readonly product: { readonly title: string } | null;
    readonly userErrors: readonly unknown[];
  };
}

let app: BulkFixture;
beforeEach(async () => {
  app = await BulkFixture.open();
});
afterEach(() => app.close());

const titled = (...titles: string[]) => titles.map((title) => ({ product: { title } }));

describe('a bulk mutation', () => {
  it('runs once for each row, and answers with what each run did', async () => {
    const admin = await app.admin();
    const results = await all(
      admin.bulk.mutate<Created>(CREATE, titled('Lamp', '', 'Größe 日本 🎉')),
    );
    expect(results.map(({ __lineNumber }) => __lineNumber)).toEqual([0, 1, 2]);
    expect(results.map(({ data }) => data?.productCreate.product?.title)).toEqual([
      'Lamp',
      undefined,
      'Größe 日本 🎉',
    ]);
    expect(results[1]!.data?.productCreate.userErrors).toHaveLength(1);
    expect(app.shop.products.slice(-2).map(({ title }) => title)).toEqual([
      'Lamp',
      'Größe 日本 🎉',
    ]);
  });

  it('takes its rows one by one, from wherever they come', async () => {
    async function* rows() {
      for (let number = 0; number < 300; number++) {
        if (number % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
        yield { product: { title: `Product ${number}` } };
      }
    }
    const results = await all((await app.admin()).bulk.mutate(CREATE, rows()));
    expect(results).toHaveLength(300);
    expect(app.shop.products.at(-1)!.title).toBe('Product 299');
  });

  it('uploads its rows once, however long it waits for room', async () => {
    app.shop.bulkDuration = 'manual';
    const admin = await app.admin({ apiVersion: '2025-10' });
    await (await app.admin({ apiVersion: '2025-10' })).bulk.mutate(CREATE, titled('First')).start();
    const results = all(admin.bulk.mutate(CREATE, titled('Second')));
    const uploads = () =>
      app.shop.events.filter(({ summary }) => summary === 'POST /staged-uploads').length;
    while (uploads() < 2) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 30));
    app.shop.bulkDuration = 0;
    await app.shop.completeBulkOperations();
    expect(await results).toHaveLength(1);
    expect(uploads()).toBe(2);
  });

  it('tries the upload again when the storage has a bad moment', async () => {
    let bad = 2;
    const fetch: typeof globalThis.fetch = (input, init) =>
      String(input).includes('/staged-uploads') && bad-- > 0
        ? Promise.resolve(new Response('', { status: 503 }))
        : globalThis.fetch(input, init);
    expect(
      await all((await app.admin({ fetch })).bulk.mutate(CREATE, titled('Lamp'))),
    ).toHaveLength(1);
  });

  it('says that the storage refused the file', async () => {
    const fetch: typeof globalThis.fetch = (input, init) =>
      String(input).includes('/staged-uploads')
        ? Promise.resolve(new Response('', { status: 403 }))
        : globalThis.fetch(input, init);
    const refused = all((await app.admin({ fetch })).bulk.mutate(CREATE, titled('Lamp')));
    await expect(refused).rejects.toThrow(BulkTransferError);
    await expect(refused).rejects.toMatchObject({ status: 403 });
    expect(app.shop.bulkOperations).toEqual([]);
  });

  it('says what the platform finds wrong with the mutation', async () => {
    const refused = all(
      (await app.admin()).bulk.mutate('mutation { unheardOf { id } }', [{ a: 1 }]),
    );
    await expect(refused).rejects.toThrow(UserErrorsError);
    await expect(refused).rejects.toMatchObject({ userErrors: [{ code: 'INVALID_MUTATION' }] });
  });

  it.each<[string, unknown[], string]>([
    ['no rows', [], 'no rows'],
    ['a row that is no object', [{ a: 1 }, 'b'], 'Row 2'],
    ['a row that JSON has no form for', [{ a: 1 }, { a: 1, b: 2n }], 'no form for row 2.b;'],
    [
      'more than the platform takes',
      Array.from({ length: 101 }, () => ({ text: 'x'.repeat(1024 * 1024) })),
      'split them',
    ],
  ])(
    'refuses %s before anything is sent',
    async (_, rows, words) => {
      const refused = all(
        (await app.admin()).bulk.mutate(CREATE, rows as Record<string, unknown>[]),
      );
      await expect(refused).rejects.toThrow(InvalidRequestError);
      await expect(refused).rejects.toThrow(words);
      expect(app.shop.events.some(({ summary }) => summary.includes('stagedUploadsCreate'))).toBe(
        false,
      );
    },
    60_000,
  );

  it('stops taking rows when it is aborted', async () => {
    const stop = new AbortController();
    let taken = 0;
    function* rows() {
      for (;;) {
        if (++taken === 10) stop.abort();
        yield { product: { title: 'Endless' } };
      }
    }
    await expect(
      all((await app.admin()).bulk.mutate(CREATE, rows(), { signal: stop.signal })),
    ).rejects.toThrow(HttpAbortedError);
    expect(taken).toBe(10);
  });

  // The import kept the shop's only place for ever.
  it('makes room for the next one when it is aborted while its rows stall, and lets go of them', async () => {
    const stop = new AbortController();
    let isLeft = false;
    const stalled: AsyncIterable<Record<string, unknown>> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          stop.abort();
          return new Promise(() => {});
        },
        return: () => {
          isLeft = true;
          return new Promise(() => {});
        },
      }),
    };
    const admin = await app.admin({ apiVersion: '2025-10' });
    await expect(all(admin.bulk.mutate(CREATE, stalled, { signal: stop.signal }))).rejects.toThrow(
      HttpAbortedError,
    );
    expect(isLeft).toBe(true);
    expect(await all(admin.bulk.mutate(CREATE, titled('Lamp')))).toHaveLength(1);
  });

  it('takes rows that have to be waited for from a list', async () => {
    const rows = titled('Lamp', 'Sofa').map((row) => Promise.resolve(row));
    const results = await all(
      (await app.admin()).bulk.mutate(CREATE, rows as unknown as Record<string, unknown>[]),
    );
    expect(results).toHaveLength(2);
    expect(app.shop.products.at(-1)!.title).toBe('Sofa');
  });

  it('fails as its rows do', async () => {
    async function* rows() {
      yield { product: { title: 'Lamp' } };
      throw new Error('the file has ended');
    }
    await expect(all((await app.admin()).bulk.mutate(CREATE, rows()))).rejects.toThrow(
      'the file has ended',
    );
  });
});
