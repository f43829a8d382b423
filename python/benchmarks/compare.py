# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""What a call costs, and whole jobs beside scikit-learn and SciPy doing the same.

compare.py [--documents=N] [--points=N] [--rounds=R]

Both sides of a job run in turn, R times; the median of each counts. They must
agree: edges as sets (but for pairs within 1e-6 of beta, which floats cannot
decide), densities and dependent points exactly.
"""

import argparse
import os
import statistics
import time

import numpy as np
import scipy.sparse
from sklearn.metrics import pairwise_distances_chunked
from sklearn.neighbors import KDTree
from sklearn.preprocessing import normalize

import warpclust


def in_turn(rounds, *functions):
    """Returns the median seconds of each function, and their last results."""
    seconds = [[] for _ in functions]
    results = [None] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            begin = time.perf_counter()
            results[i] = function()
            seconds[i].append(time.perf_counter() - begin)
    return [statistics.median(times) for times in seconds], results


def row(job, ours, theirs, other):
    ratio = f"{theirs / ours:.1f}" if theirs else ""
    print(f"| {job} | {ours:.3g} s | {f'{theirs:.3g} s' if theirs else ''} | {ratio} | {other} |")


def documents(n, terms=30000, length=80):
    """Counts of terms, half of them those of the document's topic."""
    random = np.random.default_rng(1)
    common = 1 / (50 + np.arange(terms))  # As frequencies of words fall.
    columns = random.choice(terms, (n, length), p=common / common.sum())
    topics = random.integers(0, terms, (max(1, n // 50), 60))
    half = length // 2
    of_topic = topics[random.integers(0, len(topics), n)]
    columns[:, :half] = np.take_along_axis(of_topic, random.integers(0, 60, (n, half)), axis=1)
    columns = columns.ravel()
    rows = np.repeat(np.arange(n), length)
    counts = scipy.sparse.csr_matrix(
        (np.ones(n * length, dtype=np.float32), (rows, columns)), shape=(n, terms)
    )
    counts.sum_duplicates()
    return counts


def tfidf(counts):
    frequencies = np.diff(counts.tocsc().indptr)
    weights = np.log(counts.shape[0] / np.maximum(frequencies, 1))
    result = (counts @ scipy.sparse.diags(weights)).astype(np.float32)
    result.eliminate_zeros()
    return result


def scipy_graph(X, beta, rows=1000):
    """Sparse products of blocks of unit rows, cut at beta."""
    X = normalize(X.astype(np.float64))
    transposed = X.T.tocsr()
    blocks = []
    for begin in range(0, X.shape[0], rows):
        block = X[begin : begin + rows] @ transposed
        block.data[block.data < beta] = 0
        block.eliminate_zeros()
        blocks.append(block)
    graph = scipy.sparse.vstack(blocks, format="csr")
    graph.setdiag(0)
    graph.eliminate_zeros()
    return graph


def numpy_graph(X, beta, rows=1000):
    """The same with dense products in float32."""
    X = normalize(X)
    blocks = []
    for begin in range(0, X.shape[0], rows):
        block = X[begin : begin + rows] @ X.T
        block[block < beta] = 0
        blocks.append(scipy.sparse.csr_matrix(block))
    graph = scipy.sparse.vstack(blocks, format="csr")
    graph.setdiag(0)
    graph.eliminate_zeros()
    return graph


def same_graph(ours, theirs, beta):
    difference = abs(ours - theirs.astype(np.float32))
    doubtful = difference.data[difference.data > 1e-5]
    assert (abs(doubtful - beta) < 1e-5).all(), "the graphs differ"


def scikit_learn_peaks(X, cutoff):
    """Densities by a k-d tree, nearest denser points by all distances in chunks."""
    # The tree counts distances up to its radius; ours are below d_c.
    densities = KDTree(X).query_radius(X, np.nextafter(cutoff, 0), count_only=True) - 1
    order = np.lexsort((np.arange(len(X)), -densities))
    rank = np.empty(len(X), dtype=int)
    rank[order] = np.arange(len(X))
    nearest = []

    def reduce(distances, start):
        rows = slice(start, start + len(distances))
        distances[rank[rows][:, None] <= rank[None, :]] = np.inf
        found = distances.argmin(axis=1)
        found[np.isinf(distances[np.arange(len(found)), found])] = -1
        return found

    for chunk in pairwise_distances_chunked(X, reduce_func=reduce, n_jobs=1):
        nearest.append(chunk)
    return densities, np.concatenate(nearest)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=20000)
    parser.add_argument("--points", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    print(f"{os.cpu_count()} CPUs, NumPy {np.__version__}, SciPy {scipy.__version__}")
    print("| job | warpclust | other | times faster | the other |\n|---|---:|---:|---:|---|")

    tiny = np.eye(2, dtype=np.float32)
    calls = 1000

    def evaluate():
        for _ in range(calls):
            warpclust.evaluate([0, 1], [0, 1], num_threads=1)

    def graph_of_two():
        for _ in range(calls):
            warpclust.cosine_graph(tiny, 0.5, num_threads=1)

    def version():
        for _ in range(calls):
            warpclust._native.version()

    (a, b, c), _ = in_turn(args.rounds, version, evaluate, graph_of_two)
    row("a call of C, nothing else", a / calls, None, "")
    row("`evaluate` of two items", b / calls, None, "")
    row("`cosine_graph` of two rows", c / calls, None, "")

    counts = documents(args.documents)
    for name, X in (("TF", counts), ("TF-IDF", tfidf(counts))):
        (ours, theirs), graphs = in_turn(
            args.rounds,
            lambda: warpclust.cosine_graph(X, "0.35"),
            lambda: scipy_graph(X, 0.35),
        )
        same_graph(*graphs, 0.35)
        job = f"`cosine_graph`, {X.shape[0]:,} documents, {name}, beta 0.35, {graphs[0].nnz // 2:,} edges"
        row(job, ours, theirs, "sparse products of unit rows in blocks (SciPy), cut at beta")

    random = np.random.default_rng(2)
    centers = random.standard_normal((200, 384), dtype=np.float32)
    noise = random.standard_normal((args.documents, 384), dtype=np.float32)
    X = centers[random.integers(0, 200, args.documents)] + 0.7 * noise
    (ours, theirs), graphs = in_turn(
        args.rounds, lambda: warpclust.cosine_graph(X, "0.6"), lambda: numpy_graph(X, 0.6)
    )
    same_graph(*graphs, 0.6)
    job = f"`cosine_graph`, {len(X):,} embeddings of 384, beta 0.6, {graphs[0].nnz // 2:,} edges"
    row(job, ours, theirs, "dense float32 products in blocks (NumPy), not exact at beta")

    X = random.standard_normal((args.points, 2)) + 8 * random.integers(0, 5, (args.points, 2))
    model = warpclust.DensityPeaks(25, cutoff_distance=0.3)
    (ours, theirs), (_, expected) = in_turn(
        args.rounds, lambda: model.fit(X), lambda: scikit_learn_peaks(X, 0.3)
    )
    assert (model.densities_ == expected[0]).all(), "densities differ"
    assert (model.dependent_points_ == expected[1]).all(), "dependent points differ"
    row(f"`DensityPeaks`, {len(X):,} points of the plane", ours, theirs,
        "k-d tree for densities, all distances in chunks for dependent points (scikit-learn)")

    more = random.standard_normal((100, 2))
    (ours, theirs), _ = in_turn(
        args.rounds,
        lambda: model.insert(more),
        lambda: warpclust.DensityPeaks(25, cutoff_distance=0.3).fit(X),
    )
    row("`insert` of 100 points", ours, theirs, "`fit` of all points again")


if __name__ == "__main__":
    main()
