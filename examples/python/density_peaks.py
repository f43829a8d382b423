# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Clusters points around peaks of density; some points come later.

density_peaks.py [PLOT.png]
"""

import os
import sys

import numpy as np

import warpclust

EXAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def plot(points, model, path):
    """Draws the decision graph and the clusters."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    _, (left, right) = plt.subplots(1, 2, figsize=(10, 5))
    left.scatter(model.densities_, model.dependent_distances_, s=5, c="gray")
    left.scatter(model.densities_[model.peaks_], model.dependent_distances_[model.peaks_], s=30)
    left.set(xlabel="density", ylabel="dependent distance")
    right.scatter(*points[model.ids_].T, s=5, c=model.labels_, cmap="tab10")
    right.scatter(*points[model.ids_][model.peaks_].T, marker="+", s=80, c="black")
    plt.savefig(path)


points = np.loadtxt(os.path.join(EXAMPLES, "points.csv"), delimiter=",")
model = warpclust.DensityPeaks(rule="drop", density_min=4).fit(points[:700])
print(f"{model.n_clusters_} clusters, cutoff distance {model.cutoff_distance_:.2f}")
model.insert(points[700:]).remove([3, 14, 159])
print(f"{len(model.labels_)} points after 70 came and 3 went: {model.n_clusters_} clusters")
for cluster, peak in enumerate(model.peaks_):
    x, y = points[model.ids_[peak]]
    print(f"cluster {cluster}: {(model.labels_ == cluster).sum()} points around ({x}, {y})")
if len(sys.argv) > 1:
    plot(points, model, sys.argv[1])
