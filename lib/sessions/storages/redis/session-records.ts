import { Session } from '../../session.js';
import { propertiesOf } from '../../session-properties.js';
import { checkStorable } from '../../session.storage.js';
import type { RedisServer } from '../../../core/redis/redis.connection.js';
import type { RedisKeys } from './redis-keys.js';
import { LIST } from './session-scripts.js';

/** How many keys the server is asked to look at, or sessions to answer with, at a time. */
const PAGE = 1_000;
/** How many entries of a list are edited at a time: the server does nothing else meanwhile. */
const EDITS = 100;

/** A session as it lies in the server. */
export interface SessionRecord {
  readonly key: string;
  readonly text: string;
  readonly session: Session;
}

/** A session as it is to be stored. */
export interface SessionWrite {
  readonly key: string;
  /** Key of the list of its shop's sessions. */
  readonly list: string;
  readonly text: string;
  /** The shop as it is written in the text, where nothing else looks like it. */
  readonly shop: string;
}

export function writeOf(keys: RedisKeys, session: Session): SessionWrite {
  checkStorable(session);
  const { id, shop } = session;
  return {
    key: keys.session(id),
    list: keys.list(shop),
    text: textOf(session),
    shop: JSON.stringify(['shop', shop]),
  };
}

/**
 * The text of the official storage: pairs of what is set, the user's included, times in
 * milliseconds.
 */
function textOf(session: Session): string {
  return JSON.stringify(propertiesOf(session, true));
}

/** The way back; undefined for what is no session. */
export function sessionIn(text: unknown): Session | undefined {
  const entries = parsed(text);
  if (
    !Array.isArray(entries) ||
    !entries.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string')
  )
    return undefined;
  const session = Session.fromPropertyArray(entries as [string, unknown][], true);
  return typeof session.id === 'string' ? session : undefined;
}

/** The sessions that are found under these keys. */
export async function recordsAt(
  server: RedisServer,
  keys: RedisKeys,
  wanted: readonly string[],
): Promise<SessionRecord[]> {
  const records: SessionRecord[] = [];
  for (const page of pagesOf(wanted, PAGE)) {
    const texts = (await server.send('MGET', ...page)) as readonly unknown[];
    for (const [index, key] of page.entries()) {
      const text = texts[index];
      const session = text === null ? undefined : sessionIn(text);
      // One with another id lies there for a storage whose prefix goes on after ours.
      if (session && keys.session(session.id) === key)
        records.push({ key, text: String(text), session });
    }
  }
  return records;
}

/**
 * Keys that may be those of sessions, each once, in no order. Never `KEYS`, for which a server with
 * much in it stands still.
 */
export async function sessionKeys(server: RedisServer, keys: RedisKeys): Promise<string[]> {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, page] = (await server.send(
      'SCAN',
      cursor,
      'MATCH',
      keys.pattern,
      'COUNT',
      String(PAGE),
    )) as [unknown, unknown[]];
    for (const key of page.map(String)) if (keys.idIn(key) !== undefined) found.add(key);
    cursor = String(next);
  } while (cursor !== '0');
  return [...found];
}

/**
 * The keys of a shop's list; none when there is no list. May hold a key twice, or one whose session
 * is gone.
 */
export async function listedKeys(server: RedisServer, list: string): Promise<string[]> {
  const entries = parsed(await server.send('GET', list));
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'string') : [];
}

/**
 * Sees to it that the list holds each of these keys once if its session is the shop's, and not at
 * all if it is not.
 */
export async function correctList(
  server: RedisServer,
  keys: RedisKeys,
  list: string,
  sessions: readonly string[],
): Promise<void> {
  for (const page of pagesOf(sessions, EDITS))
    await server.run(LIST, [list, ...page], [keys.lists, ...page.map(entryOf)]);
}

/** A key as it is written in a list. */
export function entryOf(key: string): string {
  return JSON.stringify(key);
}

export function pagesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, page) =>
    items.slice(page * size, (page + 1) * size),
  );
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
