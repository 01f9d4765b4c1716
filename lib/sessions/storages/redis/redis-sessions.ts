import { LRUCache } from 'lru-cache';

import { parsedBody } from '../../../core/json.js';
import type { RedisServer } from '../../../core/redis/redis.connection.js';
import { propertiesOf } from '../../session-properties.js';
import { Session, hasTokensOf } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { SessionTable } from '../connection/engine-session.storage.js';
import { PAGE, keysLike, pagesOf } from './redis-keys.js';
import type { RedisKeys } from './redis-keys.js';
import { DELETE, LIST, STORE } from './session-scripts.js';

/** How often a session is read again when others store it at the same time. */
const ATTEMPTS = 10;
/** How many sessions, or entries of a list, are changed in one step: the server does only that. */
const CHANGED_AT_ONCE = 100;
/** The last character of a list that is looked at before the server has to search all of it. */
const GLANCE_END = '4095';

/** A session as it lies in the server. */
interface SessionRecord {
  readonly key: string;
  readonly text: string;
  readonly session: Session;
}

/** The sessions in a server. */
export interface RedisSessions extends SessionTable {
  /**
   * Lists every session on the list of its shop. The first official version had no lists, and later
   * ones lose entries when sessions of a shop are stored at once.
   */
  listAll(): Promise<void>;
}

/** The sessions under keys of one prefix, each on the list of its shop. */
export function redisSessions(server: RedisServer, keys: RedisKeys): RedisSessions {
  /** Keys of sessions that were stored from here, with those of their lists. */
  const stored = new LRUCache<string, string>({ max: 10_000 });

  /** Nothing of a session with another id: a storage whose prefix goes on after ours has it. */
  function recordIn(key: string, text: unknown): SessionRecord | undefined {
    const entries = pairsIn(text);
    const session = entries && Session.fromPropertyArray(entries, true);
    const isOurs = session?.id !== undefined && keys.session(session.id) === key;
    return isOurs ? { key, text: String(text), session } : undefined;
  }

  async function recordOf(id: string): Promise<SessionRecord | undefined> {
    const key = keys.session(id);
    return recordIn(key, await server.send('GET', key));
  }

  /** The sessions that are found under these keys. */
  async function recordsAt(wanted: readonly string[]): Promise<SessionRecord[]> {
    const records: SessionRecord[] = [];
    for (const page of pagesOf(wanted, PAGE)) {
      const texts = (await server.send('MGET', ...page)) as readonly unknown[];
      records.push(...page.flatMap((key, index) => recordIn(key, texts[index]) ?? []));
    }
    return records;
  }

  /** Keys that may be those of sessions, not of a storage whose prefix goes on after ours. */
  async function keysOfSessions(): Promise<string[]> {
    const found = new Set<string>();
    for await (const page of keysLike(server, keys.prefix))
      for (const key of page) if (keys.idIn(key) !== undefined) found.add(key);
    return [...found];
  }

  /** All sessions, some at a time. */
  async function* pagesOfRecords(): AsyncGenerator<SessionRecord[]> {
    for (const page of pagesOf(await keysOfSessions(), PAGE)) yield recordsAt(page);
  }

  /**
   * Stores a session.
   * @param expected the stored text that may be replaced, '' for any
   * @returns false when another text is stored
   */
  async function write(session: Session, expected: string): Promise<boolean> {
    const [key, list] = [keys.session(session.id), keys.list(session.shop)];
    const shop = JSON.stringify(['shop', session.shop]);
    const values = [keys.lists, textOf(session), shop, entryOf(key), expected];
    const answer = await server.run(STORE, [key, list], values);
    if (answer === -1)
      throw new SessionStorageError(
        'A session has an id that is the name of a shop: its key is in use for something else.',
      );
    stored.set(key, list);
    return answer === 1;
  }

  /** @param sessions each with the text that may be deleted, '' for any */
  async function remove(sessions: readonly Pick<SessionRecord, 'key' | 'text'>[]): Promise<number> {
    let count = 0;
    for (const page of pagesOf(sessions, CHANGED_AT_ONCE)) {
      const removed = page.map(({ key }) => key);
      for (const key of removed) stored.delete(key);
      const values = page.flatMap(({ key, text }) => [entryOf(key), text]);
      count += Number(await server.run(DELETE, removed, [keys.lists, ...values]));
    }
    return count;
  }

  /** Lists each of these keys once if its session is the shop's, and not at all if it is not. */
  async function correctList(list: string, entries: readonly string[]): Promise<void> {
    for (const page of pagesOf(entries, CHANGED_AT_ONCE))
      await server.run(LIST, [list, ...page], [keys.lists, ...page.map(entryOf)]);
  }

  return {
    load: async (id) => (await recordOf(id))?.session,
    /**
     * One that was stored and listed from here before most likely still is: to write it, and to
     * look at the beginning of its list in the same trip, costs the server less than the script.
     * That one searches the whole list, and leaves a list that has the session as it is.
     */
    async store(session) {
      const [key, list] = [keys.session(session.id), keys.list(session.shop)];
      if (stored.get(key) === list) {
        const [, beginning] = await Promise.all([
          server.send('SET', key, textOf(session)),
          server.send('GETRANGE', list, '0', GLANCE_END),
        ]);
        // Else another process has stored or deleted it since, and has listed it or not.
        if (String(beginning).includes(entryOf(key))) return;
      }
      await write(session, '');
    },
    async replace(session, previous) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const found = await recordOf(session.id);
        if (!found || !hasTokensOf(found.session, previous)) return false;
        if (await write(session, found.text)) return true;
      }
      throw new SessionStorageError(
        'A session could not be replaced: others stored it all the time.',
      );
    },
    delete: (ids) => remove(ids.map((id) => ({ key: keys.session(id), text: '' }))),
    async *deleteExpired(moment) {
      for await (const page of pagesOfRecords()) {
        const expired = page.filter(
          ({ session: { isOnline, expires } }) => isOnline && expires && expires < moment,
        );
        // Not those that have been renewed since.
        yield await remove(expired);
      }
    },
    async ofShop(shop) {
      const list = keys.list(shop);
      const entries = jsonIn(await server.send('GET', list));
      // May hold a key twice, or one whose session is gone; or is no list.
      const listed = Array.isArray(entries) ? entries.filter((one) => typeof one === 'string') : [];
      const records = (await recordsAt([...new Set(listed)])).filter(
        ({ session }) => session.shop === shop,
      );
      const found = new Set(records.map(({ key }) => key));
      const wrong = listed.filter((key) => !found.delete(key));
      await correctList(list, wrong);
      return records.map(({ session }) => session);
    },
    /** In the order of the ids' UTF-8 bytes. */
    async page(after, limit) {
      const ids = (await keysOfSessions()).map((key) => Buffer.from(keys.idIn(key)!));
      const start = after === undefined ? undefined : Buffer.from(after);
      const following = start ? ids.filter((id) => Buffer.compare(id, start) > 0) : ids;
      const ordered = following.sort(Buffer.compare).map((id) => keys.session(String(id)));
      const found: Session[] = [];
      // Some keys turn out to be lists.
      for (const page of pagesOf(ordered, Math.max(limit, 1))) {
        if (found.length >= limit) break;
        found.push(...(await recordsAt(page)).map(({ session }) => session));
      }
      return found.slice(0, limit);
    },
    async listAll() {
      for await (const page of pagesOfRecords()) {
        const lists = new Set(page.map(({ session }) => keys.list(session.shop)));
        for (const list of lists) {
          const listed = page.filter(({ session }) => keys.list(session.shop) === list);
          const entries = listed.map(({ key }) => key);
          await correctList(list, entries);
        }
      }
    },
  };
}

/** A key as it is written in a list. */
const entryOf = (key: string): string => JSON.stringify(key);

/** The value of a JSON text; nothing of value for another, or none. */
export function jsonIn(text: unknown): unknown {
  return parsedBody(String(text ?? ''));
}

/**
 * The text of the official storage: pairs of what is set, the user's included, times in
 * milliseconds.
 */
function textOf(session: Session): string {
  return JSON.stringify(propertiesOf(session, true));
}

/** The pairs in a text of that kind; undefined for any other. */
function pairsIn(text: unknown): [string, unknown][] | undefined {
  const pairs = jsonIn(text);
  const arePairs =
    Array.isArray(pairs) &&
    pairs.every((pair) => Array.isArray(pair) && typeof pair[0] === 'string');
  return arePairs ? (pairs as [string, unknown][]) : undefined;
}
