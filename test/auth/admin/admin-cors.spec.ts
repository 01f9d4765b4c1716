import { describe, expect, it } from '@jest/globals';

import { corsHeaders, preflight } from '../../../lib/auth/admin/admin-cors.js';
import { APP_URL, createApp, inbound } from '../auth.fixture.js';

const { config } = createApp();
const EXTENSION = 'https://extensions.example.com';

describe('the CORS headers of a reply', () => {
  it('let a page of another origin read it, and the headers that App Bridge acts on', () => {
    expect(corsHeaders(inbound('/api', { origin: EXTENSION }), config)).toEqual([
      ['access-control-allow-origin', '*'],
      ['access-control-allow-headers', 'Authorization, Content-Type'],
      [
        'access-control-expose-headers',
        'x-shopify-api-request-failure-reauthorize, x-shopify-api-request-failure-reauthorize-url, x-shopify-retry-invalid-session-request',
      ],
    ]);
  });

  it.each([
    ['of the app itself', { origin: APP_URL }],
    ['without an origin', {}],
  ])('are none for a request %s', (_, headers) => {
    expect(corsHeaders(inbound('/api', headers), config)).toEqual([]);
  });
});

describe('a preflight request', () => {
  it('is granted for two hours to a page of another origin', () => {
    const decision = preflight(inbound('/api', { origin: EXTENSION }, 'OPTIONS'), config);
    expect(decision).toMatchObject({ kind: 'preflight', status: 204 });
    expect(Object.fromEntries(decision?.headers ?? [])).toMatchObject({
      'access-control-max-age': '7200',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'Authorization, Content-Type',
    });
  });

  it('opens nothing for the app itself', () => {
    const decision = preflight(inbound('/api', { origin: APP_URL }, 'OPTIONS'), config);
    expect(decision?.headers).toEqual([['access-control-max-age', '7200']]);
  });

  it.each(['GET', 'HEAD', 'POST', 'DELETE'])('is not a %s', (method) => {
    expect(preflight(inbound('/api', { origin: EXTENSION }, method), config)).toBeUndefined();
  });
});
