import { setImmediate } from 'node:timers/promises';

import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { InFlight } from '../../../lib/core/concurrency/in-flight.js';
import type { DevStore } from '../../../lib/dev-store/index.js';
import { FAULTS, isTyped } from './faulty-ports.js';
import { SCENARIOS, openWorld } from './scenarios.js';
import type { Scenario, World } from './scenarios.js';

jest.setTimeout(120_000);

let open: DevStore | undefined;
afterEach(() => open?.close());

async function worldOf(scenario: Scenario): Promise<World> {
  await open?.close();
  const world = await openWorld(scenario);
  open = world.store;
  return world;
}

// A rejection that nobody handles fails its test: jest sees to that.
describe.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  '%s',
  (_, scenario) => {
    it.each(FAULTS)('is answered whichever call fails: %s', async (fault) => {
      const first = await worldOf(scenario);
      const answer = await scenario.run(first);
      const calls = [...first.ports.calls];
      expect(calls.length).toBeGreaterThan(0);
      if (scenario.includes) expect(calls).toEqual(expect.arrayContaining([...scenario.includes]));
      const wrong: string[] = [];
      for (const [at, call] of calls.entries()) {
        const world = await worldOf(scenario);
        const { ports, app } = world;
        ports.arm(at, fault);
        const outcome = await scenario.run(world).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        const place = `${call} (${at + 1} of ${calls.length})`;
        if ('error' in outcome && !isTyped(outcome.error))
          wrong.push(`${place}: ${String(outcome.error)}`);
        ports.disarm();
        // Nothing is in the way of the next attempt, unless a name has to wait for its lease to end.
        if (ports.held.size === 0)
          await scenario.run(world).catch((error: unknown) => {
            wrong.push(`${place}, and then: ${String(error)}`);
          });
        await app.get(InFlight).drain();
        await setImmediate();
        // What is not given back because giving it back failed is free when its lease ends.
        if (call !== 'lock.release' && ports.held.size > 0)
          wrong.push(`${place} left held: ${[...ports.held].join()}`);
      }
      expect(wrong).toEqual([]);
      expect(answer).toBeDefined();
    });
  },
);
