import { randomUUID } from 'node:crypto';

import type { Clock } from '../../core/time/clock.js';
import { SHOP_DOMAINS } from '../../core/vendor.js';
import { WrappedSessionStorage } from '../../sessions/encryption/wrapped-session.storage.js';
import { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { RenewalNotKeptError, SessionNotStoredError } from '../auth.errors.js';

/** What of a session its next token depends on. */
export const RENEWAL = ['refreshToken', 'expires'] as const;

/** The log line about a storage that is given tokens that never expire. */
export function lastingTokens(dropped: readonly string[], storage: SessionStorage): string {
  return (
    `${notKept(dropped, storage)} Tokens that never expire are requested from now on. ` +
    `${FIX}, or set expiringOfflineAccessTokens: false.`
  );
}

/** The error for a storage that would lose a shop's access with the first migrated token. */
export function renewalNotKept(
  dropped: readonly string[],
  storage: SessionStorage,
): RenewalNotKeptError {
  return new RenewalNotKeptError(`${notKept(dropped, storage)} Nothing was migrated. ${FIX}.`);
}

const FIX = 'Have the storage keep refreshToken, refreshTokenExpires and expires';

function notKept(dropped: readonly string[], storage: SessionStorage): string {
  return `The session storage (${WrappedSessionStorage.nameOf(storage)}) does not keep ${dropped.join(' and ')} of a session: a token that expires cannot be renewed.`;
}

/**
 * What a storage drops of a session that is stored, read and deleted again. It is one of no shop:
 * a storage may have one session for each shop.
 * @throws {SessionNotStoredError} when the storage does not give it back
 */
export async function fieldsDroppedBy(storage: SessionStorage, clock: Clock): Promise<string[]> {
  const name = randomUUID();
  const shop = `${name}.${SHOP_DOMAINS[0]}`;
  const expires = new Date(clock.now().getTime() + LIFETIME);
  const session = new Session({
    id: `offline_${shop}`,
    shop,
    state: '',
    isOnline: false,
    scope: '',
    accessToken: `shpat_${name}`,
    expires,
    refreshToken: `shprt_${name}`,
    refreshTokenExpires: expires,
  });
  try {
    if ((await storage.storeSession(session)) === false) throw new SessionNotStoredError(shop);
    const kept = await storage.loadSession(session.id);
    if (!kept) throw new SessionNotStoredError(shop);
    return RENEWAL.filter((field) => !kept[field]);
  } finally {
    await storage.deleteSession(session.id);
  }
}

/** In milliseconds: a storage may delete what has expired. */
const LIFETIME = 3_600_000;
