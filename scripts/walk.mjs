// `npm run walk`: how many files of lib run while one request is answered, by V8's coverage.
// `-- -v` lists them; `-- --check` fails when a walk runs more files than its limit allows.
import { parseArgs } from 'node:util';
import { WalkedApp } from './walk/app.mjs';
import { COMPILED, compileToolkit } from './walk/compile.mjs';
import { Coverage } from './walk/coverage.mjs';
import { stopTime } from './walk/time.mjs';

/** In this order: each walk starts from what the ones before it have left behind. */
const WALKS = [
  {
    name: 'webhook over Express',
    limit: 20,
    warmUp: (app) => app.deliverWebhook(),
    run: (app) => app.deliverWebhook(),
  },
  {
    name: 'token exchange over Express',
    warmUp: (app) => app.install(),
    run: (app) => app.requestExpress(),
  },
  {
    name: 'authenticated request over Express',
    limit: 24,
    warmUp: (app) => app.requestExpress(),
    run: (app) => app.requestExpress(),
  },
  {
    name: 'Remix with token exchange',
    limit: 46,
    run: (app) => app.authenticateRemix(),
  },
  {
    name: 'admin.graphql',
    limit: 13,
    calls: true,
    warmUp: (app) => app.query(),
    run: (app) => app.query(),
  },
  {
    name: 'admin.graphql that meets a 401',
    limit: 35,
    calls: true,
    warmUp: (app) => app.revokeTokens(),
    run: (app) => app.query(),
  },
  {
    name: 'OAuth callback over Express',
    limit: 51,
    warmUp: (app) => app.beginOAuth(),
    run: (app) => app.finishOAuth(),
  },
];

/** Sees the requests of every server in the process: the simulated store's, where calls are made. */
const OF_ALL_SERVERS = 'core/http/body-copies.js';

const { verbose, check } = parseArgs({
  options: {
    verbose: { type: 'boolean', short: 'v', default: false },
    check: { type: 'boolean', default: false },
  },
}).values;

const load = await compileToolkit();
const coverage = new Coverage(COMPILED);
await coverage.start();
stopTime();
const app = await WalkedApp.open(load);
for (const walk of WALKS) report(walk, await filesOf(walk));
await app.close();
coverage.stop();

/** The files of the toolkit that a walk runs; the simulated store runs in the same process. */
async function filesOf({ name, warmUp, run, calls = false }) {
  await warmUp?.(app);
  const files = await coverage.filesDuring(() => run(app));
  const ours = files.filter(
    (file) => !file.startsWith('dev-store/') && !(calls && file === OF_ALL_SERVERS),
  );
  if (ours.length === 0) throw new Error(`${name} ran no file of lib: the count is broken`);
  return ours;
}

function report({ name, limit = Infinity }, files) {
  const allowed = limit === Infinity ? '' : ` of ${limit}`;
  console.log(`${name.padEnd(36)}${String(files.length).padStart(3)}${allowed}`);
  if (verbose) for (const file of files) console.log(`    ${file}`);
  if (!check || files.length <= limit) return;
  console.error(`${name} runs ${files.length} files of lib, and ${limit} is its limit.`);
  process.exitCode = 1;
}
