# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the camps in a signed network: alliances and enmities of 16 tribes.

correlation.py [PLOT.png]
"""

import os
import sys

import numpy as np

import warpclust

EXAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def plot(weights, model, path):
    """Draws the matrix of weights, the tribes of a camp side by side."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    order = np.argsort(model.labels_, kind="stable")
    plt.imshow(weights[order][:, order], cmap="RdYlGn")
    plt.xticks(range(len(order)), [tribes[i] for i in order], rotation=90)
    plt.yticks(range(len(order)), [tribes[i] for i in order])
    plt.tight_layout()
    plt.savefig(path)


with open(os.path.join(EXAMPLES, "tribes.txt")) as file:
    edges = [line.split() for line in file if not line.startswith("#")]
tribes = sorted({tribe for u, v, _ in edges for tribe in (u, v)})
weights = np.zeros((len(tribes), len(tribes)), dtype=int)
for u, v, weight in edges:
    weights[tribes.index(u), tribes.index(v)] = int(weight)
weights += weights.T

model = warpclust.CorrelationClustering().fit(weights)
for camp in range(model.n_clusters_):
    print(f"camp {camp}:", *(tribes[i] for i in np.flatnonzero(model.labels_ == camp)))
print(f"edges that contradict the camps: {model.imbalance_:.0f} of {len(edges)}")
if len(sys.argv) > 1:
    plot(weights, model, sys.argv[1])
