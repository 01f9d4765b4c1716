import { randomUUID } from 'node:crypto';

import { assert } from './lazy-assert.js';
import { systemClock } from '../../core/time/clock.js';
import type { Lock } from '../coordination/lock.js';
import { describeCases } from './port.conformance.js';
import type { Cases, SuiteRunner } from './port.conformance.js';
import { withLock } from '../coordination/with-lock.js';

/** Milliseconds: over soon, and never over within a case. */
const SHORT = 300;
const LONG = 60_000;
/** How long a case waits for a hold to end, in milliseconds: some servers count whole seconds. */
const PATIENCE = 10_000;

/**
 * Declares the tests every lock must pass. Other names than the suite's own may be held meanwhile.
 * @param open called once per case, twice when the runner says `shared`
 */
export function describeLock<Opened extends Lock>(
  name: string,
  open: () => Opened | Promise<Opened>,
  runner: SuiteRunner<Opened>,
): void {
  describeCases<Lock, Opened>(name, CASES, open, runner);
}

const CASES: Cases<Lock> = {
  'gives a name to one of many that ask at once': async (lock, other) => {
    const name = aName();
    const takes = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? lock : other).take(name, randomUUID(), LONG),
    );
    assert.equal((await Promise.all(takes)).filter(Boolean).length, 1);
  },

  'gives a name again once its holder has released it': async (lock, other) => {
    const name = aName();
    for (const [port, holder] of [
      [lock, 'a'],
      [other, 'b'],
      [lock, 'a'],
    ] as const) {
      assert.equal(await port.take(name, holder, LONG), true);
      await port.release(name, holder);
    }
  },

  'lets nobody else release a name': async (lock, other) => {
    const name = aName();
    await lock.take(name, 'a', LONG);
    await lock.release(name, 'b');
    await other.release(name, 'b');
    assert.equal(await other.take(name, 'b', LONG), false);
    assert.equal(await lock.take(name, 'b', LONG), false);
  },

  'holds many names at once, told apart by case and however long they are': async (lock, other) => {
    const long = `token:${'k'.repeat(64)}:${'s'.repeat(200)}.${randomUUID()}`;
    const plain = `Name ${randomUUID()}`;
    const names = [
      plain,
      plain.toLowerCase(),
      `${plain} `,
      `${long}-1`,
      `${long}-2`,
      `${plain}'"\`:%漢`,
    ];
    for (const name of names) assert.equal(await lock.take(name, 'a', LONG), true, name);
    for (const name of names) assert.equal(await other.take(name, 'b', LONG), false, name);
    await lock.release(names[0]!, 'a');
    assert.deepEqual(await Promise.all(names.map((name) => other.take(name, 'b', LONG))), [
      true,
      ...names.slice(1).map(() => false),
    ]);
  },

  'ends a hold when its lease is over, and lets the former holder change nothing': async (
    lock,
    other,
  ) => {
    const name = aName();
    await lock.take(name, 'a', SHORT);
    await takeEventually(other, name, 'b');
    assert.equal(await lock.renew(name, 'a', LONG), false);
    await lock.release(name, 'a');
    assert.equal(await lock.take(name, 'c', LONG), false);
    assert.equal(await other.renew(name, 'b', LONG), true);
  },

  'holds a name beyond its first lease when it is renewed': async (lock, other) => {
    const name = aName();
    await lock.take(name, 'a', 1_000);
    assert.equal(await lock.renew(name, 'a', LONG), true);
    await systemClock.sleep(1_500);
    assert.equal(await other.take(name, 'b', LONG), false);
    assert.equal(await lock.renew(name, 'a', LONG), true);
  },

  'counts a renewed lease from the renewal on, shorter ones too': async (lock, other) => {
    const name = aName();
    await lock.take(name, 'a', LONG);
    assert.equal(await lock.renew(name, 'a', SHORT), true);
    await takeEventually(other, name, 'b');
  },

  'renews no hold that somebody else has, that was released, or that never was': async (
    lock,
    other,
  ) => {
    const name = aName();
    assert.equal(await lock.renew(name, 'a', LONG), false);
    await lock.take(name, 'a', LONG);
    assert.equal(await lock.renew(name, 'b', LONG), false);
    assert.equal(await other.renew(name, 'b', LONG), false);
    await lock.release(name, 'a');
    assert.equal(await lock.renew(name, 'a', LONG), false);
    assert.equal(await other.take(name, 'b', LONG), true);
  },

  'lets work be done by one at a time, and by all in the end': async (lock, other) => {
    const names = [aName(), aName()];
    const counts = names.map(() => 0);
    const work = Array.from({ length: 16 }, (_, index) =>
      withLock(
        { lock: index % 4 < 2 ? lock : other, clock: systemClock },
        names[index % 2]!,
        async () => {
          const count = counts[index % 2]!;
          await systemClock.sleep(5);
          counts[index % 2] = count + 1;
        },
      ),
    );
    await Promise.all(work);
    assert.deepEqual(counts, [8, 8]);
  },
};

function aName(): string {
  return `suite:${randomUUID()}`;
}

async function takeEventually(lock: Lock, name: string, holder: string): Promise<void> {
  const deadline = systemClock.now().getTime() + PATIENCE;
  while (!(await lock.take(name, holder, LONG))) {
    assert.ok(
      systemClock.now().getTime() < deadline,
      `the hold of ${name} did not end within ${PATIENCE} ms`,
    );
    await systemClock.sleep(50);
  }
}
