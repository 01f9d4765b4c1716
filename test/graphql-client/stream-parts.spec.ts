import { describe, expect, it } from '@jest/globals';

import { Clock } from '../../lib/core/time/clock.js';
import type { ApiCallerOptions } from '../../lib/core/http/api-caller.js';
import { PlatformLogger } from '../../lib/core/logger.js';
import { AdminGraphqlClient } from '../../lib/graphql-client/admin-graphql.client.js';
import type { GraphqlStreamOptions } from '../../lib/graphql-client/graphql.options.js';
import { apiCaller } from '../support/api-caller.js';
import { collect } from '../support/collect.js';
import { plainConfig } from './config.fixture.js';

const SESSION = { shop: 'test-shop.myshopify.com', accessToken: 'shpat_0123456789abcdef' };
const QUERY = 'query Product { product { id ...Price @defer } }';
const PARTS = [
  { data: { product: { id: 1 } }, hasNext: true },
  { incremental: [{ data: { price: '9.00' }, path: ['product'] }], hasNext: true },
  { hasNext: false },
].map((payload) => `\r\n\r\n${JSON.stringify(payload)}\r\n---`);

/** Its alarms ring when the test says that time has passed. */
class AlarmClock extends Clock {
  readonly alarms = new Map<() => void, number>();
  time = Date.UTC(2026, 0, 1);

  now(): Date {
    return new Date(this.time);
  }

  sleep(): Promise<void> {
    return Promise.reject(new Error('nobody should sleep here'));
  }

  override timer(ms: number, ring: () => void): () => void {
    this.alarms.set(ring, this.time + ms);
    return () => void this.alarms.delete(ring);
  }

  pass(ms: number): void {
    this.time += ms;
    for (const [ring, at] of this.alarms) {
      if (at > this.time) continue;
      this.alarms.delete(ring);
      ring();
    }
  }
}

/**
 * A stream whose parts are sent by hand, in a reply that does not listen to the signal of the
 * request.
 */
async function opened(options: GraphqlStreamOptions, ofClient: Partial<ApiCallerOptions> = {}) {
  const clock = new AlarmClock();
  let body!: ReadableStreamDefaultController<Uint8Array>;
  const closed: unknown[] = [];
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => void (body = controller),
    cancel: () => void closed.push('body'),
  });
  const fetch = async (): Promise<Response> =>
    new Response(source, {
      headers: { 'content-type': 'multipart/mixed; boundary="-"', 'x-request-id': 'req-7' },
    });
  const config = plainConfig();
  const client = new AdminGraphqlClient(
    config,
    apiCaller(fetch, clock, ofClient),
    new PlatformLogger({ log: () => undefined }, clock),
  );
  const send = (text: string): void => body.enqueue(new TextEncoder().encode(text));
  send(`---${PARTS[0]!}`);
  return { clock, closed, send, stream: await client.for(SESSION).requestStream(QUERY, options) };
}

/** Until what was asked for is being waited for. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const facts = {
  shop: SESSION.shop,
  operation: 'query Product',
  requestId: 'req-7',
  status: 200,
  attempts: 1,
};

describe('a stream that stalls', () => {
  it.each([
    ['timeout', { timeout: 50 }, {}, 'no part came within 50 ms'],
    ['timeout of its client', {}, { timeout: 50 }, 'no part came within 50 ms'],
    ['deadline', { deadline: 50 }, {}, 'did not end by the deadline'],
    [
      'deadline, whatever its timeout,',
      { deadline: 50, timeout: 500 },
      {},
      'did not end by the deadline',
    ],
  ])('is ended by the %s', async (_, options, ofClient, message) => {
    const { clock, closed, stream } = await opened(options, ofClient);
    expect((await stream.next()).value).toMatchObject({ hasNext: true });
    const next = expect(stream.next()).rejects.toMatchObject({
      code: 'ERR_HTTP_TIMEOUT',
      message: expect.stringContaining(message),
      ...facts,
    });
    await settled();
    clock.pass(49);
    expect(closed).toEqual([]);
    clock.pass(1);
    await next;
    expect([closed, clock.alarms.size]).toEqual([['body'], 0]);
  });

  it('says so in its last item under the policy "all", with the data it had', async () => {
    const { clock, stream } = await opened({ timeout: 50, errorPolicy: 'all' });
    await stream.next();
    const rest = collect(stream);
    await settled();
    clock.pass(50);
    expect(await rest).toMatchObject([
      {
        data: { product: { id: 1 } },
        hasNext: false,
        errors: { cause: { code: 'ERR_HTTP_TIMEOUT' } },
      },
    ]);
  });

  it('is ended by the signal of the call', async () => {
    const stop = new AbortController();
    const { clock, closed, stream } = await opened({
      signal: stop.signal,
      timeout: 50,
      deadline: 500,
    });
    await stream.next();
    const next = expect(stream.next()).rejects.toMatchObject({
      code: 'ERR_HTTP_ABORTED',
      ...facts,
    });
    await settled();
    stop.abort();
    await next;
    expect([closed, clock.alarms.size]).toEqual([['body'], 0]);
  });
});

describe('the limits of a stream', () => {
  it('count the timeout anew for each part, and not while the reader is busy', async () => {
    const { clock, send, stream } = await opened({ timeout: 50 });
    await stream.next();
    clock.pass(1000);
    const second = stream.next();
    await settled();
    clock.pass(40);
    send(PARTS[1]!);
    expect((await second).value).toMatchObject({ data: { product: { id: 1, price: '9.00' } } });
    const third = stream.next();
    await settled();
    clock.pass(40);
    send(PARTS[2]!);
    expect((await third).value).toMatchObject({ hasNext: false });
    expect((await stream.next()).done).toBe(true);
    expect(clock.alarms.size).toBe(0);
  });

  it('close the connection at the deadline even while the reader is busy', async () => {
    const { clock, closed, send, stream } = await opened({ deadline: 50 });
    await stream.next();
    send(PARTS[1]!);
    clock.pass(50);
    expect(closed).toEqual(['body']);
    await expect(stream.next()).rejects.toMatchObject({ code: 'ERR_HTTP_TIMEOUT' });
  });

  it('are gone when the reader leaves', async () => {
    const { clock, closed, stream } = await opened({ deadline: 50, timeout: 50 });
    for await (const { hasNext } of stream) if (hasNext) break;
    expect([closed, clock.alarms.size]).toEqual([['body'], 0]);
  });
});
