# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""cosine_graph and evaluate."""

import ctypes
from typing import Any, Callable, Dict, Optional

import numpy as np

from . import _arrays as arrays
from . import _native as native
from . import _structures as structures


def cosine_graph(
    X: Any,
    beta: native.Threshold = 0.25,
    *,
    device: str = "auto",
    num_threads: int = 0,
    progress: Optional[Callable] = None,
):
    """All pairs of rows whose cosine is at least beta, with their cosines.

    Exact: each pair is decided as if cosines had no rounding error.

    Parameters
    ----------
    X : SciPy sparse matrix or array of shape (n, d)
        Documents. Sparse entries are positive. Dense rows may be negative. The
        library computes with float32; C-ordered float32 rows are not copied.
        Rows in the memory of a GPU (CuPy, PyTorch; `__cuda_array_interface__` or
        DLPack) stay there if they are float32 and device is not "cpu"; else they
        are copied to the host once. They must be in C order.
    beta : float, str or Fraction, default 0.25
        The threshold, in (0, 1], exactly as its text: 0.35 is 35/100.
    device : {"auto", "cpu", "cuda"}
        Where it is computed. The result is the same.
    num_threads : int, default 0
        Threads on the CPU; 0 for all cores.
    progress : callable, optional
        Called about every 0.05 s with the share done, or None if it is not
        known. If it returns true, the call ends with `Canceled`.

    Returns
    -------
    scipy.sparse.csr_matrix of shape (n, n), float32
        Symmetric, sorted, without a diagonal.

    Raises
    ------
    ValueError
        If X or beta is not valid.
    UnavailableError
        If device is "cuda" and there is no usable GPU.

    Examples
    --------
    >>> import numpy as np, warpclust
    >>> warpclust.cosine_graph(np.float32([[1, 1], [1, 0]]), 0.5).toarray()
    array([[0.        , 0.70710677],
           [0.70710677, 0.        ]], dtype=float32)
    """
    arrays.scipy_sparse("cosine_graph")
    graph = structures.graph_t()
    if arrays.is_sparse(X):
        documents = arrays.Documents(X)
        function = native.LIBRARY.warpclust_cosine_graph
    else:
        documents = arrays.DenseDocuments(X)
        function = native.LIBRARY.warpclust_dense_cosine_graph
    with native.Run(device, num_threads, progress) as run:
        native.check(
            function(
                ctypes.byref(documents.struct),
                native.decimal_text(beta),
                run.pointer,
                ctypes.byref(graph),
            )
        )
    return arrays.graph_matrix(graph)


def evaluate(truth: Any, clusters: Any, *, num_threads: int = 0) -> Dict[str, float]:
    """Compares two sets of clusters of the same items by every measure.

    Parameters
    ----------
    truth, clusters : array of shape (n,), or matrix of shape (n, k)
        A label per item, where a negative number is no cluster; or items by
        clusters, such as `OClustR.membership_`, for clusters that may overlap.
    num_threads : int, default 0
        Threads; 0 for all cores.

    Returns
    -------
    dict of str to float
        bcubed_precision, bcubed_recall, fbcubed, nmi_lfk, nmi_mgh_max,
        nmi_mgh_lfk, omega, purity, inverse_purity; and if no item is in two
        clusters also nmi, nmi_geometric, nmi_min, nmi_max, nmi_joint, ari,
        homogeneity, completeness. The tool `evaluate` prints the same.

    Raises
    ------
    ValueError
        If the numbers of items differ.

    Examples
    --------
    >>> import warpclust
    >>> warpclust.evaluate([0, 0, 1, 1], [5, 5, 7, 7])["ari"]
    1.0
    """
    expected, found = arrays.Cover(truth), arrays.Cover(clusters)
    if expected.num_items != found.num_items:
        raise native.InvalidArgumentError(
            f"expected as many items as truth has, {expected.num_items}, found "
            f"{found.num_items}"
        )
    measures = structures.measures_t()
    with native.Run("cpu", num_threads) as run:
        native.check(
            native.LIBRARY.warpclust_evaluate(
                ctypes.byref(expected.struct),
                ctypes.byref(found.struct),
                expected.num_items,
                run.pointer,
                ctypes.byref(measures),
            )
        )
    result = native.Result(measures)
    values = result.array(measures.values, measures.num_measures, np.float64)
    return {
        measures.names[i].decode(): float(values[i]) for i in range(measures.num_measures)
    }
