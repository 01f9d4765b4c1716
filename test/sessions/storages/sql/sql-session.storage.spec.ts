import { describe, expect, it } from '@jest/globals';

import type { Clock } from '../../../../lib/core/time/clock.js';
import type { Session } from '../../../../lib/sessions/session.js';
import { SqlSessionStorage } from '../../../../lib/sessions/storages/sql/sql-session.storage.js';
import type { SqlConnection } from '../../../../lib/sessions/storages/sql/sql.dialect.js';
import { SqliteConnection } from '../../../../lib/sessions/storages/sqlite/sqlite.connection.js';
import { sqliteDialect } from '../../../../lib/sessions/storages/sqlite/sqlite.dialect.js';
import { JumpingClock } from '../../../webhooks/webhooks.fixture.js';

const nextTurn = (): Promise<void> => new Promise(setImmediate);

/**
 * A table whose database is reached when a test says so. Answers with how often it has been opened.
 */
class Table extends SqlSessionStorage<SqlConnection> {
  readonly openings: ((opened: SqlConnection) => void)[] = [];
  released = 0;

  constructor(clock: Clock) {
    super(sqliteDialect, 'sessions', clock);
  }

  opened(): Promise<SqlConnection> {
    return this.open();
  }

  protected override migrate(): Promise<SqlConnection> {
    return new Promise((resolve) => this.openings.push(resolve));
  }
  protected override async release(): Promise<void> {
    this.released++;
  }

  protected override missing = async (): Promise<string[]> => [];
  override loadSession = async (): Promise<Session | undefined> => undefined;
  override deleteSessions = async (): Promise<boolean> => true;
}

/** A connection that is never used. */
const aConnection = (): SqlConnection => SqliteConnection.to(':memory:', new JumpingClock());

describe('SqlSessionStorage', () => {
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
    const connections = [aConnection(), aConnection()] as const;
    second!(connections[1]);
    expect(await late).toBe(connections[1]);
    first!(connections[0]);
    expect(await early).toBe(connections[0]);
    await nextTurn();
    expect(table.released).toBe(1);
    expect(await table.opened()).toBe(connections[1]);
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
    const connection = aConnection();
    table.openings[1]!(connection);
    await late;
    clock.advance(5_000);
    await nextTurn();
    expect([table.released, await table.opened()]).toEqual([1, connection]);
    await table.close();
    expect(table.released).toBe(2);
  });
});
