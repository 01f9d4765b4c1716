import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import { RedisScript } from '../../../core/redis/redis.connection.js';
import type { RedisServer } from '../../../core/redis/redis.connection.js';
import type { Clock } from '../../../core/time/clock.js';
import type {
  LeaseTerms,
  RecordKey,
  RecordQuery,
  RecordStore,
  StoredRecord,
} from '../../coordination/record.store.js';
import type { RedisKeys } from './redis-keys.js';

/** How many entries of an index are looked at in one step: the server does nothing else then. */
const PORTION = 500;

/**
 * A record is one text, `<keepMs> <ttlMs> <version> <changed> <owner> <state> <data>`, and expires
 * `ttlMs` after it was written. Owner and state are `=` and the text in percent-encoding, or `-`
 * for none. A lease is over when no more than `keepMs` is left of the record. `changed` is 0 where
 * it follows from what is left. So no script that leases, renews or ends needs the time, and a
 * record that is new is leased by the fastest command there is.
 *
 * The index of a kind is a sorted set of the ids of its records, but for those that are leased
 * alone. All have the same score, so that they are in the order of their bytes. An entry whose
 * record is gone is removed by `LIST`.
 */
const PARTS = `
local function parts(text)
  return string.match(text or '', '^(%d+) (%d+) (%d+) (%d+) (%S+) (%S+) (.*)$')
end`;
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
/** Answers with state, data, version and time of change; with nothing when there is no record. */
const READ = `${PARTS}${NOW}
local function read(key)
  local _, ttl, version, changed, _, state, data = parts(redis.call('GET', key))
  if not ttl then return end
  if changed == '0' then changed = now + redis.call('PTTL', key) - ttl end
  return {state, data, version, string.format('%.0f', changed)}
end`;
const GET = new RedisScript(`${READ}
return read(KEYS[1])`);
/** Leases a record that is there, and one that is not. */
const LEASE = new RedisScript(`${PARTS}
local keep, _, _, _, _, state, data = parts(redis.call('GET', KEYS[1]))
if keep and state ~= '-' then return {'ended', state} end
if keep and redis.call('PTTL', KEYS[1]) > tonumber(keep) then return {'held'} end
redis.call('SET', KEYS[1], ARGV[1] .. (data or ''), 'PX', ARGV[2])
if KEYS[2] then redis.call('ZADD', KEYS[2], 0, ARGV[3]) end
return {'granted', data or ''}`);
/**
 * Writes an owner's record anew, with the data it has unless others are given, or removes it. The
 * entry in the index is written as well: a crash may have kept it from following its record.
 */
const CHANGE = new RedisScript(`${PARTS}
local keep, _, _, _, owner, _, data = parts(redis.call('GET', KEYS[1]))
if owner ~= ARGV[1] then return 0 end
if not ARGV[3] then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[3] .. (ARGV[5] or data), 'PX', ARGV[4])
if keep ~= '0' then redis.call('ZADD', KEYS[2], 0, ARGV[2]) end
return 1`);
const PUT = new RedisScript(`${PARTS}${NOW}
local _, _, version = parts(redis.call('GET', KEYS[1]))
if tonumber(version or 0) ~= ARGV[1] - 1 then return 0 end
local head = string.format('0 0 %s %.0f - %s ', ARGV[1], now, ARGV[2])
redis.call('SET', KEYS[1], head .. ARGV[3])
if ARGV[1] == '1' then redis.call('ZADD', KEYS[2], 0, ARGV[4]) end
return 1`);
/** Answers with the last id it has looked at, if there may be more, and with what it has found. */
const LIST = new RedisScript(`${READ}
local start, after, since, limit, wanted = unpack(ARGV)
local first = after == '' and '-' or '(' .. after
local ids = redis.call('ZRANGEBYLEX', KEYS[1], first, '+', 'LIMIT', 0, ${PORTION})
local found = {}
for _, id in ipairs(ids) do
  local record = read(start .. id)
  if not record then
    redis.call('ZREM', KEYS[1], id)
  elseif tonumber(record[4]) >= tonumber(since) and (not wanted or record[1] == wanted) then
    found[#found + 1] = {id, unpack(record)}
    if #found == tonumber(limit) then break end
  end
end
return {#ids == ${PORTION} and ids[#ids] or '', found}`);

/** Removes the index entries of one kind's expired records, a portion at a time. */
interface Sweep {
  readonly task: ThrottledTask;
  /** The id after which the next portion begins. */
  after: string;
}

/** Keeps records in Redis. The server's clock counts. */
export function redisRecords(server: RedisServer, keys: RedisKeys, clock: Clock): RecordStore {
  const sweeps = new Map<string, Sweep>();

  function keysOf({ kind, id }: RecordKey): [record: string, index: string] {
    return [keys.record(kind, id), keys.index(kind)];
  }

  /** False when the record is not the owner's. */
  async function change(
    key: RecordKey,
    owner: string,
    values: readonly string[],
  ): Promise<boolean> {
    return (await server.run(CHANGE, keysOf(key), [written(owner), key.id, ...values])) === 1;
  }

  async function page({
    kind,
    state,
    changedSince,
    after = '',
    limit,
  }: RecordQuery): Promise<readonly [last: string, records: StoredRecord[]]> {
    const since = changedSince?.getTime() ?? 0;
    const values = [keys.record(kind, ''), after, String(since), String(limit)];
    if (state !== undefined) values.push(written(state));
    const reply = await server.run(LIST, [keys.index(kind)], values);
    const [last, records] = reply as [unknown, unknown[][]];
    return [String(last), records.map(([id, ...fields]) => recordIn(String(id), fields))];
  }

  function sweepSometimes(kind: string): void {
    const sweep = sweeps.get(kind) ?? { task: new ThrottledTask(clock), after: '' };
    sweeps.set(kind, sweep);
    sweep.task.maybeRun(async () => {
      // A page of nothing, for which the whole portion is looked at.
      const nothing = { changedSince: new Date(8.64e15), limit: 1 };
      [sweep.after] = await page({ kind, after: sweep.after, ...nothing });
      return sweep.after !== '';
    });
  }

  return {
    async get({ kind, id }) {
      const fields = await server.run(GET, [keys.record(kind, id)], []);
      return fields === null ? undefined : recordIn(id, fields as unknown[]);
    },
    async list(query) {
      const found: StoredRecord[] = [];
      let { after = '' } = query;
      while (found.length < query.limit) {
        const [last, records] = await page({
          ...query,
          after,
          limit: query.limit - found.length,
        });
        found.push(...records);
        if (last === '') break;
        after = last;
      }
      return found;
    },
    async put({ state, data, version, ...key }) {
      const values = [String(version), written(state), data, key.id];
      return (await server.run(PUT, keysOf(key), values)) === 1;
    },
    async lease(recordKey, owner, terms) {
      const { kind, id } = recordKey;
      const [key, index] = keysOf(recordKey);
      const [head, ttl] = leased(owner, terms);
      const isKept = Boolean(terms.keepMs);
      if (isKept) sweepSometimes(kind);
      // The entry goes with the record, in one trip. Without its record it would be removed.
      const [isNew] = await Promise.all([
        server.send('SET', key, head, 'NX', 'PX', ttl),
        isKept && server.send('ZADD', index, '0', id),
      ]);
      if (isNew !== null) return { kind: 'granted', data: '' };
      const reply = await server.run(LEASE, isKept ? [key, index] : [key], [head, ttl, id]);
      const [outcome, text = ''] = (reply as unknown[]).map(String);
      if (outcome === 'granted') return { kind: 'granted', data: text };
      return outcome === 'ended' ? { kind: 'ended', state: read(text)! } : { kind: 'held' };
    },
    renew: (key, owner, terms) => change(key, owner, leased(owner, terms)),
    async end(key, owner, outcome) {
      if (!outcome) return void (await change(key, owner, []));
      const { state, data, keepMs } = outcome;
      const keep = String(Math.max(1, Math.ceil(keepMs)));
      await change(key, owner, [`${keep} ${keep} 0 0 - ${written(state)} `, keep, data]);
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
  const changedAt = new Date(Number(changed));
  return { id, state: read(state), data, version: Number(version), changedAt };
}
