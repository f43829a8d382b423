#!/usr/bin/env python3
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Draws where each index wins, from the JSON files of index_map_benchmark.

    index_map.py OUT.svg CPU.json ... -- GPU.json ...

A panel for each device, kind of points and cutoff distance: time over
dimensions, both logarithmic, a line for each index and number of points, and
rings for what the automatic choice took. Of rows that come twice, the last
counts.
"""

import json
import math
import re
import sys

NAME = re.compile(r"IndexMap/\w+/euclidean/(\w+)/n=(\d+)/d=(\d+)/share=([^/]+)/(\w+)/")
INDEXES = [("box_tree", "box tree", "#1f6fb2"), ("vp_tree", "VP-tree", "#d1572b"),
           ("brute_force", "brute force", "#6f7a85")]
FAMILIES = ["uniform", "mixture", "surface"]
WIDTH, HEIGHT, LEFT, TOP = 210, 150, 62, 78


def read(paths):
    """Returns {(family, few neighbors?): {(index, n): {d: milliseconds}}}."""
    rows = {}
    for path in paths:
        with open(path) as file:
            benchmarks = json.load(file)["benchmarks"]
        for row in benchmarks:
            match = NAME.match(row["name"])
            if not match or row.get("error_occurred"):
                continue
            family, n, d, share, index = match.groups()
            few = abs(float(share) * int(n) - 32) < 1
            lines = rows.setdefault((family, few), {})
            lines.setdefault((index, int(n)), {})[int(d)] = row["real_time"]
    return rows


def text(x, y, string, size=11, anchor="start", color="#24292f", weight="normal"):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{color}" font-weight="{weight}">{string}</text>')


def panel(x, y, lines, title, out):
    times = [ms for line in lines.values() for ms in line.values()]
    dimensions = sorted({d for line in lines.values() for d in line})
    low = 10 ** math.floor(math.log10(min(times)))
    high = 10 ** math.ceil(math.log10(max(times)))
    across = lambda d: x + (math.log2(d) - 1) / 8 * (WIDTH - 50)
    up = lambda ms: y + HEIGHT - math.log(ms / low) / math.log(high / low) * HEIGHT
    out.append(text(x, y - 8, title, weight="bold"))
    decade = low
    while decade <= high * 1.01:
        out.append(f'<path d="M{x:.0f} {up(decade):.1f}h{WIDTH - 50}" stroke="#d8dee4"/>')
        label = f"{decade / 1000:g} s" if decade >= 1000 else f"{decade:g} ms"
        out.append(text(x - 5, up(decade) + 4, label, 10, "end", "#57606a"))
        decade *= 10
    for d in dimensions:
        if d not in (3, 128):
            out.append(text(across(d), y + HEIGHT + 14, d, 10, "middle", "#57606a"))
    sizes = sorted({n for _, n in lines})
    for n in sizes:
        for index, _, color in INDEXES:
            points = " ".join(f"{across(d):.1f},{up(ms):.1f}"
                              for d, ms in sorted(lines.get((index, n), {}).items()))
            dashes = "" if n == sizes[-1] else ' stroke-dasharray="4 2"'
            out.append(f'<polyline points="{points}" fill="none" stroke="{color}" '
                       f'stroke-width="1.6"{dashes}/>')
        for d, ms in sorted(lines.get(("auto", n), {}).items()):
            out.append(f'<circle cx="{across(d):.1f}" cy="{up(ms):.1f}" r="2.6" fill="none" stroke="#24292f"/>')
    out.append(text(x + WIDTH - 50, y - 8, "n = " + ", ".join(f"{n:,}" for n in sizes), 10, "end", "#57606a"))


def main():
    arguments = sys.argv[2:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    devices = [("CPU, one thread", read(arguments[:split])), ("GPU", read(arguments[split + 1:]))]
    cells = [(family, few) for few in (True, False) for family in FAMILIES]
    devices = [(name, rows) for name, rows in devices if rows]
    height = TOP + 2 * len(devices) * (HEIGHT + 56)
    width = LEFT + 3 * (WIDTH + 30)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
           f'height="{height}" font-family="sans-serif">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           text(12, 20, "Density peaks: seconds by index and dimension", 14, weight="bold"),
           text(12, 37, "build, ρ and δ; Euclidean distances; both axes logarithmic; dashes: fewer points; less is better", 11,
                color="#57606a")]
    at = 12
    for _, name, color in INDEXES:
        out.append(f'<rect x="{at}" y="46" width="10" height="10" fill="{color}"/>')
        out.append(text(at + 14, 55, name))
        at += 100
    out.append(f'<circle cx="{at + 5}" cy="51" r="3.5" fill="none" stroke="#24292f"/>')
    out.append(text(at + 14, 55, "what the automatic choice takes, choosing included"))
    for number, (device, rows) in enumerate(devices):
        for i, (family, few) in enumerate(cells):
            if (family, few) not in rows:
                continue
            x = LEFT + i % 3 * (WIDTH + 30)
            y = TOP + 22 + (2 * number + i // 3) * (HEIGHT + 56)
            if i % 3 == 0:
                neighbors = "32 neighbors" if few else "2 % of the points"
                out.append(text(12, y - 24, f"{device}; {neighbors} within d_c on average", 12, weight="bold"))
            panel(x, y, rows[family, few], family, out)
    out.append("</svg>")
    with open(sys.argv[1], "w") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main()
