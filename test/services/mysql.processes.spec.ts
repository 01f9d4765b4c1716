import { expect } from '@jest/globals';

import { LEGACY_TABLE, MYSQL, OFFICIAL_TABLE } from './mysql/databases.js';
import { describeProcesses } from './processes.suite.js';
import { valuesOf } from './sql.values.js';

const INSERT = 'INSERT INTO shopify_sessions (id, shop, state, isOnline, scope, accessToken';

describeProcesses(MYSQL, {
  layouts: {
    'the official layout': async (database, sessions) => {
      await database.rows(OFFICIAL_TABLE);
      await database.rows(`${INSERT}, userId) VALUES ${valuesOf(sessions)}`);
    },
    'the first official layout': async (database, sessions) => {
      await database.rows(LEGACY_TABLE);
      await database.rows(`${INSERT}, onlineAccessInfo) VALUES ${valuesOf(sessions)}`);
    },
  },
  checkMigrations: async (database) => {
    expect(await database.rows('SELECT name FROM shopwright_migrations')).toHaveLength(5);
  },
  endsAfter: 'nothing',
});
