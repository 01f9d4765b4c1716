import { RedisScript } from '../redis/redis.connection.js';
import {
  FIRST_SHARE,
  LEAST_RATE,
  ROUNDING,
  SECONDS_TO_RESTORE,
  STANDARD_BUCKETS,
  WINDOW,
} from './pace-bucket.js';
import { INTERACTIVE_IN_A_ROW } from './pacer.js';
import type { PaceKind, Priority, Settlement } from './pacer.js';

/** Milliseconds. */
const TIMES = {
  /**
   * A waiting call asks again after half of its expected wait, within these limits: calls ahead of
   * it may leave the queue or cost less.
   */
  look: { least: 250, most: 1000 },
  /**
   * A call that only waits for its turn asks again after this: the one ahead is about to be sent.
   */
  turn: 10,
  /**
   * A waiting call that is this late to ask again belongs to a dead process and loses its place.
   */
  grace: 2000,
  /** A call sent this long ago whose outcome was never reported counts as spent. */
  flight: 120_000,
  /** An unused bucket is removed. */
  keep: 3_600_000,
};

/** The commands of the script. Ids distinguish the calls of all processes. */
export type PaceCommand = {
  readonly id: string;
  readonly kind: PaceKind;
  readonly now?: number | undefined;
} & (
  | { readonly op: 'ask'; readonly cost: number; readonly priority: Priority }
  | { readonly op: 'settle'; readonly told?: Settlement | undefined }
  | { readonly op: 'leave' }
);

/**
 * One bucket and its queue under one key. The rules are those of `PaceBucket`, `RestoreRate` and
 * `PaceQueue`. Time is the server's, in milliseconds; when its clock is set back, the difference is
 * added, so that time never goes back. Returns 0 when the command is done, else the milliseconds to
 * wait before asking again.
 */
export const PACE_SCRIPT = new RedisScript(`
local command = cjson.decode(ARGV[1])
local now = command.now
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end

local standard = cjson.decode('${JSON.stringify(STANDARD_BUCKETS)}')[command.kind]
local kept = redis.call('GET', KEYS[1])
local b = kept and cmsgpack.unpack(kept) or {
  capacity = standard.capacity, level = standard.capacity, rate = standard.restoreRate, at = now,
  spent = 0, settled = 0, doubt = 0, heard = false, told = false,
  row = 0, lines = { interactive = {}, background = {} }, flights = {},
}

b.ahead = math.max(b.ahead or 0, b.at - now)
now = now + b.ahead

local function restore()
  local full = b.capacity - (b.spent - b.settled)
  b.level = b.level + b.rate * (now - b.at) / 1000
  b.at = now
  if b.level >= full then
    b.level = full
    b.anchor = nil
  end
end

local function time_until(cost, ahead)
  local charge = math.min(cost, b.capacity)
  local under_way = b.spent - b.settled
  if not b.heard and under_way > 0 and under_way + charge > b.capacity * ${FIRST_SHARE} then return math.huge end
  if charge > b.capacity - under_way + ${ROUNDING} then return math.huge end
  local missing = charge + ahead - b.level
  return missing <= ${ROUNDING} and 0 or math.ceil(1000 * missing / b.rate)
end

local function doubt_of(reading)
  return reading.spent - reading.settled - reading.cost
end

local function learn(reading)
  local anchor = b.anchor
  if anchor and reading.sentAt > anchor.at then
    local gained = reading.available - anchor.available
    local least = 1000 * (gained + reading.cost + math.max(0, reading.settled - anchor.spent) - 1) / (reading.at - anchor.sentAt)
    local most = math.max(${LEAST_RATE}, 1000 * (gained + reading.spent - anchor.settled - anchor.cost + 1) / (reading.sentAt - anchor.at))
    if b.rate < least then b.rate = math.min(math.ceil(least), most) end
    if b.rate > most then b.rate = most end
  end
  if not anchor or doubt_of(reading) < doubt_of(anchor) / 2 or reading.at - anchor.at > ${WINDOW} then b.anchor = reading end
end

local function read(flight, actual, told)
  if not b.told then b.level = -math.huge end
  if not b.told or told.capacity ~= b.capacity then
    b.capacity = told.capacity
    b.rate = told.capacity / ${SECONDS_TO_RESTORE}
    b.anchor = nil
  end
  b.told = true
  if told.restoreRate then
    b.rate = told.restoreRate
  else
    learn({ available = told.available, sentAt = flight.at, at = now, cost = actual, settled = flight.settled, spent = b.spent })
  end
  local least = told.available - b.doubt - (b.spent - flight.settled - actual)
  local most = told.available + 1 + b.rate * (now - flight.at) / 1000
  b.level = math.min(math.max(b.level, least), most)
end

local function cost_of(flight, told)
  if told.throttled then return 0 end
  if told.actualCost then return told.actualCost end
  if told.bucket or b.told then return flight.charge end
  return 0
end

local function settle(id, told)
  local flight = b.flights[id]
  if not flight then return end
  b.flights[id] = nil
  local actual = told and cost_of(flight, told) or flight.charge
  b.settled = b.settled + actual
  b.spent = b.spent + (actual - flight.charge)
  b.level = b.level + (flight.charge - actual)
  b.heard = b.heard or told ~= nil
  if told and told.bucket then read(flight, actual, told.bucket) end
  if told and told.throttled then
    b.doubt = 1
    b.level = math.min(b.level, math.max(0, (told.bucket and told.bucket.available or 0) - 1))
  end
  restore()
end

local function place_of(id, line)
  for place, waiter in ipairs(line) do
    if waiter.id == id then return place end
  end
end

local function cost_in(line, places)
  local cost = 0
  for place = 1, places do cost = cost + math.min(line[place].cost, b.capacity) end
  return cost
end

local function next_line()
  local interactive, background = b.lines.interactive, b.lines.background
  if background[1] and (not interactive[1] or b.row >= ${INTERACTIVE_IN_A_ROW}) then return background end
  return interactive
end

local function ask(id, cost, priority)
  local line = b.lines[priority]
  local place = place_of(id, line)
  if not place then
    place = #line + 1
    line[place] = { id = id, cost = cost }
  end
  line[place].due = now + ${TIMES.grace}
  local wait
  if place == 1 and next_line() == line then
    wait = time_until(cost, 0)
    if wait <= 0 then
      table.remove(line, 1)
      b.row = (priority == 'background' or not b.lines.background[1]) and 0 or b.row + 1
      local charge = math.min(cost, b.capacity)
      b.level = b.level - charge
      b.spent = b.spent + charge
      b.flights[id] = { charge = charge, at = now, settled = b.settled }
      return 0
    end
  else
    local ahead = cost_in(line, place - 1)
    if priority == 'background' then ahead = ahead + cost_in(b.lines.interactive, #b.lines.interactive) end
    wait = math.max(${TIMES.turn}, time_until(cost, ahead))
  end
  if wait == math.huge then wait = ${TIMES.look.least} end
  local look = math.min(wait, math.max(${TIMES.look.least}, math.min(math.ceil(wait / 2), ${TIMES.look.most})))
  line[place].due = now + look + ${TIMES.grace}
  return look
end

local function leave(id)
  for _, line in pairs(b.lines) do
    local place = place_of(id, line)
    if place then table.remove(line, place) end
  end
  settle(id, { actualCost = 0 })
end

restore()
for id, flight in pairs(b.flights) do
  if flight.at + ${TIMES.flight} < now then settle(id, nil) end
end
for _, line in pairs(b.lines) do
  while line[1] and line[1].due < now do table.remove(line, 1) end
end

local answer = 0
if command.op == 'ask' then
  answer = ask(command.id, command.cost, command.priority)
elseif command.op == 'settle' then
  settle(command.id, command.told)
else
  leave(command.id)
end
redis.call('SET', KEYS[1], cmsgpack.pack(b), 'PX', ${TIMES.keep})
return answer
`);
