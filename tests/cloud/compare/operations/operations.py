#!/usr/bin/env python3
"""Runs every operation of both programs beside the Python clients, to success and to failure.

    operations.py CONFIG [WORDS]

CONFIG is a JSON object: heat_wait, manila_wait, openstack, page (the Markdown file whose sections are written anew),
lanes, limit (seconds after the end at which the client is taken to hang). WORDS: only cases of which the operation has
them; the page stays then. Or "together": only what is deleted together.
"""
import json
import os
import queue
import random
import sys
import threading
import time
import traceback

import page
import shares
import stacks
import together
from cloud import Api
from sides import Sides
from sweep import sweep

TOGETHER = "together"


def main():
    config = json.loads(sys.argv[1])
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    prefix = f"c{os.getpid()}"
    apis = {"demo": Api("demo"), "admin": Api("admin")}
    sides = Sides(config, config["openstack"], config["limit"])
    cases = [case for case in stacks.CASES + shares.CASES if only in f"{case.operation} {case.fault or ''}"]
    began = time.monotonic()
    try:
        sections = {}
        if only != TOGETHER:
            run(cases, sides, apis, prefix, config["lanes"])
            sections = page.sections(cases, (time.monotonic() - began) / 60, config["limit"])
        if not only:
            # At once: what follows takes long, too.
            page.write(config["page"], sections)
        if only in ("", TOGETHER):
            sections["together"] = page.together(together.measure(apis["demo"], config, prefix))
            page.write(config["page"], sections)
    finally:
        sweep(apis, prefix)
    for text in sections.values():
        print(text)
    sys.exit(0 if all(len(case.runs) == 2 for case in cases) else 1)


def run(cases, sides, apis, prefix, lanes):
    """Every case with both programs, `lanes` at a time. A case that could not be prepared has no run."""
    work = queue.SimpleQueue()
    jobs = [(number, case, side) for number, case in enumerate(cases) for side in ("ours", "client")]
    random.shuffle(jobs)
    for job in jobs:
        work.put(job)

    def lane():
        while True:
            try:
                number, case, side = work.get_nowait()
            except queue.Empty:
                return
            fault = case.fault or ""
            tail = f"-{fault}" if fault.startswith(("fail-", "loss-")) else ""
            name = f"{prefix}-{number:03}{side[0]}{tail}"
            try:
                case.runs[side] = done = sides.run(side, case, apis, name)
                print(f"{case.operation} ({fault or 'success'}), {side}: {done.exit}, {done.seconds:.1f} s, {done.final}: "
                      f"{done.words}", file=sys.stderr)
            except Exception:
                print(f"{case.operation} ({fault or 'success'}), {side}: {traceback.format_exc()}", file=sys.stderr)

    threads = [threading.Thread(target=lane) for _ in range(lanes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


main()
