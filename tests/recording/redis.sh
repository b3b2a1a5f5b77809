#!/usr/bin/env bash
# Stages incidents on a real Redis through the recipe, and prints their evidence.
#   redis.sh PORT
set -euo pipefail
cd "$(dirname "$0")"
redis() { redis-cli -e -p "$PORT" "$@"; }
quiet() { redis "$@" >/dev/null; }
PORT=$1

redis -x FUNCTION LOAD REPLACE >/dev/null <../../samples/recording/redis/lease.lua
redis -x FUNCTION LOAD REPLACE >/dev/null <redis-faults.lua

# report:417 is fenced, and its release is bound to the lease.
lock=('{report:417}:lock' '{report:417}:evidence')
key='{report:417}:summary'
op='{report:417}:summary:done:'
quiet FCALL lease_acquire 2 "${lock[@]}" report:417 worker-A lease-A 60000
quiet FCALL lease_acquire 2 "${lock[@]}" report:417 worker-B lease-B 60000
quiet FCALL lease_renew 2 "${lock[@]}" report:417 worker-A lease-A 1 1
sleep 0.1 # worker-A stands still, and its lease runs out
quiet FCALL lease_acquire 2 "${lock[@]}" report:417 worker-B lease-B 60000
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "${op}pay-2" report:417 worker-B lease-B 2 pay-2 'rows=90'
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "${op}pay-1" report:417 worker-A lease-A 1 pay-1 'rows=80'
quiet FCALL fenced_write 4 "${lock[@]}" "$key" "${op}pay-2" report:417 worker-B lease-B 2 pay-2 'rows=90'
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

# Names that need escaping, and a token beyond 2^53.
quiet HSET '{report:419}:lock' token 9007199254740992
quiet FCALL lease_acquire 2 '{report:419}:lock' '{report:419}:evidence' 'report:"419\' 'worker ä' lease-E 60000

for name in report:417 report:418 report:419; do
  redis --raw LRANGE "{$name}:evidence" 0 -1
done
