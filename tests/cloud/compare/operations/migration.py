"""docs/comparison.md: the section on migration, from the measured rows of the same page.

Usage: python migration.py PAGE [--check]. What differs is taken from the rows of both tables of operations; what is typed, from
LINES. An operation that has rows and no line, or the other way round, is an error."""
import re
import sys

MARK = "<!-- migration -->"
# What follows the words of an operation.
LINES = {
    "stack create": "-t web.yaml shop",
    "stack-create": "-f web.yaml --poll 5 shop",
    "stack adopt": "--adopt-file shop.json shop",
    "stack update": "-t web.yaml shop",
    "stack delete": "-y shop",
    "stack suspend": "shop",
    "stack resume": "shop",
    "stack check": "shop",
    "stack cancel": "shop",
    "stack cancel --no-rollback": "shop",
    "share create": "NFS 10 --name data",
    "share delete": "data",
    "share delete --soft": "data",
    "share resize": "data 20",
    "share adopt": "host@backend#pool NFS 10.0.0.1:/data --name data",
    "share abandon": "data",
    "share revert": "nightly",
    "share access create": "data ip 10.0.0.5",
    "share access delete": "data 7f1d2c4e",
    "share backup create": "data --name weekly",
    "share backup delete": "weekly",
    "share backup restore": "weekly",
    "share group create": "--name pair",
    "share group delete": "pair",
    "share group snapshot create": "pair --name before",
    "share group snapshot delete": "before",
    "share instance delete": "5e6f7a8b",
    "share network delete": "storage",
    "share replica create": "data",
    "share replica delete": "1a2b3c4d",
    "share replica promote": "1a2b3c4d",
    "share replica resync": "1a2b3c4d",
    "share server delete": "9c8d7e6f",
    "share server adopt": "host@backend storage 10.0.0.9",
    "share server abandon": "9c8d7e6f",
    "share snapshot create": "data --name nightly",
    "share snapshot delete": "nightly",
    "share snapshot adopt": "data 10.0.0.1:/nightly --name nightly",
    "share snapshot abandon": "nightly",
    "share migration start": "data host@backend#pool --writable False --nondisruptive False --preserve-metadata True --preserve-snapshots False",
    "share migration complete": "data",
    "share migration cancel": "data",
}
# What no measured row is about.
BY_HAND = [
    ("openstack stack event list --follow shop", "heat-wait stack event list --follow shop", "ends when the stack is gone, or at Ctrl-C with 0; "
     "`json`, `csv` and `value` as well"),
    ("openstack stack failures list shop", "heat-wait stack failures list shop", "the same lines; exit 4 where there is no such stack"),
    ("openstack stack show shop -f json", "heat-wait stack show shop -f json", "the same bytes; faults are ridden out"),
    ("openstack stack output show shop address -f value -c output_value", "heat-wait stack output show shop address -f value -c output_value",
     "the same bytes"),
    ("openstack share show data -f json", "manila-wait share show data -f json", "the same bytes, with the fields of microversion 2.99"),
    ('until [ "$(openstack stack show shop -f value -c stack_status)" = CREATE_COMPLETE ]; do sleep 5; done',
     "heat-wait stack wait shop --for CREATE_COMPLETE", "a failure ends it (1), and so does the deadline (124)"),
    ('while openstack stack show shop; do sleep 5; done', "heat-wait stack wait shop --for deleted", "an outage is no proof of absence: "
     "`DELETE_COMPLETE`, or 404 twice; `DELETE_FAILED` is 1"),
    ('until [ "$(openstack share show data -f value -c status)" = available ]; do sleep 5; done', "manila-wait share wait data",
     "`error` and its kin end it (1), and so does the deadline (124)"),
]


def rows(text):
    """Every measured row, as a dictionary by the heads of its table."""
    heads, found = None, []
    for line in text.splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells[:2] == ["operation", "made to fail by"]:
            heads = cells
        elif not cells:
            heads = None
        elif heads and not cells[0].startswith("---"):
            found.append(dict(zip(heads, cells)))
    return found


def differs(measured):
    """What a script notices, over all cases of an operation."""
    said = []

    def say(words):
        if words not in said:
            said.append(words)

    for row in measured:
        ours, client, fails = row["exit, ours"], row["exit, client"], row["made to fail by"] != "—"
        if "cannot wait" in row["remark"]:
            say("the client cannot wait for it; one command in place of two")
        if "before the end" in row["remark"]:
            say("the end of the rollback is waited for; the client comes back before it")
        if client == "hangs":
            say("a failure ends, with 1; the client waits for ever" if fails else "it ends; the client waits for ever")
        elif client == "0" and ours != "0":
            say("a failure is exit 1; the client's is 0")
        elif ours == "0" and client != "0":
            say(f"what was asked for is exit 0; the client's is {client}")
        elif ours != client:
            why = {"5": "a policy refuses it", "6": "the service refuses it", "4": "it does not exist"}.get(ours, "it fails")
            say(f"where {why}: exit {ours}; the client's is {client}")
    text = "; ".join(said)
    both = "the client waits for ever; a failure is exit 1; the client's is 0"
    return text.replace(both, "the client waits for ever, or exits 0") or "the same exit codes; the cause is on the screen"


def section(text):
    by_operation = {}
    for row in rows(text):
        by_operation.setdefault(row["operation"].strip("`"), []).append(row)
    odd = set(by_operation) ^ set(LINES)
    if odd:
        raise SystemExit(f"migration.py: measured or listed, but not both: {', '.join(sorted(odd))}")
    lines = []
    for operation, measured in by_operation.items():
        program = "heat-wait" if operation.startswith("stack") else "manila-wait"
        old = f"openstack {operation} --wait {LINES[operation]}"
        if operation == "stack-create":
            old = f"heat {operation} {LINES[operation]}"
        elif any("cannot wait" in row["remark"] for row in measured):
            old = f"openstack {operation} {LINES[operation]}"
        loop = " and a loop over `show`" if old.startswith("openstack") and "--wait" not in old else ""
        lines.append((f"`{old}`{loop}", f"`{program} {operation} {LINES[operation]}`", differs(measured)))
    lines += [(f"`{old}`", f"`{new}`", how) for old, new, how in BY_HAND]
    head = "| in a script | becomes | what differs |\n| --- | --- | --- |\n"
    return head + "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def written(text):
    """The page with the section made anew."""
    table = section(text)
    return re.sub(f"{MARK}.*{MARK}", lambda _: f"{MARK}\n{table}{MARK}", text, flags=re.DOTALL)


def main():
    with open(sys.argv[1], encoding="utf-8") as opened:
        text = opened.read()
    new = written(text)
    if "--check" in sys.argv:
        if new != text:
            raise SystemExit(f"{sys.argv[1]}: the migration does not fit the measured rows: run {sys.argv[0]} {sys.argv[1]}")
    else:
        with open(sys.argv[1], "w", encoding="utf-8") as opened:
            opened.write(new)


if __name__ == "__main__":
    main()
