import { randomUUID } from 'node:crypto';

import { assert } from './lazy-assert.js';
import type { Cases } from './port.conformance.js';
import { Session } from '../session.js';
import type { SessionParams } from '../session.js';
import {
  USER,
  aShop,
  assertFinds,
  assertLoads,
  inAnHour,
  offline,
  online,
} from './session-samples.js';
import type { SessionStorage } from '../session.storage.js';

/** A moment in the past before which nobody else's session expires. */
const LONG_AGO = Date.UTC(1971, 0, 1);
/**
 * In the order of their code points: a storage that compares lengths, languages or UTF-16 units
 * sorts them otherwise.
 */
const IDS_IN_ORDER = [
  '',
  '-',
  '1',
  '10',
  '2',
  'A',
  'Z',
  'a',
  'a b',
  'aa',
  'z',
  'Ä',
  'é',
  '漢',
  '\uFF5E',
  '\u{1F600}',
];

/** Cases of the methods a storage need not have. */
export const OPTIONAL_METHODS: Cases<SessionStorage> = {
  'replaces a session that still has the tokens it had': async (storage, other) => {
    if (!storage.replaceSession) return;
    for (const tokens of [{ refreshToken: 'refresh-1' }, {}, { accessToken: undefined }]) {
      const previous = offline({ expires: inAnHour(), ...tokens });
      await storage.storeSession(previous);
      const renewed = renewalOf(previous, 'a');
      assert.equal(await other.replaceSession?.(renewed, previous), true);
      await assertLoads(storage, renewed);
      await assertFinds(storage, previous.shop, [renewed]);
    }
  },

  'clears what the session that replaces another lacks': async (storage) => {
    if (!storage.replaceSession) return;
    const previous = online(USER, {
      expires: inAnHour(),
      refreshToken: 'refresh',
      refreshTokenExpires: inAnHour(),
    });
    await storage.storeSession(previous);
    const bare = new Session({
      id: previous.id,
      shop: previous.shop,
      state: '',
      isOnline: false,
      accessToken: 'bare',
    });
    assert.equal(await storage.replaceSession(bare, previous), true);
    await assertLoads(storage, bare);
  },

  'finds a session that moved to another shop when it was replaced there alone': async (
    storage,
  ) => {
    if (!storage.replaceSession) return;
    const previous = offline();
    const moved = offline({ id: previous.id });
    await storage.storeSession(previous);
    assert.equal(await storage.replaceSession(moved, previous), true);
    await assertFinds(storage, previous.shop, []);
    await assertFinds(storage, moved.shop, [moved]);
  },

  'replaces no session that has other tokens by now': async (storage) => {
    if (!storage.replaceSession) return;
    const stored = offline({ accessToken: 'access', refreshToken: 'refresh' });
    const withoutRefreshToken = offline();
    const others: [Session, Partial<SessionParams>][] = [
      [stored, { accessToken: 'other' }],
      [stored, { accessToken: 'ACCESS' }],
      [stored, { accessToken: undefined }],
      [stored, { refreshToken: 'other' }],
      [stored, { refreshToken: 'REFRESH' }],
      [stored, { refreshToken: undefined }],
      [withoutRefreshToken, { refreshToken: 'refresh' }],
    ];
    for (const [session, tokens] of others) {
      await storage.storeSession(session);
      assert.equal(
        await storage.replaceSession(
          renewalOf(session, 'a'),
          new Session({ ...session, ...tokens }),
        ),
        false,
      );
      await assertLoads(storage, session);
    }
  },

  'replaces no session that is gone, and makes none': async (storage) => {
    if (!storage.replaceSession) return;
    const session = offline();
    assert.equal(await storage.replaceSession(renewalOf(session, 'a'), session), false);
    await storage.storeSession(session);
    await storage.deleteSession(session.id);
    assert.equal(await storage.replaceSession(renewalOf(session, 'a'), session), false);
    assert.equal(await storage.loadSession(session.id), undefined);
    await assertFinds(storage, session.shop, []);
  },

  'lets one of many succeed that replace the same session at once': async (storage, other) => {
    if (!storage.replaceSession) return;
    const previous = offline({ refreshToken: 'refresh' });
    await storage.storeSession(previous);
    const renewals = Array.from({ length: 20 }, (_, index) => renewalOf(previous, String(index)));
    const outcomes = await Promise.all(
      renewals.map((renewal, index) =>
        (index % 2 === 0 ? storage : other).replaceSession?.(renewal, previous),
      ),
    );
    assert.equal(outcomes.filter(Boolean).length, 1);
    await assertLoads(storage, renewals[outcomes.indexOf(true)]!);
  },

  'deletes the online sessions that expired before a moment, and those alone': async (storage) => {
    if (!storage.deleteExpiredSessions) return;
    const shop = aShop();
    const moment = new Date(LONG_AGO);
    await storage.deleteExpiredSessions(moment);
    const at = (seconds: number): Partial<SessionParams> => ({
      shop,
      expires: new Date(LONG_AGO + seconds * 1000),
    });
    const expired = [online(USER, at(-1)), online(USER, at(-1000)), online({}, at(-1000))];
    const others = [
      online(USER, at(0)),
      online(USER, at(1)),
      online(USER, { shop }),
      offline(at(-1000)),
      offline({ shop }),
    ];
    for (const session of [...expired, ...others]) await storage.storeSession(session);
    assert.equal(await storage.deleteExpiredSessions(moment), expired.length);
    await assertFinds(storage, shop, others);
    for (const { id } of expired) assert.equal(await storage.loadSession(id), undefined);
    assert.equal(await storage.deleteExpiredSessions(moment), 0);
  },

  'lists sessions page by page in the order of their ids': async (storage) => {
    if (!storage.listSessions) return;
    const prefix = `${randomUUID()}-`;
    const expected = IDS_IN_ORDER.map((id) => offline({ id: prefix + id }));
    for (const session of [...expected].reverse()) await storage.storeSession(session);
    for (const limit of [1, 5, expected.length]) {
      let after = prefix.slice(0, -1);
      const listed: string[] = [];
      while (listed.length < expected.length) {
        const page = await storage.listSessions({ after, limit });
        const ours = page.map(({ id }) => id).filter((id) => id.startsWith(prefix));
        assert.ok(
          page.length <= limit && ours.length > 0,
          `a page of ${page.length} sessions after ${after}`,
        );
        listed.push(...ours);
        after = page.at(-1)!.id;
      }
      assert.deepEqual(
        listed,
        expected.map(({ id }) => id),
      );
    }
  },

  'lists nothing for a limit below one, and all for one without end': async (storage) => {
    if (!storage.listSessions) return;
    const session = offline();
    await storage.storeSession(session);
    for (const limit of [0, -1, 0.5, NaN, -Infinity])
      assert.deepEqual(await storage.listSessions({ limit }), [], `with a limit of ${limit}`);
    for (const limit of [Number.MAX_SAFE_INTEGER, Infinity]) {
      const listed = await storage.listSessions({ limit });
      assert.ok(
        listed.some(({ id }) => id === session.id),
        `with a limit of ${limit}`,
      );
    }
  },

  'lists from the first session on, and nothing after the last': async (storage) => {
    if (!storage.listSessions) return;
    const session = offline();
    await storage.storeSession(session);
    const [first, ...rest] = await storage.listSessions({ limit: 1 });
    assert.ok(first && Buffer.compare(Buffer.from(first.id), Buffer.from(session.id)) <= 0);
    assert.deepEqual(rest, []);
    assert.deepEqual(await storage.listSessions({ after: '\u{10FFFF}'.repeat(8), limit: 10 }), []);
  },
};

function renewalOf({ id, shop }: Session, mark: string): Session {
  return offline({
    id,
    shop,
    accessToken: `access-${mark}`,
    refreshToken: `refresh-${mark}`,
    expires: inAnHour(),
  });
}
