import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { topicName } from '../../lib/cli/samples/topic-name.js';
import { webhookSample } from '../../lib/cli/samples/webhook-samples.js';
import { topicName as nameOfStore } from '../../lib/dev-store/base/webhook-topics.js';
import { platformApp } from '../../lib/integrations/express/index.js';
import { KNOWN_TOPICS } from '../../lib/webhooks/subscriptions/webhook-topic.js';
import { API_KEY, API_SECRET, SHOP } from '../support/app.js';
import { command } from './command.js';

const ENV = { PLATFORM_API_SECRET: API_SECRET };

let folder: string;
let server: Server;
let address: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shopwright-'));
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  await rm(folder, { recursive: true });
});

async function listen(handler: Server | Parameters<typeof createServer>[1]): Promise<void> {
  server = createServer(handler as Parameters<typeof createServer>[1]);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}

interface Seen {
  readonly topic: string;
  readonly shop: string;
  readonly body: string;
  readonly id: string;
}

/** An app of the toolkit, which verifies what it gets. */
async function listenAsApp(topics: readonly string[]): Promise<Seen[]> {
  const seen: Seen[] = [];
  const callback = async (topic: string, shop: string, body: string, id: string) =>
    void seen.push({ topic, shop, body, id });
  const shopify = platformApp({
    api: {
      apiKey: API_KEY,
      apiSecretKey: API_SECRET,
      apiVersion: '2026-10',
      hostName: 'app.example.com',
      logger: { log: () => {} },
    },
    webhooks: Object.fromEntries(topics.map((topic) => [topic, callback])) as Record<
      Uppercase<string>,
      typeof callback
    >,
  });
  await listen(express().use(shopify.routes()) as never);
  server.on('close', () => void shopify.close());
  return seen;
}

describe('shopwright webhook', () => {
  it('posts a sample that an app accepts, for every topic whose payload is known', async () => {
    const topics = KNOWN_TOPICS.filter((topic) => webhookSample(topic, SHOP) !== undefined);
    expect(topics.length).toBeGreaterThan(30);
    const seen = await listenAsApp(topics);
    for (const topic of topics)
      expect(
        await command(['webhook', topicName(topic), '--address', address], { env: ENV }),
      ).toEqual({ code: 0, err: '', out: expect.stringMatching(/\n200 in \d+ ms/) });
    expect(seen.map(({ topic }) => topic)).toEqual(topics);
    const bodies = Object.fromEntries(seen.map(({ topic, body }) => [topic, JSON.parse(body)]));
    expect(bodies['PRODUCTS_CREATE'].variants[0].sku).toBe('T-SHIRT-S');
    expect(bodies['ORDERS_PAID'].line_items[0].price).toBe('19.99');
    expect(bodies['SHOP_REDACT'].shop_domain).toBe(seen[0]!.shop);
  });

  it('sends the headers of a delivery', async () => {
    const headers: IncomingHttpHeaders[] = [];
    await listen((request, response) => {
      headers.push(request.headers);
      response.end();
    });
    await command(
      [
        ...['webhook', 'APP_SUBSCRIPTIONS_APPROACHING_CAPPED_AMOUNT', '--address', address],
        ...['--shop', 'One.myshopify.com', '--api-version', '2026-04', '--delivery-id', 'd-1'],
      ],
      { env: ENV },
    );
    expect(headers).toEqual([
      expect.objectContaining({
        'content-type': 'application/json',
        'x-shopify-topic': 'app_subscriptions/approaching_capped_amount',
        'x-shopify-shop-domain': 'one.myshopify.com',
        'x-shopify-api-version': '2026-04',
        'x-shopify-webhook-id': 'd-1',
        'x-shopify-hmac-sha256': expect.stringMatching(/^[\w+/]{43}=$/),
        'x-shopify-triggered-at': expect.stringMatching(/^\d{4}-.+Z$/),
      }),
    ]);
  });

  it('posts several deliveries, or one of them again and again', async () => {
    const seen = await listenAsApp(['PRODUCTS_DELETE']);
    const args = ['webhook', 'products/delete', '--address', address, '--times', '3'];
    const several = await command(args, { env: ENV });
    expect([several.code, several.out.match(/\n200 in/g)?.length]).toEqual([0, 3]);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(3);
    const again = await command([...args, '--delivery-id', 'twice'], { env: ENV });
    expect([again.code, again.out.match(/\n200 in/g)?.length]).toEqual([0, 3]);
    expect(seen.filter(({ id }) => id === 'twice')).toHaveLength(1);
  });

  it('prints a sample, and posts the edited one from a file or from stdin, byte for byte', async () => {
    const seen = await listenAsApp(['PRODUCTS_CREATE']);
    const { out, code } = await command(['webhook', 'products/create', '--print']);
    expect(code).toBe(0);
    const edited = out.replace('Example T-Shirt', 'Käse ');
    const file = join(folder, 'product.json');
    await writeFile(file, edited);
    const args = ['webhook', 'products/create', '--address', address, '--payload'];
    expect((await command([...args, file], { env: ENV })).code).toBe(0);
    async function* stdin() {
      yield Buffer.from(edited).subarray(0, 40);
      yield Buffer.from(edited).subarray(40);
    }
    expect((await command([...args, '-'], { env: ENV, stdin: stdin() })).code).toBe(0);
    expect(seen.map(({ body }) => body)).toEqual([edited, edited]);
  });

  it('takes the port and the secret from the environment and from a file', async () => {
    const seen = await listenAsApp(['PRODUCTS_DELETE']);
    const { port } = server.address() as AddressInfo;
    const file = join(folder, '.env');
    await writeFile(file, `# of the app\nSHOPIFY_API_SECRET="${API_SECRET}"\nPORT=1\n`);
    const ended = await command(['webhook', 'products/delete', '--env-file', file], {
      env: { PORT: String(port) },
    });
    expect([ended.code, seen.length]).toEqual([0, 1]);
  });

  it('says what an app of another secret answers, without either secret', async () => {
    await listenAsApp(['PRODUCTS_DELETE']);
    const { code, out, err } = await command(['webhook', 'products/delete', '--address', address], {
      env: { PLATFORM_API_SECRET: 'another-secret' },
    });
    expect([code, out]).toEqual([1, expect.stringMatching(/401 in \d+ ms: the app has another/)]);
    expect(out + err).not.toMatch(new RegExp(`another-secret|${API_SECRET}`));
  });

  it('prints no secret and no control character of an answer', async () => {
    await listen((_, response) => response.end(`\u001b[2Jit is another-secret\u0007\n`));
    const { code, out } = await command(['webhook', 'products/delete', '--address', address], {
      env: { PLATFORM_API_SECRET: 'another-secret' },
    });
    expect([code, out]).toEqual([0, expect.stringMatching(/\n\[2Jit is \[redacted\]\n$/)]);
  });

  it('tells of a topic without a sample, and of one that nobody knows', async () => {
    expect(await command(['webhook', 'themes/publish', '--print'])).toEqual({
      code: 0,
      out: '{}\n',
      err: expect.stringContaining('The payload of THEMES_PUBLISH is not known here'),
    });
    const { err } = await command(['webhook', 'product/create', '--print']);
    expect(err).toContain('Is PRODUCTS_CREATE meant?');
  });

  it('says so when nothing listens', async () => {
    await listen((_, response) => response.end());
    await new Promise((resolve) => server.close(resolve));
    const { code, out } = await command(['webhook', 'products/delete', '--address', address], {
      env: ENV,
    });
    expect([code, out]).toEqual([1, expect.stringContaining('no answer: ECONNREFUSED')]);
  });

  it.each<[string, RegExp, string[]]>([
    ['without a topic', /The topic is missing/, []],
    ['with a topic that is none', /spelled like products\/create/, ['products create']],
    ['without a secret', /set PLATFORM_API_SECRET or SHOPIFY_API_SECRET/, ['products/create']],
    [
      'with an address on the internet',
      /https:\/\/app\.example\.com is not on this machine[^]*--remote/,
      ['products/create', '--address', 'https://app.example.com/webhooks'],
    ],
    [
      'with a name that only looks like this machine',
      /is not on this machine/,
      ['products/create', '--address', 'http://127.0.0.1.example.com/webhooks'],
    ],
    ['with no address', /--address takes/, ['products/create', '--address', 'localhost:3000']],
    ['with a shop that is none', /not "shop.example"/, ['a/b', '--shop', 'shop.example']],
    ['with two shops', /only once/, ['a/b', '--shop', 'a.myshopify.com', '--shop', 'b.shop.dev']],
    ['with a version that is none', /--api-version takes/, ['a/b', '--api-version', '10']],
    ['with a number that is none', /--times must be/, ['a/b', '--times', '0']],
    ['with an id of two lines', /--delivery-id takes/, ['a/b', '--delivery-id', 'a\nb']],
    ['with a missing file', /nowhere cannot be read \(ENOENT\)/, ['a/b', '--payload', 'nowhere']],
    ['with a missing .env', /nowhere cannot be read \(ENOENT\)/, ['a/b', '--env-file', 'nowhere']],
    ['with an option of others', /webhook takes no --prune/, ['a/b', '--prune']],
    ['with the secret as an option', /--secret/, ['a/b', '--secret', API_SECRET]],
  ])('called %s says what is wrong', async (_, message, args) => {
    const { code, out, err } = await command(['webhook', ...args]);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)]);
    expect(err).not.toContain(API_SECRET);
  });
});

it('topics are spelled as the platform spells them', () => {
  const known = KNOWN_TOPICS.filter((topic) => nameOfStore(topic) !== undefined);
  expect(known.length).toBeGreaterThan(150);
  expect(known.map(topicName)).toEqual(known.map(nameOfStore));
  expect(topicName('Products/Create')).toBe('products/create');
});
