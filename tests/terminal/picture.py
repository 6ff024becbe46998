#!/usr/bin/env python3
"""Makes a page of what `tmux capture-pane -e` prints: HTML on standard output, WIDTH,HEIGHT on descriptor 3."""

import html
import os
import re
import sys

STYLES = {"1": "font-weight:bold", "2": "opacity:.6", "31": "color:#ff7b72", "33": "color:#e3b341"}
WIDTH, HEIGHT, EDGE = 8.43, 19, 14  # of a character at 14 px, and around them
NARROWEST, LOWEST = 80, 7  # columns and lines: a smaller window of the browser makes an empty picture


def styled(line, now):
    """One line; each escape sequence changes what follows, in the next lines as well: `now` is what holds."""
    out = []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not part.startswith("\x1b["):
            style = ";".join(STYLES[code] for code in sorted(now))
            out.append(f'<span style="{style}">{html.escape(part)}</span>' if style else html.escape(part))
            continue
        for code in part[2:-1].split(";"):
            if code in ("", "0"):
                now.clear()
            elif code in STYLES:
                now.add(code)
            elif code == "22":
                now -= {"1", "2"}
            elif code == "39":
                now -= {"31", "33"}
    return "".join(out)


def main():
    lines = sys.stdin.read().rstrip().split("\n")
    now = set()
    columns = max(NARROWEST, *(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines))
    print(
        '<!doctype html><meta charset="utf-8"><style>'
        f"body{{margin:0;background:#0d1117;color:#e6edf3}}pre{{margin:{EDGE}px;"
        f"font:14px/{HEIGHT}px 'DejaVu Sans Mono',monospace}}</style><pre>"
        + "\n".join(styled(line, now) for line in lines)
        + "</pre>"
    )
    size = f"{round(columns * WIDTH) + 2 * EDGE},{max(LOWEST, len(lines)) * HEIGHT + 2 * EDGE}"
    with os.fdopen(3, "w") as out:
        out.write(size)


main()
