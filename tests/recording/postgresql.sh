#!/usr/bin/env bash
# Stages incidents on a real PostgreSQL through the recipe, and writes their evidence to DIR.
#   postgresql.sh PORT DIR
set -euo pipefail
cd "$(dirname "$0")"
export PGHOST=127.0.0.1 PGPORT=$1 PGUSER=postgres PGDATABASE=postgres
psql() { command psql -X -q -v ON_ERROR_STOP=1 "$@"; }

psql --single-transaction -f ../../samples/recording/postgresql/lease.sql -f postgresql-faults.sql

# One line is one transaction.
psql -o /dev/null <<'SQL'
-- acct:42 is fenced, and its release is bound to the lease.
SELECT lease.acquire('acct:42', 'worker-A', 'lease-A', '1 min');
SELECT lease.acquire('acct:42', 'worker-B', 'lease-B', '1 min');
SELECT lease.renew('acct:42', 'worker-A', 'lease-A', 1, '1 ms');
SELECT pg_sleep(0.1); -- worker-A stands still, and its lease runs out
SELECT lease.acquire('acct:42', 'worker-B', 'lease-B', '1 min');
SELECT lease.write('acct:42', 'worker-B', 'lease-B', 2, 'acct:42/balance', 'pay-2', '{"balance":90}');
SELECT lease.write('acct:42', 'worker-A', 'lease-A', 1, 'acct:42/balance', 'pay-1', '{"balance":80}');
SELECT lease.write('acct:42', 'worker-B', 'lease-B', 2, 'acct:42/balance', 'pay-2', '{"balance":90}');
SELECT lease.release('acct:42', 'worker-A', 'lease-A', 1);
SELECT lease.renew('acct:42', 'worker-A', 'lease-A', 1, '1 min');
SELECT lease.release('acct:42', 'worker-B', 'lease-B', 2);
SELECT lease.release('acct:42', 'worker-B', 'lease-B', 2);

-- acct:43 has neither: a plain UPDATE, and a release by name.
SELECT lease.acquire('acct:43', 'worker-A', 'lease-C', '1 ms');
SELECT pg_sleep(0.1);
SELECT lease.acquire('acct:43', 'worker-B', 'lease-D', '1 min');
SELECT lease.unfenced_write('acct:43', 'worker-B', 'lease-D', 2, 'acct:43/balance', 'pay-4', '{"balance":70}');
SELECT lease.unfenced_write('acct:43', 'worker-A', 'lease-C', 1, 'acct:43/balance', 'pay-3', '{"balance":60}');
SELECT lease.release_by_name('acct:43', 'worker-A', 'lease-C', 1);

-- A name that needs escaping, and a token beyond 2^53.
INSERT INTO lease.lock (name, token) VALUES ('acct:"44\', 9007199254740992);
SELECT lease.acquire('acct:"44\', 'worker ä', 'lease-E', '1 min');
SQL

psql -At -c 'SELECT line FROM lease.evidence ORDER BY seq' >"$2/evidence.jsonl"

# The same functions under contention: `seq` has to follow the decisions.
psql -c 'TRUNCATE lease.evidence'
PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
pgbench -n -c 8 -t 60 -f postgresql-contended.pgbench >/dev/null
psql -At -c 'SELECT line FROM lease.evidence ORDER BY seq' >"$2/contended.jsonl"
