# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""warpclust: exact clustering of documents, networks and points.

=====================  =======================================================
DensityPeaks           points: clusters of any shape around peaks of density
CorrelationClustering  signed networks: as many clusters as fit best
OClustR                documents or graphs: clusters that may overlap
DClustR                the same for a collection on disk that changes
OnlineClusterer        a stream of documents: a cluster for each as it arrives
cosine_graph           all pairs of similar documents, exactly
evaluate               measures that compare two sets of clusters
=====================  =======================================================

Estimators have scikit-learn's conventions. Results are exact, and the same bytes
on every device and with any number of threads; those of the search of
CorrelationClustering are heuristic. Python's lock is released during a call, and
Ctrl-C ends it where it can be ended.
"""

from ._correlation import CorrelationClustering
from ._cosine import cosine_graph, evaluate
from ._dclustr import DClustR, StoreUpdate
from ._density_peaks import DensityPeaks
from ._density_peaks_sweep import DensityPeaksSweep
from ._native import (
    Canceled,
    Error,
    InvalidArgumentError,
    MemoryLimitError,
    NotFoundError,
    PrecisionWarning,
    UnavailableError,
    UnsupportedError,
    version,
)
from ._oclustr import OClustR
from ._online import OnlineClusterer

__version__ = version()

__all__ = [
    "Canceled",
    "CorrelationClustering",
    "DClustR",
    "DensityPeaks",
    "DensityPeaksSweep",
    "Error",
    "InvalidArgumentError",
    "MemoryLimitError",
    "NotFoundError",
    "OClustR",
    "OnlineClusterer",
    "PrecisionWarning",
    "StoreUpdate",
    "UnavailableError",
    "UnsupportedError",
    "cosine_graph",
    "evaluate",
]
