#!lua name=lease

-- A lock whose leases carry fencing tokens, and a resource that compares them. Every call
-- decides and records in one step, and returns the evidence line of what it decided.
--
--   redis-cli -x FUNCTION LOAD REPLACE < lease.lua
--
-- The lock is one hash that is never deleted and never expires: `token` and `seq` only
-- grow, `owner`, `lease` and `until` are there while a lease counts. Losing the hash (an
-- eviction, a failover to a replica that lags) means tokens that start again from 1.

local EVIDENCE_KEPT = 10000 -- lines a lock
local EFFECT_KEPT = 7 * 24 * 3600 -- seconds; longer than the latest redelivery
local NONE = {} -- recorded, and nothing there: JSON null

-- Fields in the order given; a field whose value is nil is left out.
local function object(fields)
  local parts = {}
  for _, field in ipairs(fields) do
    local name, value = field[1], field[2]
    if value == NONE then
      value = 'null'
    elseif type(value) == 'table' then
      value = object(value)
    elseif type(value) == 'number' then
      value = string.format('%.0f', value)
    elseif value ~= nil then
      value = cjson.encode(value)
    end
    if value then
      parts[#parts + 1] = cjson.encode(name) .. ':' .. value
    end
  end
  return '{' .. table.concat(parts, ',') .. '}'
end

-- Milliseconds by the server's clock. It decides when a lease is over, and orders nothing.
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Tokens stay text: as numbers of Lua they would lose digits above 2^53.
local function below(a, b)
  if #a ~= #b then
    return #a < #b
  end
  return a < b
end

-- Gives the step its place in the order of `counter`, keeps its line, and returns it.
local function record(counter, evidence, seq_by, fields)
  fields[#fields + 1] = { 'seq', redis.call('HINCRBY', counter, 'seq', 1) }
  fields[#fields + 1] = { 'seqBy', seq_by }
  fields[#fields + 1] = { 'ts', now() }
  local line = object(fields)
  redis.call('RPUSH', evidence, line)
  redis.call('LTRIM', evidence, -EVIDENCE_KEPT, -1)
  return line
end

-- The lease that counts now, or nil. Whoever first finds that it is over records that.
local function current(lock, evidence, name)
  local found = redis.call('HMGET', lock, 'owner', 'lease', 'token', 'until')
  local held = { owner = found[1], lease = found[2], token = found[3] }
  if not held.lease then
    return nil
  end
  if tonumber(found[4]) > now() then
    return held
  end
  redis.call('HDEL', lock, 'owner', 'lease', 'until')
  record(lock, evidence, 'authority', {
    { 'lockName', name },
    { 'event', 'expire' },
    { 'ownerId', held.owner },
    { 'leaseId', held.lease },
    { 'fenceToken', held.token },
    { 'result', 'expired' },
  })
  return nil
end

local function active(held)
  return held
      and { { 'ownerId', held.owner }, { 'leaseId', held.lease }, { 'fenceToken', held.token } }
    or NONE
end

-- FCALL lease_acquire 2 <lock> <evidence> <lock name> <owner> <new lease id> <ttl in ms>
local function acquire(keys, args)
  local lock, evidence = keys[1], keys[2]
  local name, owner, lease, ttl = args[1], args[2], args[3], args[4]
  local held = current(lock, evidence, name)
  local result, token = 'acquire-rejected-held', nil
  if not held then
    redis.call('HINCRBY', lock, 'token', 1)
    redis.call('HSET', lock, 'owner', owner, 'lease', lease, 'until', now() + ttl)
    result, token = 'acquired', redis.call('HGET', lock, 'token')
  elseif held.lease == lease then
    result, token = 'acquired', held.token -- its first answer was lost on the way
  end
  return record(lock, evidence, 'authority', {
    { 'lockName', name },
    { 'event', 'acquire' },
    { 'ownerId', owner },
    { 'leaseId', lease },
    { 'fenceToken', token },
    { 'result', result },
  })
end

-- FCALL lease_renew 2 <lock> <evidence> <lock name> <owner> <lease id> <token> <ttl in ms>
local function renew(keys, args)
  local lock, evidence = keys[1], keys[2]
  local name, owner, lease, token, ttl = args[1], args[2], args[3], args[4], args[5]
  local held = current(lock, evidence, name)
  local result = 'renew-rejected-not-owner'
  if held and held.lease == lease then
    redis.call('HSET', lock, 'until', now() + ttl)
    result = 'renewed'
  end
  return record(lock, evidence, 'authority', {
    { 'lockName', name },
    { 'event', 'renew' },
    { 'ownerId', owner },
    { 'leaseId', lease },
    { 'fenceToken', token },
    { 'result', result },
    { 'activeLease', active(held) },
  })
end

-- FCALL lease_release 2 <lock> <evidence> <lock name> <owner> <lease id> <token>
local function release(keys, args)
  local lock, evidence = keys[1], keys[2]
  local name, owner, lease, token = args[1], args[2], args[3], args[4]
  local held = current(lock, evidence, name)
  local result = 'release-noop'
  if held and held.lease == lease then
    redis.call('HDEL', lock, 'owner', 'lease', 'until')
    result = 'released'
  elseif held then
    result = 'release-rejected-not-owner'
  end
  return record(lock, evidence, 'authority', {
    { 'lockName', name },
    { 'event', 'release' },
    { 'ownerId', owner },
    { 'leaseId', lease },
    { 'fenceToken', token },
    { 'result', result },
    { 'activeLease', active(held) },
  })
end

-- FCALL fenced_write 4 <counter> <evidence> <resource> <effect of this operation>
--       <lock name> <owner> <lease id> <token> <operation id> <value>
--
-- <counter> is the lock's hash where lock and resource share one Redis, so that one `seq`
-- orders both; where they do not, it is the resource's own hash.
local function fenced_write(keys, args)
  local counter, evidence, resource, effect = keys[1], keys[2], keys[3], keys[4]
  local name, owner, lease, token, operation, value =
    args[1], args[2], args[3], args[4], args[5], args[6]
  if not token:match('^[1-9]%d*$') then
    return redis.error_reply('ERR a fencing token is a decimal number above 0')
  end
  local before = redis.call('HGET', resource, 'highest') or '0'
  local result, after = 'accepted', token
  if redis.call('EXISTS', effect) == 1 then
    result, after = 'rejected-duplicate', before -- done before: the caller need not worry
  elseif below(token, before) then
    result, after = 'rejected-stale-fence', before
  else
    redis.call('HSET', resource, 'highest', token, 'value', value)
    redis.call('SET', effect, token, 'EX', EFFECT_KEPT)
  end
  return record(counter, evidence, 'resource', {
    { 'lockName', name },
    { 'event', 'write' },
    { 'ownerId', owner },
    { 'leaseId', lease },
    { 'fenceToken', token },
    { 'resourceKey', resource },
    { 'resourceHighestTokenBefore', before },
    { 'resourceHighestTokenAfter', after },
    { 'operationId', operation },
    { 'result', result },
  })
end

redis.register_function('lease_acquire', acquire)
redis.register_function('lease_renew', renew)
redis.register_function('lease_release', release)
redis.register_function('fenced_write', fenced_write)
