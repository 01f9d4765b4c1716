// `npm run test:browser`: a merchant's walk through the demo in a real, headless Chromium.
// Screenshots go to .cache/screenshots.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildIfStale } from '../../scripts/build.mjs';
import { installMissing } from '../../scripts/install.mjs';
import { CHROMIUM_FLAGS, chromiumPath } from '../support/chromium.mjs';

installMissing();
buildIfStale();

const { chromium } = await import('playwright-core');
const { startDemo } = await import('../../examples/dist/nest-app/src/demo.js');

const executablePath = chromiumPath();
if (!executablePath) {
  console.error(
    'No Chromium found. Install one (Debian: apt-get install chromium) or name it in the environment variable CHROMIUM.',
  );
  process.exit(1);
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 400, height: 800 };
const screenshots = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));
mkdirSync(screenshots, { recursive: true });
const profile = mkdtempSync(join(tmpdir(), 'shopwright-browser-'));
const demo = await startDemo({ storePort: 0, appPort: await freePort() });
const context = await chromium.launchPersistentContext(profile, {
  executablePath,
  viewport: DESKTOP,
  args: CHROMIUM_FLAGS,
});
context.setDefaultTimeout(15_000);
const page = context.pages()[0] ?? (await context.newPage());
const problems = [];
page.on('pageerror', (error) => problems.push(error.message));
page.on('console', (message) => {
  // The browser itself reports every failed request; the walk causes none on purpose.
  if (message.type() === 'error') problems.push(message.text());
});

const app = () => page.frameLocator('iframe');
const steps = [
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
      await assertFits();
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
      await assertFits();
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
      await assertFits();
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

/** The admin and what it frames are no wider than the screen. */
async function assertFits() {
  for (const frame of page.frames()) {
    const overflow = await frame.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    assert.ok(
      overflow <= 0,
      `${new URL(frame.url()).pathname} is ${overflow} px wider than the screen`,
    );
  }
}

let passed = 0;
try {
  for (const [index, [title, step]] of steps.entries()) {
    await step();
    await page.screenshot({ path: join(screenshots, `${index + 1}.png`) });
    passed++;
    console.log(`  ✓ ${title}`);
  }
  assert.deepEqual(problems, [], 'no script of any page failed');
} catch (error) {
  console.error(
    `  ✗ ${steps[passed]?.[0] ?? 'the pages are free of errors'}\n    ${error.message}`,
  );
  await page.screenshot({ path: join(screenshots, 'failed.png') }).catch(() => {});
  process.exitCode = 1;
} finally {
  await context.close();
  await demo.close();
  rmSync(profile, { recursive: true, force: true });
}
console.log(
  `\n${passed} passed, ${process.exitCode ? Math.max(1, steps.length - passed) : 0} failed`,
);

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
