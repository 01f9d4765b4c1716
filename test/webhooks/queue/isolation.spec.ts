import { beforeEach, describe, expect, it } from '@jest/globals';

import { Isolation } from '../../../lib/webhooks/queue/bullmq/isolation.js';
import { gate } from '../../support/gate.js';
import { JumpingClock } from '../webhooks.fixture.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a delivery that is handled alone', () => {
  const log: string[] = [];
  let clock: JumpingClock;
  let isolation: Isolation;
  beforeEach(() => {
    log.length = 0;
    clock = new JumpingClock();
    isolation = new Isolation(clock, {
      pause: () => log.push('pause'),
      resume: () => log.push('resume'),
    });
  });

  it('waits for those that run, and lets nothing be fetched until it has ended', async () => {
    const [first, second, alone] = [gate(), gate(), gate()];
    const beside = [first, second].map(({ opened }) => isolation.beside(() => opened));
    const work = isolation.alone(async () => {
      log.push('alone');
      await alone.opened;
    });
    first.open();
    await turn();
    expect([log, isolation.isTaken]).toEqual([['pause'], true]);
    second.open();
    await Promise.all(beside);
    await turn();
    expect(log).toEqual(['pause', 'alone']);
    alone.open();
    await work;
    expect([log, isolation.isTaken]).toEqual([['pause', 'alone', 'resume'], false]);
    expect(clock.alarms).toBe(0);
  });

  it('begins at once where nothing runs, and lets others go on when it fails', async () => {
    await expect(isolation.alone(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect([log, isolation.isTaken]).toEqual([['pause', 'resume'], false]);
    expect(await isolation.beside(async () => 1)).toBe(1);
  });

  it('does not wait for ever', async () => {
    void isolation.beside(() => new Promise(() => {}));
    const work = isolation.alone(async () => 'done');
    await turn();
    clock.advance(30_000);
    expect(await work).toBe('done');
  });
});
