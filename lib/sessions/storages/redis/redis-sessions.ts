import { LRUCache } from 'lru-cache';

import type { RedisServer } from '../../../core/redis/redis.connection.js';
import { propertiesOf } from '../../session-properties.js';
import { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { RedisKeys } from './redis-keys.js';
import { DELETE, LIST, STORE } from './session-scripts.js';

/** How many keys the server is asked to look at, or sessions to answer with, at a time. */
const PAGE = 500;
/** How many sessions, or entries of a list, are changed in one step: the server does only that. */
const CHANGED_AT_ONCE = 100;
/** The last character of a list that is looked at before the server has to search all of it. */
const GLANCE_END = '4095';

/** A session as it lies in the server. */
export interface SessionRecord {
  readonly key: string;
  readonly text: string;
  readonly session: Session;
}

/** The sessions in a server: under keys of one prefix, each on the list of its shop. */
export class RedisSessions {
  /** Keys of sessions that were stored from here, with those of their lists. */
  readonly #stored = new LRUCache<string, string>({ max: 10_000 });

  constructor(
    readonly server: RedisServer,
    private readonly keys: RedisKeys,
  ) {}

  /** The session that is stored under a key, with its text. */
  async at(key: string): Promise<SessionRecord | undefined> {
    const text = await this.server.send('GET', key);
    const session = sessionIn(text);
    return session && { key, text: String(text), session };
  }

  /**
   * Stores a session. One that was stored and listed from here before most likely still is: to
   * write it, and to look at the beginning of its list in the same trip, costs the server less than
   * the script. That one searches the whole list, and leaves a list that has the session as it is.
   */
  async store(session: Session): Promise<void> {
    const [key, list] = [this.keys.session(session.id), this.keys.list(session.shop)];
    if (this.#stored.get(key) === list) {
      const [, beginning] = await Promise.all([
        this.server.send('SET', key, textOf(session)),
        this.server.send('GETRANGE', list, '0', GLANCE_END),
      ]);
      // Else another process has stored or deleted it since, and has listed it or not.
      if (String(beginning).includes(entryOf(key))) return;
    }
    await this.replace(session, '');
  }

  /**
   * Lists every session on the list of its shop. The first official version had no lists, and later
   * ones lose entries when sessions of a shop are stored at once.
   */
  async listAll(): Promise<void> {
    for (const page of pagesOf(await this.keysOfSessions(), PAGE)) {
      const byList = new Map<string, string[]>();
      for (const { key, session } of await this.recordsAt(page)) {
        const list = this.keys.list(session.shop);
        byList.set(list, [...(byList.get(list) ?? []), key]);
      }
      for (const [list, keys] of byList) await this.correctList(list, keys);
    }
  }

  /**
   * Stores a session.
   * @param expected the stored text that may be replaced, '' for any
   * @returns false when another text is stored
   */
  async replace(session: Session, expected: string): Promise<boolean> {
    const [key, list] = [this.keys.session(session.id), this.keys.list(session.shop)];
    const shop = JSON.stringify(['shop', session.shop]);
    const values = [this.keys.lists, textOf(session), shop, entryOf(key), expected];
    const answer = await this.server.run(STORE, [key, list], values);
    if (answer === -1)
      throw new SessionStorageError(
        'A session has an id that is the name of a shop: its key is in use for something else.',
      );
    this.#stored.set(key, list);
    return answer === 1;
  }

  /** @param sessions each with the text that may be deleted, '' for any */
  async remove(sessions: readonly Pick<SessionRecord, 'key' | 'text'>[]): Promise<number> {
    let count = 0;
    for (const page of pagesOf(sessions, CHANGED_AT_ONCE)) {
      const keys = page.map(({ key }) => key);
      for (const key of keys) this.#stored.delete(key);
      const values = page.flatMap(({ key, text }) => [entryOf(key), text]);
      count += Number(await this.server.run(DELETE, keys, [this.keys.lists, ...values]));
    }
    return count;
  }

  /** Lists each of these keys once if its session is the shop's, and not at all if it is not. */
  async correctList(list: string, keys: readonly string[]): Promise<void> {
    for (const page of pagesOf(keys, CHANGED_AT_ONCE))
      await this.server.run(LIST, [list, ...page], [this.keys.lists, ...page.map(entryOf)]);
  }

  /** The sessions that are found under these keys. */
  async recordsAt(wanted: readonly string[]): Promise<SessionRecord[]> {
    const records: SessionRecord[] = [];
    for (const page of pagesOf(wanted, PAGE)) {
      const texts = (await this.server.send('MGET', ...page)) as readonly unknown[];
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
  async keysOfSessions(): Promise<string[]> {
    const scan = ['MATCH', this.keys.pattern, 'COUNT', String(PAGE)];
    const found = new Set<string>();
    let cursor = '0';
    do {
      const reply = await this.server.send('SCAN', cursor, ...scan);
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

/** The items in lists of at most `size`. */
export function pagesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
    items.slice(page * size, (page + 1) * size),
  );
}
