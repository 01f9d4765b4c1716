import { describe, expect, it } from '@jest/globals';
import { createStaticHandler } from 'react-router';
import type { StaticHandlerContext } from 'react-router';

import { resolveConfig } from '../../lib/core/config/config.schema.js';
import { PlatformLogger } from '../../lib/core/logger.js';
import { AdminGraphqlClient } from '../../lib/graphql-client/admin-graphql.client.js';
import { graphqlOf } from '../../lib/graphql-client/graphql-response.js';
import { apiCaller } from '../support/api-caller.js';
import { ManualClock } from '../support/manual.clock.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';
import type { Scripted } from '../support/scripted-fetch.js';

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
  const config = resolveConfig(
    {
      apiKey: 'key',
      apiSecretKey: 'secret',
      appUrl: 'https://app.example.com',
      apiVersion: '2026-07',
    },
    { environment: {} },
  );
  const logger = new PlatformLogger({ log: () => {} }, clock);
  const admin = new AdminGraphqlClient(config, apiCaller(fetch, clock), logger);
  return graphqlOf(admin.for({ shop: 'test-shop.myshopify.com', accessToken: 'session-token' }));
}

const answered = () => graphqlOver(REPLY)(QUERY);

describe('what graphql() answers', () => {
  it('has the data, what belongs to it, and what is read of a Response', async () => {
    const answer = await answered();
    expect({ ...answer }).toEqual({
      ...BODY,
      errors: undefined,
      requestId: 'req-1',
      cost: { requested: 1, actual: undefined, bucket: undefined },
    });
    const { ok, status, statusText, redirected, type, url } = answer;
    expect([ok, status, statusText, redirected, type, url]).toEqual([
      ...[true, 200, '', false, 'default', ''],
    ]);
    expect(await answer.json()).toStrictEqual(CONTENT);
  });

  it('is read any number of times, and so are its clones', async () => {
    const answer = await answered();
    const texts = [
      await answer.text(),
      await answer.clone().text(),
      await (await answer.blob()).text(),
      new TextDecoder().decode(await answer.arrayBuffer()),
      new TextDecoder().decode(await answer.bytes()),
      await answer.text(),
    ];
    expect(texts.map((text) => JSON.parse(text))).toEqual(texts.map(() => CONTENT));
    await expect(answer.formData()).rejects.toThrow('Content-Type');
  });

  it('has a body that can be read once, and the headers of a text, not those of the reply', async () => {
    const answer = await answered();
    expect(answer.bodyUsed).toBe(false);
    expect(answer.body).toBe(answer.body);
    expect(await new Response(answer.body, answer).json()).toEqual(CONTENT);
    expect([answer.bodyUsed, answer.clone().bodyUsed]).toEqual([true, false]);
    expect([...answer.headers]).toEqual([['content-type', 'text/plain;charset=UTF-8']]);
  });

  it('is sent on by a route of React Router', async () => {
    const routes = [{ id: 'shop', path: '/shop', loader: () => answered() }];
    const sent = (await createStaticHandler(routes).queryRoute(
      new Request('https://app.example.com/shop'),
      { routeId: 'shop' },
    )) as Response;
    expect(await sent.json()).toEqual(CONTENT);
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

  it('has the status of a refusal, and 0 when no reply came', async () => {
    const refusal = () => json({ errors: 'No' }, { status: 404, statusText: 'Not Found' });
    const graphql = graphqlOver(refusal, new TypeError('fetch failed'));
    const answers = [
      await graphql(QUERY, { errorPolicy: 'all' }),
      await graphql(QUERY, { errorPolicy: 'all' }),
    ];
    expect(answers.map(({ ok, status, statusText }) => [ok, status, statusText])).toEqual([
      [false, 404, 'Not Found'],
      [false, 0, ''],
    ]);
    expect((await answers[1]!.json()).headers).toEqual({});
  });
});
