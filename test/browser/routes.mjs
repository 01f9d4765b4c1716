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
        await create('Trail map');
        shop.revokeTokens(KEY);
        await create('Head torch');
      },
    ],
    [
      'the pages fit a phone',
      async () => {
        await page.setViewportSize(PHONE);
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
  async function create(title) {
    await app().getByLabel('Title').fill(title);
    await app().getByRole('button', { name: 'Create product' }).click();
    await app().getByText(`Created: ${title}`).waitFor();
  }

  /** Resolves when React has taken the page over. */
  function hydrated() {
    return frame().waitForFunction(() =>
      Object.keys(document.querySelector('form, nav, a') ?? {}).some((key) =>
        key.startsWith('__reactProps'),
      ),
    );
  }

  function mark() {
    return frame().evaluate(() => {
      globalThis.marked = true;
    });
  }

  function isMarked() {
    return frame().evaluate(() => globalThis.marked === true);
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
