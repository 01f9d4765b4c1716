import { expect } from '@jest/globals';

import { COLLECTION, MONGODB } from './mongodb/databases.js';
import { describeProcesses } from './processes.suite.js';

describeProcesses(MONGODB, {
  layouts: {
    'a collection of the official storage, which may have duplicates': async ({ db }, sessions) => {
      await db.collection(COLLECTION).insertMany(sessions.map((session) => session.toObject()));
      const duplicates = sessions
        .slice(0, 20)
        .map((session) => ({ ...session.toObject(), accessToken: 'duplicate' }));
      await db.collection(COLLECTION).insertMany(duplicates);
    },
  },
  checkMigrations: async ({ db }, sessions) => {
    const indexes = (await db.collection(COLLECTION).indexes()).map(
      ({ name, unique }) => `${name} ${unique === true}`,
    );
    expect(indexes.filter((index) => !index.startsWith('_id_')).sort()).toEqual([
      'expires_1 false',
      'id_1 true',
      'shop_1 false',
    ]);
    expect(
      await db.collection<{ _id: string }>('shopwright_migrations').distinct('_id'),
    ).toHaveLength(4);
    expect(await db.collection(COLLECTION).countDocuments()).toBe(sessions.length);
  },
  endsAfter: 'closing its storage',
});
