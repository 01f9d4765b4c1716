// A merchant's walk through the demo, the example of Nest.
import assert from 'node:assert/strict';

import { DESKTOP, PHONE, assertFits } from './walk.mjs';

/** The steps of the walk. */
export function nestSteps(page, demo) {
  const app = () => page.frameLocator('iframe');
  return [
    [
      'the store admin opens',
      async () => {
        await page.goto(demo.url);
        await page.getByRole('heading').first().waitFor();
      },
    ],
    [
      'installing leads to the consent page, which names the scopes',
      async () => {
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
      'consent leads back through the callback into the embedded app',
      async () => {
        await page.getByRole('button', { name: /install/i }).click();
        await page.waitForURL(/\/admin\/apps\//);
        await app().getByText('Connected to').waitFor();
        await app().getByText('dev-shop.myshopify.com').waitFor();
      },
    ],
    [
      'the catalogue and all three hosts answer with a session token from the admin',
      async () => {
        await app().locator('#products li span').first().waitFor();
        await app().locator('#hosts li', { hasText: 'Remix' }).getByText('Dev Shop').waitFor();
        assert.equal(await app().locator('#hosts li span', { hasText: 'Dev Shop' }).count(), 3);
      },
    ],
    [
      'a product is created and its webhook arrives',
      async () => {
        await app().getByLabel('New product').fill('Walking boots');
        await app().getByRole('button', { name: 'Add product' }).click();
        await app().locator('#products').getByText('Walking boots').waitFor();
        await app()
          .locator('#deliveries li', { hasText: 'PRODUCTS_CREATE' })
          .getByText('Walking boots')
          .waitFor();
      },
    ],
    [
      'the event log shows the delivery',
      async () => {
        await page.goto(new URL('/admin/events', demo.url).href);
        await page.getByText('products/create').first().waitFor();
      },
    ],
    [
      'the page fits a phone',
      async () => {
        await page.setViewportSize(PHONE);
        await openApp();
        await app().getByText('Connected to').waitFor();
        await assertFits(page);
      },
    ],
    [
      'a page that needs a plan takes the whole window to the confirmation page',
      async () => {
        await page.setViewportSize(DESKTOP);
        await askForPlan();
        await page.getByText('$20.00').waitFor();
      },
    ],
    [
      'who declines is back in the admin, without the plan',
      async () => {
        await page.getByRole('button', { name: 'Decline' }).click();
        await page.waitForURL(/\/admin$/);
        await openApp();
        await app().getByText('Part of the plan Pro').waitFor();
      },
    ],
    [
      'the confirmation page, asked for again, fits a phone',
      async () => {
        await page.setViewportSize(PHONE);
        await askForPlan();
        await assertFits(page);
      },
    ],
    [
      'who approves comes back to the page inside the admin',
      async () => {
        await page.setViewportSize(DESKTOP);
        await page.getByRole('button', { name: 'Approve' }).click();
        await page.waitForURL(/\/admin\/apps\/demo-api-key\/reports\?charge_id=/);
        await app().getByRole('heading', { name: 'Products by status' }).waitFor();
      },
    ],
    [
      'the page for paying shops fits a phone',
      async () => {
        await page.setViewportSize(PHONE);
        await page.reload();
        await app().getByRole('heading', { name: 'Products by status' }).waitFor();
        await assertFits(page);
      },
    ],
    [
      'the home page of the app knows the plan, and has heard of it by webhook',
      async () => {
        await page.setViewportSize(DESKTOP);
        await app().getByRole('link', { name: 'Back to the products' }).click();
        await app().getByText('Your plan: Pro').waitFor();
        await app()
          .locator('#deliveries li', { hasText: 'APP_SUBSCRIPTIONS_UPDATE' })
          .getByText('Pro is active')
          .waitFor();
      },
    ],
    [
      'uninstalling removes the app',
      async () => {
        await page.goto(demo.url);
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
      },
    ],
  ];

  async function openApp() {
    await page.goto(new URL('/admin/apps/demo-api-key', demo.url).href);
  }

  /** From the app inside the admin to the confirmation page of its plan. */
  async function askForPlan() {
    await openApp();
    await app().getByRole('link', { name: 'Open the report' }).click();
    await page.waitForURL(/\/admin\/charges\/\d+\/confirm/);
    await page.getByRole('heading', { name: 'Approve subscription' }).waitFor();
  }
}
