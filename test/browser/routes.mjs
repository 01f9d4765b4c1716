// A merchant's walk through an example of a router: everything that happens in the admin's frame.
import assert from 'node:assert/strict';

import { until } from '../../scripts/demo-browser.mjs';
import { DESKTOP, PHONE, assertFits } from './walk.mjs';

const KEY = 'demo-api-key';

/** The steps of the walk. */
export function routeSteps(page, { url, appUrl, devStore, lines }) {
  const app = () => page.frameLocator('iframe');
  const frame = () => page.frames().find((one) => one.url().startsWith(appUrl));
  const shop = devStore.shop();

  return [
    [
      'installing leads to the consent page, which names the scopes',
      async () => {
        await page.goto(url);
        await page
          .getByRole('link', { name: /install/i })
          .or(page.getByRole('button', { name: /^install/i }))
          .first()
          .click();
        await page.waitForURL(/\/admin\/oauth\/authorize/);
        await page
          .getByText(/products/i)
          .first()
          .waitFor();
      },
    ],
    [
      'consent leads back through the callback into the embedded page',
      async () => {
        await page.getByRole('button', { name: /install/i }).click();
        await page.waitForURL(/\/admin\/apps\//);
        await app().getByText('Stoneware mug').waitFor();
      },
    ],
    [
      'the page is hydrated: a product is created without loading it again, and its webhook arrives',
      async () => {
        await hydrated();
        await mark();
        await create('Walking boots');
        assert.ok(await isMarked(), 'the document is the same');
        await until(() => lines.some((line) => line.endsWith('new product: Walking boots')));
      },
    ],
    [
      'a link leads to another page of the app in the same document',
      async () => {
        await app().getByRole('link', { name: 'Shop', exact: true }).click();
        await app().getByText('Dev Shop, dev-shop.myshopify.com').waitFor();
        assert.equal(new URL(frame().url()).pathname, '/app/shop');
        assert.ok(await isMarked(), 'the document is the same');
      },
    ],
    [
      'the menu of the admin leads there as well',
      async () => {
        await navigateInAdmin('/app');
        await app().getByText('Stoneware mug').waitFor();
        assert.equal(new URL(frame().url()).pathname, '/app');
        await navigateInAdmin('/app/shop');
        await app().getByText('Dev Shop, dev-shop.myshopify.com').waitFor();
        assert.ok(await isMarked(), 'the document is the same');
      },
    ],
    [
      'the page loads again without the parameters of the admin',
      async () => {
        assert.equal(new URL(frame().url()).search, '');
        await Promise.all([
          page.waitForEvent('framenavigated'),
          frame().evaluate(() => location.reload()),
        ]);
        await app().getByText('Dev Shop, dev-shop.myshopify.com').waitFor();
        assert.ok(!(await isMarked()), 'the document is another one');
        assert.equal(new URL(frame().url()).pathname, '/app/shop');
      },
    ],
    [
      'a session token that has expired is replaced by App Bridge, and the page shown',
      async () => {
        const address = new URL(shop.embeddedUrl(KEY, '/app'));
        const exp = Math.floor(Date.now() / 1000) - 600;
        const expired = shop.sessionToken(KEY, { exp });
        address.searchParams.set('id_token', expired);
        await frame().goto(address.href);
        await app().getByText('Stoneware mug').waitFor();
        const { pathname, searchParams } = new URL(frame().url());
        assert.equal(pathname, '/app');
        assert.notEqual(searchParams.get('id_token'), expired);
      },
    ],
    [
      'access tokens that the platform has ended are replaced while a product is created',
      async () => {
        await hydrated();
        shop.expireTokens(KEY);
        shop.expireRefreshTokens(KEY);
        await create('Trail map', '4.50');
        shop.revokeTokens(KEY);
        await create('Head torch');
      },
    ],
    [
      'a price that is none is refused, and the reason shown',
      async () => {
        await app().getByLabel('Title').fill('Camping stove');
        await app().getByLabel('Price').fill('a lot');
        await app().getByRole('button', { name: 'Create product' }).click();
        await app().getByText('Price is not a number').waitFor();
        await app().getByText('Camping stove, 0.00', { exact: true }).waitFor();
      },
    ],
    [
      'the storefront has a page of the app in Liquid, and its form searches',
      async () => {
        await page.goto(new URL('/apps/wishes/products', url).href);
        await page.getByRole('heading', { name: 'What Dev Shop sells' }).waitFor();
        await page.getByLabel('Search').fill('boots');
        await page.getByRole('button', { name: 'Search' }).click();
        await page.waitForURL(/\/apps\/wishes\/products\/\?search=boots$/);
        await page.getByText('Walking boots').waitFor();
        assert.equal(await page.getByText('Stoneware mug').count(), 0);
      },
    ],
    [
      'a link leads to a page of the app in React, which the browser takes over',
      async () => {
        await page.getByRole('link', { name: 'Wish for something else' }).click();
        await page.waitForURL(/\/apps\/wishes\/$/);
        await hydrated(page);
        await mark(page);
      },
    ],
    [
      'its form is sent through the storefront, without loading the page again',
      async () => {
        await wish('A tent for two');
        await wish('<b>Rope</b>');
        assert.ok(await isMarked(page), 'the document is the same');
        assert.equal(page.url(), new URL('/apps/wishes/', url).href);
      },
    ],
    [
      'it loads again in the storefront, and knows what was sent',
      async () => {
        await page.reload();
        await page.getByRole('listitem').getByText('A tent for two').waitFor();
        assert.ok(!(await isMarked(page)), 'the document is another one');
      },
    ],
    [
      'its link leads back to the other page, through the storefront',
      async () => {
        await hydrated(page);
        await page.getByRole('link', { name: 'What it sells already' }).click();
        await page.waitForURL(/\/apps\/wishes\/products\/$/);
        await page.getByText('Stoneware mug').waitFor();
      },
    ],
    [
      'the page in Liquid fits a phone',
      async () => {
        await page.setViewportSize(PHONE);
        await page.reload();
        await page.getByText('Stoneware mug').waitFor();
        await assertFits(page);
      },
    ],
    [
      'the page in React fits a phone, too',
      async () => {
        await page.getByRole('link', { name: 'Wish for something else' }).click();
        await page.getByRole('listitem').getByText('A tent for two').waitFor();
        await assertFits(page);
      },
    ],
    [
      'the pages fit a phone',
      async () => {
        await page.goto(new URL(`/admin/apps/${KEY}`, url).href);
        await app().getByText('Head torch').first().waitFor();
        await assertFits(page);
      },
    ],
    [
      'the other page fits a phone, too',
      async () => {
        await hydrated();
        await app().getByRole('link', { name: 'Shop', exact: true }).click();
        await app().getByText('Dev Shop, dev-shop.myshopify.com').waitFor();
        await assertFits(page);
      },
    ],
    [
      'uninstalling removes the app',
      async () => {
        await page.setViewportSize(DESKTOP);
        await page.goto(url);
        page.once('dialog', (dialog) => dialog.accept());
        await page
          .getByRole('button', { name: /uninstall/i })
          .first()
          .click();
        await page
          .getByRole('link', { name: /^install/i })
          .or(page.getByRole('button', { name: /^install/i }))
          .first()
          .waitFor();
        await devStore.settled();
        await until(() => lines.some((line) => line.includes('The app was uninstalled')));
      },
    ],
  ];

  /** Creates a product with the form of the page. */
  async function create(title, price = '20.00') {
    await app().getByLabel('Title').fill(title);
    await app().getByLabel('Price').fill(price);
    await app().getByRole('button', { name: 'Create product' }).click();
    await app().getByText(`Created: ${title}, ${price}`).waitFor();
  }

  /** Sends the form of the storefront's page. */
  async function wish(text) {
    await page.getByLabel('What should this shop sell?').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(`Noted: ${text}`).waitFor();
    await page.getByRole('listitem').getByText(text).waitFor();
  }

  /** Resolves when React has taken the page over. */
  function hydrated(where = frame()) {
    return where.waitForFunction(() =>
      Object.keys(document.querySelector('form, nav, a') ?? {}).some((key) =>
        key.startsWith('__reactProps'),
      ),
    );
  }

  function mark(where = frame()) {
    return where.evaluate(() => {
      globalThis.marked = true;
    });
  }

  function isMarked(where = frame()) {
    return where.evaluate(() => globalThis.marked === true);
  }

  /** What App Bridge does when an entry of the admin's menu is chosen. */
  function navigateInAdmin(path) {
    return frame().evaluate((href) => {
      const link = document.body.appendChild(document.createElement('a'));
      link.setAttribute('href', href);
      link.dispatchEvent(new Event('shopify:navigate', { bubbles: true }));
      link.remove();
    }, path);
  }
}
