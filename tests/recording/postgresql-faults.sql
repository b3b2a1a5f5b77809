-- What the recipe is there to prevent, recorded as the recipe records.

-- A plain UPDATE: nothing is compared, and nothing read.
CREATE FUNCTION lease.unfenced_write(
  p_lock text, p_owner text, p_lease text, p_token bigint,
  p_key text, p_operation text, p_value jsonb)
RETURNS json LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lease.resource (key, value) VALUES (p_key, p_value)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value;
  RETURN lease.record(json_build_object(
    'lockName', p_lock,
    'event', 'write',
    'ownerId', p_owner,
    'leaseId', p_lease,
    'fenceToken', p_token,
    'resourceKey', p_key,
    'operationId', p_operation,
    'result', 'accepted',
    'seq', nextval('lease.step'),
    'seqBy', 'resource',
    'ts', clock_timestamp()));
END $$;

-- The lock is removed by its name, whoever has it.
CREATE FUNCTION lease.release_by_name(p_lock text, p_owner text, p_lease text, p_token bigint)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  held lease.lock := lease.current(p_lock);
BEGIN
  UPDATE lease.lock SET owner_id = NULL, lease_id = NULL, until = NULL WHERE name = p_lock;
  RETURN lease.record(json_build_object(
    'lockName', p_lock,
    'event', 'release',
    'ownerId', p_owner,
    'leaseId', p_lease,
    'fenceToken', p_token,
    'result', 'released',
    'activeLease', lease.active(held),
    'seq', nextval('lease.step'),
    'seqBy', 'authority',
    'ts', clock_timestamp()));
END $$;
