import { describe, expect, it } from '@jest/globals';

import { SqlSessionStorage } from '../../../../lib/sessions/storages/sql/sql-session.storage.js';
import type { SqlConnection, SqlSteps } from '../../../../lib/sessions/storages/sql/sql.dialect.js';
import type { TableEditor } from '../../../../lib/sessions/storages/sql/table-editor.js';
import { sqliteDialect } from '../../../../lib/sessions/storages/sqlite/sqlite.dialect.js';
import { JumpingClock } from '../../../webhooks/webhooks.fixture.js';

const nextTurn = (): Promise<void> => new Promise(setImmediate);

/** A database that is reached when a test says so, and finds its tables as they should be. */
class Database implements SqlConnection {
  readonly openings: (() => void)[] = [];
  released = 0;

  look<T>(): Promise<T> {
    return new Promise((resolve) => this.openings.push(() => resolve(false as T)));
  }
  async close(): Promise<void> {
    this.released++;
  }

  run = unused;
  series = unused;
  migrate = unused;
}

function unused(): never {
  throw new Error('No test gets this far.');
}

function over(database: Database, clock: JumpingClock): SqlSessionStorage {
  const edit = (): SqlSteps<TableEditor> => unused();
  return new SqlSessionStorage({ dialect: sqliteDialect, edit }, database, { clock });
}

describe('SqlSessionStorage', () => {
  // It let go whenever the call ended that had been waited for in vain, and took from later calls
  // what they had opened.
  it('is let go after five seconds, once: calls that come later have it open for good', async () => {
    const clock = new JumpingClock();
    const database = new Database();
    const storage = over(database, clock);
    const early = storage.ready;
    const closed = storage.close();
    clock.advance(5_000);
    await closed;
    expect(database.released).toBe(1);
    const late = storage.ready;
    const [first, second] = database.openings;
    second!();
    await late;
    first!();
    await early;
    await nextTurn();
    await storage.ready;
    expect([database.released, database.openings.length]).toEqual([1, 2]);
  });

  it('is let go once when it is closed again meanwhile, and again when it is closed later', async () => {
    const clock = new JumpingClock();
    const database = new Database();
    const storage = over(database, clock);
    void storage.ready;
    const first = storage.close();
    clock.advance(1_000);
    const second = storage.close();
    clock.advance(4_000);
    await Promise.all([first, second]);
    const late = storage.ready;
    database.openings[1]!();
    await late;
    clock.advance(5_000);
    await nextTurn();
    await storage.ready;
    expect([database.released, database.openings.length]).toEqual([1, 2]);
    await storage.close();
    expect(database.released).toBe(2);
  });
});
