import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Session, offlineSessionId } from 'shopwright/sessions';

import { SCOPES, openStorage } from './app.facts.mjs';
import { AppProcess } from './app.process.mjs';
import { NotAllowedError } from './disk.mjs';
import { suffer } from './engines.mjs';
import { expectOrderlyEnd } from './kill.round.mjs';
import { Ledger } from './ledger.mjs';
import { Load } from './load.mjs';
import { visit } from './platform.requests.mjs';
import { expect, expectEqual } from './report.mjs';

const runProgram = promisify(execFile);
const STORING = fileURLToPath(new URL('store.program.mjs', import.meta.url));

const SHOPS = Array.from({ length: 5 }, (_, index) => `shop-${index}.myshopify.com`);
/** No request waits longer for its answer, in milliseconds. */
const LONGEST = 20_000;
/** A claim whose answer was lost ends with its lease. */
const RECOVERY = 45_000;
/** What an engine that fails is answered with: deliveries, and pages of the app. */
const TYPED = new Set([
  '503 inbox_unavailable',
  '503 delivery_in_progress',
  '500 handler_failed',
  '503 ERR_SESSION_STORAGE',
]);
const UNRECORDED = /The inbox failed to (?:complete|renew) a delivery/;

const OUTCOME =
  'typed errors meanwhile; then, without a restart, each delivery handled once and sessions kept';

/** One after the other: what an engine goes through while an app is busy. */
export async function engineCases({ report, engine, servers }) {
  for (const fault of engine.faults) {
    const row = { engine: engine.name, title: fault.title, outcome: OUTCOME };
    if (fault.leftOut !== undefined) report.skip(row, fault.leftOut);
    else if (report.wants(row)) await engineCase({ report, engine, servers, fault, row });
  }
}

async function engineCase({ report, engine, servers, fault, row }) {
  let place;
  try {
    place = await (fault.createPlace ?? engine.createPlace)(servers);
  } catch (error) {
    if (!(error instanceof NotAllowedError)) throw error;
    return report.skip(row, `this machine does not allow it: ${error.message}`);
  }
  const ledger = new Ledger(
    `${servers.folder}/${engine.name}-${fault.title.replaceAll(/\W+/g, '-')}.jsonl`,
  );
  const sessions = SHOPS.map(sessionOf);
  const storing = runProgram(process.execPath, [STORING, JSON.stringify({ place, sessions })]);
  await storing.catch((error) => {
    if (error.signal !== 'SIGKILL') throw error;
  });
  await report.case(row, () => underLoad({ fault, place, servers, ledger, sessions }));
}

async function underLoad({ fault, place, servers, ledger, sessions }) {
  let app;
  let load;
  const begin = async () => {
    app = await AppProcess.start({ place, ledgerFile: ledger.file });
    load = new Load({ name: fault.title, pace: fault.pace, shops: SHOPS, appOf: () => app });
    return load;
  };
  try {
    if (!fault.isThereAtStart) {
      await begin();
      await sleep(1_500);
      expectEqual('Errors before the fault', load.refused, []);
    }
    await suffer(fault, place, servers, async () => load ?? begin());
    await sleep(2_000);
    await load.finish(RECOVERY);
    expect(app.isRunning, 'The process has ended.');

    const untyped = load.refused
      .map(({ status, error }) => `${status} ${error}`)
      .filter((answer) => !TYPED.has(answer));
    expectEqual('Answers that give no reason', [...new Set(untyped)], []);
    expect(
      !fault.mustFail || load.refused.length > 0,
      'No request failed: the fault had no effect.',
    );
    expect(load.slowest < LONGEST, `A request waited for ${load.slowest} ms.`);
    const repeated = expectHandled(load, ledger);
    for (const shop of SHOPS)
      expectEqual(`A visit of ${shop}`, (await visit(app, shop)).status, 200);
    await expectOrderlyEnd(app);
    await expectKept(place, sessions);
    const failed = `${load.refused.length} of ${load.answers.length} requests failed, the slowest took ${load.slowest} ms`;
    return repeated === 0
      ? failed
      : `${failed}; ${repeated} deliveries ran again because their completion could not be recorded, as the log says`;
  } finally {
    load?.stop();
    await app?.kill();
  }
}

/**
 * @throws unless each delivery was handled to its end: once, but where the log says that this could
 * not be recorded. @returns how many of these were repeated
 */
export function expectHandled(load, ledger) {
  const ends = new Map();
  const unrecorded = [];
  for (const { what, key, name, line } of ledger.read()) {
    if (what === 'end' && name === 'second') ends.set(key, (ends.get(key) ?? 0) + 1);
    if (what === 'log' && UNRECORDED.test(line)) unrecorded.push(line);
  }
  const lost = load.deliveries.filter((id) => !ends.has(id));
  expectEqual('Deliveries that were lost', lost, []);
  const repeated = [...ends].filter(([, count]) => count > 1).map(([id]) => id);
  const unexplained = repeated.filter((id) => !unrecorded.some((line) => line.includes(id)));
  expectEqual('Deliveries that were handled twice', unexplained, []);
  return repeated.length;
}

/** What the app's session of a shop is made of. */
function sessionOf(shop) {
  return {
    id: offlineSessionId(shop),
    shop,
    state: '',
    isOnline: false,
    scope: SCOPES.join(','),
    accessToken: `shpat_${shop}`,
  };
}

async function expectKept(place, sessions) {
  const storage = await openStorage(place);
  try {
    for (const session of sessions) {
      const stored = await storage.loadSession(session.id);
      expect(stored?.equals(new Session(session)), `The session of ${session.shop} was lost.`);
    }
  } finally {
    await storage.close();
  }
}
