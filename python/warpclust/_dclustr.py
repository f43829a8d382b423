# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""DClustR."""

import ctypes
import os
from fractions import Fraction
from typing import Any, Callable, List, NamedTuple, Optional, Sequence

import numpy as np

from . import _arrays as arrays
from . import _native as native
from . import _structures as structures


class StoreUpdate(NamedTuple):
    """What an update of a store did, and what the store holds afterwards."""

    added: int
    removed: int
    new_edges: int
    removed_edges: int
    documents: int
    edges: int
    components: int
    idf_drift: float


class _Names:
    """The structure of names; it keeps them alive."""

    def __init__(self, names):
        if isinstance(names, str):
            raise TypeError("expected a sequence of ids, found one string")
        encoded = [str(name).encode() for name in names]
        for name in encoded:
            if b"\0" in name:
                raise native.InvalidArgumentError(f"expected an id without NUL, found {name!r}")
        self._array = (ctypes.c_char_p * max(1, len(encoded)))(*encoded)
        self.size = len(encoded)
        self.struct = structures.names_t(
            len(encoded), ctypes.cast(self._array, ctypes.POINTER(ctypes.c_char_p))
        )


class DClustR:
    """Overlapping clusters of a collection that changes, in a folder on disk.

    After each change the clusters are those of `OClustR` on the present
    documents; only what a change affects is loaded. An update is one transaction:
    a process that is killed leaves the state before or after it. One process may
    write while others read. The tool `dclustr` reads the same folders.

    Parameters
    ----------
    store : str or path
        A folder. If it holds no store, one is created, unless read_only.
    beta : float, str or Fraction, optional
        The smallest cosine of an edge, in (1/256, 1]; of a new store 0.25.
    weighting : {"tf", "tfidf"}, optional
        Of a new store "tf". "tfidf" weights counts by the frequencies of the
        first update, until `reweight`.
    mode : {"exact", "dclustr"}, optional
        Of a new store "exact". "dclustr" has the rules of the paper, whose
        clusters depend on the history.
    read_only : bool, default False
    device : {"auto", "cpu", "cuda"}
        Where changed documents are compared. The result is the same.
    num_threads : int, default 0
        Threads on the CPU; 0 for all cores.

    Raises
    ------
    ValueError
        If the store was created with another beta, weighting or mode.
    NotFoundError
        If there is no store and read_only is true.
    UnavailableError
        While another process has the store open for writing.

    Examples
    --------
    >>> import numpy as np, tempfile, warpclust
    >>> store = warpclust.DClustR(tempfile.mkdtemp() + "/news", beta=0.5)
    >>> store.add(np.float32([[1, 1], [1, 0]]), ["a", "b"]).edges
    1
    >>> store.remove(["a"]).documents
    1
    >>> store.ids
    ['b']
    """

    def __init__(
        self,
        store: Any,
        beta: Optional[native.Threshold] = None,
        *,
        weighting: Optional[str] = None,
        mode: Optional[str] = None,
        read_only: bool = False,
        device: str = "auto",
        num_threads: int = 0,
    ):
        self.store = os.fspath(store)
        self.device = device
        self.num_threads = num_threads
        self._clusters = None
        self._handle = native.Handle("dclustr")
        library = native.LIBRARY
        path = os.fsencode(self.store)
        given = structures.dclustr_options_t(
            native.decimal_text(beta), native.text(weighting), native.text(mode)
        )
        status = library.warpclust_dclustr_open(
            path, read_only, ctypes.byref(self._handle.value)
        )
        if status == native.NotFoundError.code and not read_only:
            status = library.warpclust_dclustr_create(
                path, ctypes.byref(given), ctypes.byref(self._handle.value)
            )
        native.check(status)
        self._handle.adopt()
        options = structures.dclustr_options_t()
        native.check(
            library.warpclust_dclustr_get_options(self._handle.value, ctypes.byref(options))
        )
        self.beta = options.beta.decode()
        self.weighting = options.weighting.decode()
        self.mode = options.mode.decode()
        for name, expected, found in (
            ("beta", None if beta is None else float(_fraction(beta)), float(_fraction(self.beta))),
            ("weighting", weighting, self.weighting),
            ("mode", mode, self.mode),
        ):
            if expected is not None and expected != found:
                self.close()
                raise native.InvalidArgumentError(
                    f"{self.store}: expected a store with {name} {expected}, found {found}"
                )

    def add(
        self, X: Any, ids: Sequence, *, progress: Optional[Callable] = None
    ) -> StoreUpdate:
        """Adds documents.

        Parameters
        ----------
        X : SciPy sparse matrix or array of shape (n, d)
            Counts of terms, or real weights in a store that began with them. A
            column means the same in all calls; later calls may have more.
        ids : sequence of n names
            Not in the store yet. They are stored as strings.
        progress : callable, optional
            As for `cosine_graph`. A canceled update changes nothing, and neither
            does Ctrl-C.

        Raises
        ------
        ValueError
            If X or an id is not valid, or the store has an id already. Nothing is
            changed.
        """
        return self._change(X, ids, [], progress)

    def remove(self, ids: Sequence, *, progress: Optional[Callable] = None) -> StoreUpdate:
        """Removes documents by their ids. ValueError for an unknown id."""
        return self._change(None, [], ids, progress)

    def modify(
        self, X: Any, ids: Sequence, *, progress: Optional[Callable] = None
    ) -> StoreUpdate:
        """Replaces documents: removes them and adds X under their ids, at once."""
        return self._change(X, ids, ids, progress)

    def reweight(self, *, progress: Optional[Callable] = None) -> StoreUpdate:
        """For tfidf: weights all documents by the present frequencies."""
        update = structures.dclustr_update_t()
        with native.Run(self.device, self.num_threads, progress) as run:
            native.check(
                native.LIBRARY.warpclust_dclustr_reweight(
                    self._open(), run.pointer, ctypes.byref(update)
                )
            )
        return self._updated(update)

    def describe(self) -> StoreUpdate:
        """Returns what the store holds, as an update that changed nothing."""
        state = structures.dclustr_update_t()
        native.check(
            native.LIBRARY.warpclust_dclustr_describe(self._open(), ctypes.byref(state))
        )
        return _to_update(state)

    @property
    def ids(self) -> List[str]:
        """The ids of the present documents: the rows of `membership_`."""
        return self._read()[3]

    @property
    def membership_(self):
        """The present clusters: a CSR matrix of documents by clusters, of bool."""
        return self._read()[0]

    @property
    def centers_(self):
        """The row of the center of each cluster."""
        return self._read()[1]

    @property
    def num_satellites_(self):
        """How many members of each cluster are neighbors of the center."""
        return self._read()[2]

    def verify(self, *, progress: Optional[Callable] = None) -> None:
        """Compares the store with its documents. Raises `Error` if they differ."""
        with native.Run(self.device, self.num_threads, progress) as run:
            native.check(native.LIBRARY.warpclust_dclustr_verify(self._open(), run.pointer))

    def compact(self) -> None:
        """Rewrites the store in as few bytes as it needs."""
        native.check(native.LIBRARY.warpclust_dclustr_compact(self._open()))

    def close(self) -> None:
        """Closes the store. `with DClustR(...) as store` does so too."""
        self._handle.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()

    def __repr__(self):
        return (
            f"DClustR({self.store!r}, beta={self.beta!r}, weighting={self.weighting!r}, "
            f"mode={self.mode!r})"
        )

    def _open(self):
        if not self._handle._finalizer.alive:
            raise native.InvalidArgumentError(f"{self.store}: the store is closed")
        return self._handle.value

    def _change(self, X, added, removed, progress):
        handle = self._open()
        added, removed = _Names(added), _Names(removed)
        documents = None
        if X is not None:
            documents = arrays.Documents(X)
            if documents.shape[0] != added.size:
                raise native.InvalidArgumentError(
                    f"ids: expected {documents.shape[0]}, one per document, found {added.size}"
                )
        update = structures.dclustr_update_t()
        with native.Run(self.device, self.num_threads, progress) as run:
            native.check(
                native.LIBRARY.warpclust_dclustr_change(
                    handle,
                    None if documents is None else ctypes.byref(documents.struct),
                    ctypes.byref(added.struct),
                    ctypes.byref(removed.struct),
                    run.pointer,
                    ctypes.byref(update),
                )
            )
        return self._updated(update)

    def _updated(self, update):
        self._clusters = None
        return _to_update(update)

    def _read(self):
        """Reads the clusters, once per update of this object."""
        if self._clusters is None:
            clusters = structures.star_cover_t()
            with native.Run(self.device, self.num_threads) as run:
                native.check(
                    native.LIBRARY.warpclust_dclustr_read(
                        self._open(), run.pointer, ctypes.byref(clusters)
                    )
                )
            membership, centers, satellites, result = arrays.star_cover(clusters)
            n = clusters.num_items
            offsets = result.array(clusters.id_offsets, n + 1, np.int64)
            names = bytes(result.array(clusters.ids, int(offsets[-1]), np.uint8))
            ids = [names[offsets[i] : offsets[i + 1]].decode() for i in range(n)]
            self._clusters = (membership, centers, satellites, ids)
        return self._clusters


def _to_update(struct):
    return StoreUpdate(*(getattr(struct, name) for name in StoreUpdate._fields))


def _fraction(value):
    return Fraction(native.decimal_text(value).decode())
