# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""OnlineClusterer."""

import ctypes
from typing import Any, Callable, Optional

import numpy as np

from . import _arrays as arrays
from . import _native as native
from . import _structures as structures
from ._base import ClusterMixin, Estimator
from ._native import Threshold

_STATE_ARRAYS = {
    "terms": np.int32,
    "sums": np.int64,
    "sizes": np.int64,
    "last_times": np.int64,
}
_NO_TIME = np.iinfo(np.int64).min


class OnlineClusterer(ClusterMixin, Estimator):
    """Clusters of documents that come one after the other.

    A document joins the most similar cluster if their cosine is above the
    threshold, and founds a new cluster otherwise. Decisions are final, and do not
    depend on how the stream is divided into calls. Teitler, Sankaranarayanan,
    Samet: Online Document Clustering Using the GPU (2010).

    Parameters
    ----------
    threshold : float, str or Fraction, optional
        In [0, 1], exactly as its text. By default 0.2; 0.5 for mdc1 and mdc2.
    terms : int, default 20
        How many terms of a document and of a cluster are kept, at most 128.
    expire_after : int, default 0
        A cluster closes when its last document is older than so many seconds; 0:
        never.
    merge_every : int, default -1
        Similar clusters merge after so many documents; 0: never; -1: 1000, and
        never for mdc1 and mdc2.
    merge_threshold : float, str or Fraction, optional
        Clusters merge if their cosine is above it. By default 0.3; 0.5 for mdc1
        and mdc2.
    truncated_mean : bool, default False
        The paper's running mean, which forgets terms.
    method : {"auto", "serial1", "serial2", "parallel1", "batched", "mdc1", "mdc2", "approximate"}
        How the clusters are found. All but the last three give the same clusters.
    batch : int, default 0
        Documents at a time; 0: the method decides.
    epsilon : float, str or Fraction, optional
        mdc1, mdc2 and approximate only: how much less similar than the most
        similar cluster the one chosen may be.
    device : {"auto", "cpu", "cuda"}
        Where it is computed. The result is the same.
    num_threads : int, default 0
        Threads on the CPU; 0 for all cores.

    Attributes
    ----------
    labels_ : ndarray of shape (n,), int32
        The clusters of the documents of the last call, numbered from 0 in order
        of founding over all calls.
    n_clusters_ : int
        Clusters founded so far, including closed ones.
    merges_ : ndarray of shape (m, 2), int32
        Clusters [from, into] that merged, in order.
    n_documents_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np, warpclust
    >>> stream = warpclust.OnlineClusterer(threshold=0.6)
    >>> stream.partial_fit(np.float32([[1, 1, 0], [0, 0, 1]])).labels_
    array([0, 1], dtype=int32)
    >>> stream.partial_fit(np.float32([[2, 1, 0]])).labels_
    array([0], dtype=int32)
    """

    def __init__(
        self,
        threshold: Optional[Threshold] = None,
        *,
        terms: int = 20,
        expire_after: int = 0,
        merge_every: int = -1,
        merge_threshold: Optional[Threshold] = None,
        truncated_mean: bool = False,
        method: str = "auto",
        batch: int = 0,
        epsilon: Optional[Threshold] = None,
        device: str = "auto",
        num_threads: int = 0,
    ):
        self.threshold = threshold
        self.terms = terms
        self.expire_after = expire_after
        self.merge_every = merge_every
        self.merge_threshold = merge_threshold
        self.truncated_mean = truncated_mean
        self.method = method
        self.batch = batch
        self.epsilon = epsilon
        self.device = device
        self.num_threads = num_threads

    def fit(
        self, X: Any, y: Any = None, *, times: Any = None, progress: Optional[Callable] = None
    ) -> "OnlineClusterer":
        """Forgets everything and clusters the rows of X in order.

        Parameters and errors are those of `partial_fit`.
        """
        documents, times = self._arguments(X, times)
        self._clusterer = None
        self._state = None
        self.n_documents_ = 0
        self.merges_ = np.empty((0, 2), dtype=np.int32)
        return self._add(X, documents, times, progress)

    def partial_fit(
        self, X: Any, y: Any = None, *, times: Any = None, progress: Optional[Callable] = None
    ) -> "OnlineClusterer":
        """Clusters the next documents of the stream.

        Parameters
        ----------
        X : SciPy sparse matrix or array of shape (n, d)
            Documents, with weights of at least 0. The library computes with
            float32. Later calls may have more columns.
        y : ignored
        times : array of shape (n,), optional
            Seconds (int), or datetime64, of each document. They need not ascend.
        progress : callable, optional
            Called about every 0.05 s with the share done. If it returns true, the
            call ends with `Canceled`: `labels_` has the documents that were
            decided, and the others can be given again. Ctrl-C does the same with
            KeyboardInterrupt.

        Raises
        ------
        ValueError
            If X, times or a parameter is not valid. Nothing is changed.
        """
        if not hasattr(self, "n_documents_"):
            return self.fit(X, times=times, progress=progress)
        documents, times = self._arguments(X, times)
        if documents.shape[1] < getattr(self, "n_features_in_", 0):
            raise native.InvalidArgumentError(
                f"X has {documents.shape[1]} features, but {type(self).__name__} is expecting "
                f"at least {self.n_features_in_} features as input"
            )
        return self._add(X, documents, times, progress)

    def _arguments(self, X, times):
        documents = arrays.Documents(X)
        if times is None:
            return documents, None
        times = np.asarray(times)
        if times.dtype.kind == "M":
            missing = np.isnat(times)
            times = times.astype("datetime64[s]").astype(np.int64)
            times[missing] = _NO_TIME
        times = np.ascontiguousarray(times, dtype=np.int64)
        if times.shape != (documents.shape[0],):
            raise native.InvalidArgumentError(
                f"times: expected {documents.shape[0]}, one per document, found shape "
                f"{times.shape}"
            )
        return documents, times

    def _add(self, X, documents, times, progress):
        n = documents.shape[0]
        labels = np.empty(n, dtype=np.int32)
        decided = ctypes.c_int32()
        with native.Run(self.device, self.num_threads, progress) as run:
            if self._clusterer is None:
                self._create(run)
            handle = self._clusterer.value
            status = native.LIBRARY.warpclust_online_add(
                handle,
                ctypes.byref(documents.struct),
                None if times is None else native.pointer(times, structures.int64s),
                run.pointer,
                native.pointer(labels, structures.int32s),
                ctypes.byref(decided),
            )
            if status == 0 or decided.value > 0 or not hasattr(self, "labels_"):
                self.labels_ = labels[: decided.value]
            self.n_documents_ += decided.value
            self.n_clusters_ = native.LIBRARY.warpclust_online_num_clusters(handle)
            self._read_merges()
            native.check(status)
            self._remember_features(X, documents.shape[1])
        return self

    def _create(self, run):
        options = structures.online_options_t(
            native.decimal_text(self.threshold),
            self.terms,
            self.expire_after,
            self.merge_every,
            native.decimal_text(self.merge_threshold),
            bool(self.truncated_mean),
            native.text(self.method),
            self.batch,
            native.decimal_text(self.epsilon),
        )
        state = None
        if self._state is not None:
            state = structures.online_state_t(
                num_clusters=len(self._state["sizes"]),
                num_documents=self._state["num_documents"],
                clock=self._state["clock"],
                num_terms=self._state["num_terms"],
                offsets=native.pointer(self._state["offsets"], structures.int64s),
                terms=native.pointer(self._state["terms"], structures.int32s),
                sums=native.pointer(self._state["sums"], structures.int64s),
                sizes=native.pointer(self._state["sizes"], structures.int64s),
                last_times=native.pointer(self._state["last_times"], structures.int64s),
            )
            state = ctypes.byref(state)
        handle = native.Handle("online")
        native.check(
            native.LIBRARY.warpclust_online_create(
                ctypes.byref(options), state, run.pointer, ctypes.byref(handle.value)
            )
        )
        self._clusterer = handle.adopt()
        self._merges_before = len(self.merges_)

    def _read_merges(self):
        merges = native.LIBRARY.warpclust_online_merges
        handle = self._clusterer.value
        known = len(self.merges_) - self._merges_before
        new = merges(handle, known, None, None) - known
        if new <= 0:
            return
        pairs = np.empty((2, new), dtype=np.int32)
        merges(handle, known, pairs[0].ctypes.data, pairs[1].ctypes.data)
        self.merges_ = np.concatenate([self.merges_, pairs.T])

    def __getstate__(self):
        parent = super()
        state = dict(parent.__getstate__() if hasattr(parent, "__getstate__") else self.__dict__)
        if state.get("_clusterer") is not None:
            found = structures.online_state_t()
            native.check(
                native.LIBRARY.warpclust_online_get_state(
                    state["_clusterer"].value, ctypes.byref(found)
                )
            )
            result = native.Result(found)
            clusters = found.num_clusters
            offsets = result.array(found.offsets, clusters + 1, np.int64)
            sizes = {"sizes": clusters, "last_times": clusters}
            known = {
                name: result.array(
                    getattr(found, name), sizes.get(name, int(offsets[-1])), dtype
                ).copy()
                for name, dtype in _STATE_ARRAYS.items()
            }
            known.update(
                offsets=offsets.copy(),
                num_documents=found.num_documents,
                clock=found.clock,
                num_terms=found.num_terms,
            )
            state.update(_clusterer=None, _state=known)
        return state

    def __sklearn_tags__(self):  # From scikit-learn 1.6 on; before it, _more_tags.
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def _more_tags(self):
        return {
            "requires_positive_X": True,
            "_xfail_checks": {"check_clustering": "its points are negative, weights are not"},
        }
