import { RedisScript } from '../../../core/redis/redis.connection.js';
import type { RedisServer } from '../../../core/redis/redis.connection.js';
import type {
  LeaseTerms,
  RecordKey,
  RecordStore,
  StoredRecord,
} from '../../coordination/record.store.js';
import { keysLike } from './redis-keys.js';
import type { RedisKeys } from './redis-keys.js';

/**
 * A record is one text, `<keepMs> <ttlMs> <version> <changed> <owner> <state> <data>`, and expires
 * `ttlMs` after it was written. Owner and state are `=` and the text in percent-encoding, or `-`
 * for none. A lease is over when no more than `keepMs` is left of the record. `changed` is 0 where
 * it follows from what is left. So no script that leases, renews or ends needs the time, and a
 * record that is new is leased by the fastest command there is. Each webhook would be an entry of
 * an index: instead, who lists records has the server look at all its keys.
 */
const PARTS = `
local function parts(text)
  return string.match(text or '', '^(%d+) (%d+) (%d+) (%d+) (%S+) (%S+) (.*)$')
end`;
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
/** Answers, for each key, with state, data, version and time of change, or with nothing. */
const READ = new RedisScript(`${PARTS}${NOW}
local found = {}
for index, key in ipairs(KEYS) do
  local _, ttl, version, changed, _, state, data = parts(redis.call('GET', key))
  if changed == '0' then changed = now + redis.call('PTTL', key) - ttl end
  found[index] = ttl and {state, data, version, string.format('%.0f', changed)} or false
end
return found`);
/** Leases a record that is there, and one that is not. */
const LEASE = new RedisScript(`${PARTS}
local keep, _, _, _, _, state, data = parts(redis.call('GET', KEYS[1]))
if keep and state ~= '-' then return {'ended', state} end
if keep and redis.call('PTTL', KEYS[1]) > tonumber(keep) then return {'held'} end
redis.call('SET', KEYS[1], ARGV[1] .. (data or ''), 'PX', ARGV[2])
return {'granted', data or ''}`);
/** Writes an owner's record anew, with the data it has unless others are given, or removes it. */
const CHANGE = new RedisScript(`${PARTS}
local _, _, _, _, owner, _, data = parts(redis.call('GET', KEYS[1]))
if owner ~= ARGV[1] then return 0 end
if not ARGV[2] then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[2] .. (ARGV[4] or data), 'PX', ARGV[3])
return 1`);
const PUT = new RedisScript(`${PARTS}${NOW}
local _, _, version = parts(redis.call('GET', KEYS[1]))
if tonumber(version or 0) ~= ARGV[1] - 1 then return 0 end
redis.call('SET', KEYS[1], string.format('0 0 %s %.0f - %s ', ARGV[1], now, ARGV[2]) .. ARGV[3])
return 1`);

/** Keeps records in Redis. The server's clock counts. */
export function redisRecords(server: RedisServer, keys: RedisKeys): RecordStore {
  const keyOf = ({ kind, id }: RecordKey): string => keys.record(kind, id);

  async function found(kind: string, ids: readonly string[]): Promise<StoredRecord[]> {
    if (ids.length === 0) return [];
    const wanted = ids.map((id) => keys.record(kind, id));
    const replies = (await server.run(READ, wanted, [])) as (readonly unknown[] | null)[];
    return replies.flatMap((fields, index) => (fields ? recordIn(ids[index]!, fields) : []));
  }

  /** False when the record is not the owner's. */
  async function change(key: RecordKey, owner: string, ...values: string[]): Promise<boolean> {
    return (await server.run(CHANGE, [keyOf(key)], [written(owner), ...values])) === 1;
  }

  return {
    get: async ({ kind, id }) => (await found(kind, [id]))[0],
    async list({ kind, state, changedSince, after = '', limit }) {
      const start = keys.record(kind, '');
      let first: StoredRecord[] = [];
      for await (const page of keysLike(server, start)) {
        const ids = page.map((key) => key.slice(start.length)).filter((id) => id > after);
        const matching = (await found(kind, ids)).filter(
          (one) => one.changedAt >= (changedSince ?? 0) && (state ?? one.state) === one.state,
        );
        const all = [...new Map([...first, ...matching].map((one) => [one.id, one])).values()];
        all.sort((a, b) => (changedSince ? +b.changedAt - +a.changedAt : a.id < b.id ? -1 : 1));
        first = all.slice(0, limit);
      }
      return first;
    },
    async put({ state, data, version, ...key }) {
      return (await server.run(PUT, [keyOf(key)], [`${version}`, written(state), data])) === 1;
    },
    async lease(recordKey, owner, terms) {
      const key = keyOf(recordKey);
      const [head, ttl] = leased(owner, terms);
      const isNew = (await server.send('SET', key, head, 'NX', 'PX', ttl)) !== null;
      if (isNew) return { kind: 'granted', data: '' };
      const reply = (await server.run(LEASE, [key], [head, ttl])) as unknown[];
      const [outcome, text = ''] = reply.map(String);
      if (outcome === 'granted') return { kind: 'granted', data: text };
      return outcome === 'ended' ? { kind: 'ended', state: read(text)! } : { kind: 'held' };
    },
    renew: (key, owner, terms) => change(key, owner, ...leased(owner, terms)),
    async end(key, owner, outcome) {
      if (!outcome) return void (await change(key, owner));
      const { state, data, keepMs } = outcome;
      const keep = String(Math.max(1, Math.ceil(keepMs)));
      await change(key, owner, `${keep} ${keep} 0 0 - ${written(state)} `, keep, data);
    },
  };
}

/** A record's text up to its data, and the milliseconds after which it expires. */
function leased(owner: string, { leaseMs, keepMs = 0 }: LeaseTerms): [head: string, ttl: string] {
  const [keep, ttl] = [Math.ceil(keepMs), Math.ceil(keepMs) + Math.max(1, Math.ceil(leaseMs))];
  return [`${keep} ${ttl} 0 0 ${written(owner)} - `, String(ttl)];
}

/** A text, or none, as one word. */
function written(text: string | undefined): string {
  return text === undefined ? '-' : `=${encodeURIComponent(text)}`;
}

/** The way back. */
function read(word: string): string | undefined {
  return word === '-' ? undefined : decodeURIComponent(word.slice(1));
}

/** @param fields as `READ` answers with them */
function recordIn(id: string, fields: readonly unknown[]): StoredRecord {
  const [state, data, version, changed] = fields.map(String) as [string, string, string, string];
  return { id, state: read(state), data, version: +version, changedAt: new Date(+changed) };
}
