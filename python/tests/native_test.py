# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of ctypes: structures, memory, errors, progress, Ctrl-C."""

import _thread
import ctypes
import doctest
import gc
import importlib
import os
import re
import signal
import sys
import threading
import time
import unittest
import warnings

import numpy as np
import scipy.sparse

import warpclust
from warpclust import _native as native
from warpclust import _structures as structures

HEADER = sys.argv.pop(1)

C_TYPES = {
    "const char*": ctypes.c_char_p,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "double": ctypes.c_double,
    "const int32_t*": structures.int32s,
    "const int64_t*": structures.int64s,
    "const float*": structures.floats,
    "const double*": structures.doubles,
    "const uint8_t*": structures.uint8s,
    "const char* const*": ctypes.POINTER(ctypes.c_char_p),
    "void*": ctypes.c_void_p,
    "warpclust_progress": structures.Progress,
    "warpclust_cover": structures.cover_t,
    "warpclust_peaks": structures.peaks_t,
}


class OnGpu:
    """An array of the host that is said to be in the memory of a GPU."""

    def __init__(self, values):
        self._values = values
        self.address = values.ctypes.data
        self.__cuda_array_interface__ = values.__array_interface__


class Capsule:
    """The same by DLPack."""

    def __init__(self, device_type=2, code=2):
        from warpclust import _gpu

        self._device = device_type, 0
        self._values = np.eye(2, dtype=np.float32)
        self._shape = (ctypes.c_int64 * 2)(2, 2)
        self.address = self._values.ctypes.data
        self._tensor = _gpu._DLTensor(
            self.address - 8, device_type, 0, 2, code, 32, 1, self._shape, None, 8
        )

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self._tensor), b"dltensor", None)


def slow_rows(n=20000, d=256):
    """Rows without similar pairs, for a graph that takes seconds."""
    return np.random.default_rng(1).standard_normal((n, d), dtype=np.float32)


class StructuresTest(unittest.TestCase):
    def test_structures_are_those_of_the_header(self):
        with open(HEADER) as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        declared = re.findall(r"typedef struct \w+ \{(.*?)\} warpclust_(\w+);", text, re.S)
        self.assertEqual(len(declared), 23)
        for body, name in declared:
            fields = re.findall(r"([\w* ]+?[ *])(\w+);", body)
            mirrored = getattr(structures, name + "_t")._fields_
            self.assertEqual([field for _, field in fields], [f for f, _ in mirrored], name)
            for (c_type, field), (_, python_type) in zip(fields, mirrored):
                expected = C_TYPES[c_type.strip()]
                if name == "star_cover" and field == "ids":
                    expected = ctypes.c_void_p  # Bytes, which no 0 ends.
                self.assertEqual(expected, python_type, (name, field))

    def test_versions(self):
        with open(HEADER) as file:
            number = re.search(r"WARPCLUST_ABI_VERSION (\d+)", file.read()).group(1)
        self.assertEqual(int(number), native.ABI_VERSION)
        self.assertRegex(warpclust.__version__, r"^\d+\.\d+\.\d+$")


class MemoryTest(unittest.TestCase):
    def test_arrays_outlive_the_result(self):
        X = np.eye(50, dtype=np.float32)[np.arange(100) % 50]
        graph = warpclust.cosine_graph(X, 1)
        data = graph.data
        del graph
        gc.collect()
        np.testing.assert_array_equal(data, np.ones(100, np.float32))

    def test_matching_arrays_are_not_copied(self):
        from warpclust import _arrays

        X = np.ones((3, 2), dtype=np.float32)
        self.assertIs(_arrays.DenseDocuments(X)._values, X)
        csr = scipy.sparse.csr_matrix(X)
        self.assertTrue(np.shares_memory(_arrays.Documents(csr)._weights, csr.data))
        self.assertTrue(np.shares_memory(_arrays.Documents(csr)._terms, csr.indices))
        points = np.ones((3, 2))
        self.assertIs(_arrays.dense_rows(points, np.float64), points)

    def test_rounding_is_said(self):
        with self.assertWarns(warpclust.PrecisionWarning):
            warpclust.cosine_graph(np.array([[0.1, 1], [1, 1]]))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warpclust.cosine_graph(np.array([[0.5, 1], [1, 1]]))

    def test_inputs_are_not_changed(self):
        X = scipy.sparse.csr_matrix(
            (np.float32([1, 0, 2, 3]), [1, 0, 1, 0], [0, 2, 4]), shape=(2, 2)
        )
        data, indices = X.data.copy(), X.indices.copy()
        warpclust.cosine_graph(X)
        np.testing.assert_array_equal(X.data, data)
        np.testing.assert_array_equal(X.indices, indices)


class ErrorsTest(unittest.TestCase):
    def test_errors_are_those_of_python_too(self):
        with self.assertRaisesRegex(ValueError, "beta"):
            warpclust.cosine_graph(np.eye(2, dtype=np.float32), "much")
        with self.assertRaises(warpclust.NotFoundError):
            warpclust.DClustR(os.path.join(os.environ["TEST_TMPDIR"], "no"), read_only=True)
        with self.assertRaisesRegex(ValueError, "NaN"):
            warpclust.DensityPeaks().fit([[1.0], [float("nan")]])
        with self.assertRaisesRegex(ValueError, "function"):
            warpclust.DensityPeaks().fit([[1.0], [2.0]], progress=7)

    def test_host_memory_is_no_memory_of_a_gpu(self):
        for device in ("auto", "cpu"):
            for function in (
                lambda X: warpclust.cosine_graph(X, device=device),
                warpclust.OClustR(device=device).fit,
                warpclust.DensityPeaks(device=device).fit,
            ):
                for X in (OnGpu(np.eye(2, dtype=np.float32)), OnGpu(np.eye(2)), Capsule()):
                    # UnavailableError without CUDA code, else ValueError.
                    with self.assertRaisesRegex(warpclust.Error, "GPU|CUDA"):
                        function(X)

    def test_arrays_of_a_gpu_in_another_form_are_refused(self):
        X = OnGpu(np.eye(4, dtype=np.float32)[:, ::2])
        with self.assertRaisesRegex(ValueError, "C order"):
            warpclust.cosine_graph(X)
        with self.assertRaisesRegex(TypeError, "DLPack device type 10"):
            warpclust.cosine_graph(Capsule(10))
        with self.assertRaisesRegex(TypeError, "type code 4"):
            warpclust.cosine_graph(Capsule(code=4))

    def test_arrays_of_a_gpu_keep_their_address(self):
        from warpclust import _arrays

        values = np.eye(3, dtype=np.float32)
        for X, shape in ((OnGpu(values), (3, 3)), (Capsule(), (2, 2))):
            documents = _arrays.DenseDocuments(X)
            self.assertEqual(documents.struct.on_gpu, 1)
            self.assertEqual(documents.shape, shape)
            address = ctypes.cast(documents.struct.values, ctypes.c_void_p).value
            self.assertEqual(address, X.address)
        on_host = _arrays.DenseDocuments(values)
        self.assertEqual(on_host.struct.on_gpu, 0)


class RunTest(unittest.TestCase):
    def test_progress_sees_shares_and_stops(self):
        shares = []

        def stop(share):
            shares.append(share)
            return len(shares) > 2

        with self.assertRaises(warpclust.Canceled):
            warpclust.cosine_graph(slow_rows(), 0.9, num_threads=1, progress=stop)
        self.assertEqual(len(shares), 3)
        self.assertTrue(all(share is None or 0 <= share <= 1 for share in shares))

    def test_errors_of_progress_are_raised(self):
        def fail(share):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            warpclust.cosine_graph(slow_rows(), 0.9, num_threads=1, progress=fail)

    def test_progress_may_call(self):
        seen = []

        def call(share):
            seen.append(warpclust.evaluate([0, 1], [0, 1])["ari"])
            return True

        with self.assertRaises(warpclust.Canceled):
            warpclust.cosine_graph(slow_rows(), 0.9, num_threads=1, progress=call)
        self.assertEqual(seen, [1])

    def interrupted(self, function):
        """Runs function() with Ctrl-C after 0.3 s; returns the seconds since."""
        begin = []

        def interrupt():
            begin.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.3, interrupt)
        handler = signal.getsignal(signal.SIGINT)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            function()
        timer.join()
        self.assertIs(signal.getsignal(signal.SIGINT), handler)
        return time.monotonic() - begin[0]

    def test_interrupt_ends_a_graph(self):
        X = slow_rows(100000)
        self.assertLess(self.interrupted(lambda: warpclust.cosine_graph(X, 0.9)), 10)

    def test_interrupt_ends_density_peaks(self):
        X = slow_rows(300000, 48)  # A double loop over them takes minutes.
        for index in ("bruteforce", "vptree"):
            model = warpclust.DensityPeaks(3, cutoff_distance=5, index=index, device="cpu")
            self.assertLess(self.interrupted(lambda: model.fit(X)), 30)

    def test_progress_ends_density_peaks(self):
        X = slow_rows(100000, 48)
        with self.assertRaises(warpclust.Canceled):
            warpclust.DensityPeaks(3, cutoff_distance=5, index="vptree", device="cpu").fit(
                X, progress=lambda share: True
            )

    def test_interrupt_ends_a_search_with_the_best_so_far(self):
        model = warpclust.CorrelationClustering("seq_grasp", no_improvement=2**62)
        X = np.array([[0, 1, -1, 0], [1, 0, 1, 0], [-1, 1, 0, 1], [0, 0, 1, 0]])
        self.assertLess(self.interrupted(lambda: model.fit(X)), 10)
        self.assertTrue(model.stopped_)
        self.assertEqual(model.imbalance_, 1)

    def test_interrupt_between_calls_is_as_ever(self):
        warpclust.evaluate([0], [0])
        with self.assertRaises(KeyboardInterrupt):
            _thread.interrupt_main()
            time.sleep(1)

    def test_calls_of_several_threads_run_at_once(self):
        X = np.random.default_rng(3).random((2000, 40), dtype=np.float32)
        expected = warpclust.cosine_graph(X, 0.9)
        results = []

        def work():
            for _ in range(3):
                results.append(warpclust.cosine_graph(X, 0.9, num_threads=1))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 12)
        for graph in results:
            np.testing.assert_array_equal(graph.indices, expected.indices)
            np.testing.assert_array_equal(graph.data, expected.data)

    def test_children_of_fork_call_too(self):
        X = np.eye(100, dtype=np.float32)
        warpclust.cosine_graph(X)
        child = os.fork()
        if child == 0:
            os._exit(0 if warpclust.cosine_graph(X).nnz == 0 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class DocumentationTest(unittest.TestCase):
    def test_examples_of_docstrings(self):
        attempted = 0
        for name in ("cosine", "correlation", "dclustr", "density_peaks", "oclustr", "online"):
            result = doctest.testmod(importlib.import_module("warpclust._" + name))
            self.assertEqual(result.failed, 0, name)
            attempted += result.attempted
        self.assertGreater(attempted, 15)

    def test_everything_public_has_help(self):
        for name in warpclust.__all__:
            thing = getattr(warpclust, name)
            self.assertTrue(thing.__doc__, name)
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if callable(value) and not member.startswith("_"):
                    self.assertTrue(value.__doc__, (name, member))

    def test_defaults_are_those_of_the_library(self):
        library = native.LIBRARY
        for model, kind in (
            (warpclust.CorrelationClustering(), "correlation"),
            (warpclust.DensityPeaks(), "density_peaks"),
            (warpclust.OnlineClusterer(), "online"),
        ):
            options = getattr(structures, kind + "_options_t")()
            getattr(library, f"warpclust_{kind}_options_init")(ctypes.byref(options))
            for name, kind_of_field in options._fields_:
                value = getattr(options, name)
                if kind_of_field is ctypes.c_char_p or name in (
                    "peaks", "cutoff_distance", "cutoff_quantile", "neighbors"
                ):
                    continue  # NULL and 0 are "the default".
                self.assertEqual(value, getattr(model, name), (kind, name))


if __name__ == "__main__":
    unittest.main(verbosity=1)
