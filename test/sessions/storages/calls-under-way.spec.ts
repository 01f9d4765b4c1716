import { describe, expect, it } from '@jest/globals';

import { CallsUnderWay } from '../../../lib/sessions/storages/calls-under-way.js';
import { JumpingClock } from '../../webhooks/webhooks.fixture.js';

const nextTurn = (): Promise<void> => new Promise(setImmediate);

describe('CallsUnderWay', () => {
  /** Notes that it is over. */
  function closing(calls: CallsUnderWay): { isDone: boolean } {
    const state = { isDone: false };
    void calls.over().then(() => (state.isDone = true));
    return state;
  }

  it('are over when the last of them is, whatever became of it, and those that came later are not waited for', async () => {
    const clock = new JumpingClock();
    const calls = new CallsUnderWay(clock);
    let [answer, fail] = [(_: number): void => {}, (_: Error): void => {}];
    const answered = calls.add(new Promise<number>((resolve) => (answer = resolve)));
    const failed = calls.add(new Promise<number>((_, reject) => (fail = reject)));
    const closed = closing(calls);
    void calls.add(new Promise(() => {}));
    answer(7);
    expect(await answered).toBe(7);
    await nextTurn();
    expect(closed.isDone).toBe(false);
    fail(new Error('the server is away'));
    await expect(failed).rejects.toThrow('the server is away');
    await nextTurn();
    expect([closed.isDone, clock.alarms]).toEqual([true, 0]);
  });

  it('are waited for no longer than five seconds', async () => {
    const clock = new JumpingClock();
    const calls = new CallsUnderWay(clock);
    void calls.add(new Promise(() => {}));
    const closed = closing(calls);
    clock.advance(4_999);
    await nextTurn();
    expect(closed.isDone).toBe(false);
    clock.advance(1);
    await nextTurn();
    expect(closed.isDone).toBe(true);
  });

  it('are over at once when there are none', async () => {
    const calls = new CallsUnderWay(new JumpingClock());
    await calls.add(Promise.resolve());
    await expect(calls.over()).resolves.toBeUndefined();
  });
});
