# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""The package writes the same bytes as the tools do, from the same files.

tools_test.py TOOLS_FOLDER EXAMPLES_FOLDER
"""

import json
import os
import subprocess
import sys
import unittest

import numpy as np
import scipy.sparse

import warpclust

EXAMPLES = os.path.abspath(sys.argv.pop(2))
TOOLS = os.path.abspath(sys.argv.pop(1))
WORK = os.environ["TEST_TMPDIR"]


def run(tool, *args):
    return subprocess.run(
        [os.path.join(TOOLS, tool), "--quiet", *args], check=True, stdout=subprocess.PIPE, cwd=WORK
    ).stdout.decode()


def example(name):
    return os.path.join(EXAMPLES, name)


def label_lines(names, labels):
    return "".join(f"{name}\t{label}\n" for name, label in zip(names, labels))


def cover_lines(names, membership):
    return "".join(
        f"{names[row]}\t{cluster}\n"
        for row in range(membership.shape[0])
        for cluster in sorted(membership[row].indices)
    )


def vectors(name):
    """The documents of an example as the tools count their terms."""
    path = os.path.join(WORK, name + ".svm")
    run("vectorize", "--input=" + example(name), "--output=" + path)
    offsets, terms, weights = [0], [], []
    with open(path) as file:
        for line in file:
            for entry in line.split("#")[0].split():
                if ":" in entry:
                    term, weight = entry.split(":")
                    terms.append(int(term) - 1)
                    weights.append(float(weight))
            offsets.append(len(terms))
    return path, scipy.sparse.csr_matrix((np.float32(weights), terms, offsets))


class ToolsTest(unittest.TestCase):
    def test_similarity_graph(self):
        path, X = vectors("encyclopedia.jsonl")
        graph = warpclust.cosine_graph(X, "0.3").tocoo()
        found = [
            (int(u), int(v), np.float32(cosine))
            for u, v, cosine in (
                line.split() for line in run(
                    "similarity_graph", "--input=" + path, "--beta=0.3", "--digits=9"
                ).splitlines() if not line.startswith("#")
            )
        ]
        upper = graph.row < graph.col
        expected = list(zip(graph.row[upper], graph.col[upper], graph.data[upper]))
        self.assertGreater(len(expected), 500)
        self.assertEqual(sorted((min(u, v), max(u, v), c) for u, v, c in found), sorted(expected))

    def test_oclustr(self):
        path, X = vectors("encyclopedia.jsonl")
        for beta in ("0.25", "0.4"):
            self.assertEqual(
                run("oclustr", "--input=" + path, "--beta=" + beta),
                cover_lines(range(X.shape[0]), warpclust.OClustR(beta).fit(X).membership_),
            )
        self.assertEqual(
            run("oclustr", "--input=" + path, "--weighting=tf"),
            cover_lines(range(X.shape[0]), warpclust.OClustR().fit(X).membership_),
        )
        random = np.random.default_rng(1)
        X = np.float32(
            np.repeat(random.normal(size=(8, 30)), 40, axis=0) + random.normal(size=(320, 30))
        )
        path = os.path.join(WORK, "rows.npy")
        np.save(path, X)
        chosen = warpclust.OClustR().fit(X)
        self.assertNotEqual(chosen.beta_, "0.25")
        self.assertEqual(
            run("oclustr", "--input=" + path), cover_lines(range(len(X)), chosen.membership_)
        )

    def test_dclustr(self):
        path, X = vectors("headlines.jsonl")
        names = [f"n{i}" for i in range(X.shape[0])]
        for name, lines in (("names", names), ("gone", names[5:50])):
            with open(os.path.join(WORK, name), "w") as file:
                file.write("".join(line + "\n" for line in lines))
        folder = os.path.join(WORK, "tool_store")
        run("dclustr", "--store=" + folder, "--add=" + path, "--ids=names")
        expected = run("dclustr", "--store=" + folder, "--remove=gone")
        with warpclust.DClustR(os.path.join(WORK, "python_store")) as store:
            store.add(X, names)
            store.remove(names[5:50])
            self.assertEqual(expected, cover_lines(store.ids, store.membership_))
        # Each reads the store of the other.
        with warpclust.DClustR(folder, read_only=True) as store:
            self.assertEqual(expected, cover_lines(store.ids, store.membership_))
        self.assertEqual(expected, run("dclustr", "--store=python_store"))

    def test_online_cluster(self):
        path, X = vectors("headlines.jsonl")
        model = warpclust.OnlineClusterer(terms=10, merge_every=50).fit(X)
        flags = ["--terms=10", "--merge_every=50"]
        lines = run("online_cluster", "--input=" + path, *flags).splitlines(keepends=True)
        merges = [line for line in lines if line.startswith("#merged")]
        labels = [line for line in lines if not line.startswith("#merged")]
        self.assertEqual("".join(labels), label_lines(range(X.shape[0]), model.labels_))
        self.assertEqual(
            merges, [f"#merged\t{old}\t{new}\n" for old, new in model.merges_]
        )
        self.assertGreater(len(merges), 0)

    def test_correlation_cluster(self):
        names = {}
        edges = []
        with open(example("tribes.txt")) as file:
            for line in file:
                if line.startswith("#vertex"):
                    names[line.split()[1]] = len(names)
                elif not line.startswith("#"):
                    u, v, weight = line.split()
                    edges.append((names[u], names[v], int(weight)))
        X = np.zeros((len(names), len(names)), dtype=int)
        for u, v, weight in edges:
            X[u, v] = weight
        for method in ("auto", "seq_ils"):
            self.assertEqual(
                run("correlation_cluster", "--input=" + example("tribes.txt"),
                    "--method=" + method, "--seed=7"),
                label_lines(names, warpclust.CorrelationClustering(method, seed=7).fit(X).labels_),
            )

    def test_density_peaks(self):
        path = example("points.csv")
        X = np.loadtxt(path, delimiter=",")
        for flags, model in (
            ([], warpclust.DensityPeaks()),
            (["--rule=drop"], warpclust.DensityPeaks(rule="drop")),
            (["--peaks=4", "--metric=manhattan"], warpclust.DensityPeaks(4, metric="manhattan")),
            (["--dc=2.5", "--rho_min=3", "--delta_min=9"],
             warpclust.DensityPeaks(cutoff_distance=2.5, density_min=3, delta_min=9)),
            (["--density=gaussian", "--dc=2"],
             warpclust.DensityPeaks(density="gaussian", cutoff_distance=2)),
            (["--density=knn"], warpclust.DensityPeaks(density="knn")),
            (["--density=pak", "--neighbors=40"],
             warpclust.DensityPeaks(density="pak", n_neighbors=40)),
        ):
            expected = run("density_peaks", "--input=" + path, *flags)
            self.assertEqual(expected, label_lines(range(len(X)), model.fit(X).labels_))
            if model.sigmas_ is None:
                continue
            found = json.loads(
                run("density_peaks", "--input=" + path, "--format=json", *flags)
            )
            self.assertEqual(found["cutoff_distance"], model.cutoff_distance_)
            for name, values in (
                ("peak", model.peaks_),
                ("rho", model.densities_[model.peaks_]),
                ("delta", model.dependent_distances_[model.peaks_]),
                ("saddle", model.saddles_),
                ("sigma", model.sigmas_),
            ):
                self.assertEqual([cluster[name] for cluster in found["clusters"]], list(values))

    def test_density_peaks_sweep(self):
        path = example("points.csv")
        X = np.loadtxt(path, delimiter=",")

        def six_digits(values):
            return ["" if np.isnan(value) else f"{value:.6g}" for value in values]

        for flags, density, values in (
            ([], "count", (0.002, 0.2, 9)),
            (["--density=knn"], "knn", (2, 1000)),
            (["--density=pak"], "pak", (4, 100, 5)),
        ):
            range_flag = "--sweep=" + ":".join(str(value) for value in values)
            lines = run("density_peaks", "--input=" + path, range_flag, *flags).splitlines()
            table = dict(zip(lines[0].split("\t"), zip(*(l.split("\t") for l in lines[1:]))))
            sweep = warpclust.DensityPeaks(density=density).sweep(X, *values)
            columns = {
                "clusters": map(str, sweep.n_clusters),
                "largest": map(str, sweep.largest),
                "noise": map(str, sweep.noise),
                "candidates": map(str, sweep.candidates),
                "least_sigma": six_digits(sweep.least_sigma),
                "weakest_sigma": six_digits(sweep.weakest_sigma),
                "agreement": six_digits(sweep.agreement),
                "stable": map(str, sweep.stable.astype(int)),
            }
            if density == "count":
                columns["fraction"] = six_digits(sweep.cutoff_quantile)
                distances = [float(text) for text in table.pop("cutoff_distance")]
                self.assertEqual(distances, list(sweep.cutoff_distance))
            else:
                columns["neighbors"] = map(str, sweep.n_neighbors)
            self.assertEqual(table, {name: tuple(column) for name, column in columns.items()})
            self.assertIn("1", table["stable"])

    def test_evaluate(self):
        files = [example("encyclopedia_truth.tsv"), example("encyclopedia_clusters.tsv")]
        measures = json.loads(
            run("evaluate", "--truth=" + files[0], "--clusters=" + files[1])
        )
        rows = {}
        covers = []
        for path in files:
            columns, pairs = {}, []
            with open(path) as file:
                for line in file:
                    name, cluster = line.rstrip("\n").split("\t")
                    pairs.append((rows.setdefault(name, len(rows)),
                                  columns.setdefault(cluster, len(columns))))
            covers.append((pairs, len(columns)))
        matrices = []
        for pairs, columns in covers:
            matrix = np.zeros((len(rows), columns), dtype=bool)
            matrix[tuple(zip(*pairs))] = True
            matrices.append(matrix)
        found = warpclust.evaluate(*matrices)
        self.assertGreater(len(found), 8)
        for name, value in found.items():
            self.assertEqual(measures[name], value, name)


if __name__ == "__main__":
    unittest.main(verbosity=1)
