# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays and SciPy matrices as structures of the library, and back."""

import ctypes
import warnings

import numpy as np

from . import _native as native
from . import _structures as structures
from ._gpu import gpu_array

_MAX_ROWS = 2**31 - 1


def is_sparse(X) -> bool:
    """Returns whether X is a SciPy matrix or array."""
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


def scipy_sparse(what):
    """Returns scipy.sparse, which `what` needs."""
    try:
        import scipy.sparse
    except ImportError as error:
        raise ImportError(f"{what} needs SciPy: pip install scipy") from error
    return scipy.sparse


def _on_host(X):
    """Returns X, copied to a NumPy array if it is in the memory of a GPU."""
    array = gpu_array(X)
    return X if array is None else array.to_host()


def _check_size(shape, least_rows):
    for size, least, name in zip(shape, (least_rows, 1), ("sample", "feature")):
        if size < least:
            raise native.InvalidArgumentError(
                f"Found array with {size} {name}(s) (shape={tuple(shape)}) while a minimum "
                f"of {least} is required."
            )
        if size > _MAX_ROWS:
            raise native.InvalidArgumentError(
                f"expected at most {_MAX_ROWS} {name}s, found {size}"
            )


def _check_finite(values):
    if not np.isfinite(values).all():
        raise native.InvalidArgumentError("Input X contains NaN or infinity.")


def _canonical(matrix):
    """Returns a CSR or CSC matrix without duplicates and stored zeros: a copy if it has some."""
    if not matrix.has_canonical_format or (matrix.data == 0).any():
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    return matrix


def _convert(values, dtype):
    """Returns `values` as `dtype`: not a copy if they are that already."""
    if np.iscomplexobj(values):
        raise native.InvalidArgumentError("Complex data not supported")
    with np.errstate(over="ignore"):
        converted = np.ascontiguousarray(values, dtype=dtype)
    if converted.dtype != values.dtype and values.dtype.kind in "iuf":
        # NaN is found later.
        if not ((converted == values) | (converted != converted)).all():
            warnings.warn(
                f"X has dtype {values.dtype}; its values were rounded to {converted.dtype}, "
                "the type that the library computes with",
                native.PrecisionWarning,
                stacklevel=4,
            )
    return converted


def dense_rows(X, dtype, least_rows=1):
    """Returns X as a 2-D array of `dtype`, row by row.

    X itself is returned, not a copy, if it is one.
    """
    X = _on_host(X)
    if is_sparse(X):
        raise TypeError("expected a dense array, found a sparse matrix: use X.toarray()")
    X = np.asarray(X)
    if X.dtype.kind not in "iufbc":
        X = X.astype(np.float64)
    if X.ndim != 2:
        raise native.InvalidArgumentError(
            f"Expected 2D array, got {X.ndim}D array instead. Reshape your data using "
            "array.reshape(-1, 1) if it has a single feature or array.reshape(1, -1) if "
            "it contains a single sample."
        )
    _check_size(X.shape, least_rows)
    converted = _convert(X, dtype)
    _check_finite(converted)
    return converted


class Documents:
    """The structure of sparse documents; it keeps the arrays alive."""

    def __init__(self, X):
        if not is_sparse(X):
            X = scipy_sparse("a dense array of sparse documents").csr_matrix(
                dense_rows(X, np.float32)
            )
        _check_size(X.shape, 1)
        csr = _canonical(X.tocsr())
        self.shape = csr.shape
        self._offsets = np.ascontiguousarray(csr.indptr, dtype=np.int64)
        self._terms = np.ascontiguousarray(csr.indices, dtype=np.int32)
        self._weights = _convert(csr.data, np.float32)
        _check_finite(self._weights)
        self.struct = structures.documents_t(
            csr.shape[0],
            csr.shape[1],
            native.pointer(self._offsets, structures.int64s),
            native.pointer(self._terms, structures.int32s),
            native.pointer(self._weights, structures.floats),
        )


class DenseDocuments:
    """The structure of dense documents; it keeps the array alive.

    float32 rows in the memory of a GPU stay there.
    """

    def __init__(self, X):
        array = gpu_array(X)
        if array is not None and array.dtype == np.float32 and len(array.shape) == 2:
            _check_size(array.shape, 1)
            self._values = array
            values = ctypes.cast(ctypes.c_void_p(array.address), structures.floats)
        else:
            array = None
            self._values = dense_rows(X, np.float32)
            values = native.pointer(self._values, structures.floats)
        self.shape = self._values.shape
        self.struct = structures.dense_documents_t(*self.shape, values, array is not None)


def points_struct(points):
    """Returns the structure of an array of dense_rows(X, float64)."""
    return structures.points_t(*points.shape, native.pointer(points, structures.doubles))


class Graph:
    """The structure of a symmetric matrix of similarities, without its diagonal."""

    def __init__(self, X):
        sparse = scipy_sparse("a graph of similarities")
        if not is_sparse(X):
            X = dense_rows(X, np.float32)
        if X.shape[0] != X.shape[1]:
            raise native.InvalidArgumentError(
                f"expected a square matrix of similarities, found shape {X.shape}"
            )
        _check_size(X.shape, 1)
        csr = sparse.csr_matrix(X)
        if csr.diagonal().any():
            csr = csr.copy()
            csr.setdiag(0)
        csr = _canonical(csr)
        self.shape = csr.shape
        self._offsets = np.ascontiguousarray(csr.indptr, dtype=np.int64)
        self._neighbors = np.ascontiguousarray(csr.indices, dtype=np.int32)
        self._weights = _convert(csr.data, np.float32)
        self.struct = structures.graph_t(
            csr.shape[0],
            native.pointer(self._offsets, structures.int64s),
            native.pointer(self._neighbors, structures.int32s),
            native.pointer(self._weights, structures.floats),
            None,
        )


def graph_matrix(graph):
    """Returns a graph of the library as a CSR matrix."""
    sparse = scipy_sparse("cosine_graph")
    result = native.Result(graph)
    n = graph.num_vertices
    offsets = result.array(graph.offsets, n + 1, np.int64)
    edges = int(offsets[-1])
    return sparse.csr_matrix(
        (
            result.array(graph.weights, edges, np.float32),
            result.array(graph.neighbors, edges, np.int32),
            offsets,
        ),
        shape=(n, n),
    )


def membership_matrix(offsets, members, num_items):
    """Returns a cover as a CSR matrix of items by clusters, of True."""
    sparse = scipy_sparse("a membership matrix")
    by_cluster = sparse.csc_matrix(
        (np.ones(len(members), dtype=bool), members, offsets),
        shape=(num_items, len(offsets) - 1),
    )
    return by_cluster.tocsr()


def star_cover(clusters):
    """Returns (membership, centers, num_satellites, Result) of a star cover."""
    result = native.Result(clusters)
    k = clusters.cover.num_clusters
    offsets = result.array(clusters.cover.offsets, k + 1, np.int64)
    members = result.array(clusters.cover.members, int(offsets[-1]), np.int32)
    return (
        membership_matrix(offsets, members, clusters.num_items),
        result.array(clusters.centers, k, np.int32),
        result.array(clusters.num_satellites, k, np.int32),
        result,
    )


class Cover:
    """The structure of clusters given as labels or as a membership matrix."""

    def __init__(self, clusters):
        if is_sparse(clusters):
            by_cluster = _canonical(clusters.tocsc())
            self.num_items = by_cluster.shape[0]
            offsets, members = by_cluster.indptr, by_cluster.indices
        else:
            clusters = np.asarray(clusters)
            self.num_items = len(clusters) if clusters.ndim else 0
            if clusters.ndim == 1:
                offsets, members = self._of_labels(clusters)
            elif clusters.ndim == 2:
                columns, members = np.nonzero(clusters.T)
                offsets = np.searchsorted(columns, np.arange(clusters.shape[1] + 1))
            else:
                raise native.InvalidArgumentError(
                    "expected labels or a matrix of items by clusters, found "
                    f"{clusters.ndim} dimensions"
                )
        self._offsets = np.ascontiguousarray(offsets, dtype=np.int64)
        self._members = np.ascontiguousarray(members, dtype=np.int32)
        self.struct = structures.cover_t(
            len(self._offsets) - 1,
            native.pointer(self._offsets, structures.int64s),
            native.pointer(self._members, structures.int32s),
        )

    @staticmethod
    def _of_labels(labels):
        items = np.arange(len(labels))
        if labels.dtype.kind in "if":
            items = items[labels >= 0]
        _, cluster = np.unique(labels[items], return_inverse=True)
        order = np.argsort(cluster, kind="stable")
        counts = np.bincount(cluster)
        return np.concatenate(([0], np.cumsum(counts))), items[order]
