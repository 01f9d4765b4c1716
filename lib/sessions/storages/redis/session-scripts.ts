import { RedisScript } from '../../../core/redis/redis.connection.js';

/**
 * A session is a text of pairs and begins with `[[`; a list of a shop's sessions is a text, too:
 * `["key","key"]`. Lists are edited as texts, between commas, because decoding a long one for each
 * session would keep the server busy, and encoding would change how keys are written.
 */
const LISTS = `
local function isSession(text)
  return text and string.sub(text, 1, 2) == '[['
end

local function listOf(session)
  local isReadable, properties = pcall(cjson.decode, session)
  for _, property in ipairs(isReadable and properties or {}) do
    if property[1] == 'shop' then return LISTS .. property[2] end
  end
end

local function entriesIn(list)
  if not list or #list <= 2 then return ',' end
  return ',' .. string.sub(list, 2, -2) .. ','
end

local function with(entries, entry)
  if string.find(entries, ',' .. entry .. ',', 1, true) then return entries end
  return entries .. entry .. ','
end

local function without(entries, entry)
  local first, last = string.find(entries, ',' .. entry .. ',', 1, true)
  while first do
    entries = string.sub(entries, 1, first) .. string.sub(entries, last + 1)
    first, last = string.find(entries, ',' .. entry .. ',', first, true)
  end
  return entries
end

local function write(key, before, after)
  if after == ',' then
    redis.call('DEL', key)
  elseif after ~= before then
    redis.call('SET', key, '[' .. string.sub(after, 2, -2) .. ']')
  end
end

local function takeOff(key, entry)
  if not key then return end
  local list = redis.call('GET', key)
  if not list or isSession(list) then return end
  local entries = entriesIn(list)
  write(key, entries, without(entries, entry))
end
`;

/** The lists' beginning is the same for all calls of a storage: it comes first. */
const program = (body: string) => new RedisScript(`local LISTS = ARGV[1]\n${LISTS}\n${body}`);

/**
 * Stores a session and lists it under its shop alone, also one that was there and has dropped off
 * the list since. Keys: the session's, and its shop's list. Values: the lists' beginning, the
 * session, its shop as a pair, its entry in a list, and the session that must be there, or '' for
 * any. Answers 1; 0 when another is there; -1 when a key is in use for something else.
 */
export const STORE = program(`
local session, shop, entry, expected = unpack(ARGV, 2)
local before = redis.call('GET', KEYS[1])
if expected ~= '' and before ~= expected then return 0 end
local list = redis.call('GET', KEYS[2])
if before and not isSession(before) or isSession(list) then return -1 end
if before and not string.find(before, shop, 1, true) then
  local former = listOf(before)
  if former ~= KEYS[2] then takeOff(former, entry) end
end
redis.call('SET', KEYS[1], session)
local entries = entriesIn(list)
write(KEYS[2], entries, with(entries, entry))
return 1`);

/**
 * Deletes sessions and takes them off their shops' lists. Keys: the sessions'. Values: the lists'
 * beginning; for each session its entry, and the session that must be there, or '' for any. Answers
 * how many there were.
 */
export const DELETE = program(`
local count = 0
for index, key in ipairs(KEYS) do
  local entry, expected = ARGV[index * 2], ARGV[index * 2 + 1]
  local session = redis.call('GET', key)
  if isSession(session) and (expected == '' or session == expected) then
    redis.call('DEL', key)
    takeOff(listOf(session), entry)
    count = count + 1
  end
end
return count`);

/**
 * Lists sessions once that are the shop's, and no longer those that are not, or gone. Keys: the
 * list's, then the sessions'. Values: the lists' beginning, then an entry for each session.
 */
export const LIST = program(`
local list = redis.call('GET', KEYS[1])
if isSession(list) then return 0 end
local before = entriesIn(list)
local after = before
for index = 2, #KEYS do
  local entry = ARGV[index]
  local session = redis.call('GET', KEYS[index])
  after = without(after, entry)
  if isSession(session) and listOf(session) == KEYS[1] then after = with(after, entry) end
end
write(KEYS[1], before, after)
return 1`);
