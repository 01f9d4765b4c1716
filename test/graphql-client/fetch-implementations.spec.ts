import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createAdminApiClient } from '../../lib/graphql-client/admin-api-client.js';
import { createStorefrontApiClient } from '../../lib/graphql-client/storefront-api-client.js';
import { createAdminRestApiClient } from '../../lib/rest-client/admin-rest-api-client.js';
import { FETCH_IMPLEMENTATIONS } from '../support/fetch-implementations.js';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const QUERY = 'query Shop { shop { name } }';
const DEFERRED = 'query Shop { shop { name ...Slow @defer } } fragment Slow on Shop { email }';
const PAGES =
  'query Products($first: Int!, $after: String) { products(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }';
/** More than a socket and a stream hold back for a reader, so that an unread body blocks both. */
const LONG = 'x'.repeat(300_000);

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    paths.push(request.url ?? '');
    (answers.shift() ?? reply({}, 404))(response, request);
  });
});
let answers: Answer[];
let paths: string[];

/** A store on this machine, and how a client reaches it. */
const store = () => ({
  storeDomain: `localhost:${(server.address() as AddressInfo).port}`,
  scheme: 'http' as const,
  apiVersion: '2026-07',
});

const reply =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

const part = (value: object): string =>
  `\r\n--part\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(value)}`;
const FIRST = part({ data: { shop: { name: 'Käse' } }, hasNext: true });
const LAST = `${part({ incremental: [{ path: ['shop'], data: { email: 'ü@x' } }], hasNext: false })}\r\n--part--`;
const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'multipart/mixed; boundary="part"' });

/** Sends a text in pieces, a character of two bytes cut in the middle. */
const inPieces =
  (text: string): Answer =>
  async (response) => {
    const bytes = Buffer.from(text);
    const cut = bytes.indexOf(0xc3) + 1;
    begin(response).write(bytes.subarray(0, cut));
    await new Promise(setImmediate);
    response.end(bytes.subarray(cut));
  };

beforeAll(() => new Promise<void>((resolve) => server.listen(0, 'localhost', resolve)));
beforeEach(() => {
  answers = [];
  paths = [];
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

// `body.cancel` and `body.getReader` were taken for granted; node-fetch has Node's streams.
describe.each(FETCH_IMPLEMENTATIONS)('with %s, a client', (_name, customFetchApi) => {
  const admin = (options = {}) =>
    createAdminApiClient({ ...store(), accessToken: 'token', customFetchApi, ...options });
  const storefront = () =>
    createStorefrontApiClient({ ...store(), publicAccessToken: 'token', customFetchApi });
  const rest = (options = {}) =>
    createAdminRestApiClient({ ...store(), accessToken: 'token', customFetchApi, ...options });

  it.each([429, 503])('sends a query again after a %d, however long its body', async (status) => {
    answers = [
      reply({ errors: LONG }, status, { 'retry-after': '0' }),
      reply({ errors: LONG }, status, { 'retry-after': '0.0' }),
      reply({ data: { shop: { name: 'Test' } } }),
    ];
    const { data, errors } = await admin({ retries: 2 }).request(QUERY);
    expect([data, errors]).toEqual([{ shop: { name: 'Test' } }, undefined]);
    expect(paths).toHaveLength(3);
  });

  it('sends a REST call again, and hands over a reply that can be read', async () => {
    answers = [
      reply({ errors: LONG }, 503, { 'retry-after': '0' }),
      reply({ shop: { id: 1 } }, 200, { 'x-one': 'a' }),
    ];
    const response = await rest({ retries: 1 }).get('shop');
    expect(response.headers.get('x-one')).toBe('a');
    expect(await response.json()).toEqual({ shop: { id: 1 } });
  });

  it('follows a redirect within the store', async () => {
    answers = [
      reply({ errors: LONG }, 307, { location: '/elsewhere.json' }),
      reply({ shop: { id: 1 } }),
    ];
    expect((await rest().get('shop')).status).toBe(200);
    expect(paths).toEqual(['/admin/api/2026-07/shop.json', '/elsewhere.json']);
  });

  it('hands a redirect to another host back', async () => {
    answers = [reply({}, 302, { location: 'http://127.0.0.1:1/x' })];
    expect((await rest().get('shop')).status).toBe(302);
  });

  it('says what an error reply says', async () => {
    answers = [reply({ errors: 'Not Found' }, 404)];
    const { errors } = await admin().request(QUERY);
    expect(errors).toMatchObject({ networkStatusCode: 404 });
    expect(errors?.message).toContain('"Not Found"');
    expect(await errors?.response?.json()).toEqual({ errors: 'Not Found' });
  });

  // The call rejected with `init["status"] must be in the range of 200 to 599`.
  it('says so when an error reply has a status beyond all that are known', async () => {
    answers = [reply({ errors: 'Odd' }, 600)];
    const { errors } = await admin().request(QUERY);
    expect(errors).toMatchObject({ networkStatusCode: 600, response: { status: 600 } });
  });

  it('yields the parts of a stream', async () => {
    answers = [inPieces(FIRST + LAST)];
    const items: unknown[] = [];
    for await (const { data, errors, hasNext } of await storefront().requestStream(DEFERRED))
      items.push({ data, errors, hasNext });
    expect(items).toEqual([
      { data: { shop: { name: 'Käse' } }, hasNext: true },
      { data: { shop: { name: 'Käse', email: 'ü@x' } }, hasNext: false },
    ]);
  });

  it('yields an answer that came at once', async () => {
    answers = [reply({ data: { shop: { name: 'Test' } } })];
    const items: unknown[] = [];
    for await (const { data, hasNext } of await storefront().requestStream(DEFERRED))
      items.push({ data, hasNext });
    expect(items).toEqual([{ data: { shop: { name: 'Test' } }, hasNext: false }]);
  });

  it('says that a stream broke off', async () => {
    answers = [(response) => begin(response).write(FIRST + '\r\n--part', () => response.destroy())];
    const items = [];
    for await (const item of await storefront().requestStream(DEFERRED)) items.push(item);
    expect(items.at(-1)?.errors?.cause).toMatchObject({ code: 'ERR_HTTP_REQUEST' });
  });

  it('ends a stream whose next part does not come in time', async () => {
    answers = [(response) => begin(response).write(FIRST + '\r\n--part')];
    const items = [];
    for await (const item of await storefront().requestStream(DEFERRED, { timeout: 200 }))
      items.push(item);
    expect(items.at(-1)?.errors?.cause).toMatchObject({ code: 'ERR_HTTP_TIMEOUT' });
  });

  it('ends a call that is aborted, and does not send it again', async () => {
    const controller = new AbortController();
    answers = [() => controller.abort()];
    const { errors } = await admin({ retries: 3 }).request(QUERY, { signal: controller.signal });
    expect(errors?.cause).toMatchObject({ code: 'ERR_HTTP_ABORTED' });
    expect(paths).toHaveLength(1);
  });

  it('pages through a connection', async () => {
    const page = (id: number, endCursor: string | null): Answer =>
      reply({
        data: { products: { nodes: [{ id }], pageInfo: { hasNextPage: !!endCursor, endCursor } } },
      });
    answers = [page(1, 'a'), reply({}, 503, { 'retry-after': '0' }), page(2, null)];
    const nodes: unknown[] = [];
    for await (const node of admin({ retries: 1 }).paginate(PAGES, {}, (data) => data.products))
      nodes.push(node);
    expect(nodes).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('pages through a REST list', async () => {
    const { storeDomain } = store();
    const link = `<http://${storeDomain}/admin/api/2026-07/products.json?page_info=b>; rel="next"`;
    answers = [reply({ products: [1] }, 200, { link }), reply({ products: [2] })];
    const bodies: unknown[] = [];
    for await (const response of rest().pages('products')) bodies.push(await response.json());
    expect(bodies).toEqual([{ products: [1] }, { products: [2] }]);
    expect(paths[1]).toBe('/admin/api/2026-07/products.json?page_info=b');
  });
});

const WITH_BODIES = FETCH_IMPLEMENTATIONS.filter(([name]) => name !== 'a fetch without bodies');

// Destroying the body of node-fetch 2 leaves its connection open.
describe.each(WITH_BODIES)('with %s, the connection is closed', (_name, customFetchApi) => {
  const stream = (options = {}) =>
    createStorefrontApiClient({
      ...store(),
      publicAccessToken: 'token',
      customFetchApi,
    }).requestStream(DEFERRED, options);
  /** Sends the first part and no more. @returns when the client has closed the connection */
  const closing = (): Promise<void> =>
    new Promise((resolve) => {
      answers = [
        (response) => {
          response.once('close', resolve);
          begin(response).write(FIRST + '\r\n--part');
        },
      ];
    });

  it('of a stream whose loop is left', async () => {
    const closed = closing();
    for await (const { data } of await stream()) {
      expect(data).toEqual({ shop: { name: 'Käse' } });
      break;
    }
    await closed;
    expect(paths).toHaveLength(1);
  });

  it('of a stream whose next part does not come in time', async () => {
    const closed = closing();
    const items = [];
    for await (const item of await stream({ timeout: 200 })) items.push(item);
    expect(items).toHaveLength(2);
    await closed;
  });

  it('of a stream whose signal is aborted', async () => {
    const closed = closing();
    const controller = new AbortController();
    const items = [];
    for await (const item of await stream({ signal: controller.signal })) {
      items.push(item);
      controller.abort();
    }
    expect(items.at(-1)?.errors?.cause).toMatchObject({ code: 'ERR_HTTP_ABORTED' });
    await closed;
  });
});
