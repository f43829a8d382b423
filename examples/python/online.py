# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Clusters headlines as they come: each joins a story so far, or begins one.

online.py [PLOT.png]
"""

import json
import os
import sys

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer

import warpclust

EXAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def plot(times, stories, path):
    """Draws each headline by its time and story."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.scatter(times, stories, s=6)
    plt.xticks(rotation=30)
    plt.ylabel("story")
    plt.tight_layout()
    plt.savefig(path)


with open(os.path.join(EXAMPLES, "headlines.jsonl"), encoding="utf-8") as file:
    headlines = [json.loads(line) for line in file]
vectorizer = HashingVectorizer(stop_words="english", norm=None, alternate_sign=False)
times = np.array([h["time"].rstrip("Z") for h in headlines], dtype="datetime64[s]")
stream = warpclust.OnlineClusterer("0.2", expire_after=8 * 86400)
stories = []
for begin in range(0, len(headlines), 100):
    batch = slice(begin, begin + 100)
    stream.partial_fit(
        vectorizer.transform([h["text"] for h in headlines[batch]]), times=times[batch]
    )
    stories.extend(stream.labels_)
    print(f"{stream.n_documents_} headlines, {stream.n_clusters_} stories")
truth = [headline["labels"][0] for headline in headlines]
print(f"adjusted Rand index {warpclust.evaluate(truth, stories)['ari']:.4f}")
if len(sys.argv) > 1:
    plot(times, stories, sys.argv[1])
