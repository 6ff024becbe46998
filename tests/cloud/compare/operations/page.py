"""docs/comparison.md: the sections that `operations.py` writes, each between two marks of its name."""
import difflib
import re

import migration

HEAD = "| operation | made to fail by | exit, ours | exit, client | s, ours | s, client | ended after, ours | after, client | final state | ours says | the client says | remark |\n" \
       "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | --- | --- |\n"


def sections(cases, minutes, limit):
    done = [case for case in cases if len(case.runs) == 2]
    heat = [case for case in done if case.operation.startswith("stack")]
    manila = [case for case in done if not case.operation.startswith("stack")]
    lost = [f"- {case.operation} ({case.fault or 'success'})" for case in cases if len(case.runs) != 2]
    note = f"\n{len(done)} cases with each program, {minutes:.0f} minutes; a client that had not ended {limit} s after the final state was there was ended: it hangs.\n"
    if lost:
        note += "\nCould not be run:\n\n" + "\n".join(lost) + "\n"
    return {"heat_operations": HEAD + "".join(map(row, heat)), "manila_operations": HEAD + "".join(map(row, manila)) + note,
            "stdout": outputs(done)}


def row(case):
    ours, client = case.runs["ours"], case.runs["client"]
    state = ours.final if ours.final == client.final else f"{ours.final} (client: {client.final})"
    cells = [f"`{case.operation}`", case.fault or "—", ours.exit, client.exit, f"{ours.seconds:.1f}", f"{client.seconds:.1f}",
             late(ours), late(client), state, short(ours.words), short(client.words), remark(case)]
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |\n"


def late(run):
    """How long after the final state was to be seen."""
    if run.late is None:
        return "—"
    return f"> {run.late:.0f}" if run.exit == "hangs" else f"{run.late:+.1f}"


def short(words, most=110):
    return (words if len(words) <= most else words[:most - 1].rstrip() + "…") or "—"


def remark(case):
    ours, client = case.runs["ours"], case.runs["client"]
    said = ["the client cannot wait: a shell loop"] if case.loops else []
    if client.exit == "hangs":
        said.append("the client hangs")
    elif client.exit == 0 and ours.exit != 0:
        said.append("the client calls it a success")
    elif client.exit != 0 and ours.exit == 0:
        said.append("the client calls it a failure")
    if client.exit != "hangs" and client.late is not None and client.late < -0.5:
        said.append("the client comes back before the end")
    return "; ".join(said) or "—"


def outputs(cases):
    """stdout of both, in the table format."""
    equal, silent, different = 0, 0, {}
    for case in cases:
        ours, client = case.runs["ours"], case.runs["client"]
        if not ours.stdout.strip() and not client.stdout.strip():
            silent += 1
        elif ours.stdout.strip() == client.stdout.strip():
            equal += 1
        else:
            what = f"`{case.operation}`" + (f" ({case.fault})" if case.fault else "")
            different.setdefault(difference(ours, client), []).append(what)
    count = sum(map(len, different.values()))
    text = f"Of {len(cases)} cases, stdout is equal byte for byte in {equal} (IDs, names and times masked, the client's events " \
           f"left out), empty on both sides in {silent}, and differs in {count}:\n\n| how | cases |\n| --- | --- |\n"
    return text + "".join(f"| {how} | {', '.join(whose)} |\n" for how, whose in different.items())


def difference(ours, client):
    if client.exit == "hangs" and not client.stdout.strip():
        return "the client hangs and prints nothing"
    if not ours.stdout.strip() or not client.stdout.strip():
        who = "ours" if not ours.stdout.strip() else "the client"
        return f"{who} prints nothing"
    mine, theirs = fields(ours.stdout), fields(client.stdout)
    if [name for name, _ in mine] == [name for name, _ in theirs]:
        other = [f"{name}: `{short(a, 60)}` (client: `{short(b, 60)}`)" for (name, a), (_, b) in zip(mine, theirs) if a != b]
        return ("the same fields; " + "; ".join(other)).replace("|", "\\|") if other else "the same fields and values, another layout"
    delta = [line for line in difflib.ndiff([n for n, _ in theirs], [n for n, _ in mine]) if line[0] in "+-"]
    return "fields: " + ", ".join(delta).replace("|", "\\|")


def fields(text):
    """Names and values of a table, a value of several lines as one."""
    found = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r" \| |^\| | \|$", line) if cell]
        if line.startswith("|") and len(cells) >= 2:
            found.append((cells[0], " ".join(cells[1:])))
        elif line.startswith("|") and found and cells:
            found[-1] = (found[-1][0], f"{found[-1][1]} {cells[-1]}")
        elif line.strip() and not line.startswith("+"):
            found.append((line.strip(), ""))
    return found


def together(found):
    ours, client = found["ours"], found["client"]
    limit = ours["sent"] + found["one"] + 2
    met = lambda good: "met" if good else "**missed**"  # noqa: E731
    return (
        "| | exit | requests to Manila | s | of it until the last was sent |\n| --- | ---: | ---: | ---: | ---: |\n"
        + "".join(f"| {name} | {one['exit']} | {one['requests']} | {one['seconds']:.1f} | {one['sent']:.1f} |\n"
                  for name, one in (("`manila-wait share delete`", ours), ("`openstack share delete --wait`", client)))
        + f"\nRequests: {ours['requests'] / client['requests']:.0%} of the client's (goal: at most half): "
        f"{met(2 * ours['requests'] <= client['requests'])}. Time: the goal is the sends, one delete alone ({found['one']:.1f} s) "
        f"and 2 s, {limit:.1f} s: {met(ours['seconds'] <= limit)}.\n")


def write(file, sections):
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    for name, section in sections.items():
        mark = f"<!-- {name} -->"
        text = re.sub(f"{mark}.*{mark}", lambda _, section=section, mark=mark: f"{mark}\n{section.strip()}\n{mark}", text, flags=re.DOTALL)
    with open(file, "w", encoding="utf-8") as opened:
        opened.write(migration.written(text))
