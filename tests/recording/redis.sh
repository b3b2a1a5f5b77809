#!/usr/bin/env bash
# Stages incidents on a real Redis through the recipe, and writes their evidence to DIR.
#   redis.sh PORT DIR
set -euo pipefail
cd "$(dirname "$0")"
redis() { redis-cli -e -p "$PORT" "$@"; }
quiet() { redis "$@" >/dev/null; }
lines() { redis --raw LRANGE "{$1}:evidence" 0 -1; }
PORT=$1 DIR=$2

redis -x FUNCTION LOAD REPLACE >/dev/null <../../samples/recording/redis/lease.lua
redis -x FUNCTION LOAD REPLACE >/dev/null <redis-faults.lua

# report:417 is fenced, and its release is bound to the lease.
lock=('{report:417}:lock' '{report:417}:evidence')
key='{report:417}:summary'
quiet FCALL lease_acquire 2 "${lock[@]}" report:417 worker-A lease-A 60000
quiet FCALL lease_acquire 2 "${lock[@]}" report:417 worker-B lease-B 60000
quiet FCALL lease_renew 2 "${lock[@]}" report:417 worker-A lease-A 1 1
sleep 0.1 # worker-A stands still, and its lease runs out
quiet FCALL lease_acquire 2 "${lock[@]}" report:417 worker-B lease-B 60000
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "$key:done:pay-2" report:417 worker-B lease-B 2 pay-2 'rows=90'
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "$key:done:pay-1" report:417 worker-A lease-A 1 pay-1 'rows=80'
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "$key:done:pay-2" report:417 worker-B lease-B 2 pay-2 'rows=90'
quiet FCALL lease_release 2 "${lock[@]}" report:417 worker-A lease-A 1
quiet FCALL lease_renew 2 "${lock[@]}" report:417 worker-A lease-A 1 60000
quiet FCALL lease_release 2 "${lock[@]}" report:417 worker-B lease-B 2
quiet FCALL lease_release 2 "${lock[@]}" report:417 worker-B lease-B 2

# report:418 has neither: a plain SET, and a release by name.
lock=('{report:418}:lock' '{report:418}:evidence')
key='{report:418}:summary'
quiet FCALL lease_acquire 2 "${lock[@]}" report:418 worker-A lease-C 1
sleep 0.1
quiet FCALL lease_acquire 2 "${lock[@]}" report:418 worker-B lease-D 60000
quiet FCALL unfenced_write 3 "${lock[@]}" "$key" report:418 worker-B lease-D 2 pay-4 'rows=70'
quiet FCALL unfenced_write 3 "${lock[@]}" "$key" report:418 worker-A lease-C 1 pay-3 'rows=60'
quiet FCALL release_by_name 2 "${lock[@]}" report:418 worker-A lease-C 1

# report:419 is fenced, and its ledger has forgotten the operation.
lock=('{report:419}:lock' '{report:419}:evidence')
key='{report:419}:summary'
quiet FCALL lease_acquire 2 "${lock[@]}" report:419 worker-A lease-E 60000
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "$key:done:pay-5" report:419 worker-A lease-E 1 pay-5 'rows=50'
quiet DEL "$key:done:pay-5"
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "$key:done:pay-5" report:419 worker-A lease-E 1 pay-5 'rows=50'

# report:420 is fenced, and its two owners write to two keys.
lock=('{report:420}:lock' '{report:420}:evidence')
quiet FCALL lease_acquire 2 "${lock[@]}" report:420 worker-A lease-F 1
sleep 0.1
quiet FCALL lease_acquire 2 "${lock[@]}" report:420 worker-B lease-G 60000
key='{report:420}:v2:summary'
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "$key:done:pay-7" report:420 worker-B lease-G 2 pay-7 'rows=30'
key='{report:420}:summary'
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "$key:done:pay-6" report:420 worker-A lease-F 1 pay-6 'rows=40'

# report:421 loses its hash, as in a failover to a replica that had not got it.
lock=('{report:421}:lock' '{report:421}:evidence')
quiet FCALL lease_acquire 2 "${lock[@]}" report:421 worker-A lease-H 60000
quiet DEL '{report:421}:lock'
quiet FCALL lease_acquire 2 "${lock[@]}" report:421 worker-B lease-I 60000

# Names that need escaping, and a token beyond 2^53.
quiet HSET '{report:422}:lock' token 9007199254740992
quiet FCALL lease_acquire 2 '{report:422}:lock' '{report:422}:evidence' 'report:"422\' 'worker ä' lease-J 60000

for number in 417 418 419 420 421 422; do
  lines "report:$number"
done >"$DIR/evidence.jsonl"

# report:430 and its resource know nothing of each other: each counts for itself.
lock=('{report:430}:lock' '{report:430}:evidence')
summary=('{summary:430}:counter' '{summary:430}:evidence' '{summary:430}')
quiet FCALL lease_acquire 2 "${lock[@]}" report:430 worker-A lease-K 1
sleep 0.1
quiet FCALL lease_acquire 2 "${lock[@]}" report:430 worker-B lease-L 60000
quiet FCALL unfenced_write 3 "${summary[@]}" report:430 worker-B lease-L 2 pay-9 'rows=10'
quiet FCALL unfenced_write 3 "${summary[@]}" report:430 worker-A lease-K 1 pay-8 'rows=20'
lines report:430 >"$DIR/authority.jsonl"
lines summary:430 >"$DIR/resource.jsonl"
