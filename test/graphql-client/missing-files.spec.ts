import { expect, it, jest } from '@jest/globals';

import { ScriptedFetch, json } from '../support/scripted-fetch.js';

// As after a new version of a page has replaced the files of the one that is open.
jest.unstable_mockModule('../../lib/graphql-client/user-errors.js', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

jest.unstable_mockModule('../../lib/core/http/failed-reply.js', () => {
  throw new Error('Failed to fetch dynamically imported module');
});

const { createAdminApiClient } = await import('../../lib/graphql-client/admin-api-client.js');

// The mutation had run when the call failed: a caller that tried again ran it twice.
it('does not run a mutation whose user errors cannot be looked for', async () => {
  const script = new ScriptedFetch(json({ data: { shopUpdate: { userErrors: [] } } }));
  const client = createAdminApiClient({
    storeDomain: 'test-shop.myshopify.com',
    apiVersion: '2026-07',
    accessToken: 'token',
    customFetchApi: script.fetch,
  });
  const mutation = 'mutation Update { shopUpdate { userErrors { message } } }';
  await expect(client.request(mutation, { userErrors: 'throw' })).rejects.toMatchObject({
    code: 'ERR_HTTP_REQUEST',
    message: 'A part of the client could not be loaded.',
    cause: { message: 'Failed to fetch dynamically imported module' },
  });
  expect(script.sent).toEqual([]);
  expect((await client.request(mutation)).data).toEqual({ shopUpdate: { userErrors: [] } });
});

// A caller that repeats calls without a reply would have repeated one that was answered.
it('says what was answered when the error of that kind cannot be had', async () => {
  const script = new ScriptedFetch(json({ errors: 'Locked' }, { status: 423 }));
  const client = createAdminApiClient({
    storeDomain: 'test-shop.myshopify.com',
    apiVersion: '2026-07',
    accessToken: 'token',
    customFetchApi: script.fetch,
  });
  const query = client.request('query Shop { shop { name } }', { errorPolicy: 'throw' });
  await expect(query).rejects.toMatchObject({
    code: 'ERR_HTTP_RESPONSE',
    response: { code: 423, body: { errors: 'Locked' } },
  });
});
