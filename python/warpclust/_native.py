# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""libwarpclust.so by ctypes: errors, results, and calls that Ctrl-C can end."""

import ctypes
import os
import signal
import threading
import weakref
from ctypes import c_char_p, c_int64, c_void_p

from decimal import Decimal
from fractions import Fraction
from typing import Union

import numpy as np

from . import _structures as structures

ABI_VERSION = 3

# 0.35 and "0.35" are 35/100.
Threshold = Union[float, str, Fraction, Decimal]


class Error(Exception):
    """An error of warpclust. `code` is its number in warpclust.h."""

    code = 13


class Canceled(Error):
    """The progress function asked for the end of the call."""

    code = 1


class InvalidArgumentError(Error, ValueError):
    """A parameter or an input is not valid."""

    code = 3


class NotFoundError(Error, LookupError):
    """There is no such store."""

    code = 5


class MemoryLimitError(Error, MemoryError):
    """Memory of the host or of the GPU ran out."""

    code = 8


class UnsupportedError(Error, NotImplementedError):
    """The device does not support this call."""

    code = 12


class UnavailableError(Error, RuntimeError):
    """There is no usable GPU, or a store is in use."""

    code = 14


class PrecisionWarning(UserWarning):
    """Values were rounded to the type that the library computes with."""


_ERRORS = {
    kind.code: kind
    for kind in (
        Canceled,
        InvalidArgumentError,
        NotFoundError,
        MemoryLimitError,
        UnsupportedError,
        UnavailableError,
    )
}


def _load():
    path = os.environ.get("WARPCLUST_LIBRARY") or os.path.join(
        os.path.dirname(__file__), "lib", "libwarpclust.so"
    )
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"warpclust cannot load its library: {error}. It needs Linux on x86-64 with "
            "glibc 2.36 or later (Debian 12, Ubuntu 23.04, Fedora 37) and libstdc++ of "
            "GCC 12 or later."
        ) from error
    found = library.warpclust_abi_version()
    if found != ABI_VERSION:
        raise ImportError(
            f"expected {path} to have ABI version {ABI_VERSION}, found {found}: install "
            "the library of this package"
        )
    library.warpclust_version.restype = c_char_p
    library.warpclust_last_error.restype = c_char_p
    library.warpclust_online_merges.restype = c_int64
    library.warpclust_online_merges.argtypes = [c_void_p, c_int64, c_void_p, c_void_p]
    library.warpclust_copy_from_gpu.argtypes = [c_void_p, c_void_p, c_int64]
    library.warpclust_free.restype = None
    library.warpclust_free.argtypes = [c_void_p]
    for kind in ("online", "dclustr", "incremental_density_peaks"):
        destroy = getattr(library, f"warpclust_{kind}_destroy")
        destroy.restype = None
        destroy.argtypes = [c_void_p]
    return library


LIBRARY = _load()


def version() -> str:
    """Returns the version of the library, such as "0.2.0"."""
    return LIBRARY.warpclust_version().decode()


def check(status: int) -> None:
    """Raises the error of a call that returned `status`."""
    if status == 0:
        return
    error = _ERRORS.get(status, Error)(LIBRARY.warpclust_last_error().decode("utf-8", "replace"))
    error.code = status
    raise error


def text(value):
    """Returns a string as C has it; None stays None."""
    return None if value is None else str(value).encode()


def decimal_text(value):
    """Returns the text of a threshold: "0.25" of 0.25, "1/3" of Fraction(1, 3)."""
    if value is None or isinstance(value, str):
        return text(value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value)).encode()
    if hasattr(value, "numerator"):  # Integers and fractions.
        return f"{value.numerator}/{value.denominator}".encode()
    return format(value, "f").encode()  # decimal.Decimal


def pointer(array, kind):
    """Returns the address of an array that the caller keeps alive."""
    return array.ctypes.data_as(kind)


class Handle:
    """An object of the library. It is destroyed with its owner."""

    def __init__(self, kind: str):
        self.value = c_void_p()
        self._destroy = getattr(LIBRARY, f"warpclust_{kind}_destroy")

    def adopt(self):
        """Call it once the library has set `value`."""
        self._finalizer = weakref.finalize(self, self._destroy, self.value.value)
        return self

    def close(self):
        self._finalizer()


class _Memory:
    """Memory of a result, for as long as an array of it lives."""

    def __init__(self, storage):
        self._storage = storage

    def __del__(self):
        LIBRARY.warpclust_free(self._storage)


class _View:
    def __init__(self, memory, address, dtype, size):
        self._memory = memory
        self.__array_interface__ = {
            "data": (address, False),
            "shape": (size,),
            "typestr": np.dtype(dtype).str,
            "version": 3,
        }


class Result:
    """Arrays of a result, not copied. They share the memory of the library."""

    def __init__(self, result):
        self._memory = _Memory(result.storage)

    def array(self, address, size, dtype):
        """Returns `size` values at `address` as an array."""
        if isinstance(address, ctypes._Pointer):
            address = ctypes.cast(address, c_void_p).value
        if size == 0 or not address:
            return np.empty(0, dtype)
        return np.asarray(_View(self._memory, address, dtype, size))


_following = threading.local()


def _follow(share, _):
    run = _following.run
    try:
        if run.progress is not None and run.progress(share if share >= 0 else None):
            return 1
    except BaseException as error:  # Raised again when the call has ended.
        run.error = error
        return 1
    return int(run.interrupted)


_follow_native = structures.Progress(_follow)
_no_progress = structures.Progress()


class Run:
    """How a call runs: device, threads, GPUs, progress, and what Ctrl-C does.

    with Run("auto", 0, progress) as run:
        check(LIBRARY.warpclust_...(..., run.pointer, ...))

    In the main thread, Ctrl-C ends the call as warpclust.h says, and
    KeyboardInterrupt is raised at the end of the block.
    """

    def __init__(self, device="auto", num_threads=0, progress=None, num_gpus=1):
        if progress is not None and not callable(progress):
            raise InvalidArgumentError(f"progress: expected a function, found {progress!r}")
        self.progress = progress
        self.error = None
        self.interrupted = False
        self._handler = None
        self._struct = structures.run_t(
            text(device), num_threads, _no_progress, None, num_gpus
        )
        self.pointer = ctypes.byref(self._struct)

    def _on_interrupt(self, number, frame):
        self.interrupted = True

    def __enter__(self):
        self._outer = getattr(_following, "run", None)
        _following.run = self
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            # A handler that raises would do so inside _follow, where it is lost.
            if callable(handler):
                signal.signal(signal.SIGINT, self._on_interrupt)
                self._handler = handler
        if self._handler is not None or self.progress is not None:
            self._struct.progress = _follow_native
        return self

    def __exit__(self, kind, error, trace):
        _following.run = self._outer
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
        if kind is not None and not issubclass(kind, Canceled):
            return False
        if self.error is not None:
            raise self.error
        if self.interrupted:
            self._handler(signal.SIGINT, None)
        return False
