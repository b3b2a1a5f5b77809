#!/usr/bin/env bash
# Stages incidents on a real etcd through the recipe, and writes their evidence to DIR.
#   etcd.sh PORT DIR
set -euo pipefail
cd "$(dirname "$0")"
exec >"$2/evidence.jsonl"
export ETCD=http://127.0.0.1:$1 ETCDCTL_API=3 ETCDCTL_ENDPOINTS=http://127.0.0.1:$1
lease() { python3 ../../samples/recording/etcd/lease.py "$@"; }
# The number in "FIELD": "NUMBER" of an evidence line.
number() { sed -n "s/.*\"$1\": \"\{0,1\}\([0-9]*\).*/\1/p"; }

# From its lease on, worker-A stands still; the authority takes the lease away.
a=$(lease acquire report:417 worker-A 60)
a_lease=$(number leaseId <<<"$a") a_token=$(number fenceToken <<<"$a")
busy=$(lease acquire report:417 worker-B 60)
etcdctl lease revoke "$(printf %x "$a_lease")" >/dev/null
early=$(lease write report:417 worker-A "$a_lease" "$a_token" report/417 pay-0 rows=70)
b=$(lease acquire report:417 worker-B 60)
b_lease=$(number leaseId <<<"$b") b_token=$(number fenceToken <<<"$b")
printf '%s\n' "$a" "$busy" "$early" "$b"

lease write report:417 worker-B "$b_lease" "$b_token" report/417 pay-2 rows=90
lease write report:417 worker-A "$a_lease" "$a_token" report/417 pay-1 rows=80
lease write report:417 worker-B "$b_lease" "$b_token" report/417 pay-2 rows=90
lease release report:417 worker-A "$a_lease" "$a_token"
lease release report:417 worker-B "$b_lease" "$b_token"
lease release report:417 worker-B "$b_lease" "$b_token"
