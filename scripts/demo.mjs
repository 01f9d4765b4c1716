// `npm run demo`: a simulated store and the example app, on a fresh machine with one command.
// `npm run demo -- --check`: walks through the app over HTTP, prints each step, exits non-zero at the first that fails.
import { createServer } from 'node:net';

import { buildIfStale } from './build.mjs';
import { installMissing } from './install.mjs';

const check = process.argv.includes('--check');

installMissing();
buildIfStale();

const { startDemo } = await import('../examples/dist/nest-app/src/demo.js');
const demo = await startDemo({ storePort: check ? 0 : await freePort(4000), appPort: await freePort(check ? 0 : 3000) });

if (check) {
  const { walk } = await import('./demo-walk.mjs');
  const passed = await walk(demo).finally(() => demo.close());
  process.exitCode = passed ? 0 : 1;
} else {
  console.log(`\n  A simulated store is open at ${demo.url}\n  The example app runs at       ${demo.appUrl}\n`);
  console.log(
    '  Open the store, install the app, add a product, subscribe to a plan and watch the webhooks arrive. Ctrl+C ends the demo.\n',
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void demo.close().then(() => process.exit(0)));
}

/** The wanted port, or any free one when it is taken. */
async function freePort(wanted) {
  const open = (port) =>
    new Promise((resolve, reject) => {
      const server = createServer().once('error', reject);
      server.listen(port, () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
    });
  return open(wanted).catch(() => open(0));
}
