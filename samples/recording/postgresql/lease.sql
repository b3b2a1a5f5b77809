-- A lock whose leases carry fencing tokens, and a resource that compares them. Every
-- function decides and records in one transaction, and returns the evidence line.
--
--   psql -X -v ON_ERROR_STOP=1 --single-transaction -f lease.sql
--
-- A refusal is an answer, not an exception: an exception would roll back its own evidence.

CREATE SCHEMA lease;

CREATE TABLE lease.lock (
  name     text PRIMARY KEY,
  token    bigint NOT NULL DEFAULT 0, -- of the newest lease; only grows
  owner_id text,
  lease_id text,
  until    timestamptz
);

-- Or a column `highest_token` in the table that holds the value.
CREATE TABLE lease.resource (
  key           text PRIMARY KEY,
  highest_token bigint NOT NULL DEFAULT 0,
  value         jsonb
);

CREATE TABLE lease.effect (
  resource_key text,
  operation_id text,
  token        bigint NOT NULL,
  at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (resource_key, operation_id)
);

CREATE TABLE lease.evidence (
  seq       bigint PRIMARY KEY,
  lock_name text NOT NULL,
  line      json NOT NULL
);
CREATE INDEX ON lease.evidence (lock_name, seq);

-- Each step draws its number while it holds the row that it decides on, so the numbers
-- follow the decisions. A cache would hand each session a block of its own, and they would not.
CREATE SEQUENCE lease.step CACHE 1;

CREATE FUNCTION lease.record(step json) RETURNS json LANGUAGE sql AS $$
  INSERT INTO lease.evidence (seq, lock_name, line)
  VALUES ((step->>'seq')::bigint, step->>'lockName', step)
  RETURNING line;
$$;

-- The lock's row, locked. Whoever first finds that its lease is over records that.
-- clock_timestamp(), since now() is the start of a transaction that may have waited here.
CREATE FUNCTION lease.current(p_lock text) RETURNS lease.lock LANGUAGE plpgsql AS $$
DECLARE
  held lease.lock;
BEGIN
  SELECT * INTO held FROM lease.lock WHERE name = p_lock FOR UPDATE;
  IF held.until <= clock_timestamp() THEN
    PERFORM lease.record(json_build_object(
      'lockName', p_lock,
      'event', 'expire',
      'ownerId', held.owner_id,
      'leaseId', held.lease_id,
      'fenceToken', held.token,
      'result', 'expired',
      'seq', nextval('lease.step'),
      'seqBy', 'authority',
      'ts', clock_timestamp()));
    UPDATE lease.lock SET owner_id = NULL, lease_id = NULL, until = NULL
    WHERE name = p_lock RETURNING * INTO held;
  END IF;
  RETURN held;
END $$;

-- null says that no lease was current; leaving the field out would say that nobody looked.
CREATE FUNCTION lease.active(held lease.lock) RETURNS json LANGUAGE sql AS $$
  SELECT json_build_object(
    'ownerId', held.owner_id, 'leaseId', held.lease_id, 'fenceToken', held.token)
  WHERE held.lease_id IS NOT NULL;
$$;

CREATE FUNCTION lease.acquire(p_lock text, p_owner text, p_lease text, p_ttl interval)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  held   lease.lock;
  answer text := 'acquire-rejected-held';
  given  bigint;
BEGIN
  INSERT INTO lease.lock (name) VALUES (p_lock) ON CONFLICT DO NOTHING;
  held := lease.current(p_lock);
  IF held.lease_id IS NULL THEN
    UPDATE lease.lock
    SET token = token + 1, owner_id = p_owner, lease_id = p_lease,
        until = clock_timestamp() + p_ttl
    WHERE name = p_lock RETURNING token INTO given;
    answer := 'acquired';
  ELSIF held.lease_id = p_lease THEN
    given := held.token; -- its first answer was lost on the way
    answer := 'acquired';
  END IF;
  RETURN lease.record(json_build_object(
    'lockName', p_lock,
    'event', 'acquire',
    'ownerId', p_owner,
    'leaseId', p_lease,
    'fenceToken', given,
    'result', answer,
    'seq', nextval('lease.step'),
    'seqBy', 'authority',
    'ts', clock_timestamp()));
END $$;

CREATE FUNCTION lease.renew(
  p_lock text, p_owner text, p_lease text, p_token bigint, p_ttl interval)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  held   lease.lock := lease.current(p_lock);
  answer text := 'renew-rejected-not-owner';
BEGIN
  IF held.lease_id = p_lease THEN
    UPDATE lease.lock SET until = clock_timestamp() + p_ttl WHERE name = p_lock;
    answer := 'renewed';
  END IF;
  RETURN lease.record(json_build_object(
    'lockName', p_lock,
    'event', 'renew',
    'ownerId', p_owner,
    'leaseId', p_lease,
    'fenceToken', p_token,
    'result', answer,
    'activeLease', lease.active(held),
    'seq', nextval('lease.step'),
    'seqBy', 'authority',
    'ts', clock_timestamp()));
END $$;

CREATE FUNCTION lease.release(p_lock text, p_owner text, p_lease text, p_token bigint)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  held   lease.lock := lease.current(p_lock);
  answer text := 'release-noop';
BEGIN
  IF held.lease_id = p_lease THEN
    UPDATE lease.lock SET owner_id = NULL, lease_id = NULL, until = NULL
    WHERE name = p_lock;
    answer := 'released';
  ELSIF held.lease_id IS NOT NULL THEN
    answer := 'release-rejected-not-owner';
  END IF;
  RETURN lease.record(json_build_object(
    'lockName', p_lock,
    'event', 'release',
    'ownerId', p_owner,
    'leaseId', p_lease,
    'fenceToken', p_token,
    'result', answer,
    'activeLease', lease.active(held),
    'seq', nextval('lease.step'),
    'seqBy', 'authority',
    'ts', clock_timestamp()));
END $$;

CREATE FUNCTION lease.write(
  p_lock text, p_owner text, p_lease text, p_token bigint,
  p_key text, p_operation text, p_value jsonb)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  highest_before bigint;
  highest_after  bigint;
  answer         text;
BEGIN
  INSERT INTO lease.resource (key) VALUES (p_key) ON CONFLICT DO NOTHING;
  SELECT highest_token INTO highest_before
  FROM lease.resource WHERE key = p_key FOR UPDATE;
  highest_after := highest_before;
  IF EXISTS (SELECT FROM lease.effect
             WHERE resource_key = p_key AND operation_id = p_operation) THEN
    answer := 'rejected-duplicate'; -- done before: the caller need not worry
  ELSIF p_token < highest_before THEN
    answer := 'rejected-stale-fence';
  ELSE
    UPDATE lease.resource SET highest_token = p_token, value = p_value
    WHERE key = p_key RETURNING highest_token INTO highest_after;
    INSERT INTO lease.effect (resource_key, operation_id, token)
    VALUES (p_key, p_operation, p_token);
    answer := 'accepted';
  END IF;
  RETURN lease.record(json_build_object(
    'lockName', p_lock,
    'event', 'write',
    'ownerId', p_owner,
    'leaseId', p_lease,
    'fenceToken', p_token,
    'resourceKey', p_key,
    'resourceHighestTokenBefore', highest_before,
    'resourceHighestTokenAfter', highest_after,
    'operationId', p_operation,
    'result', answer,
    'seq', nextval('lease.step'),
    'seqBy', 'resource',
    'ts', clock_timestamp()));
END $$;
