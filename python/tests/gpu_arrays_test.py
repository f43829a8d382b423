# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays in the memory of a GPU give what the same arrays on the host give.

`run python` of the GPU archive runs it. It needs NumPy, SciPy and the driver.
"""

import ctypes
import sys
import unittest

import numpy as np

import warpclust
from warpclust import _native as native


class Gpu:
    """Memory of the first GPU, by the driver."""

    def __init__(self):
        self._cuda = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        self._call("cuInit", 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self._call("cuCtxSetCurrent", context)

    def _call(self, function, *arguments):
        status = getattr(self._cuda, function)(*arguments)
        if status != 0:
            raise RuntimeError(f"{function}: error {status}")

    def copy(self, values):
        """Returns the address of a copy, which lives as long as the process."""
        values = np.ascontiguousarray(values)
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(values.nbytes))
        self._call(
            "cuMemcpyHtoD_v2", address, ctypes.c_void_p(values.ctypes.data),
            ctypes.c_size_t(values.nbytes),
        )
        return address.value


class ByInterface:
    """An array with __cuda_array_interface__."""

    def __init__(self, gpu, values):
        self.__cuda_array_interface__ = {
            "shape": values.shape,
            "typestr": values.dtype.str,
            "data": (gpu.copy(values), True),
            "version": 3,
        }


class ByDlpack:
    """An array with DLPack, with strides of C order."""

    def __init__(self, gpu, values):
        from warpclust import _gpu

        n, d = values.shape
        self._shape = (ctypes.c_int64 * 2)(n, d)
        self._strides = (ctypes.c_int64 * 2)(d, 1)
        self._tensor = _gpu._DLTensor(
            gpu.copy(values), 2, 0, 2, 2, values.itemsize * 8, 1, self._shape, self._strides, 0
        )

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self._tensor), b"dltensor", None)


def rows(n=3000, d=40):
    random = np.random.default_rng(1)
    centers = random.standard_normal((n // 20, d))
    return (np.repeat(centers, 20, axis=0) + 0.4 * random.standard_normal((n, d))).astype("f4")


class GpuArraysTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            native.check(
                native.LIBRARY.warpclust_resolve_device(
                    b"cuda", ctypes.byref(ctypes.c_char_p())
                )
            )
        except warpclust.UnavailableError as error:
            raise unittest.SkipTest(str(error)) from error
        cls.gpu = Gpu()

    def test_cosine_graph(self):
        X = rows()
        expected = warpclust.cosine_graph(X, 0.7, device="cpu")
        self.assertGreater(expected.nnz, 3000)
        for kind in (ByInterface, ByDlpack):
            for values in (X, X.astype("f8")):
                for device in ("auto", "cuda", "cpu"):
                    found = warpclust.cosine_graph(kind(self.gpu, values), 0.7, device=device)
                    np.testing.assert_array_equal(found.indptr, expected.indptr)
                    np.testing.assert_array_equal(found.indices, expected.indices)
                    np.testing.assert_array_equal(found.data, expected.data)

    def test_oclustr(self):
        X = rows()
        expected = warpclust.OClustR(0.7, device="cpu").fit(X)
        for kind in (ByInterface, ByDlpack):
            found = warpclust.OClustR(0.7).fit(kind(self.gpu, X))
            self.assertEqual((found.membership_ != expected.membership_).nnz, 0)
            np.testing.assert_array_equal(found.centers_, expected.centers_)

    def test_density_peaks(self):
        X = np.random.default_rng(2).standard_normal((2000, 3))
        expected = warpclust.DensityPeaks(device="cpu").fit(X)
        for kind in (ByInterface, ByDlpack):
            found = warpclust.DensityPeaks().fit(kind(self.gpu, X))
            np.testing.assert_array_equal(found.labels_, expected.labels_)
            np.testing.assert_array_equal(
                found.dependent_distances_, expected.dependent_distances_
            )

    def test_several_gpus(self):
        X = rows()
        expected = warpclust.OClustR(0.7, device="cpu").fit(X)
        try:
            found = warpclust.OClustR(0.7, num_gpus=2).fit(X)
        except warpclust.UnavailableError as error:
            self.assertIn("number of GPUs: expected at most 1", str(error))
            self.skipTest("one GPU")
        copied = warpclust.OClustR(0.7, num_gpus=2).fit(ByInterface(self.gpu, X))
        for model in (found, copied):
            self.assertEqual((model.membership_ != expected.membership_).nnz, 0)
            np.testing.assert_array_equal(model.centers_, expected.centers_)
        points = np.random.default_rng(2).standard_normal((5000, 3))
        expected = warpclust.DensityPeaks(device="cpu").fit(points)
        found = warpclust.DensityPeaks(num_gpus=2).fit(points)
        for name in (
            "labels_",
            "peaks_",
            "densities_",
            "dependent_points_",
            "dependent_distances_",
            "sigmas_",
            "noise_",
        ):
            np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
        signs = np.sign(np.random.default_rng(3).standard_normal((60, 60)))
        signs = np.triu(signs, 1) + np.triu(signs, 1).T
        np.testing.assert_array_equal(
            warpclust.CorrelationClustering(num_gpus=2).fit(signs).labels_,
            warpclust.CorrelationClustering(device="cpu").fit(signs).labels_,
        )

    def test_densities_of_density_peaks(self):
        X = np.random.default_rng(2).standard_normal((2000, 3))
        for density in ("count", "knn", "gaussian", "pak"):
            expected = warpclust.DensityPeaks(density=density, device="cpu").fit(X)
            found = warpclust.DensityPeaks(density=density, device="cuda").fit(X)
            for name in ("labels_", "densities_", "dependent_points_", "saddles_", "sigmas_"):
                np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))

    def test_sweep_of_density_peaks(self):
        X = np.random.default_rng(2).standard_normal((2000, 3))
        for density, values in (("count", (0.001, 0.1)), ("knn", (4, 100)), ("pak", (4, 100))):
            expected, found = (
                warpclust.DensityPeaks(density=density, device=device).sweep(
                    X, *values, labels=True
                )
                for device in ("cpu", "cuda")
            )
            for name, column in expected._asdict().items():
                np.testing.assert_array_equal(getattr(found, name), column, name)

    def test_tensors_of_pytorch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("no PyTorch here")
        X = rows()
        expected = warpclust.cosine_graph(X, 0.7, device="cpu")
        tensor = torch.from_numpy(X).cuda()
        found = warpclust.cosine_graph(tensor * 1, 0.7)
        np.testing.assert_array_equal(found.indices, expected.indices)
        with self.assertRaisesRegex(ValueError, "C order"):
            warpclust.cosine_graph(tensor[:, ::2], 0.7)

    def test_values_that_are_not_finite(self):
        X = rows()
        X[7, 3] = np.nan
        for device in ("cuda", "cpu"):
            with self.assertRaisesRegex(ValueError, "7|NaN"):
                warpclust.cosine_graph(ByInterface(self.gpu, X), 0.7, device=device)

    def test_host_memory(self):
        X = rows()
        array = ByInterface(self.gpu, X)
        array.__cuda_array_interface__["data"] = (X.ctypes.data, True)
        for device in ("cuda", "cpu"):
            with self.assertRaisesRegex(ValueError, "expected an array in the memory of GPU"):
                warpclust.cosine_graph(array, 0.7, device=device)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
