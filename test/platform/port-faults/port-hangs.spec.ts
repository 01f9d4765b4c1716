import { setImmediate, setTimeout } from 'node:timers/promises';

import { afterEach, describe, expect, it, jest } from '@jest/globals';

import type { DevStore } from '../../../lib/dev-store/index.js';
import { isTyped } from './faulty-ports.js';
import { SCENARIOS, openWorld } from './scenarios.js';
import type { Scenario, World } from './scenarios.js';

jest.setTimeout(120_000);

/**
 * How long anything may take, in milliseconds of the app's clock: handlers of deliveries have ten
 * minutes, and what fails is tried again.
 */
const PATIENCE = 15 * 60_000;
const STEP = 2_500;
/** How long a lease lasts that was not given back, with a renewal on the way. */
const LEASE = 30_000;
/** How long a lock is held for work of the app that does not end, and then its lease. */
const LONGEST_HOLD = 60 * 60_000 + LEASE;

let open: DevStore | undefined;
afterEach(() => open?.close());

async function worldOf(scenario: Scenario): Promise<World> {
  await open?.close();
  const world = await openWorld(scenario, true);
  open = world.store;
  return world;
}

type Outcome = { value: unknown } | { error: unknown };

/** Lets a step of time pass. */
async function pass({ ports, store }: World): Promise<void> {
  store.advance(STEP);
  // Sleeps that are over end as timers of a millisecond that were set before this one.
  await setTimeout(1);
  for (let turn = 0; turn < 10 || ports.busy > 0; turn += 1) await setImmediate();
}

/** Lets time pass while nothing but the call that never settles is waited for. */
async function ended(work: Promise<unknown>, world: World): Promise<Outcome | undefined> {
  const { ports } = world;
  let outcome: Outcome | undefined;
  void work.then(
    (value) => (outcome = { value }),
    (error: unknown) => (outcome = { error }),
  );
  for (let passed = 0; passed < PATIENCE && !outcome;) {
    for (let turn = 0; turn < 20 && !outcome; turn += 1) await setImmediate();
    if (ports.busy > 0 || !ports.hasHung || outcome) continue;
    await pass(world);
    passed += STEP;
  }
  return outcome;
}

/** Lets all end that goes on in the background, and the leases of what was not given back. */
async function settle(world: World): Promise<void> {
  for (let passed = 0; passed < LEASE; passed += STEP) await pass(world);
}

/** Whether another can take the name, at once or when this much time has passed. */
async function isFreed(world: World, name: string, within: number): Promise<boolean> {
  const { lock } = world.ports.storage.companions;
  for (let passed = 0; !(await lock.take(name, 'another', 1)); passed += STEP) {
    if (passed >= within) return false;
    await pass(world);
  }
  return true;
}

const say = (outcome: Outcome): string =>
  'error' in outcome ? `rejected with ${String(outcome.error)}` : JSON.stringify(outcome.value);

// A rejection that nobody handles fails its test: jest sees to that.
describe.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  '%s',
  (_, scenario) => {
    it('ends, whichever call gets no answer, and is in nobody’s way', async () => {
      const first = await worldOf(scenario);
      await scenario.run(first);
      const calls = [...first.ports.calls];
      expect(calls.length).toBeGreaterThan(0);
      const wrong: string[] = [];
      for (const [at, call] of calls.entries()) {
        const world = await worldOf(scenario);
        const { ports } = world;
        ports.arm(at, 'hang');
        const outcome = await ended(scenario.run(world), world);
        const place = `${call} (${at + 1} of ${calls.length})`;
        if (!outcome) wrong.push(`${place}: no end`);
        else if ('error' in outcome && !isTyped(outcome.error))
          wrong.push(`${place}: ${say(outcome)}`);
        // What goes on in the background may reach the call after the answer.
        await settle(world);
        if (!ports.hasHung) wrong.push(`${place} was not reached`);
        ports.disarm();
        const isOfApp = /^(?:hook|handler)/.test(call);
        for (const name of ports.held) {
          if (!(await isFreed(world, name, isOfApp ? LONGEST_HOLD : LEASE)))
            wrong.push(`${place} left held: ${name}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  },
);
