import { expect } from '@jest/globals';

import { POSTGRESQL, TABLE, officialTable, oldestTable } from './postgresql/databases.js';
import { describeProcesses } from './processes.suite.js';
import { valuesOf } from './sql.values.js';

describeProcesses(POSTGRESQL, {
  layouts: {
    'the official layout': async (database, sessions) => {
      await database.rows(officialTable());
      await database.rows(
        `INSERT INTO ${TABLE} (id, shop, state, "isOnline", scope, "accessToken", "userId") VALUES ${valuesOf(sessions)}`,
      );
    },
    'the first official layout': async (database, sessions) => {
      await database.rows(oldestTable());
      await database.rows(
        `INSERT INTO ${TABLE} (id, shop, state, isOnline, scope, accessToken, onlineAccessInfo) VALUES ${valuesOf(sessions)}`,
      );
    },
  },
  checkMigrations: async (database) => {
    expect(
      await database.column(`SELECT count(*)::int FROM pg_indexes WHERE tablename = '${TABLE}'`),
    ).toEqual([2]);
  },
  endsAfter: 'nothing',
});
