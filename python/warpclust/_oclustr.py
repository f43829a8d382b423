# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""OClustR."""

import ctypes
from typing import Any, Callable, Optional

from . import _arrays as arrays
from . import _native as native
from . import _structures as structures
from ._base import Estimator
from ._native import Threshold


def _choose_beta(choose, documents, run):
    """Returns the text of the beta that the library chooses."""
    choice = structures.beta_choice_t()
    native.check(choose(ctypes.byref(documents.struct), run.pointer, ctypes.byref(choice)))
    beta = choice.beta
    native.LIBRARY.warpclust_free(choice.storage)
    return beta


class OClustR(Estimator):
    """Overlapping clusters of documents or of a graph of similarities.

    A cluster is a center, all rows whose cosine with it is at least beta, and
    rows linked to it. Every row is in at least one cluster. Clusters overlap, so
    the result is a membership matrix, not labels. González-Soler, Pérez-Suárez,
    Chang: Static and Incremental Overlapping Clustering Algorithms for Large
    Collections Processing in GPU, Informatica 41 (2017).

    Parameters
    ----------
    beta : float, str or Fraction, default "auto"
        The smallest cosine of an edge, in (0, 1], exactly as its text. "auto"
        chooses it for the weights as they are, without labels: clusters of up to
        2,048 rows have the highest expected FBCubed. The tool oclustr also chooses
        between counts and TF-IDF. It is not used for metric="precomputed".
    metric : {"cosine", "precomputed"}
        "precomputed": X is a symmetric matrix of similarities of at least 0, such
        as that of `cosine_graph`. Its diagonal is not used.
    device : {"auto", "cpu", "cuda"}
        Where it is computed. The result is the same.
    num_threads : int, default 0
        Threads on the CPU; 0 for all cores.
    num_gpus : int, default 1
        GPUs of this computer that share the work; the result is the same. Not for
        metric="precomputed".

    Attributes
    ----------
    membership_ : scipy.sparse.csr_matrix of shape (n, k), bool
        Rows by clusters. Clusters are in order of their first member.
    centers_ : ndarray of shape (k,), int32
        The center of each cluster.
    num_satellites_ : ndarray of shape (k,), int32
        How many members of each cluster are neighbors of the center.
    beta_ : str; None if precomputed
        The beta that was used.
    n_clusters_ : int
    n_edges_ : int
        Edges of the graph.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np, warpclust
    >>> X = np.float32([[1, 0], [1, 1], [0, 1]])
    >>> warpclust.OClustR(beta=0.5).fit(X).membership_.toarray().astype(int)
    array([[1],
           [1],
           [1]])
    """

    def __init__(
        self,
        beta: Threshold = "auto",
        *,
        metric: str = "cosine",
        device: str = "auto",
        num_threads: int = 0,
        num_gpus: int = 1,
    ):
        self.beta = beta
        self.metric = metric
        self.device = device
        self.num_threads = num_threads
        self.num_gpus = num_gpus

    def fit(self, X: Any, y: Any = None, *, progress: Optional[Callable] = None) -> "OClustR":
        """Clusters the rows of X.

        Parameters
        ----------
        X : SciPy sparse matrix or array of shape (n, d); (n, n) if precomputed
            As for `cosine_graph`.
        y : ignored
        progress : callable, optional
            As for `cosine_graph`.

        Raises
        ------
        ValueError
            If X or a parameter is not valid.
        """
        arrays.scipy_sparse("OClustR")
        if self.metric not in ("cosine", "precomputed"):
            raise native.InvalidArgumentError(
                f'metric: expected "cosine" or "precomputed", found {self.metric!r}'
            )
        library = native.LIBRARY
        clusters = structures.star_cover_t()
        if self.metric == "precomputed":
            given = arrays.Graph(X)
            function, arguments = library.warpclust_oclustr, []
        else:
            if arrays.is_sparse(X):
                given = arrays.Documents(X)
                function = library.warpclust_oclustr_documents
                choose = library.warpclust_choose_beta
            else:
                given = arrays.DenseDocuments(X)
                function = library.warpclust_dense_oclustr_documents
                choose = library.warpclust_dense_choose_beta
            arguments = [native.decimal_text(self.beta)]
        with native.Run(self.device, self.num_threads, progress, self.num_gpus) as run:
            if arguments == [b"auto"]:
                arguments = [_choose_beta(choose, given, run)]
            native.check(
                function(
                    ctypes.byref(given.struct), *arguments, run.pointer, ctypes.byref(clusters)
                )
            )
        self._remember_features(X, given.shape[1])
        self.membership_, self.centers_, self.num_satellites_, _ = arrays.star_cover(clusters)
        self.beta_ = arguments[0].decode() if arguments else None
        self.n_clusters_ = self.membership_.shape[1]
        self.n_edges_ = clusters.num_edges
        return self

    def fit_predict(self, X: Any, y: Any = None):
        """Clusters the rows of X and returns `membership_`."""
        return self.fit(X).membership_

    def __sklearn_tags__(self):  # From scikit-learn 1.6 on; before it, _more_tags.
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    def _more_tags(self):
        return {"pairwise": self.metric == "precomputed"}
