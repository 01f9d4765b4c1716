import type { Session } from '../../lib/sessions/session.js';

/**
 * Rows of SQL for an id, a shop, a state, whether it is online, a scope, an access token and the id
 * of the user.
 */
export function valuesOf(sessions: readonly Session[]): string {
  return sessions
    .map(({ id, shop, state, isOnline, scope, accessToken, onlineAccessInfo }) => {
      const user = onlineAccessInfo ? `'${onlineAccessInfo.associated_user.id}'` : 'NULL';
      return `('${id}', '${shop}', '${state}', ${isOnline}, '${scope}', '${accessToken}', ${user})`;
    })
    .join(', ');
}
