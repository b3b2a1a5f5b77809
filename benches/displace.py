#!/usr/bin/env python3
"""Puts lines of a log out of order for measuring: displace.py LOG [EVERY] [REACH] > log.jsonl

One line of EVERY (100) changes places with one of the next REACH (3000).
"""
import random
import sys

lines = open(sys.argv[1], "rb").readlines()
every = int(sys.argv[2]) if len(sys.argv) > 2 else 100
reach = int(sys.argv[3]) if len(sys.argv) > 3 else 3000
rng = random.Random(5)
for at in range(0, len(lines), every):
    other = min(len(lines) - 1, at + rng.randrange(1, reach))
    lines[at], lines[other] = lines[other], lines[at]
sys.stdout.buffer.writelines(lines)
