import { describe, expect, it } from '@jest/globals';

import { resolveConfig } from '../../lib/core/config/config.schema.js';
import { PlatformLogger } from '../../lib/core/logger.js';
import { createAdminRestApiClient } from '../../lib/rest-client/admin-rest-api-client.js';
import type { AdminRestApiClient } from '../../lib/rest-client/admin-rest-api-client.js';
import { AdminRestClient } from '../../lib/rest-client/admin-rest.client.js';
import type { RestClient } from '../../lib/rest-client/rest.client.js';
import { apiCaller } from '../support/api-caller.js';
import { APP_URL, SHOP } from '../support/app.js';
import { ManualClock } from '../support/manual.clock.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';

const LIST = `https://${SHOP}/admin/api/2026-07/products.json`;

/** A page of products; `next` and `previous` are the cursors of its neighbours. */
function page(
  ids: number[],
  { next, previous }: { next?: string; previous?: string } = {},
): Response {
  const link = (cursor: string, rel: string): string =>
    `<${LIST}?limit=2&page_info=${cursor}>; rel="${rel}"`;
  const links = [
    ...(previous ? [link(previous, 'previous')] : []),
    ...(next ? [link(next, 'next')] : []),
  ];
  return json(
    { products: ids.map((id) => ({ id })) },
    { headers: links.length > 0 ? { link: links.join(', ') } : {} },
  );
}

const threePages = (): Scripted[] => [
  page([1, 2], { next: 'b' }),
  page([3, 4], { next: 'c', previous: 'a' }),
  page([5], { previous: 'b' }),
];

function restClient(answers: Scripted[]): { client: RestClient; script: ScriptedFetch } {
  const script = new ScriptedFetch(...answers);
  const clock = new ManualClock();
  const config = resolveConfig(
    { apiKey: 'key', apiSecretKey: 'secret', appUrl: APP_URL, apiVersion: '2026-07' },
    { environment: {} },
  );
  const admin = new AdminRestClient(
    config,
    apiCaller(script.fetch, clock),
    new PlatformLogger({ log: () => {} }, clock),
  );
  return { script, client: admin.for({ shop: SHOP, accessToken: 'token' }) };
}

function standalone(answers: Scripted[]): { client: AdminRestApiClient; script: ScriptedFetch } {
  const script = new ScriptedFetch(...answers);
  const options = {
    storeDomain: SHOP,
    apiVersion: '2026-07',
    accessToken: 'token',
    customFetchApi: script.fetch,
  };
  return { script, client: createAdminRestApiClient(options) };
}

async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of pages) all.push(one);
  return all;
}

describe('the pages of a list', () => {
  it('are walked to the end, each asked for as the one before says', async () => {
    const { client, script } = restClient(threePages());
    const pages = await collect(
      client.pages<{ products: { id: string }[] }>({
        path: 'products',
        query: { limit: 2, status: 'active' },
      }),
    );
    expect(pages.flatMap(({ body }) => body.products.map(({ id }) => id))).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect(script.sent.map(({ url }) => url)).toEqual([
      `${LIST}?limit=2&status=active`,
      `${LIST}?limit=2&page_info=b`,
      `${LIST}?limit=2&page_info=c`,
    ]);
  });

  it('are fetched no sooner than they are asked for', async () => {
    const { client, script } = restClient(threePages());
    for await (const { pageInfo } of client.pages({ path: 'products' })) {
      expect(pageInfo.nextPage?.query['page_info']).toBe('b');
      break;
    }
    expect(script.sent).toHaveLength(1);
  });

  it('keep the headers and limits of the call', async () => {
    const { client, script } = restClient(threePages());
    await collect(client.pages({ path: 'products', extraHeaders: { 'X-Own': 'mine' } }));
    expect(script.sent.map(({ headers }) => headers['x-own'])).toEqual(['mine', 'mine', 'mine']);
  });

  // The second page was asked for with the client's own version, or without /admin/api at all.
  it('stay at the path, version included, that the platform names', async () => {
    const older = LIST.replace('2026-07', '2026-04');
    const link = { link: `<${older}?page_info=b>; rel="next"` };
    const { client, script } = restClient([json({ products: [] }, { headers: link }), page([2])]);
    await collect(client.pages({ path: '/admin/api/2026-04/products.json' }));
    expect(script.sent.map(({ url }) => url)).toEqual([older, `${older}?page_info=b`]);
  });

  it('that lead in a circle are an error', async () => {
    const { client, script } = restClient([
      page([1], { next: 'b' }),
      page([2], { next: 'c' }),
      page([3], { next: 'b' }),
    ]);
    await expect(collect(client.pages({ path: 'products' }))).rejects.toMatchObject({
      code: 'ERR_PAGINATION_LOOP',
      shop: SHOP,
      operation: 'GET products',
    });
    expect(script.sent).toHaveLength(3);
  });

  it('end with the first that is an error', async () => {
    const { client } = restClient([
      page([1], { next: 'b' }),
      json({ errors: 'no' }, { status: 404 }),
    ]);
    await expect(collect(client.pages({ path: 'products' }))).rejects.toMatchObject({
      code: 'ERR_HTTP_RESPONSE',
      status: 404,
    });
  });

  it('can be had from the URL of one of them', async () => {
    const { client, script } = restClient(threePages().slice(1));
    await collect(client.pages({ path: `${LIST}?limit=2&page_info=b` }));
    expect(script.sent.map(({ url }) => url)).toEqual([
      `${LIST}?limit=2&page_info=b`,
      `${LIST}?limit=2&page_info=c`,
    ]);
  });
});

describe('the items of a list', () => {
  it('are those of all its pages', async () => {
    const { client } = restClient(threePages());
    expect(await collect(client.items({ path: 'products' }))).toEqual(
      ['1', '2', '3', '4', '5'].map((id) => ({ id })),
    );
  });

  it('are not asked of what is no list', async () => {
    for (const body of [{ shop: { name: 'x' } }, null]) {
      const { client } = restClient([json(body)]);
      await expect(collect(client.items({ path: 'shop' }))).rejects.toMatchObject({
        code: 'ERR_REQUEST_INVALID',
      });
    }
  });
});

describe('the pages of a standalone client', () => {
  it('are replies as they came', async () => {
    const { client, script } = standalone(threePages());
    const pages = await collect(client.pages('products', { searchParams: { limit: 2 } }));
    const bodies = await Promise.all(pages.map((response) => response.json()));
    expect(bodies).toEqual(
      [[1, 2], [3, 4], [5]].map((ids) => ({ products: ids.map((id) => ({ id })) })),
    );
    expect(script.sent.map(({ url }) => url)).toEqual([
      `${LIST}?limit=2`,
      `${LIST}?limit=2&page_info=b`,
      `${LIST}?limit=2&page_info=c`,
    ]);
  });

  it('end with a reply that is no success, and with a circle', async () => {
    const failing = standalone([page([1], { next: 'b' }), new Response('', { status: 500 })]);
    expect((await collect(failing.client.pages('products'))).map(({ status }) => status)).toEqual([
      200, 500,
    ]);
    const circling = standalone([() => page([1], { next: 'b' })]);
    await expect(collect(circling.client.pages('products'))).rejects.toMatchObject({
      code: 'ERR_PAGINATION_LOOP',
    });
    expect(circling.script.sent).toHaveLength(2);
  });
});
