import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { AuthUrls } from '../../lib/auth/responses/auth-urls.js';
import { AppDistribution } from '../../lib/core/config/config.options.js';
import { DEFAULT_CONVENTIONS } from '../../lib/core/config/page-conventions.js';
import type { PageConventions } from '../../lib/core/config/page-conventions.js';
import { resolveConfig } from '../../lib/core/config/config.schema.js';
import { SecretKeys } from '../../lib/core/crypto/secret-keys.js';
import { REMIX_CONVENTIONS } from '../../lib/integrations/web/route-conventions.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';
import { HOSTS } from '../support/hosts.js';
import type { RunningHost } from '../support/hosts.js';
import { offlineSession } from '../support/offline-session.js';

const OTHER_SHOP = 'other-shop.myshopify.com';
const ADMIN = 'https://admin.shopify.com/store';
const ELSEWHERE = 'https://docs.example.org/help?a=1';

/** The query of the exit page as the toolkit makes it for `target`. */
function signedQuery(
  target: string,
  shop = SHOP,
  conventions: PageConventions = DEFAULT_CONVENTIONS,
): URLSearchParams {
  const config = resolveConfig(appOptions(), { conventions });
  const request = {
    method: 'GET',
    url: new URL(APP_URL),
    path: '/',
    header: () => undefined,
    rawBody: async () => Buffer.alloc(0),
  };
  const { location } = new AuthUrls(config, new SecretKeys([API_SECRET]), config.clock).exitIframe(
    request,
    shop,
    target,
  );
  return new URL(location, APP_URL).searchParams;
}

describe.each(HOSTS)('the exit page on $name', ({ open, exitIframePath }) => {
  let host: RunningHost;
  let custom: RunningHost;
  beforeAll(async () => {
    const sessionStorage = new MemorySessionStorage();
    await sessionStorage.storeSession(offlineSession({ shop: SHOP, id: `offline_${SHOP}` }));
    const distribution = AppDistribution.PlatformAdmin;
    [host, custom] = await Promise.all([
      open({ options: { sessionStorage } }),
      open({ options: { distribution, adminApiAccessToken: 'shpat_custom' } }),
    ]);
  });
  afterAll(() => Promise.all([host.close(), custom.close()]));

  const exit = (
    on: RunningHost,
    query: Record<string, string> | URLSearchParams,
  ): Promise<Response> =>
    fetch(`${on.url}${exitIframePath}?${new URLSearchParams(query)}`, {
      redirect: 'manual',
      headers: { accept: 'text/html', 'sec-fetch-dest': 'iframe' },
    });
  /** Where the page takes the window; `null` when it is refused. */
  const targetOf = async (response: Response): Promise<string | null> => {
    const text = await response.text();
    const [, target] = /window\.open\(("[^"]*"), "_top"\)/.exec(text) ?? [];
    expect({ status: response.status, leads: target !== undefined }).toEqual(
      target === undefined ? { status: 400, leads: false } : { status: 200, leads: true },
    );
    return target === undefined ? null : (JSON.parse(target) as string);
  };

  it.each([
    `${APP_URL}/auth?shop=${OTHER_SHOP}`,
    `https://${SHOP}/admin/charges/1/confirm`,
    `${ADMIN}/test-shop`,
    `${ADMIN}/test-shop/charges/1?x=/../..`,
    'https://admin.myshopify.com/store/test-shop/apps',
  ])('leads to the app and to a shop that has it: %s', async (redirectUri) => {
    expect(await targetOf(await exit(host, { shop: SHOP, redirectUri }))).toBe(redirectUri);
  });

  // Every shop that the address named was one to go to, and everything in the admin.
  it.each([
    [OTHER_SHOP, `https://${OTHER_SHOP}/admin`],
    [OTHER_SHOP, `${ADMIN}/other-shop/charges/1`],
    [SHOP, `https://${OTHER_SHOP}/admin`],
    [SHOP, `${ADMIN}/other-shop/charges/1`],
    [SHOP, `${ADMIN}/test-shop-2/charges/1`],
    [SHOP, `${ADMIN}/test-shop/../other-shop`],
    [SHOP, `${ADMIN}/test-shop/%2e%2e/other-shop`],
    [SHOP, `${ADMIN}//test-shop`],
    [SHOP, `${ADMIN}/`],
    [SHOP, 'https://admin.shopify.com/'],
    [SHOP, 'https://admin.shopify.com:444/store/test-shop'],
    [SHOP, 'http://admin.shopify.com/store/test-shop'],
    [SHOP, 'https://admin.shop.dev/store/test-shop'],
    [SHOP, `http://${SHOP}/admin`],
    ['', `https://${SHOP}/admin`],
    ['', `${ADMIN}/test-shop`],
    [SHOP, 'https://evil.example/'],
  ])('named %j, does not lead to %s', async (shop, redirectUri) => {
    expect(await targetOf(await exit(host, { shop, redirectUri }))).toBeNull();
  });

  it('does not lead to a shop when two are named', async () => {
    const query = new URLSearchParams({ shop: SHOP, redirectUri: `https://${SHOP}/` });
    query.append('shop', OTHER_SHOP);
    expect(await targetOf(await exit(host, query))).toBeNull();
  });

  it('leads wherever the toolkit has signed, and nowhere else with that signature', async () => {
    for (const on of [host, custom]) {
      expect(await targetOf(await exit(on, signedQuery(ELSEWHERE)))).toBe(ELSEWHERE);
      expect(
        await targetOf(await exit(on, signedQuery(`https://${OTHER_SHOP}/`, OTHER_SHOP))),
      ).toBe(`https://${OTHER_SHOP}/`);
      const forged = signedQuery(ELSEWHERE);
      forged.set('redirectUri', 'https://evil.example/');
      expect(await targetOf(await exit(on, forged))).toBeNull();
    }
  });

  // The path alone was named, which a browser takes for the address of another host.
  it.each([
    `${APP_URL}//evil.example/x`,
    `${APP_URL}/\\evil.example/x`,
    `${APP_URL}//${SHOP}/admin`,
    `${APP_URL}/%2F%2Fevil.example/x`,
    `${APP_URL}/%5Cevil.example/x`,
    `${APP_URL}/app?to=//evil.example`,
  ])('leads from a frame to the page of the app that it was made for: %s', async (target) => {
    for (const conventions of [DEFAULT_CONVENTIONS, REMIX_CONVENTIONS.pages]) {
      const query = signedQuery(target, SHOP, conventions);
      expect(await targetOf(await exit(host, query))).toBe(new URL(target).href);
    }
  });

  it.each([
    '//evil.example/x',
    '/\\evil.example/x',
    '\\\\evil.example/x',
    '\t//evil.example/x',
    '/\t/evil.example/x',
    '/\n\\evil.example',
    'https:\\\\evil.example',
    'https://app.example.com@evil.example/',
    'https://app.example.com\\@evil.example/',
    'https://app.example.com.evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('leads to no other host by the form of an address: %j', async (given) => {
    for (const name of ['redirectUri', 'exitIframe']) {
      const target = await targetOf(await exit(host, { shop: SHOP, [name]: given }));
      expect(target === null ? APP_URL : new URL(target).origin).toBe(APP_URL);
    }
    const reload = await fetch(
      `${host.url}/auth/session-token?${new URLSearchParams({ shop: SHOP, 'shopify-reload': given })}`,
      { redirect: 'manual', headers: { accept: 'text/html', 'sec-fetch-dest': 'iframe' } },
    );
    const [, loaded] = /shopify-reload", ("[^"]*")/.exec(await reload.text()) ?? [];
    expect(reload.status).toBe(loaded === undefined ? 400 : 200);
    if (loaded !== undefined) expect(new URL(JSON.parse(loaded)).origin).toBe(APP_URL);
  });

  it('of a custom app, which stores no sessions, leads to no shop by itself', async () => {
    expect(await targetOf(await exit(custom, { shop: SHOP, redirectUri: '/welcome' }))).toBe(
      `${APP_URL}/welcome`,
    );
    expect(
      await targetOf(await exit(custom, { shop: SHOP, redirectUri: `https://${SHOP}/admin` })),
    ).toBeNull();
    expect(
      await targetOf(await exit(custom, { shop: SHOP, redirectUri: `${ADMIN}/test-shop` })),
    ).toBeNull();
  });
});
