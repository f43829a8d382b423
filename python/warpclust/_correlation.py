# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""CorrelationClustering."""

import ctypes
import warnings
from typing import Any, Callable, Optional

import numpy as np

from . import _arrays as arrays
from . import _native as native
from . import _structures as structures
from ._base import ClusterMixin, Estimator

_MOST_PLACES = 9


def _in_units(weights):
    """Returns exact integers and the power of ten that they are in units of."""
    if weights.dtype.kind in "biu":
        return weights.astype(np.int64), 1
    weights = weights.astype(np.float64)
    arrays._check_finite(weights)
    largest = float(np.abs(weights).max(initial=0))
    for places in range(_MOST_PLACES + 1):
        unit = 10**places
        if largest * unit >= 2**60:
            raise native.InvalidArgumentError(
                f"weights: expected magnitudes below 2^60 in units of 1/{unit}, found {largest}"
            )
        units = np.rint(weights * unit)
        if (units / unit == weights).all():
            break
    else:
        warnings.warn(
            f"weights were rounded to {_MOST_PLACES} decimal places",
            native.PrecisionWarning,
            stacklevel=4,
        )
    return units.astype(np.int64), unit


class CorrelationClustering(ClusterMixin, Estimator):
    """Clusters of a signed network, in as many clusters as fit best.

    Finds a partition of small imbalance I(P): the weight of negative edges
    inside clusters plus the weight of positive edges between them. The problem is
    NP-hard, so the search is heuristic; the imbalance is exact.

    Parameters
    ----------
    method : {"auto", "seq_grasp", "seq_ils", "grasp_cudavnd", "ils_cudavnd"}
        "auto" is the best. The others are those of Levorato et al. (2015).
    time_limit : float, default 0
        Seconds after which the best partition so far is the result; 0: no limit.
    iterations, no_improvement : int, default 0
        Most rounds (starts, restarts), and most without improvement; 0: the
        default of the method.
    alpha : float, default 1.0
        GRASP and ILS: the share of candidates to draw from, in [0, 1].
    neighborhood : {1, 2}
        GRASP and ILS: how many vertices the local search moves at once.
    ils_iterations, perturbation_max : int, default 5 and 30
        ILS: failures before one more vertex is moved, and the most vertices.
    seed : int, default 1
    device : {"auto", "cpu", "cuda"}
        Where it is computed. The result is the same.
    num_threads : int, default 0
        Threads on the CPU; 0 for all cores.
    num_gpus : int, default 1
        GPUs of this computer that share the work; the result is the same.

    Attributes
    ----------
    labels_ : ndarray of shape (n,), int32
        The cluster of each vertex, from 0 in order of first member.
    imbalance_ : float
        I(P).
    proven_optimal_ : bool
        No partition costs less.
    stopped_ : bool
        The search ended early: time limit, progress function or Ctrl-C.
    n_clusters_ : int
    n_features_in_ : int

    Notes
    -----
    Ctrl-C ends the search: the attributes are those of the best partition found
    so far, and then KeyboardInterrupt is raised.

    Examples
    --------
    >>> import numpy as np, warpclust
    >>> friends = np.array([[0, 1, -1], [1, 0, -1], [-1, -1, 0]])
    >>> warpclust.CorrelationClustering().fit(friends).labels_
    array([0, 0, 1], dtype=int32)
    """

    def __init__(
        self,
        method: str = "auto",
        *,
        time_limit: float = 0.0,
        iterations: int = 0,
        no_improvement: int = 0,
        alpha: float = 1.0,
        neighborhood: int = 1,
        ils_iterations: int = 5,
        perturbation_max: int = 30,
        seed: int = 1,
        device: str = "auto",
        num_threads: int = 0,
        num_gpus: int = 1,
    ):
        self.method = method
        self.time_limit = time_limit
        self.iterations = iterations
        self.no_improvement = no_improvement
        self.alpha = alpha
        self.neighborhood = neighborhood
        self.ils_iterations = ils_iterations
        self.perturbation_max = perturbation_max
        self.seed = seed
        self.device = device
        self.num_threads = num_threads
        self.num_gpus = num_gpus

    def fit(
        self, X: Any, y: Any = None, *, progress: Optional[Callable] = None
    ) -> "CorrelationClustering":
        """Clusters the vertices of a signed network.

        Parameters
        ----------
        X : SciPy sparse matrix or array of shape (n, n)
            Weights of edges: positive ones attract, negative ones repel, 0 is no
            edge. X need not be symmetric: X[i, j] and X[j, i] are the same edge,
            or two edges if their signs differ. The diagonal is not used. Weights
            are exact to 9 decimal places.
        y : ignored
        progress : callable, optional
            Called about every 0.05 s with the share of the time limit, or None
            without one. If it returns true, the search ends with the best
            partition so far.

        Raises
        ------
        ValueError
            If X is not square, or X[i, j] and X[j, i] have one sign and differ.
        """
        sparse = arrays.is_sparse(X)
        if sparse:
            matrix = X.tocsr()
            if not matrix.has_canonical_format:
                matrix = matrix.copy()
                matrix.sum_duplicates()
            matrix = matrix.tocoo()
        else:
            dtype = np.asarray(X).dtype
            matrix = arrays.dense_rows(X, dtype if dtype.kind in "iu" else np.float64)
        if matrix.shape[0] != matrix.shape[1]:
            raise native.InvalidArgumentError(
                f"expected a square matrix of weights, found shape {matrix.shape}"
            )
        if sparse:
            u, v, weights = matrix.row, matrix.col, matrix.data
        else:
            u, v = np.nonzero(matrix)
            weights = matrix[u, v]
        off_diagonal = u != v
        u = np.ascontiguousarray(u[off_diagonal], dtype=np.int32)
        v = np.ascontiguousarray(v[off_diagonal], dtype=np.int32)
        units, units_per_one = _in_units(weights[off_diagonal])
        edges = structures.signed_edges_t(
            matrix.shape[0],
            len(units),
            native.pointer(u, structures.int32s),
            native.pointer(v, structures.int32s),
            native.pointer(units, structures.int64s),
            units_per_one,
        )
        options = structures.correlation_options_t(
            native.text(self.method),
            self.seed,
            self.time_limit,
            self.iterations,
            self.no_improvement,
            self.alpha,
            self.neighborhood,
            self.ils_iterations,
            self.perturbation_max,
        )
        found = structures.correlation_result_t()
        with native.Run(self.device, self.num_threads, progress, self.num_gpus) as run:
            native.check(
                native.LIBRARY.warpclust_correlation(
                    ctypes.byref(edges),
                    ctypes.byref(options),
                    run.pointer,
                    ctypes.byref(found),
                )
            )
            self._remember_features(X, matrix.shape[1])
            result = native.Result(found)
            self.labels_ = result.array(found.labels, matrix.shape[0], np.int32)
            self.n_clusters_ = found.num_clusters
            self.imbalance_ = found.imbalance / units_per_one
            self.proven_optimal_ = bool(found.proven_optimal)
            self.stopped_ = bool(found.stopped)
        return self

    def __sklearn_tags__(self):  # From scikit-learn 1.6 on; before it, _more_tags.
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags

    def _more_tags(self):
        return {
            "pairwise": True,
            "_xfail_checks": {"check_clustering": "its input is points, not a network"},
        }
