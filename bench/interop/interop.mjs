// The official packages against the simulated store: `npm run interop`, in the folder of this file.
//   --only <name>   one of the apps, such as 'remix'; may be repeated
// Each app is installed, gets its tokens, calls the APIs, registers and receives webhooks, is paid
// and uninstalled, in a process of its own; each step is printed, and an app ends at the first that
// fails. Ends with 1 when one did. BENCH_NODE names the Node to run on; without it Node 24 is
// fetched, because the official packages need 22.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nodeOf } from '../../test/package/nodes.mjs';
import { npmInstall } from '../../test/package/programs.mjs';
import { APPS } from './apps.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const NODE = '24';

const { only = Object.keys(APPS) } = parseArgs({
  options: { only: { type: 'string', multiple: true } },
}).values;
const unknown = only.filter((name) => !(name in APPS));
if (unknown.length > 0)
  throw new Error(`There is no app ${unknown.join(', ')}: ${Object.keys(APPS).join(', ')}`);

if (!existsSync(`${HERE}node_modules/@shopify/shopify-app-react-router`)) await npmInstall(HERE);
const node =
  process.env.BENCH_NODE ??
  (await nodeOf(NODE, fileURLToPath(new URL('../../.cache/package', import.meta.url))));
if (!node)
  throw new Error(
    `There is no package of Node ${NODE} for this machine: name the program with BENCH_NODE.`,
  );

for (const name of only) {
  console.log(`\n${APPS[name].title}`);
  const code = await new Promise((resolve, reject) => {
    // The incumbents warn of everything that is deprecated in their dependencies.
    const child = spawn(node, ['--no-deprecation', 'walk.mjs', name], {
      cwd: HERE,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) process.exitCode = 1;
}
