import { describe, expect, it } from '@jest/globals';

import {
  InFlightCalls,
  closeAfter,
} from '../../../../lib/sessions/storages/connection/in-flight-calls.js';
import { JumpingClock } from '../../../webhooks/webhooks.fixture.js';

const nextTurn = (): Promise<void> => new Promise(setImmediate);

describe('InFlightCalls', () => {
  /** Notes that it is over. */
  function closing(calls: InFlightCalls): { isDone: boolean } {
    const state = { isDone: false };
    void calls.over().then(() => (state.isDone = true));
    return state;
  }

  it('are over when the last of them is, whatever became of it, and those that came later are not waited for', async () => {
    const calls = new InFlightCalls();
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
    expect(closed.isDone).toBe(true);
  });

  it('are over at once when there are none', async () => {
    const calls = new InFlightCalls();
    await calls.add(Promise.resolve());
    await expect(calls.over()).resolves.toBeUndefined();
  });
});

describe('closeAfter', () => {
  const forever = new Promise<void>(() => {});
  /**
   * Closes in time, and notes what happens; what is under way, and the release, end when they are
   * told to.
   */
  function closing({ underWay = forever, release = forever }): {
    readonly clock: JumpingClock;
    readonly events: string[];
  } {
    const clock = new JumpingClock();
    const events: string[] = [];
    const released = (): Promise<void> => {
      events.push('release');
      return release;
    };
    closeAfter(underWay, released, clock).then(
      () => events.push('closed'),
      ({ message }: Error) => events.push(message),
    );
    return { clock, events };
  }

  it('waits for what is under way, then for what it lets go', async () => {
    let [endCalls, endRelease] = [(): void => {}, (): void => {}];
    const underWay = new Promise<void>((resolve) => (endCalls = resolve));
    const release = new Promise<void>((resolve) => (endRelease = resolve));
    const { clock, events } = closing({ underWay, release });
    await nextTurn();
    expect(events).toEqual([]);
    endCalls();
    await nextTurn();
    expect(events).toEqual(['release']);
    endRelease();
    await nextTurn();
    expect([events, clock.alarms]).toEqual([['release', 'closed'], 0]);
  });

  it('lets go after five seconds of what is still under way, and has closed by then', async () => {
    const { clock, events } = closing({});
    clock.advance(4_999);
    await nextTurn();
    expect(events).toEqual([]);
    clock.advance(1);
    await nextTurn();
    expect(events).toEqual(['release', 'closed']);
  });

  it('waits five seconds for both together', async () => {
    const { clock, events } = closing({ underWay: nextTurn() });
    clock.advance(4_999);
    await nextTurn();
    await nextTurn();
    expect(events).toEqual(['release']);
    clock.advance(1);
    await nextTurn();
    expect(events).toEqual(['release', 'closed']);
  });

  it('fails as the release does, and leaves no alarm behind', async () => {
    const { clock, events } = closing({
      underWay: Promise.resolve(),
      release: Promise.reject(new Error('not closed')),
    });
    await nextTurn();
    expect([events, clock.alarms]).toEqual([['release', 'not closed'], 0]);
  });
});
