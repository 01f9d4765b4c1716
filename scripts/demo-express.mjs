// Starts the Express example beside a simulated store. It is a program of its own, as it is for
// whoever copies it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { DevStore } from 'shopwright/dev-store';

import { until } from './demo-browser.mjs';

const PROGRAM = fileURLToPath(new URL('../examples/dist/express-app/app.js', import.meta.url));
const SHOP = 'dev-shop.myshopify.com';

/**
 * Resolves, as soon as the app answers, to both addresses, the `lines` the app writes (as they
 * come) and `close`.
 */
export async function startDemo({ storePort, appPort }) {
  const appUrl = `http://localhost:${appPort}`;
  const app = {
    apiKey: 'demo-api-key',
    apiSecretKey: 'demo-api-secret',
    appUrl,
    name: 'Shopwright example',
  };
  const devStore = await DevStore.open({
    port: storePort,
    shops: [{ domain: SHOP, name: 'Dev Shop' }],
    apps: [app],
  });
  const program = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PLATFORM_API_KEY: app.apiKey,
      PLATFORM_API_SECRET: app.apiSecretKey,
      SCOPES: 'write_products',
      HOST: appUrl,
      PORT: String(appPort),
      DEV_STORE: devStore.shopOrigin(SHOP),
    },
  });
  const ended = once(program, 'exit');
  const lines = [];
  createInterface({ input: program.stdout }).on('line', (line) => {
    lines.push(line);
    console.log(line);
  });
  const close = async () => {
    program.kill();
    await ended;
    await devStore.close();
  };
  const answers = () =>
    fetch(appUrl).then(
      () => true,
      () => program.exitCode !== null,
    );
  try {
    await until(answers);
    if (program.exitCode !== null) throw new Error(`the example ended with ${program.exitCode}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `${devStore.shopOrigin(SHOP)}/admin`, appUrl, lines, close };
}
