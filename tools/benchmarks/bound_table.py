#!/usr/bin/env python3
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Lower bounds of all signed networks of a folder, as a table.

Searches each network for --time_limit seconds. A second run starts from that result
and proves a lower bound, whose certificate `evaluate` verifies. A row has the seconds
of the bound (`bound` of the summary) and the CPU seconds of that whole second run,
with reading and, on a GPU, the start of CUDA. Small networks come first. A network
whose commands fail has no row, and the exit status is 1.

    bound_table.py --tools=bazel-bin/tools --data=DIR --device=cuda --skip=stocks_2008
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def row(network, args, folder):
    tool = os.path.join(args.tools, "correlation_cluster")
    clusters, better, proof, summary = (
        os.path.join(folder, name)
        for name in ("clusters.tsv", "better.tsv", "proof", "summary.json"))
    common = (tool, f"--input={network}", "--skip_loops", f"--threads={args.threads}",
              f"--device={args.device}")
    run(*common, f"--time_limit={args.time_limit}", f"--output={clusters}")
    before = cpu_seconds()
    run(*common, "--time_limit=0.001", f"--initial={clusters}",
        f"--certificate={proof}", f"--output={better}", f"--summary={summary}")
    cpu = cpu_seconds() - before
    run(os.path.join(args.tools, "evaluate"), f"--network={network}",
        f"--certificate={proof}")
    result = json.loads(pathlib.Path(summary).read_text())
    with open(proof) as lines:
        kind = "semidefinite" if "semidefinite" in lines.readline() else "cycles"
    value, bound = result["objective"], result["lower_bound"]
    gap = ("optimal" if value == bound else "–" if bound <= 0 else
           f"{100 * (value - bound) / bound:.2f} %")
    name = os.path.basename(network).split(".txt")[0]
    return (f"| {name} | {result['n']:,} | {result['edges']:,} | {value:,} | {bound:,} "
            f"| {gap} | {kind} | {cpu:.1f} | {result['seconds']['bound']:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", required=True, help="folder of the tools")
    parser.add_argument("--data", required=True, help="folder of the networks, *.txt.gz")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--time_limit", default="2", help="seconds of each search")
    parser.add_argument("--only", default="", help="networks whose names have this")
    parser.add_argument("--skip", default="", help="names to leave out, with commas")
    args = parser.parse_args()
    skipped = [name + ".txt.gz" for name in args.skip.split(",")]
    networks = [path for path in pathlib.Path(args.data).glob("*.txt.gz")
                if args.only in path.name and path.name not in skipped]
    networks.sort(key=lambda path: (path.stat().st_size, path.name))
    print("| network | vertices | edges | I(P) | bound | gap | proof | CPU seconds | "
          "seconds of the bound |\n|---|---:|---:|---:|---:|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        failed = 0
        for network in networks:
            try:
                print(row(str(network), args, folder), flush=True)
            except subprocess.CalledProcessError as error:
                print(f"{network}: {error}", file=sys.stderr)
                failed = 1
    sys.exit(failed)


if __name__ == "__main__":
    main()
