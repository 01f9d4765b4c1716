import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';

const run = promisify(execFile);
/**
 * A process that is still there by then is kept alive by something; it is killed and the test
 * fails.
 */
const PATIENCE = 20_000;

const SETUP = `
import { platformApp } from './lib/integrations/express/index.js';
import { createHmac } from 'node:crypto';
const create = (modules = [], webhooks = {}) => platformApp({
  api: { apiKey: 'key', apiSecretKey: 'a-secret-of-a-test', apiVersion: '2026-07', scopes: [], hostName: 'app.example.com', logger: { log: () => {} } },
  modules,
  webhooks,
});
const deliver = (app) => {
  const rawBody = '{}';
  const headers = {
    'x-shopify-hmac-sha256': createHmac('sha256', 'a-secret-of-a-test').update(rawBody).digest('base64'),
    'x-shopify-topic': 'products/create',
    'x-shopify-shop-domain': 'a.myshopify.com',
    'x-shopify-api-version': '2026-07',
    'x-shopify-webhook-id': 'w-1',
  };
  return app.api.webhooks.process({ rawBody, rawRequest: new Request('https://app.example.com/webhooks', { method: 'POST', headers }) });
};
`;

let copy: Transpiled;
beforeAll(async () => {
  copy = await transpile('lib/integrations/express/index.ts');
});
afterAll(() => copy.remove());

async function exit(program: string): Promise<{ stdout: string; stderr: string }> {
  const file = join(copy.folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(file, SETUP + program);
  return run(process.execPath, ['--unhandled-rejections=strict', file], { timeout: PATIENCE });
}

const BROKEN = `const broken = { module: class Broken {}, providers: [{ provide: 'A', useFactory: () => { throw new Error('this module is broken'); } }] };`;

describe('a process with a facade in it ends by itself', () => {
  it.each([
    ['never used', `create(); console.log('created');`, 'created'],
    [
      'used and not closed',
      `const app = create(); await app.ready(); console.log(app.api.utils.sanitizeShop('A.myshopify.com'));`,
      'a.myshopify.com',
    ],
    [
      'used and closed',
      `const app = create(); await app.ready(); await app.close(); console.log('closed');`,
      'closed',
    ],
    [
      'closed after a delivery',
      `const app = create([], { PRODUCTS_CREATE: () => {} }); console.log((await deliver(app)).status); await app.close();`,
      '200',
    ],
    [
      'closed while a handler never returns',
      `const app = create([], { PRODUCTS_CREATE: () => new Promise(() => {}), shutdownTimeout: 100 });
       await app.ready();
       deliver(app).catch((error) => console.log(error.reason));
       setTimeout(() => app.close(), 50);`,
      'shutting_down',
    ],
    [
      'broken and never used',
      `${BROKEN} create([broken]); setTimeout(() => console.log('still fine'), 1500);`,
      'still fine',
    ],
    [
      'broken and used',
      `${BROKEN} const app = create([broken]); await app.ready().catch((error) => console.log(error.code, error.message));`,
      'this module is broken',
    ],
    [
      'two of them, one broken',
      `${BROKEN} const [bad, good] = [create([broken]), create()]; await good.ready(); await bad.ready().catch((error) => console.log('bad', error.code));`,
      'bad ERR_BOOT_FAILED',
    ],
  ])('%s', async (_, program, expected) => {
    const { stdout, stderr } = await exit(program);
    expect(stdout).toContain(expected);
    expect(stderr).toBe('');
  });
});
