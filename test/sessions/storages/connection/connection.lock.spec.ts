import { describe, expect, it } from '@jest/globals';

import { SessionStorageError } from '../../../../lib/sessions/sessions.errors.js';
import { ConnectionLock } from '../../../../lib/sessions/storages/connection/connection.lock.js';
import { ManualClock } from '../../../support/manual.clock.js';

type Answer = {
  readonly resolve: (taken: boolean) => void;
  readonly reject: (error: Error) => void;
};

/** Over a server whose answers the test gives, to one statement after the other. */
class ScriptedLock extends ConnectionLock {
  disconnections = 0;
  readonly #asked: ((answer: Answer) => void)[] = [];
  readonly #answers: Answer[] = [];

  constructor() {
    super(
      (what, cause) => new SessionStorageError(`could not ${what}`, { cause }),
      new ManualClock(),
    );
  }

  /** The way to answer the next statement, as soon as it is sent. */
  sent(): Promise<Answer> {
    return new Promise((resolve) => {
      const answer = this.#answers.shift();
      if (answer) resolve(answer);
      else this.#asked.push(resolve);
    });
  }

  breakConnection(): void {
    this.lose(new Error('the connection was cut'));
  }

  protected tryLock(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const asked = this.#asked.shift();
      if (asked) asked({ resolve, reject });
      else this.#answers.push({ resolve, reject });
    });
  }

  protected async unlock(): Promise<void> {}

  protected async rest(): Promise<void> {}

  protected disconnect(): void {
    this.disconnections++;
  }
}

describe('a lock over one connection', () => {
  it('counts a lost connection once, and gives who asks afterwards a new one', async () => {
    const lock = new ScriptedLock();
    const first = lock.take('a', 'one', 1_000);
    const statement = await lock.sent();
    lock.breakConnection();
    const second = lock.take('b', 'two', 1_000);
    statement.reject(new Error('the connection is closed'));
    await expect(first).rejects.toThrow('could not take a lock');
    (await lock.sent()).resolve(true);
    await expect(second).resolves.toBe(true);
    expect(lock.disconnections).toBe(1);
  });

  it('sends nobody who waited into a connection that is lost', async () => {
    const lock = new ScriptedLock();
    const first = lock.take('a', 'one', 1_000);
    const statement = await lock.sent();
    const second = lock.take('b', 'two', 1_000);
    statement.reject(new Error('there was no answer'));
    await expect(first).rejects.toThrow('could not take a lock');
    await expect(second).rejects.toThrow('could not');
    expect(lock.disconnections).toBe(1);
  });
});
