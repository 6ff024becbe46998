#!/usr/bin/env python3
"""startup.py PROGRAM...: how long `PROGRAM --version` takes beside /bin/true, which is what starting any process costs.

Fails when the median is more than three times that of /bin/true. Both run in turn, so that a busy machine slows both;
the first of up to five rounds that is within the limit counts, else the best.
"""
import os
import statistics
import sys
import time

LIMIT = 3
RUNS = 100
ROUNDS = 5


def milliseconds(*command):
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, {}, file_actions=silent)
    _, status = os.waitpid(pid, 0)
    took = time.perf_counter() - start
    if status:
        sys.exit(f"{' '.join(command)}: wait status {status}")
    return took * 1000


def measure(program):
    pairs = [(milliseconds("/bin/true"), milliseconds(program, "--version")) for _ in range(RUNS)]
    return [statistics.median(column) for column in zip(*pairs)]


bad = False
for program in sys.argv[1:]:
    rounds = []
    while len(rounds) < ROUNDS and not (rounds and rounds[-1][1] <= LIMIT * rounds[-1][0]):
        rounds.append(measure(program))
    nothing, ours = min(rounds, key=lambda pair: pair[1] / pair[0])
    print(f"{os.path.basename(program)} --version: {ours:.2f} ms, /bin/true: {nothing:.2f} ms, "
          f"ratio {ours / nothing:.2f}, at most {LIMIT}")
    bad |= ours > LIMIT * nothing
sys.exit(bad)
