// `npm run test:browser`: a merchant's walks through the examples in a real, headless Chromium;
// `-- --app remix-app` takes one of them. Screenshots go to .cache/screenshots.
import { parseArgs } from 'node:util';

import { buildIfStale } from '../../scripts/build.mjs';
import { installMissing } from '../../scripts/install.mjs';
import { chromiumPath } from '../support/chromium.mjs';

const { app } = parseArgs({ options: { app: { type: 'string' } } }).values;

installMissing();
buildIfStale();

const executablePath = chromiumPath();
if (!executablePath) {
  console.error(
    'No Chromium found. Install one (Debian: apt-get install chromium) or name it in the environment variable CHROMIUM.',
  );
  process.exit(1);
}

const { EXAMPLES } = await import('../../scripts/demo-examples.mjs');
const { nestSteps } = await import('./nest.mjs');
const { routeSteps } = await import('./routes.mjs');
const { walk } = await import('./walk.mjs');
const { startApp, webhooksPageSteps } = await import('./webhooks-page.mjs');

const STEPS = {
  nest: nestSteps,
  'remix-app': routeSteps,
  'react-router-app': routeSteps,
  'webhooks-page': webhooksPageSteps,
};
const START = { 'webhooks-page': startApp };
const names = Object.keys(STEPS).filter((name) => app === undefined || app === name);
if (names.length === 0)
  throw new Error(
    `There is no walk through ${app}: --app takes ${Object.keys(STEPS).join(' or ')}`,
  );

const total = { passed: 0, failed: 0 };
for (const name of names) {
  console.log(`\n${name}:`);
  const start = START[name] ?? EXAMPLES[name].start;
  const { passed, failed } = await walk({ name, executablePath, start, steps: STEPS[name] });
  total.passed += passed;
  total.failed += failed;
}
if (total.failed > 0) process.exitCode = 1;
console.log(`\n${total.passed} passed, ${total.failed} failed`);
