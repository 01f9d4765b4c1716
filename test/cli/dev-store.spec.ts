import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { run } from '../../lib/cli/command-line.js';
import { readDevApp } from '../../lib/cli/commands/dev-store-configuration.js';
import { verifyWebhook } from './verify-webhook.js';
import { openReceiver, type AppReceiver } from '../dev-store/app-receiver.js';

const FILE = `
client_id = "0123456789abcdef"
name = "Labels"
application_url = "https://tunnel.example.com"
embedded = true

[access_scopes]
scopes = "write_products, read_orders"
optional_scopes = ["read_customers"]

[auth]
redirect_urls = ["https://tunnel.example.com/auth/callback"]

[webhooks]
api_version = "2026-04"

[[webhooks.subscriptions]]
topics = ["products/create"]
uri = "/hooks"
include_fields = ["id", "title"]

[[webhooks.subscriptions]]
compliance_topics = ["customers/redact"]
uri = "https://tunnel.example.com/privacy"

[app_proxy]
url = "https://tunnel.example.com/proxy"
subpath = "labels"
prefix = "apps"

[product.metafields.app.demo_info]
type = "single_line_text_field"
`;

describe('shopwright dev-store', () => {
  let folder: string;
  let app: AppReceiver;
  let end: AbortController;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dev-store-'));
    await writeFile(join(folder, 'shopify.app.toml'), FILE);
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(() => end?.abort());

  /** Starts the command; resolves when it has written something, or has ended. */
  async function start(
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<{ output: () => string; errors: () => string; code: Promise<number> }> {
    end = new AbortController();
    let [output, errors] = ['', ''];
    let written: (() => void) | undefined;
    const first = new Promise<void>((resolve) => (written = resolve));
    const stdout = { write: (text: string) => ((output += text), written?.()) };
    const stderr = { write: (text: string) => (errors += text) };
    const code = run(['dev-store', ...args], { stdout, stderr, env }, end.signal);
    await Promise.race([first, code]);
    return { output: () => output, errors: () => errors, code };
  }

  const config = (): string => join(folder, 'shopify.app.toml');
  const variable = (output: string, name: string): string | undefined =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(output)?.[1];

  it('serves the app of the file, and says what its environment is', async () => {
    app = await openReceiver();
    const { output, code } = await start([
      '--config',
      config(),
      '--port',
      '0',
      '--app-url',
      app.url,
    ]);
    const origin = variable(output(), 'SHOPWRIGHT_DEV_STORE')!;
    expect(output()).toContain(
      `Labels in a simulated store: ${origin}/admin/apps/0123456789abcdef`,
    );
    expect(variable(output(), 'SHOPIFY_API_KEY')).toBe('0123456789abcdef');
    expect(variable(output(), 'SCOPES')).toBe('write_products,read_orders');
    expect(variable(output(), 'SHOPIFY_APP_URL')).toBe(app.url);
    const secret = variable(output(), 'SHOPIFY_API_SECRET')!;

    const opened = await fetch(`${origin}/admin/apps/0123456789abcdef`);
    const page = await opened.text();
    expect(page).toContain('Install Labels');
    const consent = /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const body = new URLSearchParams({ consent, decision: 'install' });
    const framed = await fetch(`${origin}/admin/oauth/install`, { method: 'POST', body });
    expect(await framed.text()).toMatch(/<iframe/);

    const products = await (await fetch(`${origin}/admin/products`)).text();
    const [, token = ''] = /name="page_token" value="([^"]+)"/.exec(products) ?? [];
    await fetch(`${origin}/admin/products`, {
      method: 'POST',
      body: new URLSearchParams({ page_token: token, title: 'Printed', price: '1.00' }),
    });
    await fetch(`${origin}/apps/labels/list`);
    while (app.received.length < 2) await new Promise((done) => setImmediate(done));
    const delivery = app.received.find(({ path }) => path === '/hooks')!;
    expect(verifyWebhook(delivery, secret)).toBe(true);
    expect(delivery.headers['x-shopify-api-version']).toBe('2026-04');
    expect(Object.keys(JSON.parse(delivery.body.toString()) as object)).toEqual(['id', 'title']);
    expect(app.received.some(({ path }) => path.startsWith('/proxy/list?'))).toBe(true);

    end.abort();
    expect(await code).toBe(0);
    await expect(fetch(origin)).rejects.toThrow();
    await app.close();
  });

  it('signs with the secret of its environment, and does not print it', async () => {
    const env = { SHOPIFY_API_SECRET: 'the-real-secret' };
    const { output } = await start(['--config', config(), '--port', '0'], env);
    expect(output()).toContain('Its secret is the one of this environment.');
    expect(output()).not.toMatch(/SHOPIFY_API_SECRET|the-real-secret/);
  });

  it('takes the definitions of metafields of the file', async () => {
    expect((await readDevApp(config())).definitions).toMatchObject({
      product: { metafields: { app: { demo_info: { type: 'single_line_text_field' } } } },
    });
  });

  it('says which port is taken', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, 'localhost', done));
    const { port } = server.address() as AddressInfo;
    const { code, errors } = await start(['--config', config(), '--port', String(port)]);
    expect([await code, errors()]).toEqual([2, expect.stringContaining(`EADDRINUSE`)]);
    await new Promise((done) => server.close(done));
  });

  it.each([
    [
      ['--config', 'none.toml'],
      /none\.toml cannot be read as the configuration of an app: .*ENOENT/,
    ],
    [['--port', '70000'], /--port must be a port from 0 to 65535, not "70000"/],
    [['--shop', 'example.com'], /--shop takes the domain of a shop/],
    [['--app-url', 'localhost:3000'], /has no application_url with its scheme: say --app-url/],
    [['--all'], /dev-store takes no --all/],
    [['more'], /What is "more"\?/],
  ])('refuses %j', async (args, reason) => {
    const { code, errors } = await start(['--config', config(), '--port', '0', ...args]);
    expect([await code, errors()]).toEqual([2, expect.stringMatching(reason)]);
  });
});
