// `npm run demo`: a simulated store and the example app, on a fresh machine with one command;
// `-- --app express` shows another example. `npm run demo -- --check`: walks through the apps over
// HTTP, prints each step, exits non-zero when one fails.
import { parseArgs } from 'node:util';

import { buildIfStale } from './build.mjs';
import { freePort } from './free-port.mjs';
import { installMissing } from './install.mjs';

const { check, app } = parseArgs({
  options: { check: { type: 'boolean', default: false }, app: { type: 'string' } },
}).values;

installMissing();
buildIfStale();

const { EXAMPLES } = await import('./demo-examples.mjs');
const names = Object.keys(EXAMPLES);
if (app && !names.includes(app))
  throw new Error(`There is no example called ${app}: --app takes ${names.join(' or ')}`);

if (check) {
  const { walk } = await import('./demo-walk.mjs');
  for (const name of app ? [app] : names) {
    console.log(`\n${name}:`);
    const demo = await EXAMPLES[name].start({ storePort: 0, appPort: await freePort(0) });
    const example = EXAMPLES[name];
    const walked = example.walk ? example.walk(demo) : walk(example, demo);
    const passed = await walked.finally(() => demo.close());
    if (!passed) process.exitCode = 1;
  }
} else {
  const demo = await EXAMPLES[app ?? 'nest'].start({
    storePort: await freePort(4000),
    appPort: await freePort(3000),
  });
  console.log(
    `\n  A simulated store is open at ${demo.url}\n  The example app runs at       ${demo.appUrl}\n`,
  );
  console.log(
    '  Open the store, install the app, add a product, subscribe to a plan and watch the webhooks arrive. Ctrl+C ends the demo.\n',
  );
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void demo.close().then(() => process.exit(0)));
}
