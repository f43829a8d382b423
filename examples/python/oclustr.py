# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Clusters short articles into topics that overlap. Needs scikit-learn for the terms.

oclustr.py [PLOT.png]
"""

import json
import os
import sys

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import MultiLabelBinarizer

import warpclust

EXAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def plot(graph, sizes, path):
    """Draws the histograms of cosines and of sizes of clusters."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    _, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    left.hist(graph.data, bins=40)
    left.set(xlabel="cosine of an edge")
    right.hist(sizes, bins=range(1, sizes.max() + 2))
    right.set(xlabel="documents of a cluster")
    plt.savefig(path)


with open(os.path.join(EXAMPLES, "encyclopedia.jsonl"), encoding="utf-8") as file:
    articles = [json.loads(line) for line in file]
terms = CountVectorizer(stop_words="english").fit_transform([a["text"] for a in articles])
graph = warpclust.cosine_graph(terms, "0.25")
model = warpclust.OClustR(metric="precomputed").fit(graph)
sizes = np.asarray(model.membership_.sum(axis=0)).ravel()
print(f"{graph.nnz // 2} pairs of similar articles, {model.n_clusters_} clusters")
for cluster in np.argsort(-sizes, kind="stable")[:3]:
    print(f"{sizes[cluster]} articles around {articles[model.centers_[cluster]]['id']}")
truth = MultiLabelBinarizer().fit_transform([a["labels"] for a in articles])
print(f"FBCubed {warpclust.evaluate(truth, model.membership_)['fbcubed']:.4f}")
if len(sys.argv) > 1:
    plot(graph, sizes, sys.argv[1])
