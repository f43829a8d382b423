#!/usr/bin/env python3
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Draws the file of --trace.

    trace_picture.py TRACE.json OUT.svg "TITLE"

A row for the phases of the main thread, rows for their parts, and rows for the
other threads, over time; threads of which one ends before the other begins share
a row. Below, the seconds of all spans of a name.
"""

import html
import json
import sys

WIDTH, LEFT, ROW = 760, 108, 18
COLORS = {"CUDA start": "#8250df", "upload": "#d1572b", "read": "#9aa5b1", "compute": "#57606a",
          "write": "#bf8700", "graph": "#1f6fb2", "relevance": "#2da44e", "covering": "#e16f24",
          "useful clusters": "#cf222e", "read block": "#6f7a85", "parse block": "#54aeff",
          "merge block": "#4ac26b", "analyze texts": "#1b7c83", "merge terms": "#bf3989",
          "number terms": "#a475f9"}
OTHERS = ["#7d4e00", "#0550ae", "#116329", "#953800"]


def rows(events):
    """Returns [(label, spans)]: the main thread by depth, then the others."""
    main, depth_ends, others = {}, [], {}
    for event in events[1:]:
        span = (event["name"], event["ts"], event["ts"] + event["dur"])
        if event["tid"] != 0:
            others.setdefault(event["tid"], []).append(span)
            continue
        while depth_ends and span[1] >= depth_ends[-1]:
            depth_ends.pop()
        main.setdefault(len(depth_ends), []).append(span)
        depth_ends.append(span[2])
    shared = []
    for spans in others.values():
        free = next((row for row in shared if row[-1][2] <= spans[0][1]), None)
        if free is None:
            shared.append(list(spans))
        else:
            free.extend(spans)
    return ([("" if depth else "main thread", main[depth]) for depth in sorted(main)] +
            [("" if number else "other threads", row) for number, row in enumerate(shared)])


def text(x, y, string, anchor="start", color="#24292f", size=11):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{color}">{html.escape(string)}</text>')


def picture(events, title):
    total = events[0]["dur"]
    across = lambda us: LEFT + us / total * (WIDTH - LEFT - 16)
    lanes = rows(events)
    sums = {}
    for _, spans in lanes:
        for name, begin, end in spans:
            sums[name] = sums.get(name, 0) + end - begin
    spare = iter(OTHERS * len(sums))
    colors = {name: COLORS.get(name) or next(spare) for name in sums}

    bottom = 44 + ROW * len(lanes)
    out = [text(12, 20, title, size=14)]
    step = 10 ** (len(str(total)) - 1)
    step = next(s for s in (step // 5, step // 2, step, 2 * step) if total // s < 10)
    for us in range(0, total + 1, step):
        out.append(f'<path d="M{across(us):.1f} 34V{bottom}" stroke="#d8dee4"/>')
        out.append(text(across(us), bottom + 14, f"{us / 1e6:g} s", "middle", "#57606a"))
    for number, (label, spans) in enumerate(lanes):
        y = 38 + ROW * number
        out.append(text(LEFT - 8, y + 12, label, "end"))
        for name, begin, end in spans:
            width = max(0.3, across(end) - across(begin))
            out.append(f'<rect x="{across(begin):.1f}" y="{y}" width="{width:.1f}" '
                       f'height="{ROW - 4}" fill="{colors[name]}"/>')
            if width > 6.5 * len(name):
                out.append(text(across(begin) + 4, y + 12, name, color="#fff"))
    for number, (name, us) in enumerate(sums.items()):
        x, y = 12 + number % 4 * 184, bottom + 36 + number // 4 * 18
        out.append(f'<rect x="{x}" y="{y - 10}" width="10" height="10" fill="{colors[name]}"/>')
        out.append(text(x + 15, y - 1, f"{name}, {us / 1e6:.3f} s"))
    height = bottom + 36 + (len(sums) + 3) // 4 * 18
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}" font-family="sans-serif">')
    return "\n".join([head, f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>', *out,
                      "</svg>"]) + "\n"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    trace, out, title = sys.argv[1:]
    with open(trace) as file:
        events = json.load(file)
    with open(out, "w") as file:
        file.write(picture(events, title))


if __name__ == "__main__":
    main()
