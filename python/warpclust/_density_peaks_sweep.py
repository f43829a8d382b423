# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""DensityPeaksSweep."""

import ctypes
from typing import NamedTuple, Optional

import numpy as np

from . import _arrays as arrays
from . import _native as native
from . import _structures as structures


class DensityPeaksSweep(NamedTuple):
    """What `DensityPeaks.sweep` finds for each value: arrays of shape (k,).

    Attributes
    ----------
    cutoff_quantile : ndarray, float64; None for the densities "knn" and "pak"
        The values, unless they are numbers of neighbors.
    cutoff_distance : ndarray, float64; None for "knn" and "pak"
    n_neighbors : ndarray, int32; None unless for "knn" and "pak"
        The values.
    n_clusters : ndarray, int32
    largest : ndarray, int32
        The points of the largest cluster.
    noise : ndarray, int32
        The points that are noise.
    candidates : ndarray, int32; 0 unless by significance
        The points that may be peaks.
    least_sigma : ndarray, float64; 0 unless by significance
        What chance reaches among them.
    weakest_sigma : ndarray, float64
        The smallest sigma of a peak but the densest one. NaN with one cluster, or
        unless by significance.
    agreement : ndarray, float64
        Adjusted Rand index of these clusters and those of the next value. NaN at
        the end.
    stable : ndarray, bool
        True for the longest run of values with more than one cluster in which
        neighbors agree by 0.9 or more; the first of equally long ones.
    labels : ndarray of shape (k, n), int32; None unless asked for
        The cluster of each point.
    """

    cutoff_quantile: Optional[np.ndarray]
    cutoff_distance: Optional[np.ndarray]
    n_neighbors: Optional[np.ndarray]
    n_clusters: np.ndarray
    largest: np.ndarray
    noise: np.ndarray
    candidates: np.ndarray
    least_sigma: np.ndarray
    weakest_sigma: np.ndarray
    agreement: np.ndarray
    stable: np.ndarray
    labels: Optional[np.ndarray]


def run_sweep(points, options, value_range, run):
    """Returns the DensityPeaksSweep of these structures; `points` is an array."""
    found = structures.density_peaks_sweep_result_t()
    native.check(
        native.LIBRARY.warpclust_density_peaks_sweep(
            ctypes.byref(arrays.points_struct(points)),
            ctypes.byref(options),
            ctypes.byref(value_range),
            run.pointer,
            ctypes.byref(found),
        )
    )
    result = native.Result(found)
    k, n = found.num_values, found.num_points

    def column(address, dtype):
        return result.array(address, k, dtype) if address else None

    labels = result.array(found.labels, k * n, np.int32).reshape(k, n) if found.labels else None
    return DensityPeaksSweep(
        column(found.cutoff_quantiles, np.float64),
        column(found.cutoff_distances, np.float64),
        column(found.neighbors, np.int32),
        column(found.num_clusters, np.int32),
        column(found.largest, np.int32),
        column(found.noise, np.int32),
        column(found.num_candidates, np.int32),
        column(found.least_sigmas, np.float64),
        column(found.weakest_sigmas, np.float64),
        column(found.agreements, np.float64),
        column(found.stable, bool),
        labels,
    )
