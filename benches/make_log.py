#!/usr/bin/env python3
"""Writes an evidence log for measuring: make_log.py MIB [SHAPE] [LOCKS] > log.jsonl

SHAPE is how a line is laid out: compact (keys in documented order, no spaces), spaced
(as json.dumps writes), sorted (keys in order of the alphabet). In one line of twenty the
keys stand in another order. The other shapes hold the records of the compact one as other
programs log them, for the mappings in benches/mappings: flat and nested (JSON with other
names and words), text (sentences with pairs), logfmt, csv. Locks are taken by a Zipf law;
about one acquisition in a hundred ends with a write of an owner whose lease is over. The
same arguments give the same bytes.
"""
import bisect
import itertools
import random
import sys

from foreign import SHAPES as FOREIGN

MIB = float(sys.argv[1]) if len(sys.argv) > 1 else 64
SHAPE = sys.argv[2] if len(sys.argv) > 2 else "compact"
LOCKS = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000

rng = random.Random(7)
weights = list(itertools.accumulate(1 / (n + 1) for n in range(LOCKS)))
locks = list(range(LOCKS))
rng.shuffle(locks)
token = [0] * LOCKS
highest = [0] * LOCKS
seq = [0] * LOCKS
stale = [None] * LOCKS
clock = 0


def ts():
    global clock
    clock += rng.randrange(1, 900)
    s, ms = divmod(clock, 1000)
    m, s = divmod(s, 60)
    h, m = divmod(m, 60)
    return f'"2026-11-{1 + h // 24 % 30:02}T{h % 24:02}:{m:02}:{s:02}.{ms:03}Z"'


def line(lock, event, result, owner, lease, fence, before=None, after=None, op=None):
    seq[lock] += 1
    fields = [
        ("lockName", f'"tenant-{lock % 97}:report:{lock}:rebuild"'),
        ("ownerId", f'"worker-{owner % 16}-7d9fc{owner:03x}"'),
        ("leaseId", f'"{lease:032x}"'),
        ("fenceToken", str(fence)),
    ]
    if before is not None:
        fields.append(("resourceHighestTokenBefore", str(before)))
    fields += [
        ("result", f'"{result}"'),
        ("event", f'"{event}"'),
        ("seq", str(seq[lock])),
        ("seqBy", '"resource"' if event == "write" else '"authority"'),
    ]
    if event == "write":
        fields += [
            ("resourceKey", f'"tenant-{lock % 97}/report/{lock}"'),
            ("resourceHighestTokenAfter", str(after)),
            ("operationId", f'"rebuild-{lock}-{op}"'),
        ]
    if event == "release":
        fields += [
            ("activeOwnerId", fields[1][1]),
            ("activeLeaseId", fields[2][1]),
            ("activeFenceToken", fields[3][1]),
        ]
    fields.append(("ts", ts()))
    if event != "write" or rng.random() < 0.2:
        fields.append(("trace", f'"{rng.getrandbits(64):016x}"'))
    if SHAPE == "sorted":
        fields.sort()
    if rng.random() < 0.05:
        rng.shuffle(fields)
    if SHAPE == "spaced":
        spaced = "{" + ", ".join(f'"{k}": {v}' for k, v in fields) + "}\n"
        return spaced, len(spaced)
    compact = "{" + ",".join(f'"{k}":{v}' for k, v in fields) + "}\n"
    # A foreign log ends with the record that ends the compact one.
    return FOREIGN[SHAPE](dict(fields)) if SHAPE in FOREIGN else compact, len(compact)


def lease_of(lock):
    """One acquisition with what is done under it."""
    owner, lease = rng.randrange(512), rng.getrandbits(128)
    token[lock] += 1
    fence = token[lock]
    yield line(lock, "acquire", "acquired", owner, lease, fence)
    late = stale[lock]
    stale[lock] = None
    for n in range(rng.randrange(1, 4)):
        if rng.random() < 0.2:
            yield line(lock, "renew", "renewed", owner, lease, fence)
        before, highest[lock] = highest[lock], fence
        yield line(lock, "write", "accepted", owner, lease, fence, before, fence, f"{fence}-{n}")
    if late and late[2] < fence:
        who, handle, old = late
        yield line(lock, "write", "rejected-stale-fence", who, handle, old, fence, fence, f"{old}-9")
    if rng.random() < 0.01:
        stale[lock] = (owner, lease, fence)
        yield line(lock, "expire", "expired", owner, lease, fence)
    else:
        yield line(lock, "release", "released", owner, lease, fence)


def main():
    left = MIB * 1024 * 1024
    running = []
    out = sys.stdout
    while left > 0:
        if len(running) < 64:
            lock = locks[bisect.bisect(weights, rng.random() * weights[-1])]
            if all(lock != other for other, _ in running):
                running.append((lock, lease_of(lock)))
            continue
        at = rng.randrange(len(running))
        one = next(running[at][1], None)
        if one is None:
            running[at] = running[-1]
            running.pop()
            continue
        text, size = one
        out.write(text)
        left -= size


main()
