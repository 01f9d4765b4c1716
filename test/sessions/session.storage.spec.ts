import { describe, expect, it } from '@jest/globals';

import { describeSessionStorage } from '../../lib/sessions/conformance/session-storage.conformance.js';
import { problemsInStorage } from '../../lib/sessions/session.storage.js';
import { Session } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';

/**
 * Runs the suite outside of any test runner and answers with the titles of the cases that failed.
 */
async function failuresOf(open: () => MemorySessionStorage): Promise<string[]> {
  const cases: { title: string; body: () => Promise<void> }[] = [];
  describeSessionStorage('a storage', open, {
    describe: (_, body) => body(),
    it: (title, body) => cases.push({ title, body }),
  });
  const failed = await Promise.all(
    cases.map(({ title, body }) =>
      body().then(
        () => undefined,
        () => title,
      ),
    ),
  );
  return failed.filter((title) => title !== undefined);
}

class Forgetful extends MemorySessionStorage {
  override async storeSession(): Promise<boolean> {
    return true;
  }
}

/** Like a storage whose update leaves alone what is not set. */
class Stale extends MemorySessionStorage {
  override async storeSession(session: Session): Promise<boolean> {
    return super.storeSession(new Session({ ...(await this.loadSession(session.id)), ...session }));
  }
}

class Limited extends MemorySessionStorage {
  override async findSessionsByShop(shop: string): Promise<Session[]> {
    return (await super.findSessionsByShop(shop)).slice(0, 25);
  }
}

class IgnoringCase extends MemorySessionStorage {
  override storeSession(session: Session): Promise<boolean> {
    return super.storeSession(new Session({ ...session, id: session.id.toLowerCase() }));
  }
  override loadSession(id: string): Promise<Session | undefined> {
    return super.loadSession(id.toLowerCase());
  }
}

class Until2038 extends MemorySessionStorage {
  override storeSession(session: Session): Promise<boolean> {
    const expires =
      session.expires &&
      new Date((session.expires.getTime() / 1000 > 2 ** 31 ? 0 : 1) * session.expires.getTime());
    return super.storeSession(new Session({ ...session, expires }));
  }
}

/** Hands out what it holds, not a copy. */
class Sharing extends MemorySessionStorage {
  readonly #held = new Map<string, Session>();
  override async storeSession(session: Session): Promise<boolean> {
    this.#held.set(session.id, session);
    return super.storeSession(session);
  }
  override async loadSession(id: string): Promise<Session | undefined> {
    return this.#held.get(id);
  }
}

class Refusing extends MemorySessionStorage {
  override async deleteSessions(ids: string[]): Promise<boolean> {
    if (ids.length === 0) throw new Error('syntax error near ")"');
    return super.deleteSessions(ids);
  }
}

/** Like a storage that stores, whatever there is. */
class Overwriting extends MemorySessionStorage {
  override replaceSession(session: Session): Promise<boolean> {
    return super.storeSession(session);
  }
}

/** Looks first and writes later. */
class InTwoSteps extends MemorySessionStorage {
  override async replaceSession(session: Session, previous: Session): Promise<boolean> {
    const stored = await this.loadSession(session.id);
    if (
      stored?.accessToken !== previous.accessToken ||
      stored?.refreshToken !== previous.refreshToken
    )
      return false;
    return super.storeSession(session);
  }
}

class ComparingAccessTokens extends MemorySessionStorage {
  override async replaceSession(session: Session, { accessToken }: Session): Promise<boolean> {
    const stored = await this.loadSession(session.id);
    return (
      stored !== undefined &&
      stored.accessToken === accessToken &&
      super.replaceSession(session, stored)
    );
  }
}

class Sweeping extends MemorySessionStorage {
  override async deleteExpiredSessions(moment: Date): Promise<number> {
    const expired = (await this.listSessions({ limit: 1000 })).filter(
      ({ expires }) => expires && expires < moment,
    );
    await this.deleteSessions(expired.map(({ id }) => id));
    return expired.length;
  }
}

/** Sorts as JavaScript does, by UTF-16 units. */
class SortingByUnits extends MemorySessionStorage {
  override async listSessions({
    after = '',
    limit,
  }: {
    after?: string | undefined;
    limit: number;
  }): Promise<Session[]> {
    const all = await super.listSessions({ limit: 1000 });
    const following = all.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1));
    return following.slice(0, limit);
  }
}

class ListingTheLastAgain extends MemorySessionStorage {
  override async listSessions({
    after = '',
    limit,
  }: {
    after?: string | undefined;
    limit: number;
  }): Promise<Session[]> {
    return (await super.listSessions({ limit: 1000 }))
      .filter(({ id }) => id >= after)
      .slice(0, limit);
  }
}

describe('the suite for session storages', () => {
  it('finds nothing wrong with a right one', async () => {
    expect(await failuresOf(() => new MemorySessionStorage())).toEqual([]);
  });

  it.each<[string, () => MemorySessionStorage, string]>([
    [
      'forgets',
      () => new Forgetful(),
      'stores, loads and deletes offline sessions with and without an expiry',
    ],
    ['keeps stale fields', () => new Stale(), 'clears what a newer session of the same id lacks'],
    ['limits what it finds', () => new Limited(), 'finds all sessions of a shop, however many'],
    ['ignores the case of ids', () => new IgnoringCase(), 'tells ids apart by case'],
    ['ends in 2038', () => new Until2038(), 'keeps an expiry after 2038'],
    [
      'hands out its own objects',
      () => new Sharing(),
      'shares nothing with what it was given and what it returned',
    ],
    ['dislikes empty lists', () => new Refusing(), 'takes an empty list of ids to delete'],
    [
      'replaces whatever there is',
      () => new Overwriting(),
      'replaces no session that has other tokens by now',
    ],
    [
      'makes what it should replace',
      () => new Overwriting(),
      'replaces no session that is gone, and makes none',
    ],
    [
      'replaces in two steps',
      () => new InTwoSteps(),
      'lets one of many succeed that replace the same session at once',
    ],
    [
      'compares one token alone',
      () => new ComparingAccessTokens(),
      'replaces no session that has other tokens by now',
    ],
    [
      'deletes offline sessions',
      () => new Sweeping(),
      'deletes the online sessions that expired before a moment, and those alone',
    ],
    [
      'sorts otherwise',
      () => new SortingByUnits(),
      'lists sessions page by page in the order of their ids',
    ],
    [
      'lists a session twice',
      () => new ListingTheLastAgain(),
      'lists sessions page by page in the order of their ids',
    ],
  ])('sees when a storage %s', async (_, open, title) => {
    expect(await failuresOf(open)).toContain(title);
  });

  it('closes what it opened, after a failure too', async () => {
    const closed: unknown[] = [];
    const storage = new Forgetful();
    const outcomes: Promise<void>[] = [];
    describeSessionStorage('a storage', () => storage, {
      describe: (_, body) => body(),
      it: (_, body) => outcomes.push(body()),
      close: (opened) => closed.push(opened),
    });
    await Promise.allSettled(outcomes);
    expect(closed).toEqual(outcomes.map(() => storage));
  });
});

describe('a session storage option', () => {
  it('may be left out, one of ours, or any object with the five methods', () => {
    const method = (): void => {};
    const own = {
      storeSession: method,
      loadSession: method,
      deleteSession: method,
      deleteSessions: method,
      findSessionsByShop: method,
    };
    for (const value of [undefined, new MemorySessionStorage(), own])
      expect(problemsInStorage(value)).toEqual([]);
  });

  it.each([
    ...[null, 'memory', 5, {}].map((value) => [value, 'storeSession()']),
    [MemorySessionStorage, 'is a class: pass an object of it'],
  ])('is refused when it is %p', (value, message) => {
    expect(problemsInStorage(value)).toEqual([
      { option: 'sessionStorage', message: expect.stringContaining(message as string) },
    ]);
  });

  it('is told which methods it lacks', () => {
    expect(problemsInStorage({ storeSession() {}, loadSession() {}, deleteSession() {} })).toEqual([
      {
        option: 'sessionStorage',
        message: 'is no session storage: deleteSessions(), findSessionsByShop() is missing',
      },
    ]);
  });
});
