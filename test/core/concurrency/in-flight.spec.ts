import { beforeEach, describe, expect, it } from '@jest/globals';

import type { InFlight } from '../../../lib/core/concurrency/in-flight.js';
import { inFlightOf } from '../../support/in-flight.js';
import { JumpingClock, Lines } from '../../webhooks/webhooks.fixture.js';

const LIMIT = 25_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that is under way until it is told to `finish`. */
function openWork(): {
  work: () => Promise<string>;
  finish: () => void;
  fail: (error: Error) => void;
  begun: () => number;
} {
  let [begun, finish, fail] = [0, (): void => {}, (_: Error): void => {}];
  const work = (): Promise<string> => {
    begun++;
    return new Promise((resolve, reject) => ([finish, fail] = [() => resolve('done'), reject]));
  };
  return { work, finish: () => finish(), fail: (error) => fail(error), begun: () => begun };
}

describe('what is in flight', () => {
  let clock: JumpingClock;
  let lines: Lines;
  let inFlight: InFlight;
  beforeEach(() => {
    clock = new JumpingClock();
    lines = new Lines();
    inFlight = inFlightOf(clock, lines.logger, LIMIT);
  });

  /** Whether the shutdown is over, after everything that can happen by now has happened. */
  const isDrained = async (): Promise<boolean> => {
    await turn();
    return Promise.race([inFlight.drain().then(() => true), turn().then(() => false)]);
  };

  it('settles as its work does', async () => {
    const error = new Error('no');
    expect(await inFlight.admit(async () => 1)).toBe(1);
    await expect(inFlight.admit(() => Promise.reject(error))).rejects.toBe(error);
    await expect(inFlight.track(Promise.reject(error))).rejects.toBe(error);
  });

  it('is nothing at first: a shutdown is over at once, without a timer or a word', async () => {
    expect(await isDrained()).toBe(true);
    expect(clock.alarms).toBe(0);
    expect(lines.all).toEqual([]);
  });

  it('tells what takes work from elsewhere that a shutdown begins, also when it has begun', async () => {
    const told: string[] = [];
    inFlight.onDrain(() => told.push('before'));
    const work = openWork();
    void inFlight.admit(work.work);
    expect(told).toEqual([]);
    void inFlight.drain();
    inFlight.onDrain(() => told.push('after'));
    expect(told).toEqual(['before', 'after']);
    work.finish();
    await inFlight.drain();
    expect(told).toEqual(['before', 'after']);
  });

  it.each([
    ['ends', (one: ReturnType<typeof openWork>) => one.finish()],
    ['fails', (one: ReturnType<typeof openWork>) => one.fail(new Error('no'))],
  ])('holds up a shutdown until the last of it %s', async (_title, end) => {
    const [one, two] = [openWork(), openWork()];
    const outcomes = Promise.allSettled([inFlight.admit(one.work), inFlight.track(two.work())]);
    expect(await isDrained()).toBe(false);
    end(one);
    expect(await isDrained()).toBe(false);
    end(two);
    expect(await isDrained()).toBe(true);
    await outcomes;
    expect(clock.alarms).toBe(0);
    expect(inFlight.isAbandoned).toBe(false);
  });

  it('is refused from the moment a shutdown begins, and after it', async () => {
    const [one, two] = [openWork(), openWork()];
    void inFlight.admit(one.work);
    const drained = inFlight.drain();
    const refusal = {
      kind: 'denied',
      status: 503,
      reason: 'shutting_down',
      headers: [['retry-after', '5']],
    };
    expect(await inFlight.admit(two.work)).toMatchObject(refusal);
    one.finish();
    await drained;
    expect(await inFlight.admit(two.work)).toMatchObject(refusal);
    expect(two.begun()).toBe(0);
  });

  it('is abandoned at the limit, and has a moment to give back what it holds', async () => {
    const { work, finish } = openWork();
    const told: string[] = [];
    void inFlight.admit(work);
    inFlight.onAbandon(() => told.push('one'));
    inFlight.onAbandon(() => told.push('called off'))();
    expect(await isDrained()).toBe(false);
    clock.advance(LIMIT - 1);
    expect(await isDrained()).toBe(false);
    expect([told, inFlight.isAbandoned]).toEqual([[], false]);
    clock.advance(1);
    expect(await isDrained()).toBe(false);
    expect([told, inFlight.isAbandoned]).toEqual([['one'], true]);
    finish();
    expect(await isDrained()).toBe(true);
    expect(clock.alarms).toBe(0);
    expect(lines.matching('no longer waits')).toHaveLength(1);
  });

  it('holds up a shutdown no longer when it does not heed that', async () => {
    void inFlight.admit(openWork().work);
    void inFlight.drain();
    clock.advance(LIMIT);
    expect(await isDrained()).toBe(false);
    clock.advance(3_000);
    expect(await isDrained()).toBe(true);
  });

  it('is waited for as long as it takes when there is no limit', async () => {
    inFlight = inFlightOf(clock, lines.logger, Infinity);
    const { work, finish } = openWork();
    void inFlight.admit(work);
    expect(await isDrained()).toBe(false);
    expect(clock.alarms).toBe(0);
    finish();
    expect(await isDrained()).toBe(true);
  });

  it('is drained once, however often that is asked for', async () => {
    expect(inFlight.drain()).toBe(inFlight.drain());
  });
});
