import { LRUCache } from 'lru-cache';

import type { RedisServer } from '../../../core/redis/redis.connection.js';
import { propertiesOf } from '../../session-properties.js';
import { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { SessionTable } from '../connection/engine-session.storage.js';
import type { RedisKeys } from './redis-keys.js';
import { DELETE, LIST, STORE } from './session-scripts.js';

/** How many keys the server is asked to look at, or sessions to answer with, at a time. */
const PAGE = 500;
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

/** The sessions in a server: under keys of one prefix, each on the list of its shop. */
export class RedisSessions implements SessionTable {
  /** Keys of sessions that were stored from here, with those of their lists. */
  readonly #stored = new LRUCache<string, string>({ max: 10_000 });

  constructor(
    private readonly server: RedisServer,
    private readonly keys: RedisKeys,
  ) {}

  async load(id: string): Promise<Session | undefined> {
    return (await this.#record(id))?.session;
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
    await this.#write(session, '');
  }

  async replace(session: Session, previous: Session): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const stored = await this.#record(session.id);
      if (!stored || !hasTokensOf(stored.session, previous)) return false;
      if (await this.#write(session, stored.text)) return true;
    }
    throw new SessionStorageError(
      'A session could not be replaced: others stored it all the time.',
    );
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.#remove(ids.map((id) => ({ key: this.keys.session(id), text: '' })));
  }

  async *deleteExpired(moment: Date): AsyncGenerator<number> {
    for (const page of pagesOf(await this.#keysOfSessions(), PAGE)) {
      const expired = (await this.#recordsAt(page)).filter(
        ({ session: { isOnline, expires } }) => isOnline && expires && expires < moment,
      );
      // Not those that have been renewed since.
      yield await this.#remove(expired);
    }
  }

  async ofShop(shop: string): Promise<Session[]> {
    const list = this.keys.list(shop);
    const entries = parsed(await this.server.send('GET', list));
    // May hold a key twice, or one whose session is gone; or is no list.
    const listed = Array.isArray(entries) ? entries.filter((one) => typeof one === 'string') : [];
    const records = (await this.#recordsAt([...new Set(listed)])).filter(
      ({ session }) => session.shop === shop,
    );
    const found = new Set(records.map(({ key }) => key));
    const wrong = listed.filter((key) => !found.delete(key));
    await this.#correctList(list, wrong);
    return records.map(({ session }) => session);
  }

  /** In the order of the ids' UTF-8 bytes. */
  async page(after: string | undefined, limit: number): Promise<Session[]> {
    const ids = (await this.#keysOfSessions()).map((key) => Buffer.from(this.keys.idIn(key)!));
    const start = after === undefined ? undefined : Buffer.from(after);
    const following = start ? ids.filter((id) => Buffer.compare(id, start) > 0) : ids;
    const keys = following.sort(Buffer.compare).map((id) => this.keys.session(String(id)));
    const found: Session[] = [];
    // Some keys turn out to be lists.
    for (const page of pagesOf(keys, Math.max(limit, 1))) {
      if (found.length >= limit) break;
      found.push(...(await this.#recordsAt(page)).map(({ session }) => session));
    }
    return found.slice(0, limit);
  }

  /**
   * Lists every session on the list of its shop. The first official version had no lists, and later
   * ones lose entries when sessions of a shop are stored at once.
   */
  async listAll(): Promise<void> {
    for (const page of pagesOf(await this.#keysOfSessions(), PAGE)) {
      const byList = new Map<string, string[]>();
      for (const { key, session } of await this.#recordsAt(page)) {
        const list = this.keys.list(session.shop);
        byList.set(list, [...(byList.get(list) ?? []), key]);
      }
      for (const [list, keys] of byList) await this.#correctList(list, keys);
    }
  }

  /**
   * Stores a session.
   * @param expected the stored text that may be replaced, '' for any
   * @returns false when another text is stored
   */
  async #write(session: Session, expected: string): Promise<boolean> {
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
  async #remove(sessions: readonly Pick<SessionRecord, 'key' | 'text'>[]): Promise<number> {
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
  async #correctList(list: string, keys: readonly string[]): Promise<void> {
    for (const page of pagesOf(keys, CHANGED_AT_ONCE))
      await this.server.run(LIST, [list, ...page], [this.keys.lists, ...page.map(entryOf)]);
  }

  /** The sessions that are found under these keys. */
  async #recordsAt(wanted: readonly string[]): Promise<SessionRecord[]> {
    const records: SessionRecord[] = [];
    for (const page of pagesOf(wanted, PAGE)) {
      const texts = (await this.server.send('MGET', ...page)) as readonly unknown[];
      records.push(...page.flatMap((key, index) => this.#recordIn(key, texts[index]) ?? []));
    }
    return records;
  }

  async #record(id: string): Promise<SessionRecord | undefined> {
    const key = this.keys.session(id);
    return this.#recordIn(key, await this.server.send('GET', key));
  }

  /** Nothing of a session with another id: a storage whose prefix goes on after ours has it. */
  #recordIn(key: string, text: unknown): SessionRecord | undefined {
    const session = sessionIn(text);
    const isOurs = session && this.keys.session(session.id) === key;
    return isOurs ? { key, text: String(text), session } : undefined;
  }

  /**
   * Keys that may be those of sessions, each once, in no order. Never `KEYS`, for which a server
   * with many keys stands still.
   */
  async #keysOfSessions(): Promise<string[]> {
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

function hasTokensOf(stored: Session, { accessToken, refreshToken }: Session): boolean {
  return (
    (stored.accessToken ?? '') === (accessToken ?? '') &&
    (stored.refreshToken ?? '') === (refreshToken ?? '')
  );
}

/** A key as it is written in a list. */
function entryOf(key: string): string {
  return JSON.stringify(key);
}

/** The items in lists of at most `size`. */
function pagesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
    items.slice(page * size, (page + 1) * size),
  );
}
