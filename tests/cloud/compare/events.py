#!/usr/bin/env python3
"""Measures `stack event list` over many events: time, processor time and peak memory, ours and the client's in one run.

    events.py HEAT_WAIT [COUNT] [PAGE]      # 100,000 events unless COUNT says otherwise

Keystone is that of OS_CLOUD; Heat is played by this script from answers made beforehand, so that the server costs both
the same. PAGE is a Markdown file whose section between the two marks `<!-- events -->` is replaced. Exit 1 when the two do
not print the same.
"""
import hashlib
import json
import os
import re
import sys
import time
from urllib.parse import parse_qs, urlsplit

import yaml

from proxy import Proxy, user

ID = "0dd00dd0-0000-4000-8000-000000000001"


class ManyEvents(Proxy):
    """A stack with very many events, ten a second."""

    def __init__(self, keystone, heat, count):
        self.events = [self.event(n) for n in range(count)]
        self.index = {f"e0000000-0000-4000-8000-{n:012}": n for n in range(count)}
        super().__init__(keystone, heat)

    @staticmethod
    def event(n):
        seconds = n // 10
        name = "many" if n in (0,) else f"server-{n % 300}"
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_930_384_800 + seconds))
        stack = f"http://h/v1/p/stacks/many/{ID}"
        return json.dumps({
            "id": f"e0000000-0000-4000-8000-{n:012}", "event_time": at, "resource_name": name,
            "logical_resource_id": name, "physical_resource_id": ID if n == 0 else f"p-{n % 300}",
            "resource_status": "UPDATE_IN_PROGRESS" if n % 2 == 0 else "UPDATE_COMPLETE",
            "resource_status_reason": "state changed",
            "links": [{"href": f"{stack}/resources/{name}/events/{n}", "rel": "self"},
                      {"href": f"{stack}/resources/{name}", "rel": "resource"}, {"href": stack, "rel": "stack"}],
        })

    def forward(self, method, path, headers, body):
        if path.startswith("/v3"):
            return super().forward(method, path, headers, body)
        parts = urlsplit(path)
        headers = [("Content-Type", "application/json")]
        if not parts.path.endswith(f"{ID}/events"):
            tail = "/events" if parts.path.endswith("/events") else ""
            base = parts.path.split("/stacks/")[0]
            query = f"?{parts.query}" if parts.query else ""
            return 302, [*headers, ("Location", f"{self.url}{base}/stacks/many/{ID}{tail}{query}")], b"{}"
        query = parse_qs(parts.query)
        start = self.index.get(query.get("marker", [""])[0], -1) + 1
        end = start + int(query["limit"][0]) if "limit" in query else None
        return 200, headers, ('{"events": [' + ",".join(self.events[start:end]) + "]}").encode()


def memory(pid):
    """The peak of a process so far, in MiB."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return 0


def measure(command, env):
    """Seconds, processor seconds, MiB at the peak, digest of stdout, lines."""
    begun = time.monotonic()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 1)
        os.execvpe(command[0], command, env)
    os.close(write)
    digest, lines, peak = hashlib.sha256(), 0, 0
    with os.fdopen(read, "rb") as out:
        first = None
        while data := out.read1(1 << 16):
            first = first or time.monotonic() - begun
            # What rusage tells would begin with the memory of this script.
            peak = max(peak, memory(child))
            digest.update(data)
            lines += data.count(b"\n")
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{command}: status {status}")
    return (time.monotonic() - begun, first or 0.0, usage.ru_utime + usage.ru_stime, peak, digest.hexdigest(), lines)


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with open(os.environ["OS_CLIENT_CONFIG_FILE"], encoding="utf-8") as file:
        cloud = yaml.safe_load(file)["clouds"][os.environ["OS_CLOUD"]]
    proxy = ManyEvents(cloud["auth"]["auth_url"], os.environ.get("HEAT_URL", "http://127.0.0.1:18004"), count)
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **user(proxy.url, cloud)}
    openstack = os.path.join(os.path.dirname(sys.executable), "openstack")
    rows = ["| form | program | first line | all | processor | peak memory |", "| --- | --- | --- | --- | --- | --- |"]
    same = True
    for form in ("log", "csv"):
        words = ["stack", "event", "list", "many", "-f", form]
        results = [(name, measure([command, *words], env)) for name, command in (("heat-wait", program), ("openstack", openstack))]
        same &= results[0][1][4] == results[1][1][4]
        for name, (wall, first, cpu, peak, _, lines) in results:
            rows.append(f"| {form}, {lines:,} lines | {name} | {first:.2f} s | {wall:.2f} s | {cpu:.2f} s | {peak:.0f} MiB |")
    table = "\n".join(rows) + f"\n\nThe outputs are {'the same, byte for byte' if same else 'DIFFERENT'}."
    print(table)
    if len(sys.argv) > 3:
        with open(sys.argv[3], encoding="utf-8") as file:
            page = file.read()
        mark = "<!-- events -->"
        page = re.sub(f"{mark}.*{mark}", lambda _: f"{mark}\n{table}\n{mark}", page, flags=re.DOTALL)
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            file.write(page)
    sys.exit(0 if same else 1)


main()
