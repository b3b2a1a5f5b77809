#!/usr/bin/env python3
"""Writes an evidence log of many locks for measuring: make_locks.py LOCKS > log.jsonl

Every lock is acquired and written to once, one in five is released; 64 of them are busy
at a time. The same arguments give the same bytes.
"""
import random
import sys

LOCKS = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
rng = random.Random(3)
TS = '"ts":"2026-11-01T00:00:00.000Z"'


def lines(lock):
    tenant, n = lock % 97, rng.randrange(512)
    owner, lease = f"worker-{n % 16}-7d9fc{n:03x}", f"{rng.getrandbits(128):032x}"
    asks = (
        f'{{"lockName":"tenant-{tenant}:report:{lock}:rebuild","ownerId":"{owner}",'
        f'"leaseId":"{lease}","fenceToken":1,'
    )
    yield (
        f'{asks}"result":"acquired","event":"acquire","seq":1,"seqBy":"authority",{TS},'
        f'"trace":"{rng.getrandbits(64):016x}"}}\n'
    )
    yield (
        f'{asks}"resourceHighestTokenBefore":0,"result":"accepted","event":"write","seq":2,'
        f'"seqBy":"resource","resourceKey":"tenant-{tenant}/report/{lock}",'
        f'"resourceHighestTokenAfter":1,"operationId":"rebuild-{lock}-1-0",{TS}}}\n'
    )
    if lock % 5 == 0:
        yield (
            f'{asks}"result":"released","event":"release","seq":3,"seqBy":"authority",'
            f'"activeOwnerId":"{owner}","activeLeaseId":"{lease}","activeFenceToken":1,{TS}}}\n'
        )


def main():
    running, lock = [], 0
    while lock < LOCKS or running:
        while len(running) < 64 and lock < LOCKS:
            running.append(lines(lock))
            lock += 1
        at = rng.randrange(len(running))
        line = next(running[at], None)
        if line is None:
            running[at] = running[-1]
            running.pop()
        else:
            sys.stdout.write(line)


main()
