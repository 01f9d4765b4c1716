import { AppProcess } from './app.process.mjs';
import { expect } from './report.mjs';

/**
 * Lets an app get on with many things at once, each to a phase of its own, kills it, and looks what
 * becomes of each in a second process, which has been there all the time.
 * @param world `{ report, engine, place, ledger, ledgerFile, devStore, origins }`
 * @param scenarios
 * `{ key, phase, row, prepare(world), begin(victim, world), verify(survivor, world, killedAt) }`;
 * without a phase nothing is cut
 */
export async function killRound(world, scenarios) {
  const { report, place, ledgerFile, origins } = world;
  const wanted = scenarios.filter(({ row }) => report.wants(row));
  if (wanted.length === 0) return;
  const shut = Object.fromEntries(wanted.map(({ key, phase }) => [key, phase]));
  const setup = { place, ledgerFile, origins };
  const survivor = await AppProcess.start(setup);
  const victim = await AppProcess.start({ ...setup, shut });
  // At once: no lease may end, and none be renewed, before the last has come to its phase.
  const begun = await Promise.all(
    wanted.map(async (scenario) => {
      try {
        await scenario.prepare?.({ ...world, survivor });
        if (scenario.phase === undefined) return undefined;
        void scenario.begin(victim, world);
        await victim.reached(scenario.key);
        return undefined;
      } catch (error) {
        return error;
      }
    }),
  );
  await victim.kill();
  const killedAt = Date.now();
  await Promise.all(
    wanted.map(({ row, verify }, index) =>
      report.case(row, () => {
        if (begun[index]) throw begun[index];
        return verify(survivor, world, killedAt);
      }),
    ),
  );
  await report.case(
    {
      engine: world.engine.name,
      title: 'the process that was not killed',
      outcome: 'exits by itself on SIGTERM, with nothing on stderr',
    },
    () => expectOrderlyEnd(survivor),
  );
}

/**
 * @throws unless the app is still there, and ends when it is asked to, without an unhandled
 * rejection
 */
export async function expectOrderlyEnd(app) {
  expect(app.isRunning, 'The process has ended.');
  app.signal('SIGTERM');
  const force = setTimeout(() => void app.kill(), 15_000);
  const { code, signal, errors } = await app.ended;
  clearTimeout(force);
  expect(
    code === 0 && errors === '',
    `The process ended with ${signal ?? `exit code ${code}`}. ${errors}`,
  );
}
