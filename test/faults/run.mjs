// `npm run test:faults`: what becomes of work when a process or an engine fails in the middle of
// it. Real processes, HTTP and engines; each case ends in the outcome its row states.
// `--only <pattern>` runs the rows that match, such as `--only 'Redis.*frozen'`; `--deliveries 1000`
// has a worker killed every second until so many deliveries are handled, instead of 12 times.
import { parseArgs } from 'node:util';

import { buildIfStale } from '../../scripts/build.mjs';
import { installMissing } from '../../scripts/install.mjs';

installMissing();
buildIfStale();
// Only now is there what these import.
const { DevStore } = await import('shopwright/dev-store');
const { APP, openStorage } = await import('./app.facts.mjs');
const { AppProcess } = await import('./app.process.mjs');
const { deliveryScenarios, slowDelivery } = await import('./delivery.cases.mjs');
const { engineCases } = await import('./engine.cases.mjs');
const { ENGINES } = await import('./engines.mjs');
const { INSTALLING_SHOPS, installScenarios } = await import('./install.cases.mjs');
const { killRound } = await import('./kill.round.mjs');
const { Ledger } = await import('./ledger.mjs');
const { QUEUE_TITLES, queueCases } = await import('./queue.cases.mjs');
const { REFRESHING_SHOPS, lostReplies, refreshScenarios } = await import('./refresh.cases.mjs');
const { Report } = await import('./report.mjs');
const { Servers } = await import('./servers.mjs');
const { shutdownCases } = await import('./shutdown.cases.mjs');

const { values } = parseArgs({
  options: { only: { type: 'string' }, deliveries: { type: 'string' } },
});
const deliveries = values.deliveries === undefined ? undefined : Number(values.deliveries);
if (deliveries !== undefined && !(Number.isInteger(deliveries) && deliveries > 0))
  throw new Error(`--deliveries ${values.deliveries} is no whole number from 1.`);
const report = new Report(values.only && new RegExp(values.only));
const servers = await Servers.open();
const [SQLITE] = ENGINES;

async function cleanUp() {
  await AppProcess.killAll();
  await servers.close();
}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));

try {
  await Promise.all([
    ...ENGINES.map(engineChain),
    shutdownCases({ report, servers, engine: SQLITE }),
  ]);
} finally {
  await cleanUp();
}
report.finish();

/**
 * All that concerns one engine: one after the other on a server, at once where each place is an
 * engine by itself.
 */
async function engineChain(engine) {
  if (!isWanted(engine)) return;
  try {
    if (engine.server) await servers.start(engine.server);
    const work = [
      () => killed(engine),
      () => engineCases({ report, engine, servers }),
      () => queueCases({ report, engine, servers, storing: SQLITE, deliveries }),
    ];
    if (!engine.server) await Promise.all(work.map((part) => part()));
    else for (const part of work) await part();
  } catch (error) {
    await report.case(
      { engine: engine.name, title: 'what is left of its cases', outcome: 'runs' },
      () => Promise.reject(error),
    );
  }
}

async function killed(engine) {
  const place = await engine.createPlace(servers);
  const ledger = new Ledger(`${servers.folder}/${engine.name}-killed.jsonl`);
  const devStore = await DevStore.open({
    apps: [APP],
    shops: [...REFRESHING_SHOPS, ...INSTALLING_SHOPS],
  });
  const origins = Object.fromEntries(
    devStore.allShops.map(({ domain, origin }) => [domain, origin]),
  );
  const storage = await openStorage(place);
  try {
    await killRound(
      { report, engine, place, ledger, ledgerFile: ledger.file, devStore, origins, storage },
      scenariosOf(engine),
    );
  } finally {
    await storage.close();
    await devStore.close();
  }
}

function scenariosOf(engine) {
  const scenarios = [
    ...deliveryScenarios(engine),
    ...refreshScenarios(engine),
    ...installScenarios(engine),
  ];
  // Of no engine's making.
  return engine === SQLITE ? [...scenarios, slowDelivery(engine), lostReplies(engine)] : scenarios;
}

function isWanted(engine) {
  const rows = [
    ...scenariosOf(engine).map(({ row }) => row),
    ...engine.faults.map(({ title }) => ({ engine: engine.name, title })),
    ...(engine.createQueue ? QUEUE_TITLES.map((title) => ({ engine: engine.name, title })) : []),
  ];
  return rows.some((row) => report.wants(row));
}
