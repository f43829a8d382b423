# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""DensityPeaks."""

import ctypes
from typing import Any, Callable, Optional

import numpy as np

from . import _arrays as arrays
from . import _native as native
from . import _structures as structures
from ._base import ClusterMixin, Estimator
from ._density_peaks_incremental import IncrementalPeaks
from ._density_peaks_options import check_counts, options_of, selection_of
from ._density_peaks_sweep import DensityPeaksSweep, run_sweep


class DensityPeaks(ClusterMixin, Estimator):
    """Clusters of points around peaks of density, also of points that come and go.

    The density of a point is the number of other points nearer than the cutoff
    distance, unless another density is asked for. A peak is a point of high
    density that is far from any point of higher density. Every other point joins
    the cluster of the nearest point of higher density. Exact. Rodriguez and Laio
    (2014); Liu et al. (2023).

    Parameters
    ----------
    n_clusters : int, optional
        The number of peaks: those of largest gamma, density times distance. If
        none of n_clusters, delta_min and gamma_min is given, the rule decides.
    cutoff_distance : float, optional
        d_c, above 0. If not given, the cutoff_quantile.
    cutoff_quantile : float, optional
        d_c as a quantile of all distances between points, in (0, 1]. Default:
        0.02 with n_clusters, delta_min, gamma_min or rule="drop"; with
        rule="significance" it falls with the number of points.
    density : {"count", "knn", "gaussian", "pak"}
        What a density is. "count": points nearer than the cutoff distance d_c.
        "gaussian": the sum of exp(-(distance / d_c)^2). "knn": by the distance to
        the nearest point number n_neighbors. "pak": the same with a number of its
        own for each point, as many as have the same density. "knn" and "pak" have
        no cutoff distance. Others than "count" take peaks by significance only,
        without density_min and halo, and refuse `insert`, `remove` and
        `choose_peaks`.
    n_neighbors : int, optional
        The number of "knn", and the largest one of "pak". Default: 0.6 sqrt(n),
        from 4 to 100.
    density_min : int, default 0
        Points of a lower density are noise, and never peaks.
    delta_min, gamma_min : float, optional
        Peaks are points of at least this distance (and density_min), or of at
        least this gamma.
    rule : {"auto", "significance", "drop"}
        Which points are peaks. "auto": "significance" unless a number or threshold
        is given. "significance": those whose density stands out of the saddle to a
        denser peak by more than chance; other points may join the cluster across
        their saddle. Only for `fit`: `insert` and `remove` need another rule.
        "drop": those before the largest drop of gamma.
    metric : {"euclidean", "manhattan", "chebyshev", "angular", "cosine"}
    halo : bool, default False
        Find the halo of each cluster too: its members that are less dense than
        its border with another cluster.
    index : {"auto", "boxtree", "vptree", "bruteforce"}
        How neighbors are searched. The result is the same.
    seed : int, default 1
        Draws the distances that are sampled for the quantile of many points.
    device : {"auto", "cpu", "cuda"}
        Where it is computed. The result is the same.
    num_threads : int, default 0
        Threads on the CPU; 0 for all cores.
    num_gpus : int, default 1
        GPUs of this computer that share the work; the result is the same. For `fit`
        with density="count" and without halo.

    Attributes
    ----------
    labels_ : ndarray of shape (n,), int32
        The cluster of each point, from 0 in order of first member. Noise has a
        cluster too.
    peaks_ : ndarray of shape (k,), int32
        The row of the peak of each cluster.
    densities_ : ndarray of shape (n,), int32
        Counts. Of another density, the place of each point in the order of
        densities: n for the densest point, 1 for the least dense.
    dependent_points_ : ndarray of shape (n,), int32
        The row of the nearest point of higher density; -1 for the densest point.
    dependent_distances_ : ndarray of shape (n,), float64
        The distance to it; of the densest point, its largest distance.
    sigmas_ : ndarray of shape (k,), float64; None unless by significance
        How far the density of each peak is above its saddle, in standard
        deviations of the difference.
    saddles_ : ndarray of shape (k,), int32; None unless by significance
        The density of the saddle of each peak, as in densities_; 0 without any.
    least_sigma_ : float; None unless by significance
        What chance reaches. All peaks but the densest exceed it.
    noise_ : ndarray of shape (n,), bool
    halo_ : ndarray of shape (n,), bool; None unless asked for
    ids_ : ndarray of shape (n,), int32
        The id of each row: points are numbered from 0 as they are inserted.
    cutoff_distance_ : float
        0 for "knn" and "pak".
    n_neighbors_ : int; None unless for "knn" and "pak"
    n_clusters_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np, warpclust
    >>> X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [13.0]])
    >>> warpclust.DensityPeaks(2, cutoff_distance=1.5).fit_predict(X)
    array([0, 0, 0, 1, 1, 1, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters: Optional[int] = None,
        *,
        cutoff_distance: Optional[float] = None,
        cutoff_quantile: Optional[float] = None,
        density: str = "count",
        n_neighbors: Optional[int] = None,
        density_min: int = 0,
        delta_min: Optional[float] = None,
        gamma_min: Optional[float] = None,
        rule: str = "auto",
        metric: str = "euclidean",
        halo: bool = False,
        index: str = "auto",
        seed: int = 1,
        device: str = "auto",
        num_threads: int = 0,
        num_gpus: int = 1,
    ):
        self.n_clusters = n_clusters
        self.cutoff_distance = cutoff_distance
        self.cutoff_quantile = cutoff_quantile
        self.density = density
        self.n_neighbors = n_neighbors
        self.density_min = density_min
        self.delta_min = delta_min
        self.gamma_min = gamma_min
        self.rule = rule
        self.metric = metric
        self.halo = halo
        self.index = index
        self.seed = seed
        self.device = device
        self.num_threads = num_threads
        self.num_gpus = num_gpus

    def fit(
        self, X: Any, y: Any = None, *, progress: Optional[Callable] = None
    ) -> "DensityPeaks":
        """Clusters points.

        Parameters
        ----------
        X : array of shape (n, d)
            Finite coordinates, each below 1e150. The library computes with
            float64. An array in the memory of a GPU is copied to the host once.
        y : ignored
        progress : callable, optional
            Called about every 0.05 s with None. If it returns true, the call ends
            with `Canceled`, on a GPU after the present step.

        Raises
        ------
        ValueError
            If X or a parameter is not valid, all points are equal and a density
            with a cutoff distance is given none, or fewer points than n_clusters
            can be peaks.
        """
        is_quantile = self.density == "count" and self.cutoff_distance is None
        points = arrays.dense_rows(X, np.float64, least_rows=2 if is_quantile else 1)
        options = options_of(self)
        found = structures.density_peaks_result_t()
        with native.Run(self.device, self.num_threads, progress, self.num_gpus) as run:
            native.check(
                native.LIBRARY.warpclust_density_peaks(
                    ctypes.byref(arrays.points_struct(points)),
                    ctypes.byref(options),
                    run.pointer,
                    ctypes.byref(found),
                )
            )
            self._remember_features(X, points.shape[1])
            # All points ever inserted, by id, from which insert begins.
            self._points = [points]
            self._incremental = None
            # Parameters may change before the next call.
            self._fitted_density = self.density
            self.ids_ = np.arange(points.shape[0], dtype=np.int32)
            self._set_result(found)
        return self

    def sweep(
        self,
        X: Any,
        start: float,
        stop: float,
        num: int = 16,
        *,
        labels: bool = False,
        progress: Optional[Callable] = None,
    ) -> DensityPeaksSweep:
        """Clusters points at many scales, to see over which the clusters stay the same.

        The scale is the cutoff_quantile or, for the densities "knn" and "pak",
        n_neighbors. The result for each value is that of `fit` with it; all values
        together take the time of a few. The other parameters are those of the
        estimator, which is not changed; cutoff_distance and halo are not used, and
        refused where the density does not have them.

        Parameters
        ----------
        X : array of shape (n, d)
        start, stop : float
            The first and the last value. Quantiles are in (0, 1], numbers of
            neighbors are integers of at least 1.
        num : int, default 16
            How many values, from 2 to 1000, each the same multiple of the one
            before. Quantiles are rounded to six digits. Numbers of neighbors are
            rounded to integers, each once and at most n - 1, so there may be fewer.
        labels : bool, default False
            Keep the labels of all values, 4 bytes per point and value.
        progress : callable, optional
            As for `fit`.

        Raises
        ------
        ValueError
            As `fit`; also for density="gaussian".

        Examples
        --------
        >>> import numpy as np, warpclust
        >>> X = np.random.default_rng(1).normal(size=(600, 2))
        >>> X[:200] += 9
        >>> X[200:400] -= 9
        >>> sweep = warpclust.DensityPeaks().sweep(X, 0.005, 0.5, 6)
        >>> sweep.n_clusters
        array([2, 3, 3, 3, 1, 1], dtype=int32)
        >>> stable = np.flatnonzero(sweep.stable)
        >>> middle = sweep.cutoff_quantile[stable[len(stable) // 2]]
        >>> warpclust.DensityPeaks(cutoff_quantile=middle).fit(X).n_clusters_
        3
        """
        if self.density == "gaussian":
            raise native.InvalidArgumentError(
                'sweep: expected density="count", "knn" or "pak", found density="gaussian"'
            )
        points = arrays.dense_rows(X, np.float64)
        value_range = structures.density_peaks_range_t(start, stop, num, bool(labels))
        with native.Run(self.device, self.num_threads, progress) as run:
            return run_sweep(points, options_of(self), value_range, run)

    def insert(self, X: Any, *, progress: Optional[Callable] = None) -> "DensityPeaks":
        """Adds points and updates all attributes, as if all had been fitted.

        The cutoff distance stays as it is. The first call costs about as much as
        `fit`, later ones a fraction. The ids of the new points continue those so
        far.

        Parameters
        ----------
        X : array of shape (m, d)
        progress : callable, optional
            As for `fit`.
        """
        self._check_fitted("labels_")
        points = arrays.dense_rows(X, np.float64)
        if points.shape[1] != self.n_features_in_:
            raise native.InvalidArgumentError(
                f"X has {points.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        with native.Run(self.device, self.num_threads, progress) as run:
            self._begin_incremental(run)
            self._incremental.insert(points, run)
            self._points.append(points)
            self._update()
        return self

    def remove(self, ids: Any, *, progress: Optional[Callable] = None) -> "DensityPeaks":
        """Removes points by their ids and updates all attributes.

        Parameters
        ----------
        ids : array of int
            Some of `ids_`, each once. At least one point must be left.
        progress : callable, optional
            As for `fit`.

        Raises
        ------
        ValueError
            If an id is not one of `ids_` or is repeated. Nothing is changed.
        """
        self._check_fitted("labels_")
        ids = np.ascontiguousarray(ids, dtype=np.int32).reshape(-1)
        if len(ids) >= len(self.ids_):
            raise native.InvalidArgumentError(
                f"ids: expected to leave a point, found {len(ids)} ids for "
                f"{len(self.ids_)} points"
            )
        with native.Run(self.device, self.num_threads, progress) as run:
            self._begin_incremental(run)
            self._incremental.remove(ids, run)
            self._update()
        return self

    def choose_peaks(
        self,
        n_clusters: Optional[int] = None,
        *,
        density_min: int = 0,
        delta_min: Optional[float] = None,
        gamma_min: Optional[float] = None,
    ) -> "DensityPeaks":
        """Clusters the fitted points by other peaks, without a search.

        Sets the parameters of that name, `labels_`, `peaks_`, `noise_` and
        `n_clusters_`; `rule` becomes "drop", and `halo_` and the significance None.
        """
        self._check_fitted("labels_")
        check_counts(self._fitted_density, "choose_peaks needs")
        self.set_params(
            rule="drop",
            n_clusters=n_clusters,
            density_min=density_min,
            delta_min=delta_min,
            gamma_min=gamma_min,
        )
        graph = structures.density_peaks_result_t(
            num_points=len(self.labels_),
            cutoff_distance=self.cutoff_distance_,
            densities=native.pointer(self.densities_, structures.int32s),
            dependent_points=native.pointer(self.dependent_points_, structures.int32s),
            dependent_distances=native.pointer(self.dependent_distances_, structures.doubles),
        )
        found = structures.density_peaks_result_t()
        native.check(
            native.LIBRARY.warpclust_cluster_by_peaks(
                ctypes.byref(graph), ctypes.byref(selection_of(self)), ctypes.byref(found)
            )
        )
        self._set_result(found)
        return self

    @property
    def gammas_(self):
        """Density times dependent distance of each point, to choose peaks by.

        The densest point counts with the largest distance of the others if its
        own is larger. None unless densities are counts.
        """
        self._check_fitted("labels_")
        if self._fitted_density != "count":
            return None
        distances = self.dependent_distances_.copy()
        densest = self.dependent_points_ == -1
        if len(distances) > 1:
            distances[densest] = np.minimum(
                distances[densest], distances[~densest].max()
            )
        return self.densities_ * distances

    def _set_result(self, found):
        result = native.Result(found)
        n = found.num_points
        self.cutoff_distance_ = found.cutoff_distance
        self.n_neighbors_ = found.neighbors or None
        self.densities_ = result.array(found.densities, n, np.int32)
        self.dependent_points_ = result.array(found.dependent_points, n, np.int32)
        self.dependent_distances_ = result.array(found.dependent_distances, n, np.float64)
        self.labels_ = result.array(found.labels, n, np.int32)
        self.noise_ = result.array(found.noise, n, bool)
        self.halo_ = result.array(found.halo, n, bool) if found.halo else None
        self.peaks_ = result.array(found.peaks, found.num_clusters, np.int32)
        self.sigmas_, self.saddles_, self.least_sigma_ = None, None, None
        if found.sigmas:
            self.sigmas_ = result.array(found.sigmas, found.num_clusters, np.float64)
            self.saddles_ = result.array(found.saddles, found.num_clusters, np.int32)
            self.least_sigma_ = found.least_sigma
        self.n_clusters_ = found.num_clusters

    def _begin_incremental(self, run):
        """Makes the object of the library, from all points ever inserted."""
        check_counts(self._fitted_density, "insert and remove need")
        if selection_of(self).significance:
            raise native.InvalidArgumentError(
                'insert and remove keep no saddles, which the rule needs: fit with rule="drop", '
                "n_clusters, delta_min or gamma_min"
            )
        if self._incremental is not None:
            return
        options = structures.incremental_density_peaks_options_t(
            native.text(self.metric), self.cutoff_distance_, None,
            native.text(self.index if self.index != "bruteforce" else "auto"),
        )
        points = np.concatenate(self._points)
        self._incremental = IncrementalPeaks(points, self.ids_, options, run)
        self._points = [points]

    def _update(self):
        found = self._incremental.cluster(selection_of(self))
        self._set_result(found)
        self.ids_ = self._incremental.live_ids(found.num_points)

    def __getstate__(self):
        parent = super()
        state = dict(parent.__getstate__() if hasattr(parent, "__getstate__") else self.__dict__)
        if "_incremental" in state:
            state["_incremental"] = None  # Made again from the points.
        return state
