import { describe, expect, it } from '@jest/globals';
import { createStaticHandler } from 'react-router';
import type { StaticHandlerContext } from 'react-router';

import { PlatformLogger } from '../../lib/core/logger.js';
import { AdminGraphqlClient } from '../../lib/graphql-client/admin-graphql.client.js';
import { graphqlOf } from '../../lib/graphql-client/graphql-response.js';
import { apiCaller } from '../support/api-caller.js';
import { ManualClock } from '../support/manual.clock.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';
import { plainConfig } from './config.fixture.js';

const QUERY = 'query Shop { shop { name } }';
const BODY = {
  data: { shop: { name: 'Tést' } },
  extensions: { cost: { requestedQueryCost: 1 } },
};
/** What `json()` makes of it. */
const CONTENT = {
  ...BODY,
  headers: {
    'Content-Encoding': ['gzip'],
    'Content-Type': ['application/json'],
    'Set-Cookie': ['a=1'],
    'X-Request-Id': ['req-1'],
  },
};
const REPLY: Scripted = () =>
  json(BODY, {
    headers: { 'x-request-id': 'req-1', 'content-encoding': 'gzip', 'set-cookie': 'a=1' },
  });

function graphqlOver(...answers: Scripted[]) {
  const { fetch } = new ScriptedFetch(...answers);
  const clock = new ManualClock();
  const config = plainConfig();
  const logger = new PlatformLogger({ log: () => {} }, clock);
  const admin = new AdminGraphqlClient(config, apiCaller(fetch, clock), logger);
  return graphqlOf(admin.for({ shop: 'test-shop.myshopify.com', accessToken: 'session-token' }));
}

const answered = () => graphqlOver(REPLY)(QUERY);

describe('what graphql() answers', () => {
  it('is a Response with the data, and with what belongs to them', async () => {
    const answer = await answered();
    expect(answer).toBeInstanceOf(Response);
    expect(Object.keys(answer)).toEqual(['data', 'errors', 'extensions', 'requestId', 'cost']);
    expect(answer).toMatchObject({
      ...BODY,
      errors: undefined,
      requestId: 'req-1',
      cost: { requested: 1 },
    });
    expect([answer.ok, answer.status, answer.statusText]).toEqual([true, 200, '']);
    expect(await answer.json()).toStrictEqual(CONTENT);
  });

  it('has the headers of a text, not those of the reply', async () => {
    expect([...(await answered()).headers]).toEqual([['content-type', 'text/plain;charset=UTF-8']]);
  });

  it('is read any number of times with json() and text(), and so are its clones', async () => {
    const answer = await answered();
    const texts = [
      await answer.text(),
      await answer.text(),
      await answer.clone().text(),
      await (await answer.clone().blob()).text(),
      new TextDecoder().decode(await answer.clone().arrayBuffer()),
    ];
    expect(texts.map((text) => JSON.parse(text))).toEqual(texts.map(() => CONTENT));
    expect(answer.bodyUsed).toBe(false);
    expect(answer.clone().data).toBe(answer.data);
  });

  it('has a body, which can be read once', async () => {
    const answer = await answered();
    expect(await new Response(answer.body, answer).json()).toEqual(CONTENT);
    expect([answer.bodyUsed, answer.clone().bodyUsed]).toEqual([true, false]);
    expect(await answer.json()).toEqual(CONTENT);
  });

  it('is sent on by a route of React Router', async () => {
    const routes = [{ id: 'shop', path: '/shop', loader: () => answered() }];
    const { loaderData } = (await createStaticHandler(routes).query(
      new Request('https://app.example.com/shop'),
    )) as StaticHandlerContext;
    expect(JSON.parse(loaderData['shop'])).toEqual(CONTENT);
  });
});

describe('what graphql() answers under the policy `all`', () => {
  const errors = [{ message: 'First' }];

  it('has the errors and the status of the reply', async () => {
    const graphql = graphqlOver(() => json({ ...BODY, errors }));
    const answer = await graphql(QUERY, { errorPolicy: 'all' });
    expect([answer.ok, answer.status]).toEqual([true, 200]);
    const body = await answer.json();
    expect(body.errors).toBe(answer.errors);
    expect({ ...body, errors: [...body.errors!] }).toEqual({
      ...BODY,
      errors,
      headers: { 'Content-Type': ['application/json'] },
    });
  });

  it('has the status of a refusal, and 502 when no usable reply came', async () => {
    const graphql = graphqlOver(
      () => json({ errors: 'No' }, { status: 404, statusText: 'Not Found' }),
      () => new Response('<html>'),
      () => new Response(null, { status: 204 }),
      new TypeError('fetch failed'),
    );
    for (const [status, networkStatusCode] of [
      [404, 404],
      [502, 200],
      [502, 204],
      [502, undefined],
    ]) {
      const answer = await graphql(QUERY, { errorPolicy: 'all' });
      expect([answer.ok, answer.status]).toEqual([false, status]);
      expect(answer.errors?.networkStatusCode).toBe(networkStatusCode);
      expect(JSON.parse(await new Response(answer.body, answer).text()).errors.message).toBe(
        answer.errors?.message,
      );
    }
  });
});
