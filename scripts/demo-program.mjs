// Runs an example as a program of its own beside a simulated store, as it is for whoever copies it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { DevStore } from 'shopwright/dev-store';

import { KEY, SECRET, SHOP } from './demo-app.mjs';
import { until } from './demo-browser.mjs';
import { endOf } from './program-end.mjs';

/** In seconds. */
const STARTED_WITHIN = 60;
/** A line of a server's access log. Addresses of embedded pages hold session tokens. */
const ACCESS = /^[A-Z]+ \/\S* (?:\d{3}|-) /;

/**
 * Resolves, as soon as the app answers, to both addresses, the store, the `lines` the app writes
 * (as they come) and `close`.
 * @param program the arguments of Node, the folder it starts in, its environment and the app's proxy
 * @param ports 0 for a free one; `node` is the path of another Node than this one
 */
export async function runBesideStore(
  { args, cwd, env = {}, appProxy },
  { storePort, appPort, node },
) {
  const appUrl = `http://localhost:${appPort}`;
  const devStore = await DevStore.open({
    port: storePort,
    shops: [{ domain: SHOP, name: 'Dev Shop' }],
    apps: [{ apiKey: KEY, apiSecretKey: SECRET, appUrl, name: 'Shopwright example', appProxy }],
  });
  const program = spawn(node ?? process.execPath, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PLATFORM_API_KEY: KEY,
      PLATFORM_API_SECRET: SECRET,
      SCOPES: 'write_products',
      HOST: appUrl,
      PORT: String(appPort),
      DEV_STORE: devStore.shopOrigin(SHOP),
      APP_BRIDGE_URL: `${devStore.shopOrigin(SHOP)}/shopifycloud/app-bridge.js`,
      ...env,
    },
  });
  const ending = endOf(program);
  // One that could not be started never exits.
  const ended = once(program, 'exit').catch(() => {});
  const lines = [];
  createInterface({ input: program.stdout }).on('line', (line) => {
    lines.push(line);
    if (!ACCESS.test(line)) console.log(line);
  });
  const close = async () => {
    program.kill();
    await ended;
    await devStore.close();
  };
  const answers = () =>
    fetch(appUrl).then(
      () => true,
      () => ending() !== undefined,
    );
  try {
    await until(answers, STARTED_WITHIN);
    if (ending() !== undefined) throw new Error(`the example ended ${ending()}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `${devStore.shopOrigin(SHOP)}/admin`, appUrl, devStore, lines, close };
}
