#!/usr/bin/env python3
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Whole jobs of the tools on one process and on several ranks, a GPU per rank.

Runs each job as one process and on each number of ranks, by mpirun or, with
--one_process, by the tools' --gpus, compares the outputs, and writes one JSON object
per run: wall time of the process and what the summary says. Prints a table of seconds
and ratios. All runs share the cores of the machine evenly. Needs mpirun and tools built
with --config=mpi, or --one_process, and NumPy for points.

    rank_jobs.py --tools=bazel-bin/tools --data=DIR --ranks=1,2 --out=ranks.jsonl
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def generated(kind, n, ending, *flags):
    """An input of `generate`."""
    return (kind, n, ending, flags)


def gaussians(n, dimensions, deviation, clusters=50):
    """Points around `clusters` centers in the unit cube, as NPY of float32."""
    return ("gaussians", n, "npy", (dimensions, deviation, clusters))


# A job is its name, the phase that ratios compare, tool, input (generated, or the
# name of a file in --data) and flags. Sizes are those of --scale=1.
JOBS = [
    ("cosine", "graph", "oclustr", generated("documents", 1_000_000, "svm"),
     "--beta=0.25", "--weighting=tfidf"),
    ("dense", "graph", "oclustr", generated("embeddings", 1_000_000, "npy", "--dimensions=768"),
     "--beta=0.7"),
    ("points_3", "compute", "density_peaks", gaussians(50_000_000, 3, 0.02),
     "--dc=0.0005", "--rule=drop"),
    ("points_3_far", "compute", "density_peaks", gaussians(50_000_000, 3, 0.02),
     "--dc_fraction=0.02", "--rule=drop"),
    ("points_3_default", "compute", "density_peaks", gaussians(50_000_000, 3, 0.02)),
    ("points_784", "compute", "density_peaks", gaussians(500_000, 784, 0.02),
     "--dc_fraction=0.02", "--rule=drop"),
    ("points_784_default", "compute", "density_peaks", gaussians(500_000, 784, 0.02)),
    ("stream", "compute", "online_cluster", generated("stream", 1_000_000, "jsonl"),
     "--threshold=0.1", "--merge_every=0"),
    ("slashdot", "compute", "correlation_cluster", "slashdot_full.txt.gz", "--skip_loops",
     "--time_limit=2"),
    ("epinions", "compute", "correlation_cluster", "epinions_full.txt.gz", "--skip_loops",
     "--time_limit=2"),
]


def scaled(source, scale):
    if isinstance(source, str):
        return source
    kind, n, ending, flags = source
    return (kind, max(1, int(n * scale)), ending, flags)


def write_gaussians(path, n, dimensions, deviation, clusters):
    import numpy
    random = numpy.random.default_rng(7)
    centers = random.random((clusters, dimensions), dtype=numpy.float32)
    rows = numpy.lib.format.open_memmap(path, "w+", numpy.float32, (n, dimensions))
    step = max(1, (1 << 24) // dimensions)
    for begin in range(0, n, step):
        part = random.standard_normal((min(step, n - begin), dimensions), numpy.float32)
        part *= numpy.float32(deviation)
        part += centers[random.integers(clusters, size=len(part))]
        rows[begin:begin + len(part)] = part


class Jobs:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.begin = time.monotonic()

    def tool(self, name):
        return str(pathlib.Path(self.options.tools) / name)

    def input_path(self, source):
        """The file of an input, made if needed; None if --data lacks it."""
        if isinstance(source, str):
            found = pathlib.Path(self.options.data or "/nonexistent").rglob(source)
            return next(iter(sorted(found)), None)
        kind, n, ending, flags = source
        name = "_".join([kind, str(n)] + [str(f).strip("-") for f in flags])
        path = self.folder / f"{name}.{ending}"
        if path.exists():
            return path
        if kind == "gaussians":
            write_gaussians(path, n, *flags)
        else:
            subprocess.run([self.tool("generate"), f"--kind={kind}", f"--n={n}",
                            "--seed=7", "--quiet", f"--output={path}", *flags], check=True)
        return path

    def run(self, name, tool, path, flags, ranks):
        """One run; its row."""
        summary, output = self.folder / "summary.json", self.folder / "output"
        summary.unlink(missing_ok=True)
        output.unlink(missing_ok=True)
        by_gpus = self.options.one_process and ranks > 1
        threads = len(os.sched_getaffinity(0))
        if not by_gpus:
            threads = max(1, threads // ranks)
        command = [self.tool(tool), f"--input={path}", *flags,
                   f"--device={self.options.device}", f"--threads={threads}", "--quiet",
                   f"--summary={summary}", f"--output={output}"]
        if self.options.traces:
            command.append(f"--trace={self.options.traces}/{name}_{ranks}_%r.json")
        if by_gpus:
            command.append(f"--gpus={ranks}")
        elif ranks > 1:
            # By default two ranks get one core each.
            launcher = ["mpirun", "--bind-to", "none", "--oversubscribe", "-n", str(ranks)]
            if os.getuid() == 0:
                launcher.insert(1, "--allow-run-as-root")
            command = launcher + command
        row = {"job": name, "ranks": ranks, "error": ""}
        begin = time.monotonic()
        # Else mpirun starts every GPU, to list them.
        environment = {"HWLOC_COMPONENTS": "-opencl,-gl", **os.environ}
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=environment,
                                  timeout=self.options.run_seconds)
            if done.returncode != 0:
                row["error"] = done.stderr.strip()[-300:]
        except subprocess.TimeoutExpired:
            row["error"] = "too long"
        row["wall"] = round(time.monotonic() - begin, 3)
        if not row["error"]:
            row.update(json.loads(summary.read_text()))
            row["ranks"] = ranks
            row["sha256"] = hashlib.sha256(output.read_bytes()).hexdigest()
        return row

    def run_all(self, out):
        rows = []
        wanted = [name for name in self.options.only.split(",") if name]
        jobs = [job for job in JOBS if not wanted or job[0] in wanted]
        if self.options.one_process:
            jobs = [job for job in jobs if job[2] != "online_cluster"]
        for number, (name, _, tool, source, *flags) in enumerate(jobs):
            path = self.input_path(scaled(source, self.options.scale))
            if path is None:
                print(f"{name}: not in --data: {source}", file=sys.stderr)
                continue
            for ranks in (r for _ in range(self.options.repeats)
                          for r in self.options.ranks):
                if time.monotonic() - self.begin > self.options.total_seconds:
                    print("the time is up", file=sys.stderr)
                    return rows
                row = self.run(name, tool, path, flags, ranks)
                rows.append(row)
                out.write(json.dumps(row) + "\n")
                out.flush()
            is_last = all(job[3] != source for job in jobs[number + 1:])
            if not isinstance(source, str) and is_last:
                path.unlink()
        return rows


def print_table(rows):
    """Of each job and number of ranks the run with the least seconds in its phase,
    beside that of one process."""
    phases = {name: phase for name, phase, *_ in JOBS}
    best = {}
    outputs = {}
    for row in rows:
        if row["error"]:
            print(f"{row['job']}, {row['ranks']} ranks: {row['error']}", file=sys.stderr)
            continue
        key = (row["job"], row["ranks"])
        outputs.setdefault(row["job"], set()).add(row["sha256"])
        row["time"] = row["seconds"][phases[row["job"]]]
        if key not in best or row["time"] < best[key]["time"]:
            best[key] = row
    print("job\tranks\twall\tphase\tseconds\tratio\tall phases\toutput\tMB\tGPU MB\tby")
    for (job, ranks), row in best.items():
        one = best.get((job, 1))
        ratio = f"{one['time'] / row['time']:.2f}" if one and row["time"] else "-"
        seconds = " ".join(f"{name}={value:.3g}" for name, value in row["seconds"].items())
        same = "equal" if len(outputs[job]) == 1 else "differ"
        if job in ("slashdot", "epinions"):  # Ended by time.
            same = f"I(P) {row['objective']}"
        print("\t".join([job, str(ranks), f"{row['wall']:.2f}", phases[job],
                         f"{row['time']:.3f}", ratio, seconds, same,
                         str(row["peak_rss_bytes"] >> 20),
                         str(row["peak_device_bytes"] >> 20),
                         str(row.get("documents_by", row["device"]))]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tools", required=True, help="folder of the tools")
    parser.add_argument("--data", help="folder with real inputs, searched whole")
    parser.add_argument("--out", required=True, help="file of rows, one JSON object a line")
    parser.add_argument("--only", default="", help="names of jobs, separated by commas")
    parser.add_argument("--ranks", default="1,2", type=lambda text: [
        int(number) for number in text.split(",")], help="numbers of ranks")
    parser.add_argument("--one_process", action="store_true",
                        help="--gpus instead of mpirun")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--scale", type=float, default=1, help="of generated inputs")
    parser.add_argument("--traces", help="folder for traces of each job and rank")
    parser.add_argument("--folder", help="for generated inputs and outputs")
    parser.add_argument("--run_seconds", type=float, default=60)
    parser.add_argument("--total_seconds", type=float, default=420)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, \
            open(options.out, "w", encoding="utf-8") as out:
        rows = Jobs(options, folder).run_all(out)
    print_table(rows)
    return 0 if rows and not any(row["error"] for row in rows) else 2


if __name__ == "__main__":
    sys.exit(main())
