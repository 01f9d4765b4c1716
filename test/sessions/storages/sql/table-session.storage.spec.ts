import { describe, expect, it } from '@jest/globals';

import type { Clock } from '../../../../lib/core/time/clock.js';
import type { Session } from '../../../../lib/sessions/session.js';
import { TableSessionStorage } from '../../../../lib/sessions/storages/sql/table-session.storage.js';
import { JumpingClock } from '../../../webhooks/webhooks.fixture.js';

const nextTurn = (): Promise<void> => new Promise(setImmediate);

/**
 * A table whose database is reached when a test says so. Answers with how often it has been opened.
 */
class Table extends TableSessionStorage<number> {
  readonly openings: ((opened: number) => void)[] = [];
  released = 0;

  constructor(clock: Clock) {
    super(clock);
  }

  opened(): Promise<number> {
    return this.open();
  }

  protected override migrate(): Promise<number> {
    return new Promise((resolve) => this.openings.push(resolve));
  }
  protected override async release(): Promise<void> {
    this.released++;
  }

  protected override readonly place = 'The table';
  protected override missing = async (): Promise<string[]> => [];
  protected override deleteExpired = async (): Promise<number> => 0;
  override storeSession = async (): Promise<boolean> => true;
  override loadSession = async (): Promise<Session | undefined> => undefined;
  override deleteSessions = async (): Promise<boolean> => true;
  override findSessionsByShop = async (): Promise<Session[]> => [];
}

describe('TableSessionStorage', () => {
  // It let go whenever the call ended that had been waited for in vain, and took from later calls
  // what they had opened.
  it('is let go after five seconds, once: calls that come later have it open for good', async () => {
    const clock = new JumpingClock();
    const table = new Table(clock);
    const early = table.opened();
    const closed = table.close();
    clock.advance(5_000);
    await closed;
    expect(table.released).toBe(1);
    const late = table.opened();
    const [first, second] = table.openings;
    second!(2);
    expect(await late).toBe(2);
    first!(1);
    expect(await early).toBe(1);
    await nextTurn();
    expect(table.released).toBe(1);
    expect(await table.opened()).toBe(2);
  });

  it('is let go once when it is closed again meanwhile, and again when it is closed later', async () => {
    const clock = new JumpingClock();
    const table = new Table(clock);
    void table.opened();
    const first = table.close();
    clock.advance(1_000);
    const second = table.close();
    clock.advance(4_000);
    await Promise.all([first, second]);
    const late = table.opened();
    table.openings[1]!(2);
    await late;
    clock.advance(5_000);
    await nextTurn();
    expect([table.released, await table.opened()]).toEqual([1, 2]);
    await table.close();
    expect(table.released).toBe(2);
  });
});
