#!/usr/bin/env python3
"""Writes cases.jsonl: what cliff's own commands print for many data sets and options.

Run it with the Python of an environment that has cliff 4.17, prettytable 3.18, wcwidth 0.9.4, osc-lib and
python-heatclient:  python generate.py > cases.jsonl

Three kinds of lines:
  {"data": NAME, "shape": "one"|"list", "headers": [...], "rows": [[CELL, ...], ...]}
  {"case": NAME, "same": [[ARGV, TERMINAL], ...], "out": TEXT}      or "error": TEXT instead of "out"
  {"columns": N, "texts": [...]}
A CELL is a JSON value, or {"$kind": CLASS, "$machine": VALUE, "$human": TEXT} for one that tables show as TEXT. TERMINAL is the
width of the terminal that stdout is, or null. Options that change nothing for a data set give the same text.
"""

import argparse
import io
import json
import logging
import random
import sys

import wcwidth
from cliff import columns, lister, show
from cliff import utils as cliff_utils
from heatclient.osc.v1 import common as heat
from osc_lib.cli import format_columns as osc

logging.disable(logging.CRITICAL)


class App:
    def __init__(self):
        self.stdout = io.StringIO()


def run(kind, headers, rows, argv, terminal):
    class Command(kind):
        def take_action(self, parsed_args):
            return (headers, rows[0] if kind is show.ShowOne else list(rows))

    app = App()
    command = Command(app, argparse.Namespace())
    args = command.get_parser("case").parse_args(argv)
    cliff_utils.terminal_width = lambda: terminal
    if terminal is not None:
        # What cliff does by itself where stdout is a terminal.
        args.fit_width = True
    command.run(args)
    return app.stdout.getvalue()


def cell(value):
    if isinstance(value, columns.FormattableColumn):
        return {
            "$kind": type(value).__name__, "$machine": value.machine_readable(), "$human": value.human_readable(),
        }
    return value


def write(line):
    print(json.dumps(line, ensure_ascii=True, separators=(",", ":")))


ONE = [
    ["-f", "table"], ["-f", "json"], ["-f", "json", "--noindent"], ["-f", "yaml"], ["-f", "value"],
    ["-f", "shell"], ["-f", "shell", "--prefix", "os-"],
]
LIST = [
    ["-f", "table"], ["-f", "table", "--print-empty"], ["-f", "json"], ["-f", "json", "--noindent"], ["-f", "yaml"],
    ["-f", "value"], ["-f", "csv"], ["-f", "csv", "--quote", "all"], ["-f", "csv", "--quote", "minimal"],
    ["-f", "csv", "--quote", "none"], ["-f", "csv", "--quote", "nonnumeric"],
]


def cases(name, shape, headers, rows, extra=()):
    write({"data": name, "shape": shape, "headers": headers, "rows": [[cell(c) for c in row] for row in rows]})
    kind = show.ShowOne if shape == "one" else lister.Lister
    runs = [(argv, None) for argv in (ONE if shape == "one" else LIST)]
    runs += [(["-f", "table", "--max-width", str(w)], None) for w in (1, 20, 30, 41, 56, 79, 100)]
    runs += [(["-f", "table"], 64), (["-f", "table", "--max-width", "48"], 120), (["-f", "table"], 0)]
    runs += [(list(argv), None) for argv in extra]
    texts = {}
    for argv, terminal in runs:
        try:
            result = ("out", run(kind, headers, rows, argv, terminal))
        except Exception as error:
            result = ("error", str(error))
        texts.setdefault(result, []).append([argv, terminal])
    for (key, text), same in texts.items():
        write({"case": name, "same": same, key: text})


STACK_ID = "b99c3020-d8f1-4958-a16f-6157bf3d6c5f"
STACK = {
    "id": STACK_ID,
    "stack_name": "web",
    "description": "No description",
    "creation_time": "2026-11-30T07:58:00Z",
    "updated_time": None,
    "stack_status": "CREATE_COMPLETE",
    "stack_status_reason": "Stack CREATE completed successfully",
    "parameters": {"OS::stack_id": STACK_ID, "OS::stack_name": "web", "wait": "1", "names": "[\"a\", \"b\"]"},
    "outputs": [
        {"output_key": "url", "description": "Where it is", "output_value": "http://10.0.0.5:8080/?a=1&b=\"2\""},
        {"output_key": "count", "description": "No description given", "output_value": 3},
        {"output_key": "text", "description": "", "output_value": "line one\nline two\n"},
        {"output_key": "nested", "description": None, "output_value": {"b": [1, 2.5, None, True], "a": {"c": "d's"}}},
    ],
    "links": [{"href": "http://127.0.0.1:8004/v1/5dd7758400f44910ac53f5b24bf8c88f/stacks/web/" + STACK_ID, "rel": "self"}],
    "deletion_time": None,
    "notification_topics": [],
    "capabilities": [],
    "disable_rollback": True,
    "timeout_mins": None,
    "stack_owner": "demo",
    "parent": None,
    "stack_user_project_id": "a518c3352c414a4a91afc3f04a352606",
    "tags": ["blue", "grün"],
}


def stack(column):
    fields = ("parameters", "outputs", "links", "tags")
    return [column(v) if column and k in fields else v for k, v in STACK.items()]


SHARE = {
    "access_rules_status": "active",
    "availability_zone": "nova",
    "create_share_from_snapshot_support": True,
    "created_at": "2026-11-30T08:20:24.000000",
    "description": None,
    "has_replicas": False,
    "id": "0c0ae1b6-36b9-4d2d-b0d9-9f4b5a3c6c51",
    "is_public": False,
    "name": "data",
    "progress": "100%",
    "share_proto": "NFS",
    "size": 20,
    "status": "available",
    "volume_type": "default",
    "export_locations": "\nid = 1\npath = 10.0.0.10:/path/fake_share_0c0ae1b6_36b9_4d2d_b0d9_9f4b5a3c6c51\npreferred = True"
    "\nid = 2\npath = 10.0.0.20:/path/fake_share_0c0ae1b6_36b9_4d2d_b0d9_9f4b5a3c6c51\npreferred = False",
}

TEXTS = {
    "empty": "",
    "spaces": "  led and trailed  ",
    "quotes": "it's a \"quoted\" \\ backslash",
    "dollar": "$HOME `id` ${x}",
    "multi": "first\n\n  third, indented\nfourth line that is a good deal longer than all the others are\n",
    "tabs": "a\tb\tlonger than eight\tc\n\tindented",
    "crlf": "one\r\ntwo\r\n",
    "comma": "a,b;c|d",
    "cjk": "日本語のスタック名はとても長いので折り返されるかもしれません",
    "hangul": "안녕하세요 세계",
    "emoji": "ok ✅ rocket 🚀 family 👩‍👩‍👧 flag 🇨🇿🇩🇪 thumb 👍🏽 heart ❤️ text ☎︎",
    "combining": "e\u0301a\u030a n\u0303 Å",
    "arabic": "السلام عليكم",
    "hebrew": "שלום עולם",
    "nbsp": "a\u00a0b\u3000c",
    "hyphens": "well-known state-of-the-art x-y-z --option a--b foo---bar 1-2-3 re-1 e-mail-address semi-auto-matic-ally a-b-,-xx-yy",
    "long": "abcdefghijklmnopqrstuvwxyz" * 4,
    "longhyphen": "0c0ae1b6-36b9-4d2d-b0d9-9f4b5a3c6c51_" * 3,
    "path": "/v1/5dd7758400f44910ac53f5b24bf8c88f/stacks/web-with-a-long-name/b99c3020-d8f1-4958-a16f-6157bf3d6c5f",
    "sentence": "Resource CREATE failed: ResourceInError: resources.server: Went to status ERROR due to \"Message: "
    "No valid host was found. There are not enough hosts available., Code: 500\"",
    "blank": " " * 70,
    "yes": "yes",
    "number": "0123",
    "null": "null",
    "colon": "a: b #c",
    "brackets": "{x} [y]",
}

VALUES = {
    "none": None,
    "true": True,
    "false": False,
    "int": 42,
    "big": 123456789012345678901234567890,
    "negative": -7,
    "float": 1.5,
    "small": 0.00001,
    "large": 1e22,
    "whole": 3.0,
    "dict": {"a": 1, "it's": "x \"y\"", "n": None, "l": [1, "two", {"three": 3.0}]},
    "list": ["x", "y's", "日本", "tab\there", "nl\nhere", "é\u00a0\u200b"],
    "emptydict": {},
    "emptylist": [],
    "nested": [[1, [2]], {"k": {"k": {"k": False}}}],
}


def shows():
    keys = list(STACK)
    cases("stack-table", "one", keys, [stack(heat.YamlColumn)], (
        ["-f", "table", "-c", "id", "-c", "Stack_Name"], ["-f", "table", "-c", "links", "--max-width", "60"],
        ["-f", "value", "-c", "stack_status", "-c", "id"], ["-f", "json", "-c", "nope", "-c", " ID "],
        ["-f", "json", "-c", "nope"],
    ))
    cases("stack-value", "one", keys, [stack(heat.JsonColumn)])
    cases("stack-json", "one", keys, [stack(None)])
    cases("share-table", "one", [*SHARE, "properties"], [[*SHARE.values(), osc.DictColumn({"b": "1", "a": "it's", "n": None})]])
    cases("share-other", "one", [*SHARE, "properties"], [[*SHARE.values(), {"b": "1", "a": "it's"}]])
    cases("texts", "one", list(TEXTS), [list(TEXTS.values())])
    cases("values", "one", list(VALUES), [list(VALUES.values())])
    cases("formatted", "one", ["none", "dict", "list", "dicts", "lists"], [[
        osc.ListColumn(None), osc.DictColumn({"k": {"in": 1, "o\"t": "x", "e": {}}, "f": 1.5, "l": ["a"]}), osc.ListColumn(["b", "a"]),
        osc.ListDictColumn([{"a": 1}, {"b": "2"}]), osc.DictListColumn({"net": ["10.0.0.1", "::1"]}),
    ]])
    cases("names", "one", ["Server Name", "a:b-c", "OS-EXT:Name x", "日本"], [["a", 1, None, "z"]],
          (["-f", "value", "-c", "server_name"], ["-f", "shell", "-c", "Server Name", "--prefix", "x_"]))
    cases("nothing", "one", [], [[]])
    for name, text in TEXTS.items():
        cases("text-" + name, "one", [name], [[text]])


def lists():
    events = [
        ["web", "2026-11-30T07:58:0%dZ" % i, status, "Stack %s started" % status, i]
        for i, status in enumerate(["CREATE_IN_PROGRESS", "CREATE_COMPLETE", "UPDATE_FAILED"])
    ]
    headers = ["Resource Name", "Event Time", "Resource Status", "Resource Status Reason", "Seq"]
    cases("events", "list", headers, events, (
        ["-f", "value", "-c", "event_time", "-c", "Resource Name"], ["-f", "csv", "-c", "SEQ"],
        ["-f", "table", "-c", "x"], ["-f", "value", "--sort-column", "Resource Status"],
        ["-f", "value", "--sort-column", "seq", "--sort-descending"],
        ["-f", "value", "--sort-column", "seq", "--sort-ascending", "-c", "Resource Status"],
        ["-f", "value", "--sort-column", "nope"],
    ))
    stacks = [
        ["b99c3020-d8f1-4958-a16f-6157bf3d6c5f", "web", "CREATE_COMPLETE", "2026-11-30T07:58:00Z", None],
        ["11112222-d8f1-4958-a16f-6157bf3d6c5f", "日本語", "UPDATE_FAILED", "2026-11-30T07:58:00Z", "2026-11-30T08:00:00Z"],
        ["33334444-d8f1-4958-a16f-6157bf3d6c5f", "a-very-long-stack-name-with-hyphens", "DELETE_IN_PROGRESS", "2025-01-01T00:00:00Z", None],
    ]
    headers = ["ID", "Stack Name", "Stack Status", "Creation Time", "Updated Time"]
    cases("stacks", "list", headers, stacks, (
        ["-f", "value", "--sort-column", "Updated Time"], ["-f", "value", "--sort-column", "updated_time", "--sort-descending"],
        ["-f", "json", "--sort-column", "Creation Time", "--sort-column", "Stack Name", "-c", "id"],
        ["-f", "table", "-c", "ID", "-c", "Stack Name", "--max-width", "40"],
    ))
    rows = [[k, v] for k, v in VALUES.items()]
    cases("mixed", "list", ["Key", "Value"], rows, (["-f", "value", "--sort-column", "Value"], ["-f", "value", "--sort-column", "Key", "--sort-descending"]))
    cases("texts-list", "list", ["Key", "Text"], [[k, v] for k, v in TEXTS.items()])
    cases("numbers", "list", ["I", "F", "B", "N", "Long Header"], [
        [1, 1.5, True, None, 7], [10, 22.25, False, 3, "x"], [-200, 1e16, True, "text", None], [3, 0.1, False, None, 12345678901234567890],
    ], [["-f", "value", "--sort-column", c, d] for c in "IFBN" for d in ("--sort-ascending", "--sort-descending")])
    cases("formatted-list", "list", ["Name", "Properties", "Tags"], [
        ["a", osc.DictColumn({"x": "1", "y": "2"}), osc.ListColumn(["t1", "t2"])],
        ["b", osc.DictColumn({}), osc.ListColumn(None)],
    ])
    cases("lists-sorted", "list", ["L"], [[[2, 1]], [[1, 5]], [[1]], [[1, 5, 0]]], (["-f", "value", "--sort-column", "L"],))
    cases("empty", "list", ["ID", "Stack Name"], [], (["-f", "table", "--print-empty", "--max-width", "5"],))
    cases("blanks", "list", ["A"], [[""], [None], ["x"]])
    cases("wide", "list", ["Column %d" % i for i in range(8)], [["value %d of the row, which is long" % (i * i) for i in range(8)], ["v"] * 8])
    for width in (12, 18, 25, 33):
        argv = ["-f", "table", "--max-width", str(width)]
        cases("wrap-%d" % width, "list", ["T", "U"], [[t, i] for i, t in enumerate(TEXTS.values())], (argv,))


def wrapping():
    """Random texts of words, hyphens and wide characters under random widths."""
    random.seed(7)
    pieces = ["a", "bb", "word", "-", "--", "---", " ", "  ", "日本", "é", "1", "22", "_", "'", ".", "?", "🚀", "x-y", "Wörter", ",", "/", "e\u0301"]
    rows = [["".join(random.choices(pieces, k=random.randint(5, 40)))] for _ in range(120)]
    write({"data": "random", "shape": "list", "headers": ["T"], "rows": rows})
    for width in (12, 13, 17, 24):
        argv = ["-f", "table", "--max-width", str(width)]
        write({"case": "random", "same": [[argv, None]], "out": run(lister.Lister, ["T"], rows, argv, None)})


def widths():
    texts = [line for text in TEXTS.values() for line in text.expandtabs().splitlines()]
    # Without the trigrams, which became wide in Unicode 16: the tables in distributions are older.
    scripts = [(0x20, 0x7E), (0xA1, 0xAC), (0xAE, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF), (0x531, 0x556),
               (0x5D0, 0x5EA), (0x620, 0x652), (0x904, 0x939), (0xE01, 0xE4E), (0x10A0, 0x10C5), (0x1100, 0x115F), (0x1E00, 0x1EFF),
               (0x2010, 0x2027), (0x2030, 0x205E), (0x20A0, 0x20BF), (0x2190, 0x23FF), (0x2460, 0x262F), (0x2638, 0x2689), (0x2690, 0x27BF), (0x2800, 0x28FF),
               (0x3000, 0x303E), (0x3041, 0x3096), (0x30A0, 0x30FF), (0x3400, 0x3420), (0x4E00, 0x4E40), (0xAC00, 0xAC40),
               (0xF900, 0xF920), (0xFF01, 0xFF60), (0xFF61, 0xFF9F), (0x1F300, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F900, 0x1F9FF), (0x20000, 0x20020)]
    texts += [chr(c) for low, high in scripts for c in range(low, high + 1)]
    texts += ["नमस्ते दुनिया", "สวัสดีชาวโลก", "வணக்கம்", "ქართული", "Ελληνικά", "Русский", "한국어", "ﾊﾝｶｸ", "ＦＵＬＬ",
              "🇨🇿", "🇨🇿🇩", "👍🏽", "🏽", "a🏽", "👩‍🚀", "🏳️‍🌈", "❤️", "❤", "☎️", "☎︎", "⌚︎", "1️⃣", "#️⃣", "🧑🏽‍🤝‍🧑🏻", "ﷺ", "\u200d", "a\u200db", "a\u0301\u0302"]
    by_width = {}
    for text in dict.fromkeys(texts):
        by_width.setdefault(wcwidth.width(text), []).append(text)
    for columns_, same in sorted(by_width.items()):
        write({"columns": columns_, "texts": same})


shows()
lists()
wrapping()
widths()
