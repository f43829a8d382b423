# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Density and dependent point by tiled brute force in PyTorch, float32.

What a framework gives without further work, and the baseline of
brute_force_cuda_benchmark, which writes the inputs (--dump=DIR):

  python3 brute_force_baseline.py DIR NAME...

Not exact: float32, |x|^2 + |y|^2 - 2 x y. Prints NAME, seconds of the density
and of the dependent points (the better of plain float32 and TF32 products
counts), and the sum of the counts.
"""

import sys

import torch


def density(points, norms, radius2, rows):
    counts = torch.empty(len(points), dtype=torch.int32, device="cuda")
    for i in range(0, len(points), rows):
        keys = torch.addmm(norms[None, :], points[i:i + rows], points.T, alpha=-2)
        keys += norms[i:i + rows, None]
        counts[i:i + rows] = (keys < radius2).sum(1) - 1
    return counts


def dependent(points, norms, counts, rows):
    """Sorted by rank, each tile needs the rows before it only."""
    order = torch.argsort(counts, descending=True, stable=True)
    points, norms = points[order].contiguous(), norms[order]
    best = torch.empty(len(points), device="cuda")
    index = torch.empty(len(points), dtype=torch.int64, device="cuda")
    for i in range(0, len(points), rows):
        end = min(i + rows, len(points))
        keys = torch.addmm(norms[None, :end], points[i:end], points[:end].T, alpha=-2)
        columns = torch.arange(end, device="cuda")
        keys.masked_fill_(columns[None, :] >= columns[i:end, None], float("inf"))
        best[i:end], index[i:end] = keys.min(1)
    return best + norms, order[index]


def timed(function, repeat):
    """The median of `repeat` runs after one more; a single run is a long one."""
    seconds, result = [], None
    for i in range(repeat + 1 if repeat > 1 else 1):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        result = function()
        end.record()
        torch.cuda.synchronize()
        if i > 0 or repeat == 1:
            seconds.append(start.elapsed_time(end) / 1000)
    return sorted(seconds)[len(seconds) // 2], result


def main():
    folder, names = sys.argv[1], sys.argv[2:]
    for name in names:
        n, d, radius = open(f"{folder}/{name}.txt").read().split()
        n, d, radius = int(n), int(d), float(radius)
        points = torch.from_file(f"{folder}/{name}.f32", size=n * d, dtype=torch.float32)
        points = points.reshape(n, d).cuda()
        points -= points.mean(0)
        norms = (points * points).sum(1)
        rows = max(256, min(8192, 2**30 // n))
        for tf32 in (False, True):
            torch.backends.cuda.matmul.allow_tf32 = tf32
            repeat = 3 if n < 200000 else 1
            first, counts = timed(lambda: density(points, norms, radius * radius, rows), repeat)
            second, _ = timed(lambda: dependent(points, norms, counts, rows), repeat)
            print(f"{name}\ttorch_{'tf32' if tf32 else 'fp32'}\t{first:.4f}\t{second:.4f}\t"
                  f"{first + second:.4f}\t{int(counts.sum())}", flush=True)


if __name__ == "__main__":
    main()
