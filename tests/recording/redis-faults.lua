#!lua name=faults

-- What the recipe is there to prevent, recorded as the recipe records.

local function record(keys, fields)
  local seq = redis.call('HINCRBY', keys[1], 'seq', 1)
  local line = cjson.encode(fields):gsub('}$', ',"seq":' .. seq .. '}')
  redis.call('RPUSH', keys[2], line)
  return line
end

-- A plain SET: nothing is compared, and there is nothing to read.
redis.register_function('unfenced_write', function(keys, args)
  redis.call('SET', keys[3], args[6])
  return record(keys, {
    lockName = args[1],
    event = 'write',
    ownerId = args[2],
    leaseId = args[3],
    fenceToken = args[4],
    resourceKey = keys[3],
    operationId = args[5],
    result = 'accepted',
    seqBy = 'resource',
  })
end)

-- The lock is removed by its name, whoever has it.
redis.register_function('release_by_name', function(keys, args)
  local held = redis.call('HMGET', keys[1], 'owner', 'lease', 'token')
  redis.call('HDEL', keys[1], 'owner', 'lease', 'until')
  return record(keys, {
    lockName = args[1],
    event = 'release',
    ownerId = args[2],
    leaseId = args[3],
    fenceToken = args[4],
    result = 'released',
    activeLease = { ownerId = held[1], leaseId = held[2], fenceToken = held[3] },
    seqBy = 'authority',
  })
end)
