#!/usr/bin/env python3
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Whole jobs of the tools on the CPU, on the GPU and where --device=auto runs them.

Runs each job three times on each device and writes one JSON object per run: wall time of
the process, seconds by phase, sizes, and what auto chose and why. Generates its
data with `generate`, and adds jobs on the files that it finds in --data. Prints a
table of the jobs, and on how many auto is within 10 % + 20 ms of the better device.

    device_grid.py --tools=bazel-bin/tools --data=DIR --out=grid.jsonl
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

DEVICES = ("cpu", "cuda", "auto")


def documents(n, terms=76):
    return ("documents", n, f"--terms_per_document={terms}")


def stream(n, words=10):
    return ("stream", n, f"--terms_per_document={words}")


def points(n, dimensions):
    return ("points", n, f"--dimensions={dimensions}")


def signed(n, degree):
    return ("signed", n, f"--density={min(1, degree / n):.9f}")


# A job is its input, generated or the name of a file in --data, and flags. The jobs
# of a family are in the order in which they run; families take turns.
TF, TFIDF = "--weighting=tf", "--weighting=tfidf"
FAMILIES = {
    "oclustr": [
        (documents(500), TF, "--beta=0.25"),
        (documents(20000), TFIDF, "--beta=0.25"),
        ("reuters21578.jsonl.gz", TF, "--beta=0.2"),
        ("aclimdb100k_tf.svm.gz", TFIDF, "--beta=0.25"),
        (stream(7600), TF, "--beta=0.3"),
        (documents(100000), TFIDF, "--beta=0.25"),
        (documents(5000), TF, "--beta=0.25"),
        (documents(500000, 8), TFIDF, "--beta=0.5"),
        ("aclimdb100k_tf.svm.gz", TF, "--beta=0.25"),
        (documents(100000, 8), TF, "--beta=0.6"),
        (documents(20000), TF, "--beta=0.3"),
        ("newsgroups20.jsonl.gz", TFIDF, "--beta=0.1"),
    ],
    "similarity_graph": [
        (documents(5000), TFIDF, "--beta=0.25"),
        (documents(20000), TFIDF, "--beta=0.25"),
        (documents(100000, 8), TFIDF, "--beta=0.7"),
        ("newsgroups20_tf.svm.gz", TF, "--beta=0.35"),
        (documents(100000), TFIDF, "--beta=0.35"),
    ],
    "online_cluster": [
        (stream(1000), "--threshold=0.5", "--merge_every=0"),
        (stream(100000), "--threshold=0.5"),
        ("reuters21578.jsonl.gz", "--threshold=0.5", "--merge_every=0"),
        (stream(10000), "--threshold=0.2", "--merge_every=0"),
        (stream(100000, 30), "--threshold=0.2", "--merge_every=0"),
        (stream(500000), "--threshold=0.5", "--merge_every=0"),
        ("newsgroups20.jsonl.gz", "--threshold=0.1", "--merge_every=0"),
    ],
    "dclustr": [
        (documents(5000), TF, "--beta=0.25", "--batch=1000"),
        (documents(20000), TFIDF, "--beta=0.25", "--batch=5000"),
        (documents(100000, 8), TFIDF, "--beta=0.6", "--batch=50000"),
        (documents(100000), TFIDF, "--beta=0.35"),
    ],
    "density_peaks": [
        (points(1000, 2),),
        (points(100000, 2),),
        (points(100000, 8), "--rule=drop"),
        (points(10000, 64),),
        ("geolife1m.csv.gz", "--dc=1", "--rule=drop"),
        (points(1000000, 2), "--dc=2", "--rule=drop"),
        (points(10000, 8),),
        (points(100000, 64), "--rule=drop"),
        (points(3000000, 2), "--dc=2", "--rule=drop"),
        ("kin40k.csv.gz", "--dc=1"),
        (points(10000, 2), "--dc=20"),
        ("mnist70k.csv.gz",),
        (points(1000000, 8), "--dc=50"),
        ("birch1.csv.gz", "--dc=14000", "--rule=drop"),
        ("chest_accel.csv.gz", "--dc=5.5"),
        ("facial.csv.gz", "--dc=300"),
    ],
    "correlation_cluster": [
        (signed(1000, 20), "--iterations=1"),
        (signed(20000, 10), "--iterations=1"),
        ("slashdot_10000.txt.gz", "--iterations=1"),
        (signed(200000, 6), "--iterations=1"),
        (signed(400, 200),),
        ("epinions_full.txt.gz", "--iterations=1"),
        (signed(2000, 200), "--iterations=1"),
        ("bitcoin_otc.txt.gz",),
        (signed(100, 10), "--iterations=1"),
    ],
}


def in_turns(families):
    """(family, job) of all families: first jobs first."""
    longest = max(len(jobs) for jobs in families.values())
    for i in range(longest):
        for family, jobs in families.items():
            if i < len(jobs):
                yield family, jobs[i]


def input_name(source):
    """The file name of an input."""
    if isinstance(source, str):
        return source
    kind, n, *flags = source
    ending = {"documents": "svm", "stream": "jsonl", "points": "csv", "signed": "txt"}
    values = [flag.split("=")[1] for flag in flags]
    return "_".join([kind, str(n)] + values) + "." + ending[kind]


class Grid:
    def __init__(self, options):
        self.options = options
        self.begin = time.monotonic()
        self.paths = {}

    def seconds_left(self):
        return self.options.total_seconds - (time.monotonic() - self.begin)

    def find_inputs(self, folder):
        """Finds the files in --data, and generates the others, all at once."""
        found = {}
        if self.options.data:
            for path in sorted(pathlib.Path(self.options.data).rglob("*")):
                found.setdefault(path.name, path)
        sources = {}
        for family, (source, *_) in in_turns(FAMILIES):
            if self.options.only in family:
                sources.setdefault(input_name(source), source)
        commands = {}
        for name, source in sources.items():
            if isinstance(source, str):
                if name in found:
                    self.paths[name] = found[name]
            elif source[1] <= self.options.max_n:
                kind, n, *flags = source
                self.paths[name] = pathlib.Path(folder) / name
                commands[name] = self.tool("generate") + [
                    f"--kind={kind}", f"--n={n}", "--seed=7", "--quiet",
                    f"--output={self.paths[name]}", *flags]
        # The largest first, so that the last one to end is not the largest.
        order = sorted(commands, key=lambda name: -sources[name][1])
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in pool.map(lambda name: subprocess.run(commands[name], check=True),
                              order):
                pass

    def tool(self, name):
        return [str(pathlib.Path(self.options.tools) / name)]

    def run(self, family, name, flags, device, repeat, folder):
        """One process; its row."""
        path = self.paths[name]
        summary = pathlib.Path(folder) / "summary.json"
        summary.unlink(missing_ok=True)
        inputs = [f"--input={path}"]
        if family == "dclustr":
            inputs = ["--in_memory", f"--add={path}"]
        command = self.tool(family) + inputs + list(flags) + [
            f"--device={device}", f"--summary={summary}", "--quiet",
            f"--output={pathlib.Path(folder) / 'output'}"]
        if self.options.threads:
            command.append(f"--threads={self.options.threads}")
        row = {"job": " ".join([family, name, *flags]), "tool": family, "input": name,
               "input_bytes": path.stat().st_size, "device": device, "repeat": repeat,
               "error": ""}
        begin = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True,
                                  timeout=2 * self.options.job_seconds)
            if done.returncode != 0:
                row["error"] = done.stderr.strip()[-200:]
        except subprocess.TimeoutExpired:
            row["error"] = "too long"
        row["wall"] = round(time.monotonic() - begin, 4)
        if not row["error"]:
            row.update(json.loads(summary.read_text()))
            # The device of the summary is where it ran, of the row what was asked.
            row["ran_on"], row["device"] = row["device"], device
        return row

    def run_all(self, folder, out):
        """Rows of all jobs, also written to `out`."""
        devices = self.options.devices.split(",")
        rows = []
        for family, (source, *flags) in in_turns(FAMILIES):
            name = input_name(source)
            if self.options.only not in family or name not in self.paths:
                continue
            failed = set()
            for repeat, device in ((r, d) for r in range(3) for d in devices):
                if self.seconds_left() < 0:
                    print("the time is up", file=sys.stderr)
                    return rows
                if device in failed:
                    continue
                row = self.run(family, name, flags, device, repeat, folder)
                rows.append(row)
                out.write(json.dumps(row) + "\n")
                out.flush()
                if row["error"]:
                    failed.add(device)
                if device == "cpu" and row["wall"] > self.options.job_seconds:
                    break  # There is no question where such a job belongs.
        return rows


def print_table(rows):
    """The best time of each job on each device, and the verdict on auto."""
    jobs = {}
    errors = {}
    for row in rows:
        if row["error"]:
            errors[(row["job"], row["device"])] = row["error"]
            continue
        times = jobs.setdefault(row["job"], {})
        if row["wall"] < times.get(row["device"], (float("inf"), ""))[0]:
            times[row["device"]] = (row["wall"], row["ran_on"])
    print("job\tcpu\tcuda\tauto\tauto ran on\tmost\twithin")
    good = judged = 0
    for job, times in jobs.items():
        cells = [f"{times[d][0]:.3f}" if d in times else "-" for d in DEVICES]
        cells.append(times["auto"][1] if "auto" in times else "-")
        if "auto" in times and ("cpu" in times or "cuda" in times):
            better = min(times[d][0] for d in ("cpu", "cuda") if d in times)
            most = 1.1 * better + 0.02
            within = times["auto"][0] <= most
            judged += 1
            good += within
            cells += [f"{most:.3f}", "yes" if within else "no"]
        print("\t".join([job] + cells))
    for (job, device), error in errors.items():
        print(f"{device}: {job}: {error}", file=sys.stderr)
    print(f"auto is within 10 % + 20 ms of the better device on {good} of {judged}"
          " jobs")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tools", help="folder of the tools")
    parser.add_argument("--data", help="folder with real inputs, searched whole")
    parser.add_argument("--out", help="file of rows, one JSON object a line")
    parser.add_argument("--show", help="prints the table of a file of rows; runs nothing")
    parser.add_argument("--only", default="", help="families whose names contain this")
    parser.add_argument("--devices", default=",".join(DEVICES))
    parser.add_argument("--max_n", type=int, default=10**9,
                        help="leaves out generated inputs larger than this")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--job_seconds", type=float, default=3,
                        help="a job that takes longer on the CPU runs there once only")
    parser.add_argument("--total_seconds", type=float, default=125)
    options = parser.parse_args()
    if options.show:
        with open(options.show, encoding="utf-8") as rows:
            print_table([json.loads(line) for line in rows])
        return 0
    if not options.tools or not options.out:
        parser.error("--tools and --out are needed")
    grid = Grid(options)
    with tempfile.TemporaryDirectory() as folder, \
            open(options.out, "w", encoding="utf-8") as out:
        grid.find_inputs(folder)
        print(f"inputs: {time.monotonic() - grid.begin:.1f} s", file=sys.stderr)
        rows = grid.run_all(folder, out)
    print_table(rows)
    return 0 if rows else 2


if __name__ == "__main__":
    sys.exit(main())
