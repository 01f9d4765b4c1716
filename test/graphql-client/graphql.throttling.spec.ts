import { describe, expect, it } from '@jest/globals';

import { PlatformLogger } from '../../lib/core/logger.js';
import { Pacer } from '../../lib/core/pacing/pacer.js';
import type { PaceRequest, Settlement, Ticket } from '../../lib/core/pacing/pacer.js';
import { AdminGraphqlClient } from '../../lib/graphql-client/admin-graphql.client.js';
import { apiCaller } from '../support/api-caller.js';
import { ManualClock } from '../support/manual.clock.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';
import { plainConfig } from './config.fixture.js';

const QUERY = 'query Products { products(first: 100) { nodes { id } } }';

/** Lets every call through and keeps what it was asked and told. */
class RecordingPacer extends Pacer {
  readonly asked: PaceRequest[] = [];
  readonly told: (Settlement | undefined)[] = [];

  override async reserve(request: PaceRequest): Promise<Ticket> {
    this.asked.push({ ...request });
    return { settle: (told) => void this.told.push(told) };
  }

  override async close(): Promise<void> {}
}

function bench(answers: Scripted[], retries = 2) {
  const script = new ScriptedFetch(...answers);
  const clock = new ManualClock();
  const pacer = new RecordingPacer();
  const config = plainConfig();
  const admin = new AdminGraphqlClient(
    config,
    apiCaller(script.fetch, clock, { pacer, retries, random: () => 0.5 }),
    new PlatformLogger({ log: () => undefined }, clock),
  );
  return {
    client: admin.for({ shop: 'test-shop.myshopify.com', accessToken: 'token' }),
    admin,
    script,
    clock,
    pacer,
  };
}

const cost = (
  requested: number,
  actual: number | null,
  available: number,
  capacity = 2000,
  restoreRate = 100,
) => ({
  extensions: {
    cost: {
      requestedQueryCost: requested,
      actualQueryCost: actual,
      throttleStatus: { maximumAvailable: capacity, currentlyAvailable: available, restoreRate },
    },
  },
});
const throttled = (extensions: object = cost(250, null, 130)): Response =>
  json({ errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }], ...extensions });
const answered = (extensions: object = {}): Response =>
  json({ data: { products: { nodes: [] } }, ...extensions });

describe('a throttled GraphQL call', () => {
  it('waits until the bucket holds what it costs, and is sent again', async () => {
    const { client, script, clock } = bench([throttled(), answered()]);
    expect((await client.request(QUERY)).data).toEqual({ products: { nodes: [] } });
    // 250 points asked, 130 there, 100 more per second.
    expect([script.sent.length, clock.slept]).toEqual([2, [1200]]);
  });

  it('is sent again even when it is a mutation: nothing of it was run', async () => {
    const { client, script } = bench([throttled(), json({ data: { rename: { ok: true } } })]);
    await client.request('mutation Rename { rename { ok } }');
    expect(script.sent).toHaveLength(2);
  });

  it('waits a second when the platform does not say how full the bucket is', async () => {
    const { client, clock } = bench([throttled({}), answered()]);
    await client.request(QUERY);
    expect(clock.slept).toEqual([1000]);
  });

  it('says what it would have cost when the retries are used up', async () => {
    const { client, script } = bench([() => throttled()]);
    await expect(client.request(QUERY)).rejects.toMatchObject({
      name: 'GraphqlThrottledError',
      code: 'ERR_GRAPHQL_THROTTLED',
      shop: 'test-shop.myshopify.com',
      operation: 'query Products',
      status: 200,
      cost: 250,
      attempts: 3,
    });
    expect(script.sent).toHaveLength(3);
  });

  it('is not sent again when it costs more than the bucket ever holds', async () => {
    const { client, script } = bench([throttled(cost(2500, null, 2000))]);
    await expect(client.request(QUERY)).rejects.toMatchObject({
      code: 'ERR_GRAPHQL_THROTTLED',
      attempts: 1,
    });
    expect(script.sent).toHaveLength(1);
  });

  it('is an answer when there is data all the same', async () => {
    const { client } = bench([
      json({
        data: { a: 1 },
        errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
      }),
    ]);
    await expect(client.request(QUERY)).rejects.toMatchObject({
      body: { data: { a: 1 } },
      attempts: 1,
    });
  });
});

describe('the cost of a GraphQL call', () => {
  it('comes with the result', async () => {
    const { client } = bench([answered(cost(12, 4, 1988)), answered()]);
    expect((await client.request(QUERY)).cost).toEqual({
      requested: 12,
      actual: 4,
      bucket: { available: 1988, capacity: 2000, restoreRate: 100 },
    });
    expect((await client.request(QUERY)).cost).toBeUndefined();
  });

  it('is reserved as the last call of the same text told, for all sessions of an app', async () => {
    const { client, admin, pacer } = bench([
      answered(cost(52, 8, 1992)),
      answered(cost(70, 9, 1900)),
      () => answered(),
    ]);
    await client.request(QUERY);
    await client.request(QUERY);
    await admin
      .for({ shop: 'other-shop.myshopify.com', accessToken: 'token' })
      .request(QUERY, { priority: 'background' });
    await client.request('query Other { shop { name } }');
    expect(
      pacer.asked.map(({ kind, shop, cost: points, priority }) => [kind, shop, points, priority]),
    ).toEqual([
      ['graphql', 'test-shop.myshopify.com', 10, undefined],
      ['graphql', 'test-shop.myshopify.com', 52, undefined],
      ['graphql', 'other-shop.myshopify.com', 70, 'background'],
      ['graphql', 'test-shop.myshopify.com', 10, undefined],
    ]);
    expect(pacer.told[0]).toEqual({
      bucket: { available: 1992, capacity: 2000, restoreRate: 100 },
      actualCost: 8,
      throttled: false,
    });
    expect(pacer.told[2]).toEqual({ throttled: false });
  });

  it('is learned from a refusal, before the call is sent again', async () => {
    const { client, pacer } = bench([throttled(), answered()]);
    await client.request(QUERY);
    expect(pacer.asked.map(({ cost: points }) => points)).toEqual([10, 250]);
    expect(pacer.told[0]).toMatchObject({ throttled: true, bucket: { available: 130 } });
  });
});
