import { RedisScript } from '../../../core/redis/redis.connection.js';
import type { RedisServer } from '../../../core/redis/redis.connection.js';
import type { Clock } from '../../../core/time/clock.js';
import { RecordStore } from '../../coordination/record.store.js';
import type {
  Lease,
  LeaseOutcome,
  LeaseTerms,
  RecordKey,
  RecordQuery,
  StoredRecord,
  VersionedRecord,
} from '../../coordination/record.store.js';
import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import { pageLimit } from '../connection/page-limit.js';
import type { RedisDatabase } from './redis-database.js';
import type { RedisKeys } from './redis-keys.js';

/** How many entries of an index are looked at in one step: the server does nothing else then. */
const PORTION = 500;

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
/** Reading a text as a hash, or the other way round, is an error, which is a table here. */
const IF_OWNED = `
local owner = redis.pcall('HGET', KEYS[1], 'owner')
local isAlone = type(owner) == 'table'
if isAlone then owner = redis.call('GET', KEYS[1]) end
if owner ~= ARGV[1] then return 0 end`;

/**
 * A record is a hash that expires; `ends` is the end of its lease. The index of its kind is a
 * sorted set of ids, all with the same score, so that they are in the order of their bytes. An
 * entry whose record is gone is removed by `LIST`.
 *
 * A new record that is leased alone, such as a lock, is the text of its owner instead, and has no
 * entry: it is leased by the fastest command there is.
 */
const LEASE = new RedisScript(`${NOW}
local fields = redis.pcall('HMGET', KEYS[1], 'ends', 'state', 'data')
if fields.err then return {'held'} end
local ends, state, data = unpack(fields)
if state then return {'ended', state} end
if ends and tonumber(ends) > now then return {'held'} end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'ends', now + ARGV[2], 'changed', now)
redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[3])
if not ends and KEYS[2] then redis.call('ZADD', KEYS[2], 0, ARGV[4]) end
return {'granted', data or ''}`);
const RENEW = new RedisScript(`${IF_OWNED}${NOW}
if isAlone then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
redis.call('HSET', KEYS[1], 'ends', now + ARGV[2], 'changed', now)
return redis.call('PEXPIRE', KEYS[1], ARGV[2] + ARGV[3])`);
const REMOVE = new RedisScript(`
local owner = redis.pcall('GET', KEYS[1])
if type(owner) == 'table' then owner = redis.call('HGET', KEYS[1], 'owner') end
if owner ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`);
const END = new RedisScript(`${IF_OWNED}${NOW}
if isAlone then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], 'owner', '', 'ends', 0, 'changed', now, 'data', ARGV[2], unpack(ARGV, 4))
return redis.call('PEXPIRE', KEYS[1], ARGV[3])`);
const PUT = new RedisScript(`${NOW}
local version = tonumber(ARGV[1])
if tonumber(redis.call('HGET', KEYS[1], 'version') or 0) ~= version - 1 then return 0 end
redis.call('HSET', KEYS[1], 'version', version, 'state', ARGV[2], 'data', ARGV[3], 'changed', now)
if version == 1 then redis.call('ZADD', KEYS[2], 0, ARGV[4]) end
return 1`);
/** Answers with the last id it has looked at, if there may be more, and with what it has found. */
const LIST = new RedisScript(`
local start, after, since, limit, wanted = unpack(ARGV)
local first = after == '' and '-' or '(' .. after
local ids = redis.call('ZRANGEBYLEX', KEYS[1], first, '+', 'LIMIT', 0, ${PORTION})
local found = {}
for _, id in ipairs(ids) do
  local fields = redis.call('HMGET', start .. id, 'state', 'data', 'version', 'changed')
  local state, changed = fields[1], fields[4]
  if not changed then
    redis.call('ZREM', KEYS[1], id)
  elseif tonumber(changed) >= tonumber(since) and (not wanted or state == wanted) then
    found[#found + 1] = {id, unpack(fields)}
    if #found == tonumber(limit) then break end
  end
end
return {#ids == ${PORTION} and ids[#ids] or '', found}`);

/** The fields of a record as the server answers with them: null for those that are not set. */
type Fields = readonly [state: unknown, data: unknown, version: unknown, changed: unknown];

/** Removes the index entries of one kind's expired records, a portion at a time. */
interface Sweep {
  readonly task: ThrottledTask;
  /** The id after which the next portion begins. */
  after: string;
}

/** Keeps records in Redis. The server's clock counts. */
export class RedisRecordStore extends RecordStore {
  readonly #sweeps = new Map<string, Sweep>();

  constructor(
    private readonly database: RedisDatabase,
    private readonly keys: RedisKeys,
    private readonly clock: Clock,
  ) {
    super();
  }

  get({ kind, id }: RecordKey): Promise<StoredRecord | undefined> {
    const command = ['HMGET', this.keys.record(kind, id), 'state', 'data', 'version', 'changed'];
    return this.database.run('read a record', async (server) => {
      const fields = (await server.send(...command).catch(noneOfText)) as Fields | undefined;
      return !fields || fields[3] === null ? undefined : recordIn(id, fields);
    });
  }

  list(query: RecordQuery): Promise<StoredRecord[]> {
    return this.database.run('list records', async (server) => {
      const limit = pageLimit(query.limit);
      const found: StoredRecord[] = [];
      let { after = '' } = query;
      while (found.length < limit) {
        const rest = { ...query, after, limit: limit - found.length };
        const [last, records] = await this.#page(server, rest);
        found.push(...records);
        if (last === '') break;
        after = last;
      }
      return found;
    });
  }

  put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    const values = [String(version), state, data, id];
    return this.database.run(
      'write a record',
      async (server) => (await server.run(PUT, this.#keysOf(kind, id), values)) === 1,
    );
  }

  lease({ kind, id }: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    return this.database.run('lease a record', async (server) => {
      const [leaseMs, keepMs] = wholeMs(terms);
      const [key, index] = this.#keysOf(kind, id);
      if (keepMs !== '0') this.#sweep(server, kind);
      else if ((await server.send('SET', key, owner, 'NX', 'PX', leaseMs)) !== null)
        return { kind: 'granted', data: '' };
      const keys = keepMs === '0' ? [key] : [key, index];
      const reply = (await server.run(LEASE, keys, [owner, leaseMs, keepMs, id])) as unknown[];
      const [outcome, text] = reply.map(String);
      if (outcome === 'granted') return { kind: 'granted', data: text! };
      return outcome === 'ended' ? { kind: 'ended', state: text! } : { kind: 'held' };
    });
  }

  renew({ kind, id }: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    const values = [owner, ...wholeMs(terms)];
    return this.database.run(
      'renew a lease',
      async (server) => (await server.run(RENEW, [this.keys.record(kind, id)], values)) === 1,
    );
  }

  async end({ kind, id }: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const key = this.keys.record(kind, id);
    await this.database.run('end a lease', (server) => {
      if (!outcome) return server.run(REMOVE, [key], [owner]);
      const { state, data, keepMs } = outcome;
      const values = [owner, data, String(Math.ceil(keepMs))];
      if (state !== undefined) values.push('state', state);
      return server.run(END, [key], values);
    });
  }

  async #page(
    server: RedisServer,
    { kind, state, changedSince, after = '', limit }: RecordQuery,
  ): Promise<readonly [last: string, records: StoredRecord[]]> {
    const since = changedSince?.getTime() ?? 0;
    const values = [this.keys.record(kind, ''), after, String(since), String(limit)];
    if (state !== undefined) values.push(state);
    const reply = await server.run(LIST, [this.keys.index(kind)], values);
    const [last, records] = reply as [unknown, [unknown, ...Fields][]];
    return [String(last), records.map(([id, ...fields]) => recordIn(String(id), fields))];
  }

  #sweep(server: RedisServer, kind: string): void {
    const sweep = this.#sweeps.get(kind) ?? { task: new ThrottledTask(this.clock), after: '' };
    this.#sweeps.set(kind, sweep);
    sweep.task.maybeRun(async () => {
      // A page of nothing, for which the whole portion is looked at.
      const nothing = { changedSince: new Date(8.64e15), limit: 1 };
      [sweep.after] = await this.#page(server, { kind, after: sweep.after, ...nothing });
      return sweep.after !== '';
    });
  }

  #keysOf(kind: string, id: string): [record: string, index: string] {
    return [this.keys.record(kind, id), this.keys.index(kind)];
  }
}

/** A record that is leased alone is no hash. */
function noneOfText(error: unknown): undefined {
  if (!(error instanceof Error && error.message.startsWith('WRONGTYPE'))) throw error;
}

function recordIn(id: string, [state, data, version, changed]: Fields): StoredRecord {
  return {
    id,
    state: state === null ? undefined : String(state),
    data: data === null ? '' : String(data),
    version: Number(version ?? 0),
    changedAt: new Date(Number(changed)),
  };
}

/** As the server takes them: whole numbers, of which the first is positive. */
function wholeMs({ leaseMs, keepMs = 0 }: LeaseTerms): [lease: string, keep: string] {
  return [String(Math.max(1, Math.ceil(leaseMs))), String(Math.ceil(keepMs))];
}
