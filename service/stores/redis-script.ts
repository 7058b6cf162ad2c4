import { JOURNAL_KEPT, LONGEST_LEASE } from '../store.ts';

/**
 * Decides one batch in Redis, as one step that nobody else comes between: what `answerBatch` of verbs.ts does for stores in this
 * process. Everything it touches is written under `base`, which holds the hash tag on Redis Cluster.
 *
 * ARGV: 1 head (JSON), 2 suffixes of the set of each item, side by side, 3 answers that are given (index, 4 bytes; answer, 16), 4 state of
 * each item (a byte; or nothing), 5 addresses (JSON; or nothing), then the member of each item, empty where it is refused.
 *
 * Answer: whether it is a replay; the packed answers (see `expandAnswers`); fingerprints and leases of the round; members of the last
 * set that grew. In the packed answers each item has 2 bits, 4 items to a byte: 0 fresh, 1 seen and visited, 2 see the details, which
 * follow in order, 16 bytes each.
 */
export const SCRIPT = `
local call, sub, byte, char = redis.call, string.sub, string.byte, string.char
local head = cjson.decode(ARGV[1])
local base, round, verb, now = head.base, head.round, head.verb, head.now
local suffixes, given, states = ARGV[2], ARGV[3], ARGV[4]
local count, width, first = #ARGV - 5, head.width, 5
local changes = verb ~= 'is_seen'

-- A namespace is bound to one policy, one form and one layout.
local bound = call('HMGET', base .. ':!bound', 'as', 'addresses')
if bound[1] and bound[1] ~= head.bound then return redis.error_reply('-BOUND ' .. bound[1]) end
if changes and not bound[1] then call('HSET', base .. ':!bound', 'as', head.bound, 'addresses', head.addresses) end
local keeps = (bound[2] or head.addresses) == '1'
local addresses = keeps and ARGV[5] ~= '' and cjson.decode(ARGV[5])

local journal = head.journal and base .. ':!journal:' .. head.journal
if journal then
  local earlier = call('GET', journal)
  if earlier then
    if sub(earlier, 1, 32) ~= head.digest then return redis.error_reply('-REUSED key') end
    return { 1, sub(earlier, 33), -1, -1, 0 }
  end
end

local set = base .. ':' .. round .. ':'
local statesKey, leasesKey = base .. ':!states:' .. round, base .. ':!leases:' .. round
local addressesKey, roundKey = base .. ':!addresses:' .. round, base .. ':!round:' .. round
local hasStates, hasLeases = call('EXISTS', statesKey) == 1, call('EXISTS', leasesKey) == 1
local ttl, added, grown = head.ttl, 0, nil
local codes, details = {}, {}

local answers = {}
for at = 1, #given, 20 do answers[struct.unpack('>I4', given, at) + 1] = sub(given, at + 4, at + 19) end

local function detail(i, text)
  codes[i] = 2
  details[#details + 1] = text
end

local function stateOf(id) return hasStates and tonumber(call('HGET', statesKey, id) or 0) or 0 end

local function seen(i, id)
  local state = stateOf(id)
  if state == 0 then codes[i] = 1 else detail(i, struct.pack('>BBI6I8', 1, state, 0, 0)) end
  return state
end

local function leaseOf(id)
  local lease = hasLeases and call('HGET', leasesKey, id)
  if not lease then return nil end
  local token, ends, retry = string.match(lease, '^(%d+) (%d+) (%d+)$')
  return { token = tonumber(token), ends = tonumber(ends), retry = tonumber(retry) }
end

local function setLease(id, token, ends, retry)
  hasLeases = true
  call('HSET', leasesKey, id, string.format('%.0f %.0f %.0f', token, ends, retry))
end

-- A lease that ends later than any may was given by a clock that was wrong.
local function isRunning(lease) return lease.ends > now and lease.ends <= now + ${LONGEST_LEASE} end

local function mark(i, key, member, id, changesState)
  local state = states == '' and 0 or byte(states, i)
  if call('SADD', key, member) == 1 then
    added, grown, codes[i] = added + 1, key, 0
    if ttl > 0 then call('PEXPIRE', key, ttl, 'NX') end
    if hasLeases then call('HDEL', leasesKey, id) end
    if state ~= 0 then
      hasStates = true
      call('HSET', statesKey, id, state)
    end
  elseif seen(i, id) ~= state and changesState then
    hasStates = true
    if state == 0 then call('HDEL', statesKey, id) else call('HSET', statesKey, id, state) end
  end
  local url = addresses and addresses[i]
  if url and url ~= '' then call('HSETNX', addressesKey, id, url) end
end

local verbs = {}

function verbs.mark(i, key, member, id) mark(i, key, member, id, true) end

verbs['import'] = function(i, key, member, id) mark(i, key, member, id, false) end

function verbs.is_seen(i, key, member, id)
  if call('SISMEMBER', key, member) == 1 then return seen(i, id) end
  if answers[i] then return detail(i, answers[i]) end
  local lease = leaseOf(id)
  if lease and isRunning(lease) then detail(i, struct.pack('>BBI6I8', 2, 0, lease.ends, 0))
  elseif lease and lease.retry > now then detail(i, struct.pack('>BBI6I8', 3, 0, lease.retry, 0))
  else codes[i] = 0 end
end

function verbs.lease(i, key, member, id)
  verbs.is_seen(i, key, member, id)
  if codes[i] ~= 0 then return end
  local token = call('INCR', base .. ':!fence')
  setLease(id, token, head['until'], 0)
  detail(i, struct.pack('>BBI6I8', 0, 0, head['until'], token))
end

-- Not the time decides but the token: a lease that has run out and that nobody took is still good.
local function held(i, key, member, id)
  if call('SISMEMBER', key, member) == 1 then
    seen(i, id)
    return nil
  end
  local lease = leaseOf(id)
  local ended = not lease or lease.ends == 0
  if not ended and lease.token == head.tokens[i] then return lease end
  detail(i, struct.pack('>BBI6I8', 4, ended and head.reasons[1] or head.reasons[2], 0, 0))
  return nil
end

function verbs.commit(i, key, member, id)
  if held(i, key, member, id) then mark(i, key, member, id, true) end
end

function verbs.release(i, key, member, id)
  local lease = held(i, key, member, id)
  if not lease then return end
  local retry = head.times and head.times[i] ~= 0 and head.times[i] or now
  setLease(id, lease.token, 0, retry)
  detail(i, struct.pack('>BBI6I8', 3, 0, retry, 0))
end

function verbs.extend(i, key, member, id)
  local lease = held(i, key, member, id)
  if not lease then return end
  setLease(id, lease.token, head['until'], 0)
  detail(i, struct.pack('>BBI6I8', 2, 0, head['until'], lease.token))
end

-- Marks where nothing else is known of the round: what nearly all batches are, at nearly the cost of their SADDs.
local function marks()
  local members, codes = ARGV, codes
  for i = 1, count do
    local member = members[first + i]
    if member == '' then
      detail(i, answers[i])
    else
      local key = set .. sub(suffixes, (i - 1) * width + 1, i * width)
      if call('SADD', key, member) == 1 then
        added, grown, codes[i] = added + 1, key, 0
        if ttl > 0 then call('PEXPIRE', key, ttl, 'NX') end
      else
        codes[i] = 1
      end
    end
  end
end

local function items()
  local answer = verbs[verb]
  for i = 1, count do
    local member = ARGV[first + i]
    if member == '' then
      detail(i, answers[i])
    else
      local suffix = sub(suffixes, (i - 1) * width + 1, i * width)
      answer(i, set .. suffix, member, suffix .. member)
    end
  end
end

local marksOnly = (verb == 'mark' or verb == 'import') and states == '' and not (addresses or hasStates or hasLeases)
if marksOnly then marks() else items() end

local total = 0
if changes and count > 0 then
  call('SADD', base .. ':!rounds', round)
  call('HSETNX', roundKey, 'ends', head.ends)
  total = call('HINCRBY', roundKey, 'count', added)
  if ttl > 0 then
    for _, key in ipairs({ roundKey, statesKey, leasesKey, addressesKey }) do call('PEXPIRE', key, ttl, 'NX') end
  end
end

local packed = {}
for i = 1, count, 4 do
  packed[#packed + 1] = char(codes[i] + 4 * (codes[i + 1] or 0) + 16 * (codes[i + 2] or 0) + 64 * (codes[i + 3] or 0))
end
local reply = table.concat(packed) .. table.concat(details)
if journal then call('SET', journal, head.digest .. reply, 'PX', ${JOURNAL_KEPT}) end
return { 0, reply, total, hasLeases and call('HLEN', leasesKey) or 0, grown and call('SCARD', grown) or 0 }
`;
