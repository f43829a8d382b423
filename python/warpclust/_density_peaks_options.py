# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of DensityPeaks, checked, as the structures of the library."""

from . import _native as native
from . import _structures as structures

_MOST_INT = 2**31 - 1


def options_of(peaks):
    """All parameters of the estimator."""
    _check_positive(peaks, "cutoff_distance", "cutoff_quantile", "n_neighbors")
    if peaks.density != "count":
        _refuse(peaks, "n_clusters", "density_min", "delta_min", "gamma_min", "halo")
        if peaks.rule == "drop":
            check_counts(peaks.density, 'rule="drop" needs')
    if peaks.density in ("knn", "pak"):
        _refuse(peaks, "cutoff_distance", "cutoff_quantile")
    else:
        _refuse(peaks, "n_neighbors")
    return structures.density_peaks_options_t(
        native.text(peaks.metric),
        peaks.cutoff_distance or 0,
        peaks.cutoff_quantile or 0,
        peaks.seed,
        selection_of(peaks),
        bool(peaks.halo),
        native.text(peaks.index),
        native.text(peaks.density),
        peaks.n_neighbors or 0,
    )


def selection_of(peaks):
    """Those that say which points are peaks."""
    given = [peaks.n_clusters, peaks.delta_min, peaks.gamma_min]
    if sum(value is not None for value in given) > 1:
        raise native.InvalidArgumentError(
            "n_clusters, delta_min and gamma_min are three ways to choose peaks: give one"
        )
    _check_positive(peaks, "n_clusters", "delta_min", "gamma_min")
    if peaks.rule not in ("auto", "significance", "drop"):
        raise native.InvalidArgumentError(
            f'rule: expected "auto", "significance" or "drop", found {peaks.rule!r}'
        )
    chosen = any(value is not None for value in given)
    if peaks.rule == "significance" and chosen:
        raise native.InvalidArgumentError(
            'rule="significance" and n_clusters, delta_min or gamma_min exclude each other'
        )
    significance = peaks.rule != "drop" and not chosen
    return structures.peaks_t(
        peaks.n_clusters or 0,
        peaks.density_min,
        peaks.delta_min or 0,
        peaks.gamma_min or 0,
        significance,
    )


def check_counts(density, what):
    if density != "count":
        raise native.InvalidArgumentError(
            f'{what} density="count", found density={density!r}'
        )


def _check_positive(peaks, *names):
    for name in names:
        value = getattr(peaks, name)
        if value is not None and not value > 0:
            raise native.InvalidArgumentError(
                f"{name}: expected a number above 0, found {value}"
            )
        # A field of 32 bits would keep the lower ones of larger integers.
        if isinstance(value, int) and value > _MOST_INT:
            raise native.InvalidArgumentError(
                f"{name}: expected at most {_MOST_INT}, found {value}"
            )


def _refuse(peaks, *names):
    """Refuses parameters that the density does not have."""
    for name in names:
        if getattr(peaks, name):
            raise native.InvalidArgumentError(
                f"density={peaks.density!r} and {name} exclude each other"
            )
