import { randomUUID } from 'node:crypto';

import { assert } from './lazy-assert.js';
import { systemClock } from '../../core/time/clock.js';
import { SHOP_DOMAINS } from '../../core/vendor.js';
import { propertiesOf } from '../session-properties.js';
import { Session } from '../session.js';
import type { OnlineAccessUser, SessionParams } from '../session.js';
import type { SessionStorage } from '../session.storage.js';

export const HOUR = 60 * 60 * 1000;
export const USER: OnlineAccessUser = {
  id: 902541635,
  first_name: 'Zoë',
  last_name: "O'Neil",
  email: 'zoe@example.com',
  locale: 'de-CH',
  email_verified: true,
  account_owner: false,
  collaborator: true,
};

/** A shop nobody else uses. */
export function aShop(): string {
  return `suite-${randomUUID()}.${SHOP_DOMAINS[0]}`;
}

/** Without milliseconds, which some storages do not keep. */
export function inAnHour(hours = 1): Date {
  return new Date(Math.floor((systemClock.now().getTime() + hours * HOUR) / 1000) * 1000);
}

/** An offline session with an id and a shop of its own. */
export function offline(params: Partial<SessionParams> = {}): Session {
  return new Session({
    id: randomUUID(),
    shop: aShop(),
    state: 'state',
    isOnline: false,
    scope: 'read_products,write_orders',
    accessToken: 'token',
    ...params,
  });
}

/** The same for a user. */
export function online(
  user: Partial<OnlineAccessUser>,
  params: Partial<SessionParams> = {},
): Session {
  return offline({
    isOnline: true,
    onlineAccessInfo: {
      expires_in: 86_399,
      associated_user_scope: 'read_products',
      associated_user: user,
    },
    ...params,
  });
}

/**
 * Loads the session and compares; answers with it as one of ours, whatever class the storage made.
 */
export async function assertLoads(storage: SessionStorage, expected: Session): Promise<Session> {
  const loaded = await storage.loadSession(expected.id);
  assert.ok(loaded, `session ${expected.id} was not found`);
  assert.deepEqual(propertiesOf(loaded, true), propertiesOf(expected, true));
  return new Session(loaded);
}

/** Compares what the storage finds for the shop, in any order. */
export async function assertFinds(
  storage: SessionStorage,
  shop: string,
  expected: readonly Session[],
): Promise<void> {
  const found = await storage.findSessionsByShop(shop);
  const inOrder = (sessions: readonly Session[]): unknown[] =>
    [...sessions]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((session) => propertiesOf(session, true));
  assert.deepEqual(inOrder(found), inOrder(expected));
}
