import { describe, expect, it } from '@jest/globals';

import type { SessionStorage } from '../../../lib/sessions/session.storage.js';
import { SHOP, offlineSession } from '../../support/offline-session.js';

type Optional =
  'replaceSession' | 'deleteExpiredSessions' | 'listSessions' | 'companions' | 'close';

/** What the storages have that there is something to close of. */
export type ClosingStorage = SessionStorage & {
  readonly [Name in Optional]-?: NonNullable<SessionStorage[Name]>;
} & {
  readonly ready: Promise<void>;
};

/** How many sessions are stored, loaded and so on at once. */
const SESSIONS = 20;
const SESSION = offlineSession();
const idAt = (index: number): string => `closing-${index}`;

/**
 * Calls of every kind, under way: most have to wait for a connection, and some make several trips.
 * What they store is there in the end.
 */
export function callsUnderWay(storage: ClosingStorage): Promise<unknown>[] {
  const { lock, installations, inbox } = storage.companions;
  return Array.from({ length: SESSIONS }, (_, index) => {
    const session = offlineSession({ id: idAt(index) });
    return [
      ...[
        storage.storeSession(session),
        storage.loadSession(session.id),
        storage.replaceSession(SESSION, SESSION),
      ],
      ...[
        storage.findSessionsByShop(SHOP),
        storage.listSessions({ limit: 5 }),
        storage.deleteExpiredSessions(new Date(0)),
      ],
      storage.deleteSessions(Array.from({ length: 120 }, (_, gone) => `gone-${gone}`)),
      ...[
        installations.load('app', SHOP),
        inbox.claim({ app: 'app', shop: SHOP, webhookId: idAt(index) }, 60_000),
      ],
      lock.release('name', 'nobody'),
    ];
  }).flat();
}

/** Why some of them failed: each reason once. */
export async function failuresOf(calls: readonly Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(calls);
  return [
    ...new Set(
      outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [String(outcome.reason)] : [],
      ),
    ),
  ];
}

/** Declares the tests that every storage must pass which has something to close. */
export function describeClosing(name: string, open: () => ClosingStorage): void {
  describe(`${name}, when it is closed`, () => {
    it.each(['not yet opened', 'open'])(
      'lets the calls end that are under way, if it is %s, and opens again',
      async (state) => {
        const storage = open();
        if (state === 'open') {
          await storage.ready;
          await storage.storeSession(SESSION);
        }
        const calls = callsUnderWay(storage);
        const closed = storage.close();
        calls.push(storage.loadSession('later'));
        expect(await failuresOf(calls)).toEqual([]);
        await closed;
        for (let index = 0; index < SESSIONS; index++)
          expect(await storage.loadSession(idAt(index))).toBeDefined();
        await storage.deleteSessions([
          SESSION.id,
          ...Array.from({ length: SESSIONS }, (_, index) => idAt(index)),
        ]);
        await storage.close();
      },
    );
  });
}
