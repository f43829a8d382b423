# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps overlapping clusters of headlines in a folder, while headlines come and go."""

import json
import os
import tempfile

from sklearn.feature_extraction.text import CountVectorizer

import warpclust

EXAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

with open(os.path.join(EXAMPLES, "headlines.jsonl"), encoding="utf-8") as file:
    headlines = [json.loads(line) for line in file]
ids = [headline["id"] for headline in headlines]
terms = CountVectorizer(stop_words="english").fit_transform([h["text"] for h in headlines])

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "news")
    with warpclust.DClustR(path, beta="0.4") as store:
        print(store.add(terms[:300], ids[:300]))
    # Another day, another process.
    with warpclust.DClustR(path) as store:
        store.add(terms[300:], ids[300:])
        store.remove(ids[10:13])
        print(store.modify(terms[:2], ids[20:22]))
        print(f"{store.membership_.shape[1]} clusters of {len(store.ids)} headlines")
        store.verify()
