# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""IncrementalPeaks: the library's clusters of points that come and go."""

import ctypes

import numpy as np

from . import _arrays as arrays
from . import _native as native
from . import _structures as structures


class IncrementalPeaks:
    """Made from all points ever inserted, by id, of which `live_ids` are left."""

    def __init__(self, points, live_ids, options, run):
        self._handle = native.Handle("incremental_density_peaks")
        native.check(
            native.LIBRARY.warpclust_incremental_density_peaks_create(
                points.shape[1], ctypes.byref(options), run.pointer,
                ctypes.byref(self._handle.value),
            )
        )
        self._handle.adopt()
        self.insert(points, run)
        gone = np.setdiff1d(np.arange(len(points), dtype=np.int32), live_ids)
        if len(gone):
            self.remove(gone, run)

    def insert(self, points, run):
        native.check(
            native.LIBRARY.warpclust_incremental_density_peaks_insert(
                self._handle.value, ctypes.byref(arrays.points_struct(points)), run.pointer
            )
        )

    def remove(self, ids, run):
        native.check(
            native.LIBRARY.warpclust_incremental_density_peaks_remove(
                self._handle.value, len(ids), native.pointer(ids, structures.int32s), run.pointer
            )
        )

    def cluster(self, selection):
        """Returns the result of the library."""
        found = structures.density_peaks_result_t()
        native.check(
            native.LIBRARY.warpclust_incremental_density_peaks_cluster(
                self._handle.value, ctypes.byref(selection), ctypes.byref(found)
            )
        )
        return found

    def live_ids(self, num_points):
        """Returns the ids of its `num_points` points, in the order of the result."""
        ids = np.empty(num_points, dtype=np.int32)
        native.check(
            native.LIBRARY.warpclust_incremental_density_peaks_live_ids(
                self._handle.value, native.pointer(ids, structures.int32s)
            )
        )
        return ids
