// A walk through a demo in a real, headless Chromium.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

import { freePort } from '../../scripts/free-port.mjs';
import { CHROMIUM_FLAGS } from '../support/chromium.mjs';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 400, height: 800 };
const SCREENSHOTS = fileURLToPath(new URL('../../.cache/screenshots/', import.meta.url));

/**
 * Takes the steps, `[title, function]`, up to the first that fails, with a screenshot after each,
 * and fails as well when a script of any page does. Prints each step; answers how many passed and
 * failed.
 * @param start begins the demo on the ports that it is given
 * @param steps of a page and the demo
 */
export async function walk({ name, executablePath, start, steps: stepsOf }) {
  const screenshots = join(SCREENSHOTS, name);
  mkdirSync(screenshots, { recursive: true });
  const profile = mkdtempSync(join(tmpdir(), 'shopwright-browser-'));
  const demo = await start({ storePort: 0, appPort: await freePort() });
  const context = await chromium.launchPersistentContext(profile, {
    ...{ executablePath, viewport: DESKTOP, args: CHROMIUM_FLAGS },
  });
  context.setDefaultTimeout(15_000);
  // The platform's own addresses, of which the walk needs none.
  await context.route('https://cdn.shopify.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  );
  const page = context.pages()[0] ?? (await context.newPage());
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // The browser itself reports every failed request; the walk causes none on purpose.
    if (message.type() === 'error') problems.push(message.text());
  });
  const steps = stepsOf(page, demo);
  let passed = 0;
  let failed = 0;
  try {
    for (const [index, [title, step]] of steps.entries()) {
      await step();
      await page.screenshot({ path: join(screenshots, `${index + 1}.png`) });
      passed++;
      console.log(`  ✓ ${title}`);
    }
    assert.deepEqual(problems, [], 'no script of any page failed');
  } catch (error) {
    const title = steps[passed]?.[0] ?? 'the pages are free of errors';
    console.error(`  ✗ ${title}\n    ${error.message}`);
    for (const problem of problems) console.error(`    ${problem}`);
    await page.screenshot({ path: join(screenshots, 'failed.png') }).catch(() => {});
    failed = Math.max(1, steps.length - passed);
  } finally {
    await context.close();
    await demo.close();
    rmSync(profile, { recursive: true, force: true });
  }
  return { passed, failed };
}

/** The admin and what it frames are no wider than the screen. */
export async function assertFits(page) {
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
