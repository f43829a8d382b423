# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays in the memory of a GPU: __cuda_array_interface__ and DLPack."""

import ctypes

import numpy as np

from . import _native as native

_CUDA, _CUDA_MANAGED = 2, 13  # DLDeviceType
_HOST = (1, 3)  # kDLCPU, kDLCUDAHost
_KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}  # DLDataTypeCode


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class GpuArray:
    """A C-ordered array in the memory of a GPU. It keeps `owner` alive.

    The library checks the address, and waits for whoever writes the array.
    """

    def __init__(self, owner, address, shape, dtype, strides):
        """`strides` are in bytes; None for C order."""
        self._owner = owner
        self.address = address
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        size = self.dtype.itemsize
        for length, stride in reversed(list(zip(self.shape, strides or ()))):
            if length > 1 and stride != size and 0 not in self.shape:
                raise native.InvalidArgumentError(
                    "expected an array in C order in the memory of a GPU, found strides "
                    f"{tuple(strides)}: use cupy.ascontiguousarray(X) or X.contiguous()"
                )
            size *= length

    def to_host(self):
        """Returns a copy as a NumPy array."""
        host = np.empty(self.shape, self.dtype)
        native.check(
            native.LIBRARY.warpclust_copy_from_gpu(host.ctypes.data, self.address, host.nbytes)
        )
        return host


def gpu_array(X):
    """Returns X as a GpuArray if it is in the memory of a GPU, else None."""
    if isinstance(X, np.ndarray):
        return None
    if hasattr(X, "__cuda_array_interface__"):
        interface = X.__cuda_array_interface__
        if interface.get("mask") is not None:
            raise native.InvalidArgumentError("expected an array without a mask, found one")
        return GpuArray(
            X,
            interface["data"][0],
            interface["shape"],
            interface["typestr"],
            interface.get("strides"),
        )
    device = getattr(X, "__dlpack_device__", None)
    if device is None or device()[0] in _HOST:
        return None
    if device()[0] not in (_CUDA, _CUDA_MANAGED):
        raise TypeError(
            "expected an array in the memory of the host or of an NVIDIA GPU, found one of "
            f"DLPack device type {int(device()[0])}: copy it to the host"
        )
    return _of_dlpack(X.__dlpack__())


def _of_dlpack(capsule):
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype = ctypes.c_void_p
    pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]
    # The capsule, which keeps its name, frees the tensor when it is freed.
    tensor = _DLTensor.from_address(pointer_of(capsule, b"dltensor"))
    if tensor.code not in _KINDS or tensor.lanes != 1:
        raise TypeError(
            "expected an array of numbers that NumPy knows in the memory of a GPU, found "
            f"DLPack type code {tensor.code} with {tensor.bits} bits: convert it to float32"
        )
    dtype = np.dtype(f"{_KINDS[tensor.code]}{tensor.bits // 8}")
    strides = tensor.strides and [
        tensor.strides[i] * dtype.itemsize for i in range(tensor.ndim)
    ]
    return GpuArray(
        capsule,
        (tensor.data or 0) + tensor.byte_offset,
        tensor.shape[: tensor.ndim],
        dtype,
        strides or None,
    )
