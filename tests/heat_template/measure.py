#!/usr/bin/env python3
"""Times python-heatclient and heat-wait side by side: from template files to the bytes of the body.

    cargo build --release -p heat-cli --example body
    PYTHON tests/heat_template/measure.py BODY TEMPLATE [ENVIRONMENT...]

PYTHON has python-heatclient, BODY is target/release/examples/body. Prints a row of a table for each way to look at it:
the whole process (as a command pays it), the first time inside a process, and the best of many. The first two are the
medians of several processes, in turns.
"""

import json
import statistics
import subprocess
import sys
import time

TIMES = 30
PROCESSES = 15
CLIENT = '''
import json, sys, time
from heatclient.common import template_utils
from oslo_serialization import jsonutils
took = []
for _ in range(int(sys.argv[1])):
    began = time.perf_counter()
    files, template = template_utils.process_template_path(sys.argv[2])
    tracker = []
    more, environment = template_utils.process_multiple_environments_and_files(sys.argv[3:], env_list_tracker=tracker)
    files.update(more)
    jsonutils.dumps({'template': template, 'files': files, 'environment': environment, 'environment_files': tracker})
    took.append((time.perf_counter() - began) * 1e3)
print(json.dumps({'first_ms': took[0], 'best_ms': min(took)}))
'''


def run(command):
    began = time.perf_counter()
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return (time.perf_counter() - began) * 1e3, json.loads(out)


def main():
    body, files = sys.argv[1], sys.argv[2:]
    client = [sys.executable, '-c', CLIENT]
    commands = (lambda n: client + [str(n)] + files, lambda n: [body, '--time', str(n)] + files)
    wholes, firsts = ([], []), ([], [])
    for _ in range(PROCESSES):
        for which, command in enumerate(commands):
            whole, took = run(command(1))
            wholes[which].append(whole)
            firsts[which].append(took['first_ms'])
    rows = {'process': [statistics.median(times) for times in wholes],
            'first': [statistics.median(times) for times in firsts],
            'best': [run(command(TIMES))[1]['best_ms'] for command in commands]}
    print('| | python-heatclient, ms | heat-wait, ms | ratio |\n| --- | --- | --- | --- |')
    for name, (theirs, ours) in rows.items():
        print(f'| {name} | {theirs:.1f} | {ours:.2f} | 1/{theirs / ours:.0f} |')


if __name__ == '__main__':
    main()
