import { LRUCache } from 'lru-cache';

import type { RedisServer } from '../../../core/redis/redis.connection.js';
import { propertiesOf } from '../../session-properties.js';
import { Session, checkStorable } from '../../session.js';
import { SessionStorage } from '../../session.storage.js';
import type { SessionPage } from '../../session.storage.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { pageLimit } from '../connection/page-limit.js';
import type { RedisKeys } from './redis-keys.js';
import { DELETE, LIST, STORE } from './session-scripts.js';

/** How many keys the server is asked to look at, or sessions to answer with, at a time. */
const PAGE = 500;
/** How many sessions, or entries of a list, are changed in one step: the server does only that. */
const CHANGED_AT_ONCE = 100;
/** The last character of a list that is looked at before the server has to search all of it. */
const GLANCE_END = '4095';
/** How often a session is read again when others store it at the same time. */
const ATTEMPTS = 10;

/** A session as it lies in the server. */
interface SessionRecord {
  readonly key: string;
  readonly text: string;
  readonly session: Session;
}

/** A storage that keeps sessions under keys of one prefix, each on the list of its shop. */
export abstract class RedisSessions extends SessionStorage {
  /** Keys of sessions that were stored from here, with those of their lists. */
  readonly #stored = new LRUCache<string, string>({ max: 10_000 });

  constructor(protected readonly keys: RedisKeys) {
    super();
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.run('load a session', async (server) => {
      const session = sessionIn(await server.send('GET', this.keys.session(String(id))));
      // One with another id lies there for a storage whose prefix goes on after ours.
      return session?.id === String(id) ? session : undefined;
    });
  }

  /**
   * A session that was stored and listed from here before most likely still is: to write it, and to
   * look at the beginning of its list in the same trip, costs the server less than the script. That
   * one searches the whole list, and leaves a list that has the session as it is.
   */
  storeSession(session: Session): Promise<boolean> {
    return this.run('store a session', async (server) => {
      checkStorable(session);
      const [key, list] = [this.keys.session(session.id), this.keys.list(session.shop)];
      if (this.#stored.get(key) !== list) return this.#write(server, session);
      const text = textOf(session);
      const [, beginning] = await Promise.all([
        server.send('SET', key, text),
        server.send('GETRANGE', list, '0', GLANCE_END),
      ]);
      // Unless another process has stored or deleted it since, and has listed it or not.
      if (!String(beginning).includes(entryOf(key))) await this.#write(server, session, text);
      return true;
    });
  }

  override replaceSession(session: Session, previous: Session): Promise<boolean> {
    return this.run('replace a session', async (server) => {
      checkStorable(session);
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const text = await server.send('GET', this.keys.session(session.id));
        const stored = sessionIn(text);
        if (!stored || !hasTokensOf(stored, previous)) return false;
        if (await this.#write(server, session, String(text))) return true;
      }
      throw new SessionStorageError(
        'A session could not be replaced: others stored it all the time.',
      );
    });
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  deleteSessions(ids: string[]): Promise<boolean> {
    const sessions = ids.map((id) => ({ key: this.keys.session(String(id)), text: '' }));
    return this.run('delete sessions', async (server) => {
      await this.#remove(server, sessions);
      return true;
    });
  }

  override deleteExpiredSessions(moment: Date): Promise<number> {
    return this.run('delete expired sessions', async (server) => {
      let count = 0;
      for (const page of pagesOf(await this.#sessionKeys(server), PAGE)) {
        const expired = (await this.#recordsAt(server, page)).filter(
          ({ session: { isOnline, expires } }) => isOnline && expires && expires < moment,
        );
        // Not those that have been renewed since.
        count += await this.#remove(server, expired);
      }
      return count;
    });
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.run("find a shop's sessions", async (server) => {
      const list = this.keys.list(String(shop));
      const entries = parsed(await server.send('GET', list));
      // May hold a key twice, or one whose session is gone; or is no list.
      const listed = Array.isArray(entries)
        ? entries.filter((entry) => typeof entry === 'string')
        : [];
      const records = (await this.#recordsAt(server, [...new Set(listed)])).filter(
        ({ session }) => session.shop === String(shop),
      );
      const found = new Set(records.map(({ key }) => key));
      const wrong = listed.filter((key) => !found.delete(key));
      await this.#correctList(server, list, wrong);
      return records.map(({ session }) => session);
    });
  }

  /** In the order of the ids' UTF-8 bytes. */
  override listSessions({ after, limit }: SessionPage): Promise<Session[]> {
    const count = pageLimit(limit);
    return this.run('list sessions', async (server) => {
      const ids = (await this.#sessionKeys(server)).map((key) => Buffer.from(this.keys.idIn(key)!));
      const start = after === undefined ? undefined : Buffer.from(after);
      const following = start ? ids.filter((id) => Buffer.compare(id, start) > 0) : ids;
      const keys = following.sort(Buffer.compare).map((id) => this.keys.session(String(id)));
      const sessions: Session[] = [];
      // Some keys turn out to be lists.
      for (const page of pagesOf(keys, Math.max(count, 1))) {
        if (sessions.length >= count) break;
        sessions.push(...(await this.#recordsAt(server, page)).map(({ session }) => session));
      }
      return sessions.slice(0, count);
    });
  }

  /** @param what it does, for the error that says so when it fails */
  protected abstract run<T>(what: string, work: (server: RedisServer) => Promise<T>): Promise<T>;

  /**
   * Lists every session on the list of its shop. The first official version had no lists, and later
   * ones lose entries when sessions of a shop are stored at once.
   */
  protected async listAll(server: RedisServer): Promise<void> {
    for (const page of pagesOf(await this.#sessionKeys(server), PAGE)) {
      const byList = new Map<string, string[]>();
      for (const { key, session } of await this.#recordsAt(server, page)) {
        const list = this.keys.list(session.shop);
        byList.set(list, [...(byList.get(list) ?? []), key]);
      }
      for (const [list, keys] of byList) await this.#correctList(server, list, keys);
    }
  }

  /**
   * @param expected the stored text that may be replaced, '' for any
   * @returns false when another text is stored
   */
  async #write(server: RedisServer, session: Session, expected = ''): Promise<boolean> {
    const [key, list] = [this.keys.session(session.id), this.keys.list(session.shop)];
    const shop = JSON.stringify(['shop', session.shop]);
    const values = [this.keys.lists, textOf(session), shop, entryOf(key), expected];
    const answer = await server.run(STORE, [key, list], values);
    if (answer === -1)
      throw new SessionStorageError(
        'A session has an id that is the name of a shop: its key is in use for something else.',
      );
    this.#stored.set(key, list);
    return answer === 1;
  }

  /** @param sessions each with the text that may be deleted, '' for any */
  async #remove(
    server: RedisServer,
    sessions: readonly Pick<SessionRecord, 'key' | 'text'>[],
  ): Promise<number> {
    let count = 0;
    for (const page of pagesOf(sessions, CHANGED_AT_ONCE)) {
      const keys = page.map(({ key }) => key);
      for (const key of keys) this.#stored.delete(key);
      const values = page.flatMap(({ key, text }) => [entryOf(key), text]);
      count += Number(await server.run(DELETE, keys, [this.keys.lists, ...values]));
    }
    return count;
  }

  /** Lists each of these keys once if its session is the shop's, and not at all if it is not. */
  async #correctList(server: RedisServer, list: string, keys: readonly string[]): Promise<void> {
    for (const page of pagesOf(keys, CHANGED_AT_ONCE))
      await server.run(LIST, [list, ...page], [this.keys.lists, ...page.map(entryOf)]);
  }

  /** The sessions that are found under these keys. */
  async #recordsAt(server: RedisServer, wanted: readonly string[]): Promise<SessionRecord[]> {
    const records: SessionRecord[] = [];
    for (const page of pagesOf(wanted, PAGE)) {
      const texts = (await server.send('MGET', ...page)) as readonly unknown[];
      for (const [index, key] of page.entries()) {
        const session = sessionIn(texts[index]);
        if (session && this.keys.session(session.id) === key)
          records.push({ key, text: String(texts[index]), session });
      }
    }
    return records;
  }

  /**
   * Keys that may be those of sessions, each once, in no order. Never `KEYS`, for which a server
   * with many keys stands still.
   */
  async #sessionKeys(server: RedisServer): Promise<string[]> {
    const scan = ['MATCH', this.keys.pattern, 'COUNT', String(PAGE)];
    const found = new Set<string>();
    let cursor = '0';
    do {
      const reply = await server.send('SCAN', cursor, ...scan);
      const [next, page] = reply as [unknown, unknown[]];
      for (const key of page.map(String)) if (this.keys.idIn(key) !== undefined) found.add(key);
      cursor = String(next);
    } while (cursor !== '0');
    return [...found];
  }
}

/** The value of a JSON text; undefined when it is none. */
export function parsed(text: unknown): unknown {
  if (text === null || text === undefined) return undefined;
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/**
 * The text of the official storage: pairs of what is set, the user's included, times in
 * milliseconds.
 */
function textOf(session: Session): string {
  return JSON.stringify(propertiesOf(session, true));
}

/** The session in a text of that kind; undefined for any other. */
function sessionIn(text: unknown): Session | undefined {
  const entries = parsed(text);
  if (
    !Array.isArray(entries) ||
    !entries.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string')
  )
    return undefined;
  const session = Session.fromPropertyArray(entries as [string, unknown][], true);
  return typeof session.id === 'string' ? session : undefined;
}

/** A key as it is written in a list. */
function entryOf(key: string): string {
  return JSON.stringify(key);
}

function hasTokensOf(stored: Session, { accessToken, refreshToken }: Session): boolean {
  return (
    (stored.accessToken ?? '') === (accessToken ?? '') &&
    (stored.refreshToken ?? '') === (refreshToken ?? '')
  );
}

function pagesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
    items.slice(page * size, (page + 1) * size),
  );
}
