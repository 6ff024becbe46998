#!/usr/bin/env python3
"""Compares `heat-wait` with the `openstack` command, byte for byte, on stacks of `stacks.py`.

    compare.py HEAT_WAIT PREFIX [PAGE]

HEAT_WAIT is the program, PREFIX that of the stacks, PAGE the Markdown file whose section between the two marks
`<!-- heat_read -->` is replaced. The cloud is OS_CLOUD of OS_CLIENT_CONFIG_FILE. Exit 1 when anything differs.
"""
import os
import re
import subprocess
import sys

import yaml

import client
from proxy import Proxy, user

ONE = ["table", "json", "yaml", "value", "shell"]
MANY = ["table", "json", "yaml", "value", "csv"]


def commands(prefix):
    for stack in ("nested", "nested-fails", "outputs", "deployment"):
        name = f"{prefix}-{stack}"
        for form in ONE:
            yield ["stack", "show", name, "-f", form]
            yield ["stack", "show", name, "--no-resolve-outputs", "-f", form]
        yield ["stack", "failures", "list", name]
        yield ["stack", "failures", "list", "--long", name]
    yield ["stack", "show", f"{prefix}-outputs", "--max-width", "90"]
    yield ["stack", "show", f"{prefix}-outputs", "-c", "outputs", "-f", "shell", "--prefix", "x_"]
    yield ["stack", "failures", "list", f"{prefix}-tree"]
    outputs = f"{prefix}-outputs"
    for form in MANY:
        yield ["stack", "output", "list", outputs, "-f", form]
    for form in ONE:
        yield ["stack", "output", "show", "--all", outputs, "-f", form]
    for key in "text lines unicode number float truth nothing list map empty_list empty_map yaml_like long".split():
        for form in ONE:
            yield ["stack", "output", "show", outputs, key, "-f", form]
    for stack in ("nested", "nested-fails"):
        name = f"{prefix}-{stack}"
        for form in MANY + ["log"]:
            yield ["stack", "event", "list", name, "-f", form]
            yield ["stack", "event", "list", name, "--nested-depth", "3", "-f", form]
        yield ["stack", "event", "list", name]
        for more in (
            ["--limit", "3"], ["--sort", ":desc"], ["--sort", "resource_name", "--sort", "id:desc"],
            ["--sort", "resource_status:desc", "--limit", "4"], ["--resource", "child"],
            ["--filter", "resource_action=CREATE;resource_name=child"],
            ["--filter", "resource_name=child", "--filter", "resource_name=group"],
            ["--nested-depth", "1"], ["--nested-depth", "2", "--limit", "7"], ["--nested-depth", "3", "--sort", ":desc"],
            ["-f", "json", "--noindent"], ["-f", "csv", "--quote", "minimal", "-c", "resource_name", "-c", "event_time"],
            ["--filter", "resource_name=nothing"], ["--filter", "resource_name=nothing", "-f", "json"],
            ["--filter", "resource_name=nothing", "-f", "csv"], ["-f", "table", "--sort-column", "resource_name"],
        ):
            yield ["stack", "event", "list", name, *more]


def ours(program, words, environment):
    ended = subprocess.run([program, *words], env=environment, capture_output=True, text=True)
    return ended.returncode, ended.stdout, ended.stderr


def without_paths(log):
    """A log in which each event has only the last name of where it happened."""
    return re.sub(r"\[[^\]\s]*?([^.\]\s]*)\]: ", r"[\1]: ", log)


def compare(program, prefix, env):
    different = 0
    longer = 0
    total = 0
    for words in commands(prefix):
        total += 1
        _, theirs, _ = client.run(words, env)
        _, mine, said = ours(program, words, env)
        # The client shortens the path where the stack's own event did not come first.
        if theirs != mine and words[1] == "event" and without_paths(theirs) == without_paths(mine):
            longer += 1
        elif theirs != mine and words[1] == "event" and "--sort" in words and "--nested-depth" in words and \
                same_but_names(theirs, mine):
            longer += 1
        elif theirs != mine:
            different += 1
            print("DIFFERENT:", " ".join(words))
            show(theirs, mine, said)
    return total, different, longer


def same_but_names(theirs, mine):
    """Newest first, the client knows nested stacks only by their generated names."""
    names = re.compile(r"\[[^\]]*\]: ")
    return names.sub("", theirs) == names.sub("", mine)


def show(theirs, mine, said):
    import difflib
    lines = difflib.unified_diff(theirs.splitlines(True), mine.splitlines(True), "client", "ours", n=0)
    print("".join(list(lines)[:12]), said[:300])


def follow(program, prefix, env):
    """Both follow the same stack until they have told of all there is; SIGINT ends them. Exit codes and lines."""
    words = ["stack", "event", "list", f"{prefix}-nested", "--nested-depth", "3"]
    count = len(ours(program, words, env)[1].splitlines())
    results = []
    openstack = os.path.join(os.path.dirname(sys.executable), "openstack")
    for command in ([openstack, *words, "--follow"], [program, *words, "--follow"]):
        child = subprocess.Popen(command, env={**env, "PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        lines = [child.stdout.readline().rstrip("\n") for _ in range(count)]
        child.send_signal(2)
        rest, _ = child.communicate()
        # The client ends with a blank line, for the list that it does not have.
        lines += [line for line in rest.splitlines() if line]
        results.append((child.returncode, lines))
    return results


def requests(program, prefix, proxy, env):
    """How many requests each needs for the failures of the tree."""
    words = ["stack", "failures", "list", f"{prefix}-tree"]
    counts = []
    for run in (client.run, lambda words, env: ours(program, words, env)):
        proxy.forget()
        run(words, env)
        counts.append(len(proxy.heat_requests()))
    return counts


def nested_routes(program, prefix, keystone, heat, cloud):
    """The same nested stack by `nested_depth` and by walking: lines that are told, apart from the order within a second."""
    told = []
    counts = []
    for old in (False, True):
        proxy = Proxy(keystone, heat, old=old)
        _, out, _ = ours(program, ["stack", "event", "list", f"{prefix}-nested", "--nested-depth", "3"],
                         user(proxy.url, cloud))
        told.append(out.splitlines())
        counts.append(len(proxy.heat_requests()))
    times = [[line[:20] for line in lines] for lines in told]
    return sorted(told[0]) == sorted(told[1]) and times[0] == times[1], len(told[0]), counts


def main():
    program, prefix = sys.argv[1:3]
    with open(os.environ["OS_CLIENT_CONFIG_FILE"], encoding="utf-8") as file:
        cloud = yaml.safe_load(file)["clouds"][os.environ["OS_CLOUD"]]
    keystone = cloud["auth"]["auth_url"]
    heat = os.environ.get("HEAT_URL", "http://127.0.0.1:18004")
    proxy = Proxy(keystone, heat)
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **user(proxy.url, cloud)}
    for name in [name for name in os.environ if name.startswith("OS_")]:
        del os.environ[name]
    total, different, longer = compare(program, prefix, env)
    (their_exit, theirs), (our_exit, mine) = follow(program, prefix, env)
    same_follow = theirs == mine
    counts = requests(program, prefix, proxy, env)
    same_nested, lines, nested_counts = nested_routes(program, prefix, keystone, heat, cloud)
    rows = [
        "| what | result |", "| --- | --- |",
        f"| `stack show`, `output list`, `output show`, `event list`, `failures list` in every format | {total} command lines, {total - different - longer} equal byte for byte, {longer} but for the path of events, which is always whole here |",
        f"| `event list --follow --nested-depth 3`, ended by SIGINT | {len(mine)} lines, {'the same' if same_follow else 'DIFFERENT'}; exit {our_exit} (client: {their_exit}) |",
        f"| `failures list` of three levels and 200 resources | {counts[1]} requests to Heat (client: {counts[0]}) |",
        f"| `event list --nested-depth 3` with and without the server's help | {lines} lines, {'the same' if same_nested else 'DIFFERENT'}; {nested_counts[0]} and {nested_counts[1]} requests |",
    ]
    table = "\n".join(rows)
    print(table)
    if len(sys.argv) > 3:
        with open(sys.argv[3], encoding="utf-8") as file:
            page = file.read()
        mark = "<!-- heat_read -->"
        page = re.sub(f"{mark}.*{mark}", lambda _: f"{mark}\n{table}\n{mark}", page, flags=re.DOTALL)
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            file.write(page)
    sys.exit(1 if different or not same_follow or not same_nested else 0)


main()
