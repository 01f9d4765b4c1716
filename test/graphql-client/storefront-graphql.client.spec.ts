import { describe, expect, it } from '@jest/globals';

import type { ConfigOptions } from '../../lib/core/config/config.options.js';
import { AppDistribution } from '../../lib/core/config/config.options.js';
import { resolveConfig } from '../../lib/core/config/config.schema.js';
import { LogSeverity, PlatformLogger } from '../../lib/core/logger.js';
import { StorefrontGraphqlClient } from '../../lib/graphql-client/storefront-graphql.client.js';
import { apiCaller } from '../support/api-caller.js';
import { ManualClock } from '../support/manual.clock.js';
import { ScriptedFetch, json } from '../support/scripted-fetch.js';

const SESSION = { shop: 'test-shop.myshopify.com', accessToken: 'session-token' };
const QUERY = 'query Shop { shop { name } }';

function bench(options: Partial<ConfigOptions> = {}) {
  const script = new ScriptedFetch(() => json({ data: { shop: { name: 'Test' } } }));
  const clock = new ManualClock();
  const lines: string[] = [];
  const config = resolveConfig(
    {
      apiKey: 'key',
      apiSecretKey: 'secret',
      appUrl: 'https://app.example.com',
      apiVersion: '2026-07',
      ...options,
    },
    { environment: {} },
  );
  const logger = new PlatformLogger(
    { level: LogSeverity.Debug, log: (_: LogSeverity, line: string) => lines.push(line) },
    clock,
  );
  return {
    storefront: new StorefrontGraphqlClient(config, apiCaller(script.fetch, clock), logger),
    script,
    lines,
  };
}

describe('the Storefront client of an app', () => {
  it('calls with the token of the session, as a private one', async () => {
    const { storefront, script } = bench();
    const { data } = await storefront
      .for(SESSION, { buyerIp: '203.0.113.7' })
      .request<{ shop: { name: string } }>(QUERY);
    expect(data.shop.name).toBe('Test');
    expect(script.last.url).toBe('https://test-shop.myshopify.com/api/2026-07/graphql.json');
    expect(script.last.headers).toMatchObject({
      'shopify-storefront-private-token': 'session-token',
      'shopify-storefront-buyer-ip': '203.0.113.7',
      'x-sdk-variant-source': expect.stringMatching(/^shopwright\//),
    });
    expect(script.last.headers).not.toHaveProperty('x-shopify-access-token');
  });

  it('is asked with graphql(), whose json() names no headers', async () => {
    const { storefront, script } = bench();
    const { graphql } = storefront.for(SESSION);
    const answer = await graphql(QUERY, {
      variables: { id: 1 },
      apiVersion: '2026-04',
      headers: { 'x-extra': 'yes' },
      tries: 2,
    });
    expect([answer.status, answer.ok]).toEqual([200, true]);
    expect(await answer.json()).toStrictEqual({ data: { shop: { name: 'Test' } }, headers: {} });
    expect(script.last).toMatchObject({
      url: 'https://test-shop.myshopify.com/api/2026-04/graphql.json',
      headers: { 'x-extra': 'yes' },
      body: JSON.stringify({ query: QUERY, variables: { id: 1 } }),
    });
  });

  it('calls with the fixed token of a custom app', async () => {
    const custom = {
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'admin-token',
    };
    const { storefront, script } = bench({
      ...custom,
      privateAppStorefrontAccessToken: 'storefront-token',
    });
    await storefront.for({ shop: SESSION.shop }).request(QUERY);
    expect(script.last.headers['shopify-storefront-private-token']).toBe('storefront-token');
    expect(() => bench(custom).storefront.for(SESSION)).toThrow(/privateAppStorefrontAccessToken/);
  });

  it('can wait for its first call with the error for a missing token', async () => {
    const { storefront, script } = bench();
    const client = storefront.for({ shop: SESSION.shop }, { missingToken: 'refuse_calls' });
    const missing = {
      code: 'ERR_ARGUMENT_MISSING',
      message: expect.stringContaining('Authenticate the shop first.'),
    };
    await expect(client.request(QUERY)).rejects.toMatchObject(missing);
    await expect(client.graphql(QUERY)).rejects.toMatchObject(missing);
    expect(script.sent).toEqual([]);
  });

  it('needs a shop and a token', () => {
    const { storefront } = bench();
    expect(() => storefront.for({ shop: SESSION.shop })).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT_MISSING' }),
    );
    expect(() => storefront.for({ ...SESSION, shop: 'evil.example.com' })).toThrow(
      expect.objectContaining({ code: 'ERR_SHOP_INVALID' }),
    );
  });

  it('goes to another API version when it is told', async () => {
    const { storefront, script, lines } = bench();
    await storefront.for(SESSION, { apiVersion: '2025-10' }).request(QUERY);
    expect(script.last.url).toContain('/api/2025-10/');
    expect(lines).toEqual([
      expect.stringContaining(
        'Storefront client overriding default API version 2026-07 with 2025-10',
      ),
    ]);
  });
});
