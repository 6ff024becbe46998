"""Writes tests/cases.jsonl and tests/written.jsonl: what PyYAML makes of many texts and values.

Run with PyYAML 6.0.3 built with libyaml (Python 3.11):

    python3 generate.py            # writes both files beside this one
    python3 generate.py SEED COUNT # prints COUNT random reading cases of another seed

A line of cases.jsonl is [mode, text, json or null]: null means refused. Modes: "p" SafeLoader with timestamps as text,
"t" every scalar text but null, "c" CSafeLoader, else SafeLoader, with timestamps as text (texts with tabs only).
A line of written.jsonl is [json, yaml].
"""
import json
import pathlib
import random
import sys

import yaml

Y = "tag:yaml.org,2002:"


def text(loader, node):
    return loader.construct_scalar(node)


class Python(yaml.SafeLoader):
    pass


class C(yaml.CSafeLoader):
    pass


class Text(yaml.SafeLoader):
    pass


Python.add_constructor(Y + "timestamp", text)
C.add_constructor(Y + "timestamp", text)
Text.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in pairs if tag in (Y + "null", Y + "merge")]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for name in ("bool", "int", "float", "binary", "timestamp", "value"):
    Text.add_constructor(Y + name, text)


def as_json(value):
    """What a server reads of json.dumps: one key of several that are written alike, whole surrogate pairs."""
    data = json.dumps(json.loads(json.dumps(value)), ensure_ascii=False, separators=(",", ":"))
    data.encode()  # half a surrogate pair is refused
    return data


def plain_load(loader, source):
    try:
        return as_json(yaml.load(source, Loader=loader))
    except RecursionError:
        raise
    except Exception:
        return None


def load(mode, source):
    if mode == "c":
        value = plain_load(C, source)
        return plain_load(Python, source) if value is None else value
    return plain_load({"p": Python, "t": Text}[mode], source)


WORDS = """a b key foo-bar x_y 1 0 -1 +1 007 0o7 08 0b101 0x1F 1_000 1:30 -1:30 190:20:30.15 1:60 1:5_ 1.5 -1.5 +1.5 .5 -.5 1. 1.e+5
1e5 1.5e5 1.5e+5 1.5E-5 6.02e+23 1.0e-7 .inf -.inf .nan .NaN .Inf +.inf ~ null Null NULL nULL yes Yes YES no No NO true True
TRUE false on On off OFF y n Y N oui << = - -- --- ... ? : :a a: a:b a::b -a ?a @a `a %a !a &a *a #a a#b a,b [a] {a} "a" 'a'
"a 'a a"b a'b |a >a | > |- >+ 2001-01-01 2001-1-1 2001-12-14t21:59:43.10-05:00 20:59 12345678901234567890123 0x1_F 0b_ 0x_ 0_
0777 0o777 1e400 1.7976931348623157e+309 -0 -0.0 0.0 00 0.1e+1 1__0 _1 1_ 0.1_1 é ü\u0101 \u4e2d \U0001f600 \ufeff \xa0 \x85 \u2028
\u2029 \x07 \x7f \\ \\n a\\b http://x.y/z?a=b#c a:b:c 10.0.0.1 1.2.3 12e03 0x 0b 0b2 0xg 123:45:6 1:2:3:4 :: <= => == <<< ~a null-a
{get_param: x} [a, b] []  {} [[]] [{}] {a: b} {a} {a,b} {?a: b} {a:} {a:b} {"a":b} {a :b} [a: b] [? a : b] [,] [a,,b] {,}
[a b] [a: b, c] {a: b: c} [-] [-a] [- a] [a-] [a?b] [?a] [? a] [a?] {a?: b} [:a] [a:] [: a] {: a} {a: } [::] [a::b] [http://x] {http://x: y}
!!str !!int !!float !!bool !!null !!seq !!map !!set !!omap !!pairs !!binary !!timestamp !!foo !foo !<x> !<!x> !<tag:yaml.org,2002:str>
! !! !e!x !!str! &a &a-b_1 &a: &a,b *a *b &é""".split(" ")
WORDS = [w for chunk in WORDS for w in chunk.split("\n") if w]
GLUE = [" ", " ", " ", "\n", "\n", "\n  ", "\n ", "\n    ", ": ", ": ", ":\n", ":\n  ", ":", "\n- ", "- ", "\n  - ", "? ", "\n? ", "\n: ",
        ", ", ",", "[", "]", "{", "}", " #c\n", "#c", " # c", "\n#c\n", "\t", "\n\t", "\r\n", "\r", "\x85", "\u2028", "\n\n", "\n---\n", "--- ",
        "\n...\n", "|\n ", ">\n  ", " |-\n  ", " |+\n", ">2\n", " |1-\n ", '"', "'", "''", "\\", '\\"', "\\n", "\\x41", "\\u0041",
        "\\\n", "&a ", "*a", "!!str ", "!!int ", "! ", "<<: ", "*a : ", "  ", "    ", "\ufeff", "%YAML 1.1\n", "%TAG ! !x\n", "\n%X\n"]
TEMPLATES = ["{0}", "a: {0}\n", "{0}: a\n", "- {0}\n", "[{0}]", "[{0}, {1}]", "{{{0}: {1}}}", "{{a: {0}, b: {1}}}", "a: {0}\nb: {1}\n", "a:\n  {0}\n  {1}\n",
             "a:\n- {0}\n- {1}\nb: 1\n", "- - {0}\n  - {1}\n- c\n", "a: '{0}'\n", 'a: "{0} {1}"\n', "a: |\n  {0}\n  {1}\n", "a: >\n  {0}\n  {1}\nb: x\n",
             "? {0}\n: {1}\n", "&a {0}\n", "!!str {0}\n", "!!int {0}", "!!float {0}", "!!bool {0}", "!!null {0}", "! {0}", "- &a {0}\n- *a\n", "--- {0}\n", "{0} #{1}\n", "a: {0} # {1}\n",
             "a: {0}\n  {1}\n", "a: '{0}\n{1}'\n", 'a: "{0}\n\n  {1}"\n', "[{0}\n, {1}\n]\n", "a: [{0},\n{1}]\nb: c\n", "a:\n    {0}\n  {1}\n", "{0}\n{1}\n",
             "{0}: {1}: c\n", "%YAML 1.1\n---\n{0}\n", "{0}\n...\n", "{0}\n---\n{1}\n", "!!omap [{0}: {1}]", "!!pairs\n- {0}: {1}\n", "!!set {{{0}}}", "!!seq {0}", "!!map {0}", "- {0}\n  {1}\n",
             "a: &x {{{0}: 1}}\nb:\n  <<: *x\n  {1}: 2\n", "a: {0}\na: {1}\n", "a:{0}\n", "\"a\"{0}\n", "'a': {0}{1}\n", "a: b\n{0}", "- a\n{0}\n- b\n", "a:\n{0}\n", "  a: {0}\n  b: {1}\n",
             "a: |{0}\n  b\n", "a: >{0}\n  b\n", "- |\n {0}\n{1}\n", "a: !!str {0}\n", "a: &b {0}\nc: *b\n", "{0} : {1}\n", "? - {0}\n: - {1}\n", "a: \"\\{0}\"\n", "\"{0}\\\n  {1}\"\n"]


def scalar(rng):
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(WORDS)
    if kind < 0.6:
        return str(rng.randint(-(10**rng.randint(1, 30)), 10**rng.randint(1, 30)))
    if kind < 0.7:
        return repr(rng.uniform(-1, 1) * 10 ** rng.randint(-20, 20))
    if kind < 0.85:
        return "".join(rng.choice("0123456789abx_.:-+eE") for _ in range(rng.randint(1, 7)))
    return "".join(rng.choice("ab \t\n:#-?,[]{}\"'\\|>%@!&*é\u2028\x85~=<") for _ in range(rng.randint(1, 6)))


def soup(rng):
    return "".join(rng.choice(rng.choice((WORDS, GLUE))) for _ in range(rng.randint(1, 9)))


LINES = ["a: b", "b: {0}", "- {0}", "- a: {0}", "  c: {0}", "  - {0}", "    d: {0}", "c:", "- - {0}", "? {0}", ": {0}", "e: |", "f: >-", "g: |2", "h: >+", "  text {0}", "    more", "",
         "# comment", "  # comment", "i: [{0},", "j: {{k: {0},", "  {0}]", "}}", "]", "l: \"open", "m: 'open", "  close\"", "close'", "n: &x {0}", "o: *x", "<<: *x", "p: &y", "q: &z {{r: {0}}}",
         "<<: *z", "<<: [*z, *z]", "s: !!str {0}", "t: !!int {0}", "u : {0}", "v: -", "w: ?", "'x': {0}", "\"y\": {0}", "\"z\":{0}", "  {0}", " {0}", "{0}", "---", "...", "  - - {0}", "-", "  -", "\t{0}", "a:\t{0}", "a: {0}\t"]


def lines(rng):
    end = rng.choice(("\n", "\n", "\n", "\r\n"))
    return end.join(rng.choice(LINES).format(scalar(rng)) for _ in range(rng.randint(1, 6))) + rng.choice(("", end))


def value(rng, depth=0):
    kind = rng.random()
    if depth < 3 and kind < 0.25:
        return [value(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    if depth < 3 and kind < 0.55:
        return {string(rng): value(rng, depth + 1) for _ in range(rng.randint(0, 4))}
    if kind < 0.6:
        return rng.choice([None, True, False])
    if kind < 0.65:
        return rng.randint(-(10**rng.randint(1, 25)), 10**rng.randint(1, 25))
    if kind < 0.7:
        return rng.uniform(-1, 1) * 10 ** rng.randint(-25, 25)
    return string(rng)


def string(rng):
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(WORDS)
    if kind < 0.6:
        return " ".join(rng.choice(WORDS + ["word", "longer", "  ", ""]) for _ in range(rng.randint(0, 40)))
    if kind < 0.8:
        alphabet = rng.choice(("ab c", "ab\n ", "a'b \n", "é \"b", "ab:# -?", "\x00\x1b\t \r\nz", "\u4e2d \x85a", "word \U0001f600"))
        return "".join(rng.choice(alphabet) for _ in range(rng.randint(0, rng.choice((5, 200)))))
    return "\n".join(rng.choice(("", " ", "a line of text", "  indented", "ends in blank ", "#!/bin/sh", "key: value", "- item")) for _ in range(rng.randint(0, 5)))


def dumped(rng):
    data = value(rng)
    return yaml.safe_dump(
        data,
        default_flow_style=rng.choice((True, False, None)),
        default_style=rng.choice((None, None, "'", '"', "|", ">")),
        width=rng.choice((20, 80, 1000)),
        indent=rng.choice((None, 2, 4, 8)),
        allow_unicode=rng.choice((True, False)),
        explicit_start=rng.random() < 0.2,
        line_break=rng.choice((None, None, "\r\n", "\r")),
    )


def mutated(rng):
    source = rng.choice((dumped, lines))(rng)[:400]
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(source))
        source = source[:at] + rng.choice((rng.choice(GLUE), rng.choice(WORDS), "")) + source[at + rng.randint(0, 2):]
    return source


def templates(rng):
    return rng.choice(TEMPLATES).format(scalar(rng), scalar(rng))


def fixed():
    """Every word in every plain place, and shapes that are worth a line of their own."""
    for word in WORDS:
        for template in ("{0}", "a: {0}\n", "{0}: a\n", "[{0}]", "{{{0}: {0}}}", "- {0}\n- '{0}'\n", "!!str {0}"):
            yield template.format(word)
    for number in range(0x20):
        yield f'"\\{chr(number + 0x60)}"'
    for code in list(range(0x20)) + [0x7F, 0x80, 0x85, 0x9F, 0xA0, 0xFEFF, 0xFFFE, 0xFFFF, 0xFFFD, 0x10000, 0xE000]:
        yield "a: b" + chr(code) + "c\n"
        yield '"a' + chr(code) + 'b"'
        yield "a: |\n  b" + chr(code) + "c\n"
    for head in ("|", ">"):
        for chomp in ("", "-", "+"):
            for indent in ("", "1", "2", "4", "0"):
                for body in ("a\n", "  a\n  b\n", "   a\n  b\n", "\n\n  a\n\n  b\n\n", "  a\n   b\n  c\n", "", "\n", "  a", "    a\n\n    b\n   c\n", "  \ta\n  b\n"):
                    yield f"k: {head}{indent}{chomp}\n{body}"
    for size in (1020, 1021, 1022, 1023, 1024, 1025, 1030):
        for form in ("{0}: b\n", '"{0}": b\n', "[{0}: b]", "{{{0}: b}}", "x: 1\n{0}: b\n", "? {0}\n: b\n", "[{0}] : b\n", "&a {0}: b\n", '{{"{0}": b}}'):
            yield form.format("k" * size)
    for depth in (10, 100, 240):
        yield "[" * depth + "]" * depth
        yield "{a: " * depth + "}" * depth
        yield "- " * depth + "x"
        yield "\n".join(" " * i + "a:" for i in range(depth))
    yield from ("", " ", "\n", "#", "# c\n", "---", "--- \n...\n", "...", "...\n---\n", "---\n---\n", "a\n---\n", "%YAML 1.2\n---\na", "%YAML 2.0\n---\na", "%YAML 1.1\n%YAML 1.1\n---\n", "%YAML 1\n---\n", "%TAG !e! tag:yaml.org,2002:\n---\n!e!str 1\n",
                "%TAG !! !x\n---\n!!str a", "%FOO bar baz\n---\na", "%YAML 1.1\na", "--- %YAML\n", "--- a: b\n", "--- - a\n", "--- |\n a\n", "--- >\n a\n b\n", "---\ta", "--- # c\na: b\n", "---a: b", "a: b\n...\nc: d\n", "a: b\n...\n# c\n", "a: b\n...\n...\n",
                "\ufeffa: b\n", "\ufeff# c\na: b\n", "\ufeff---\na: b", "a: b\n\ufeffc: d\n", "a: b\r\nc: d\r\n", "a: |\r\n  b\r\n  c\r\n", "a: 'b\r\n  c'\r\n", "a: b\rc: d\r",
                "&a [*a]", "&a {b: *a}", "- &a {x: 1}\n- <<: *a\n  y: 2\n", "- &a {x: 1}\n- &b {x: 2, z: 3}\n- <<: [*a, *b]\n  y: 2\n", "- &a {x: 1}\n- &b {x: 2}\n- <<: *a\n  <<: *b\n", "<<: {a: 1}\na: 2\n", "a: 2\n<<: {a: 1}\n", "<<: [{a: 1}, {a: 2}]\n", "<<: a\n", "<<: [a]\n",
                "<<: [[{a: 1}]]\n", "<<:\n", "'<<': {a: 1}\n", "!!merge a: {b: 1}\n", "- <<\n", "<<: {<<: {a: 1}, b: 2}\nc: 3\n", "&a {<<: *a}", "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}\n", "{<<: {a: 1}, a: 0, b: 1}", "- &a {x: {y: 1}}\n- {<<: *a}\n",
                "1: a\n1.0: b\ntrue: c\n", "true: a\n1: b\n", "1: a\n'1': b\n", "null: a\n~: b\n'null': c\n", "1.5: a\n", "1e5: a\n", "-0.0: a\n0: b\n", "0x10: a\n16: b\n", ".inf: a\n", ".nan: a\n.nan: b\n", "2001-01-01: a\n", "[a]: b\n", "{a: b}: c\n", "? [a]\n: b\n", "? a\n", "? a\n? b\n", "? a\nb: c\n", "? |\n  a\n: b\n", "?\n: b\n", ": b\n", "a: 1\n: b\n",
                "!!set {a, b}", "!!omap [a: 1, b: 2]", "!!omap [a]", "!!omap {a: 1}", "!!pairs [a: 1, a: 2]", "!!omap [[a]: b]", "!!binary aGk=", "!!binary {a: b}", "!!str {=: x}", "!!int {=: '5'}", "{=: 1}", "- =", "!!str [a]", "!!null a", "!!null [a]", "!!bool maybe", "!!int a", "!!int ''", "!!int ' 5 '", "!!float 1e3", "!!float inf", "!!float 5", "!!seq {a: b}", "!!map [a]", "!!python/name:os.system", "!foo a", "!<foo> a",
                "&a a\n&b b: c\n", "&a &b c", "!!str !!str a", "&a !!str b", "!!str &a b", "&a *b", "!!str *a", "- &a a\n- &a b\n", "- *a\n", "&a : b\n", "&a\n- b\n", "a: &a\n- b\n", "a: !!seq\n- b\n", "a: &a\n  b: c\nd: *a\n", "*a : b\n", "- &k a\n- {*k : b}\n", "- &k a\n- *k: b\n", "- &k a\n- {*k: b}\n", "- &k a\n- [*k, *k]\n", "- &k a\n- {*k}\n",
                "a: [b, c]: d\n", "a: [\nb,\nc\n]\n", "a: {\nb: c\n}\n", "a:\n  b: {\n  c: d,\n}\n", "a: 'b\nc'\n", "a: \"b\nc\"\n", "a: \"b\n\n c\\\n   d\\n\"\n", "a: b\n c\n  d\n", "a: b\n\n c\n", "a: b\n # c\n d\n", "a: b # c\n d: e\n", "a:\n- b\n- c\nd: e\n", "a:\n - b\n- c\n", "a:\n  - b\n - c\n", "- a\n - b\n", "- a\n b\n", "- a: b\n  c: d\n", "- a: b\n c: d\n", "- a: b\n   c: d\n", "a: b\n  c: d\n", " a: b\nc: d\n", "a: - b\n", "- - - a\n    - b\n", "-\n a\n", "-\n- a\n", "- \n\n  a\n", "a: b: c\n", "a: 'b': c\n", "a: b:\n", "a\nb: c\n", "a: b\nc\n", "a: b\nc\nd: e\n", "'a'\n'b'", "'a' 'b'", "[a]b", "[a] b", "[a]: b", "{a: b}c", "'a'b", "'a': b\n'c':d\n", "\"a\" : b\n", "a : b\n", "a  :  b\n",
                "[a, [b, c], {d: e}]", "[a\n b\n c]", "[a, # c\n b]", "[a,#c\n b]", "[a#b]", "[#c\n]", "{a: 1, b}", "{a, b: }", "{'a', \"b\"}", "{\"a\"b: c}", "[\"a\":b]", "['a': b, c: d]", "[a: b: c]", "{a: [b, c], d: {e: f}}", "{? a : b, ? c}", "{? a, ? b : c}", "[? a, b]", "{a: , b: }", "{a:, b:}", "{a:1, b: 2}", "{a,}", "[a,]", "[a, ]", "[a]]", "[a", "{a", "]", "}", ",", "[,a]", "{a: b,, c: d}", "[a\n---\n]", "[a\n--- b]", "'a\n---\nb'", "'a\n--- b'", "a\n--- b", "\"a", "'a", "'a''b'", "\"a''b\"", "'a\\nb'", "\"\\q\"", "\"\\x4\"", "\"\\u00e9\\U0001F600\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\\U00110000\"", "\"\\\n\"", "\"a\\\n  b\"", "\"a\\ b\"", "\"\\/\\e\\0\\a\\_\\N\\L\\P\"",
                "\ta: b\n", "a:\n\tb\n", "a: b\t\n", "a: b\t# c\n", "a:\tb\n", "a: \tb\n", "-\ta\n", "- \ta\n", "a: [b,\tc]\n", "a: [\n\tb\n]\n", "{\n\t\"a\": 1\n}\n", "a: |\n\tb\n", "a: |\n  \tb\n", "a: |\t\n  b\n", "a: 'b\n\tc'\n", "a: b\n\tc\n", "a: b\tc\n", "# c\tc\n", "a: b #\tc\n", "\t\n", "a: b\n\t\nc: d\n", "a: b\n\t# c\n", "\t# c\na: b\n", "a: &x\tb\n", "a: !!str\tb\n", "? a\n:\tb\n", "?\ta\n", "a\t: b\n", "'a'\t: b\n", "a: >\n  b\n\t\n  c\n")


def cases(seed, count, makers):
    rng = random.Random(seed)
    seen = set()
    while count > 0:
        source = rng.choice(makers)(rng)
        if source in seen or len(source) > 500:
            continue
        seen.add(source)
        count -= 1
        yield source


def lines_of(sources):
    for number, source in enumerate(sources):
        try:
            source.encode()
        except UnicodeEncodeError:
            continue
        modes = ["p"]
        if number % 9 == 0:
            modes.append("t")
        # Where libyaml and PyYAML differ in more than tabs, nothing is promised.
        spaces = source.replace("\t", " ")
        if spaces != source and plain_load(C, spaces) == plain_load(Python, spaces):
            modes.append("c")
        for mode in modes:
            try:
                yield json.dumps([mode, source, load(mode, source)], ensure_ascii=False)
            except RecursionError:
                pass


MAKERS = [soup, lines, lines, templates, templates, dumped, mutated, mutated]


def written(seed, count):
    rng = random.Random(seed)
    fixed_values = list(WORDS) + ["", " ", "\n", "a\n", "\na", "a\nb", "a\n\nb\n", " a", "a ", "a" * 200, "a " * 100, "é " * 60, "k" * 122, "k" * 123, "'" * 90 + " b" * 40, "a\tb", "a\\b\"c'd",
                                  "x" * 79 + " y", "x" * 80 + " y z", "x" * 81 + " y", [], {}, [[]], [{}], [[1, [2, []]]], {"a": []}, {"a": {}}, {"": 1}, {"a\nb": [1, 2]}, {"k" * 130: [1, {"b": 2}]}, {"k" * 130: {"b": 2}}, 0, -1, 10**22, 1.0, 1e16, 1e-7, 1.5e300, 0.1, -0.0, None, True, False,
                                  {"b": 1, "a": 2, "B": 3, "é": 4, "10": 5, "9": 6}, {"yes": "no", "1": "1", "null": None}]
    for data in [item for word in fixed_values for item in (word, {"key": word}, [word])]:
        yield data
    for _ in range(count):
        yield value(rng)


def main():
    if len(sys.argv) == 3:
        for line in lines_of(cases(int(sys.argv[1]), int(sys.argv[2]), MAKERS)):
            print(line)
        return
    here = pathlib.Path(__file__).parent
    with open(here / "cases.jsonl", "w", encoding="utf-8", newline="\n") as out:
        for line in lines_of(dict.fromkeys([*fixed(), *cases(11, 5000, MAKERS)])):
            out.write(line + "\n")
    with open(here / "written.jsonl", "w", encoding="utf-8", newline="\n") as out:
        for data in written(11, 400):
            try:
                source = json.dumps(data, ensure_ascii=False)
                source.encode()
            except UnicodeEncodeError:
                continue
            out.write(json.dumps([source, yaml.safe_dump(data, default_flow_style=False)], ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    main()
