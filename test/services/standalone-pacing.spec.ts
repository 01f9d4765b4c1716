import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'redis';

import { createAdminApiClient } from '../../lib/graphql-client/admin-api-client.js';
import { createAdminRestApiClient } from '../../lib/rest-client/admin-rest-api-client.js';
import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';

const URL_OF_REDIS = process.env['REDIS_URL']!;
const SHOP = `standalone-${process.pid}.myshopify.com`;
const TOKENS = {
  a: 'shpat_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  b: 'shpat_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
};
const STORE = {
  storeDomain: SHOP,
  apiVersion: '2026-07',
  customFetchApi: async () => Response.json({ data: {} }),
};
const run = promisify(execFile);

const redis = createClient({ url: URL_OF_REDIS });
let lib: Transpiled;
beforeAll(async () => {
  await redis.connect();
  lib = await transpile(['lib/graphql-client/index.ts', 'lib/rest-client/index.ts']);
});
afterAll(async () => {
  for (const key of await bucketsOf(SHOP)) await redis.del(key);
  await redis.close();
  await lib.remove();
});

function bucketsOf(shop: string): Promise<string[]> {
  return redis.keys(`shopwright:pace:{* ${shop}}`);
}

describe('standalone clients that are paced over Redis', () => {
  it('share a bucket when they have the same token, and with nobody else, without showing it', async () => {
    for (const accessToken of [TOKENS.a, TOKENS.a, TOKENS.b]) {
      const client = createAdminApiClient({
        ...STORE,
        accessToken,
        pacing: { redis: URL_OF_REDIS },
      });
      await client.request('query { shop { name } }');
      await client.close();
    }
    const buckets = await bucketsOf(SHOP);
    expect(buckets).toHaveLength(2);
    for (const token of Object.values(TOKENS)) expect(buckets.join()).not.toContain(token.slice(6));
  });

  it('have the bucket that they name', async () => {
    const client = createAdminRestApiClient({
      ...STORE,
      accessToken: TOKENS.a,
      pacing: { redis: URL_OF_REDIS, app: 'my-app' },
    });
    await client.get('shop');
    await client.close();
    expect(await bucketsOf(SHOP)).toContain(`shopwright:pace:{rest my-app ${SHOP}}`);
  });

  it.each(['graphql-client', 'rest-client'])(
    'of %s let the process end when nobody closes them',
    async (entryPoint) => {
      const script = join(lib.folder, `${entryPoint}.mjs`);
      const [create, call] =
        entryPoint === 'rest-client'
          ? ['createAdminRestApiClient', `get('shop')`]
          : ['createAdminApiClient', `request('{ shop { id } }')`];
      await writeFile(
        script,
        `import { ${create} as create } from './lib/${entryPoint}/index.js';
      const store = ${JSON.stringify({ storeDomain: SHOP, apiVersion: '2026-07', accessToken: TOKENS.a, pacing: { redis: URL_OF_REDIS } })};
      const client = create({ ...store, customFetchApi: async () => Response.json({ data: {} }) });
      await client.${call};
      console.log('done');`,
      );
      // It would be killed if it went on.
      expect((await run(process.execPath, [script], { timeout: 20_000 })).stdout).toBe('done\n');
    },
  );
});
