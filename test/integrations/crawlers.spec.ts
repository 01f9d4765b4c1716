import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import express from 'express';

import { signedSessionToken } from '../../lib/dev-store/index.js';
import { MemorySessionStorage, Session } from '../../lib/index.js';
import { platformApp } from '../../lib/integrations/express/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';
import { HOSTS, openServer } from '../support/hosts.js';
import type { RunningHost } from '../support/hosts.js';

const CRAWLERS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'google',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0',
];
const CLIENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  // The platform's own apps, one of which names a search engine.
  'Shopify POS/9.4.0 (iPad; iOS 17.0) Google',
  'Mozilla/5.0 (Linux; Android 14; Google Pixel 8) Shopify Mobile/Android/9.160.0',
  // Tests of an app.
  'node',
  'curl/8.5.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0.0.0 Safari/537.36',
];

describe.each(HOSTS)('$name', ({ name, open }) => {
  let embedded: RunningHost;
  let standalone: RunningHost;

  beforeAll(async () => {
    const sessionStorage = new MemorySessionStorage();
    await sessionStorage.storeSession(
      new Session({
        id: `offline_${SHOP}`,
        shop: SHOP,
        state: '',
        isOnline: false,
        scope: 'write_products',
        accessToken: 'shpat_of_a_shop_that_has_the_app',
      }),
    );
    const fetch: typeof globalThis.fetch = async () =>
      Response.json({ data: { webhookSubscriptions: { nodes: [], pageInfo: {} } } });
    embedded = await open({ options: { sessionStorage, fetch } });
    standalone = await open({ options: { isEmbeddedApp: false, fetch } });
  });
  afterAll(async () => {
    await embedded.close();
    await standalone.close();
  });

  const status = async (url: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(url, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })).status;
  const pages = (): [string, number][] => [
    [`${embedded.url}/auth?shop=${SHOP}`, 302],
    [`${embedded.url}/page?shop=${SHOP}`, 302],
    // Express serves the page that fetches a session token in place of a redirect to it.
    [`${embedded.url}/page?shop=${SHOP}&embedded=1`, name === 'plain Express' ? 200 : 302],
    [`${embedded.url}/page?shop=new-${SHOP}`, 302],
    [`${standalone.url}/page?shop=${SHOP}`, 302],
  ];

  // A link preview of an app's address began an installation.
  it.each(CRAWLERS)(`behind ${name}, a page load of a crawler is gone: %s`, async (agent) => {
    for (const [page] of pages())
      expect([page, await status(page, { 'user-agent': agent })]).toEqual([page, 410]);
  });

  it.each(CLIENTS)(`behind ${name}, every other client goes on: %s`, async (agent) => {
    for (const [page, expected] of pages())
      expect([page, await status(page, { 'user-agent': agent })]).toEqual([page, expected]);
  });

  // They were answered 410, and the host took the app for dead.
  it.each(['ELB-HealthChecker/2.0', 'GoogleHC/1.0'])(
    'answers a health check that names no shop as it answers a browser: %s',
    async (agent) => {
      const page = `${embedded.url}/page`;
      expect(await status(page, { 'user-agent': agent })).toBe(
        await status(page, { 'user-agent': CLIENTS[0]! }),
      );
    },
  );

  it('does not look at the name of a client that has a session token', async () => {
    const token = signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP });
    const headers = { authorization: `Bearer ${token}`, 'user-agent': CRAWLERS[0]! };
    expect(await status(`${embedded.url}/page`, headers)).toBe(200);
  });
});

it('a page behind ensureInstalledOnShop() is gone for a crawler', async () => {
  const shopify = platformApp({
    api: { ...appOptions(), hostName: new URL(APP_URL).host },
    sessionStorage: new MemorySessionStorage(),
  });
  const app = express();
  app.get('/', shopify.ensureInstalledOnShop(), (_req, res) => void res.send('never'));
  const host = await openServer(app, [], () => shopify.close());
  const response = await fetch(`${host.url}/?shop=${SHOP}`, {
    headers: { 'user-agent': CRAWLERS[0]! },
    redirect: 'manual',
  });
  expect(response.status).toBe(410);
  await host.close();
});
