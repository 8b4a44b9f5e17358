/**
 * KEYS: names, expiries, watch, changed, then the entries of the guards, then those of the writes. ARGV: now, number of
 * guards, for each guard `+` and its value or `-`; then for each write the key, `-` or the header with the value, the
 * expiry (0 for none), the seconds after which Redis itself may drop it (0 for never), and the operation: `-` to put the
 * value there, `#` to put it under the next number of the key, otherwise the number to add to the count there. An expired
 * entry counts as absent. While a snapshot is being taken (`watch` exists), written keys are recorded in `changed`.
 * Returns 1 if every guard held and all was written.
 */
export const commitScript = `
local now = tonumber(ARGV[1])
local guards = tonumber(ARGV[2])
local at = 3
for i = 1, guards do
  local stored = redis.call('GET', KEYS[4 + i])
  if stored then
    local expiry = struct.unpack('>d', stored)
    if expiry ~= 0 and expiry <= now then stored = false end
  end
  local wanted = ARGV[at]
  at = at + 1
  if string.sub(wanted, 1, 1) == '-' then
    if stored then return 0 end
  elseif not stored or string.sub(stored, 9) ~= string.sub(wanted, 2) then
    return 0
  end
end
local watched = redis.call('EXISTS', KEYS[3]) == 1
local function note(key)
  if watched then redis.call('SADD', KEYS[4], key) end
end
local function added(entry, header, more)
  local stored = redis.call('GET', entry)
  local count = 0
  if stored then
    local expiry = struct.unpack('>d', stored)
    if expiry == 0 or expiry > now then count = tonumber(string.sub(stored, 9)) end
  end
  count = count + more
  return count, header .. string.format('%.0f', count)
end
for i = 1, #KEYS - 4 - guards do
  local entry, key = KEYS[4 + guards + i], ARGV[at]
  local value, kind = ARGV[at + 1], ARGV[at + 4]
  if kind == '#' then
    local number, counter = added(entry .. '#', struct.pack('>d', 0), 1)
    redis.call('SET', entry .. '#', counter)
    redis.call('ZADD', KEYS[1], 0, key .. '#')
    note(key .. '#')
    local suffix = string.format('/%016.0f', number)
    entry = entry .. suffix
    key = key .. suffix
  elseif kind ~= '-' then
    local count
    count, value = added(entry, value, tonumber(kind))
  end
  note(key)
  if value == '-' then
    redis.call('DEL', entry)
    redis.call('ZREM', KEYS[1], key)
    redis.call('ZREM', KEYS[2], key)
  else
    redis.call('SET', entry, value)
    redis.call('ZADD', KEYS[1], 0, key)
    if ARGV[at + 2] == '0' then
      redis.call('ZREM', KEYS[2], key)
    else
      redis.call('ZADD', KEYS[2], ARGV[at + 2], key)
      redis.call('EXPIRE', entry, ARGV[at + 3])
    end
  end
  at = at + 5
end
return 1`

/**
 * KEYS: names, expiries, then the entries of ARGV[2...]. ARGV: now, then keys. Erases entries that have expired and the
 * names of those that Redis has dropped; returns their number.
 */
export const sweepScript = `
local now = tonumber(ARGV[1])
local erased = 0
for i = 2, #ARGV do
  local stored = redis.call('GET', KEYS[1 + i])
  local expiry = stored and struct.unpack('>d', stored) or 0
  if not stored or (expiry ~= 0 and expiry <= now) then
    redis.call('DEL', KEYS[1 + i])
    erased = erased + redis.call('ZREM', KEYS[1], ARGV[i])
    redis.call('ZREM', KEYS[2], ARGV[i])
  end
end
return erased`

/**
 * [Note: Counts are not kept] If every write goes to disk before it is acknowledged, each request would wait for the
 * disk. So counts are neither logged nor replicated, and start from zero when the Redis server restarts. KEYS: a count.
 * ARGV: the length of its window in milliseconds, and how many uses to count. Returns the count, and the remaining
 * milliseconds of the window.
 */
export const countScript = `
redis.set_repl(redis.REPL_NONE)
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if ARGV[2] ~= '0' then count = redis.call('INCRBY', KEYS[1], ARGV[2]) end
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then return {count, left} end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return {count, tonumber(ARGV[1])}`

/**
 * [Note: A snapshot without a stop] Redis cannot show all of its keys at one moment. They are read one after the other
 * while others write, and keys that were written in the meantime are read again, all within this one script. The result
 * is therefore the state at the moment when the script ran. KEYS: watch, changed. ARGV: the name of the snapshot, the
 * prefix of entry keys. Returns the written keys and their values; nothing if the watch has expired or belongs to another
 * snapshot, in which case writes were not recorded.
 */
export const changedScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
local changed = redis.call('SMEMBERS', KEYS[2])
local found = {}
for i, key in ipairs(changed) do
  found[2 * i - 1] = key
  found[2 * i] = redis.call('GET', ARGV[2] .. key) or ''
end
redis.call('DEL', KEYS[1], KEYS[2])
return found`

/**
 * [Note: A watch begins in one step] With two steps, a snapshot that stalls between them for longer than its watch lasts
 * would clear the records of the next snapshot. KEYS: watch, changed. ARGV: the name of the snapshot, and the seconds to
 * watch it. Returns 1, or 0 if another snapshot is being watched.
 */
export const beginWatchScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1`

/**
 * KEYS: watch, changed. ARGV: the name of the snapshot, and the seconds to extend its watch by, or 0 to end it. Returns 1
 * if the watch was still active.
 */
export const watchScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then redis.call('DEL', KEYS[1], KEYS[2]) else redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return 1`

/** Parses the reply of `countScript`. */
export function countedOf(reply: unknown): { counted: number; left: number } {
  const [counted, left] = reply as [unknown, unknown]
  return { counted: Number(counted), left: Number(left) }
}
