import { expect } from '@jest/globals';

import type { Session } from '../../lib/sessions/session.js';
import { describeProcesses } from './processes.suite.js';
import { REDIS } from './redis/keys.js';
import type { TestKeys } from './redis/keys.js';

const shopsOf = (sessions: readonly Session[]): string[] => [
  ...new Set(sessions.map(({ shop }) => shop)),
];
const keysOf = (keys: TestKeys, sessions: readonly Session[], shop: string): string[] =>
  sessions.flatMap((session) => (session.shop === shop ? [keys.at(session.id)] : []));
/**
 * A session as pairs, as official versions write it; the first ones called the user's id otherwise.
 */
function pairsOf(
  { id, shop, state, isOnline, scope, accessToken, onlineAccessInfo }: Session,
  nameOfUser: string,
): [string, unknown][] {
  const user = onlineAccessInfo && { [nameOfUser]: onlineAccessInfo.associated_user.id };
  return Object.entries({ id, shop, state, isOnline, scope, accessToken, ...user });
}

describeProcesses(REDIS, {
  layouts: {
    'keys of the official storage': async (keys, sessions) => {
      for (const session of sessions) await keys.put(session.id, pairsOf(session, 'userId'));
      for (const shop of shopsOf(sessions)) await keys.put(shop, keysOf(keys, sessions, shop));
      await keys.put('migrations', { migrateToVersion1_0_1: true });
    },
    'keys of the first official version, which has no lists': async (keys, sessions) => {
      for (const session of sessions)
        await keys.put(session.id, pairsOf(session, 'onlineAccessInfo'));
    },
  },
  checkMigrations: async (keys, sessions) => {
    expect([...(await keys.client.sMembers(`${keys.name}:migrations`))].sort()).toEqual([
      'official-record',
      'shop-lists',
    ]);
    expect(await keys.got('migrations')).toEqual({ migrateToVersion1_0_1: true });
    for (const shop of shopsOf(sessions)) {
      expect(((await keys.got(shop)) as string[]).sort()).toEqual(
        keysOf(keys, sessions, shop).sort(),
      );
    }
  },
  endsAfter: 'nothing',
});
