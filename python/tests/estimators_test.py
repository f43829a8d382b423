# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the estimators against definitions, each other and scikit-learn's rules."""

import os
import pickle
import shutil
import tempfile
import unittest
import warnings
from fractions import Fraction

import numpy as np
import scipy.sparse
from sklearn import metrics
from sklearn.base import ClusterMixin, clone
from sklearn.utils.estimator_checks import check_estimator

import warpclust


def counts(seed, n=60, d=30, density=0.2):
    """Random counts of terms; some documents are empty."""
    random = np.random.default_rng(seed)
    X = random.integers(1, 4, (n, d)) * (random.random((n, d)) < density)
    return scipy.sparse.csr_matrix(X.astype(np.float32))


def naive_graph(X, numerator, denominator):
    """Pairs by integers: dot^2 * denominator^2 >= numerator^2 * |a|^2 * |b|^2."""
    X = X.toarray().astype(np.int64)
    dots = X @ X.T
    norms = np.diag(dots)
    limits = norms[:, None] * norms[None, :]
    edges = (dots > 0) & (dots**2 * denominator**2 >= numerator**2 * limits)
    np.fill_diagonal(edges, False)
    with np.errstate(invalid="ignore"):
        return edges, np.where(edges, dots / np.sqrt(limits), 0)


class ConventionsTest(unittest.TestCase):
    def test_check_estimator(self):
        for model in (
            warpclust.DensityPeaks(),
            warpclust.CorrelationClustering(),
            warpclust.OClustR(),
            warpclust.OnlineClusterer(),
        ):
            with self.subTest(model=model), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check_estimator(model)

    def test_clusterers(self):
        for kind in (
            warpclust.DensityPeaks,
            warpclust.CorrelationClustering,
            warpclust.OnlineClusterer,
        ):
            self.assertIsInstance(kind(), ClusterMixin)
        self.assertNotIsInstance(warpclust.OClustR(), ClusterMixin)

    def test_clone_keeps_parameters(self):
        model = warpclust.DensityPeaks(3, metric="manhattan", halo=True)
        self.assertEqual(clone(model).get_params(), model.get_params())


class CosineGraphTest(unittest.TestCase):
    def test_is_the_graph_of_the_definition(self):
        for seed in range(10):
            X = counts(seed)
            for numerator, denominator in ((1, 4), (1, 2), (35, 100), (1, 3)):
                beta = Fraction(numerator, denominator)
                edges, cosines = naive_graph(X, numerator, denominator)
                for documents in (X, X.toarray()):
                    graph = warpclust.cosine_graph(documents, beta)
                    np.testing.assert_array_equal(graph.toarray() > 0, edges)
                    np.testing.assert_allclose(graph.toarray(), cosines, rtol=1e-6)

    def test_forms_of_beta_are_one_number(self):
        X = counts(1)
        expected = warpclust.cosine_graph(X, "0.35")
        for beta in (0.35, "35/100", Fraction(7, 20), np.float64(0.35)):
            self.assertEqual((warpclust.cosine_graph(X, beta) != expected).nnz, 0)


class OClustRTest(unittest.TestCase):
    def test_documents_graph_and_dense_rows_agree(self):
        for seed in range(5):
            X = counts(seed)
            model = warpclust.OClustR(0.4).fit(X)
            graph = warpclust.cosine_graph(X, 0.4)
            self.assertEqual(model.n_edges_, graph.nnz // 2)
            for other in (
                warpclust.OClustR(0.4).fit(X.toarray()),
                warpclust.OClustR(metric="precomputed").fit(graph),
                warpclust.OClustR(metric="precomputed").fit(graph.toarray()),
            ):
                self.assertEqual((model.membership_ != other.membership_).nnz, 0)
                np.testing.assert_array_equal(model.centers_, other.centers_)

    def test_chooses_beta(self):
        random = np.random.default_rng(2)
        topics = random.normal(size=(8, 30))
        X = np.float32(np.repeat(topics, 40, axis=0) + 0.5 * random.normal(size=(320, 30)))
        model = warpclust.OClustR().fit(X)
        self.assertGreater(float(model.beta_), 0.25)
        again = warpclust.OClustR(model.beta_).fit(X)
        self.assertEqual((model.membership_ != again.membership_).nnz, 0)
        self.assertEqual(model.n_clusters_, 8)
        self.assertEqual(warpclust.OClustR().fit(X[:63]).beta_, "0.25")
        graph = warpclust.cosine_graph(X, 0.5)
        self.assertIsNone(warpclust.OClustR(metric="precomputed").fit(graph).beta_)
        X[3, 4] = np.nan
        with self.assertRaisesRegex(ValueError, "nan|NaN"):
            warpclust.OClustR().fit(X)

    def test_clusters_are_stars(self):
        X = counts(3)
        model = warpclust.OClustR(0.4).fit(X)
        graph = warpclust.cosine_graph(X, 0.4)
        self.assertTrue((model.membership_.sum(axis=1) >= 1).all())
        for cluster, center in enumerate(model.centers_):
            members = set(model.membership_[:, cluster].nonzero()[0])
            neighbors = set(graph[center].indices)
            self.assertLessEqual(neighbors | {center}, members)
            self.assertEqual(len(neighbors), model.num_satellites_[cluster])


class DClustRTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def test_is_oclustr_of_what_is_there(self):
        X = counts(7)
        present = {}
        path = os.path.join(self.folder, "store")
        with warpclust.DClustR(path, 0.4) as store:
            store.add(X[:40], range(40))
            store.remove(["3", "17"])
            store.modify(X[[50, 51]], [5, 6])
            update = store.add(X[40:50], [f"late {i}" for i in range(10)])
            self.assertEqual(update.added, 10)
            self.assertEqual(update.documents, 48)
            store.verify()
            store.compact()
            ids, membership = store.ids, store.membership_
        rows = [i for i in range(40) if i not in (3, 17, 5, 6)] + [50, 51] + list(range(40, 50))
        self.assertEqual(ids[-11:-9], ["6", "late 0"])
        expected = warpclust.OClustR(0.4).fit(X[rows])
        self.assertEqual((membership != expected.membership_).nnz, 0)
        # Again, from the disk.
        with warpclust.DClustR(path, read_only=True) as store:
            self.assertEqual(store.beta, "0.4")
            self.assertEqual(store.ids, ids)
            self.assertEqual((store.membership_ != membership).nnz, 0)
        with self.assertRaisesRegex(ValueError, "closed"):
            store.describe()

    def test_bad_changes_change_nothing(self):
        store = warpclust.DClustR(os.path.join(self.folder, "store"))
        store.add(counts(1, n=3), "abc"[:0] or ["a", "b", "c"])
        for change in (
            lambda: store.remove(["d"]),
            lambda: store.add(counts(1, n=1), ["a"]),
            lambda: store.add(counts(1, n=2), ["e"]),
            lambda: store.add(counts(1, n=1), ["nul\0"]),
        ):
            with self.assertRaises(ValueError):
                change()
        with self.assertRaises(TypeError):
            store.remove("a")
        self.assertEqual(store.ids, ["a", "b", "c"])
        store.close()
        with self.assertRaisesRegex(ValueError, "beta"):
            warpclust.DClustR(store.store, 0.3)


class OnlineClustererTest(unittest.TestCase):
    def test_calls_do_not_matter(self):
        X = counts(11, n=200)
        whole = warpclust.OnlineClusterer(0.3, merge_every=20, merge_threshold=0.4).fit(X)
        for sizes in ((1,) * 200, (50, 149, 1)):
            model = warpclust.OnlineClusterer(0.3, merge_every=20, merge_threshold=0.4)
            labels, begin = [], 0
            for size in sizes:
                model.partial_fit(X[begin : begin + size])
                labels.extend(model.labels_)
                begin += size
                if begin in (50, 100):
                    model = pickle.loads(pickle.dumps(model))
            np.testing.assert_array_equal(labels, whole.labels_)
            np.testing.assert_array_equal(model.merges_, whole.merges_)
            self.assertEqual(model.n_documents_, 200)
        self.assertGreater(len(whole.merges_), 0)
        progress = warpclust.OnlineClusterer(0.3, merge_every=20, merge_threshold=0.4)
        progress.fit(X, progress=lambda share: False)
        np.testing.assert_array_equal(progress.labels_, whole.labels_)

    def test_clusters_expire(self):
        X = np.float32([[1, 1], [1, 1]])
        days = np.array(["2026-03-01", "2026-03-05"], dtype="datetime64[D]")
        for expire_after, clusters in ((3 * 86400, 2), (5 * 86400, 1)):
            model = warpclust.OnlineClusterer(expire_after=expire_after)
            self.assertEqual(model.fit(X, times=days).n_clusters_, clusters)

    def test_new_columns_may_come(self):
        model = warpclust.OnlineClusterer().partial_fit(np.float32([[1, 1]]))
        model.partial_fit(np.float32([[1, 1, 0], [0, 0, 1]]))
        np.testing.assert_array_equal(model.labels_, [0, 1])


class CorrelationClusteringTest(unittest.TestCase):
    def test_imbalance_is_that_of_the_definition(self):
        random = np.random.default_rng(5)
        for dtype in (int, float):
            X = np.triu(random.integers(-3, 4, (40, 40)), 1)
            X = (X + X.T) * (1 if dtype is int else 0.125)
            model = warpclust.CorrelationClustering().fit(X)
            same = model.labels_[:, None] == model.labels_[None, :]
            expected = (np.where(same, np.maximum(-X, 0), np.maximum(X, 0))).sum() / 2
            self.assertAlmostEqual(model.imbalance_, expected, places=9)
            for other in (scipy.sparse.csr_matrix(X), np.triu(X), X + np.eye(40, dtype=dtype)):
                again = warpclust.CorrelationClustering().fit(other)
                np.testing.assert_array_equal(again.labels_, model.labels_)

    def test_both_signs(self):
        model = warpclust.CorrelationClustering().fit([[0, 3], [-1, 0]])
        np.testing.assert_array_equal(model.labels_, [0, 0])
        self.assertEqual(model.imbalance_, 1)
        with self.assertRaisesRegex(ValueError, "square"):
            model.fit(np.ones((2, 3)))


class DensityPeaksTest(unittest.TestCase):
    def test_is_the_definition(self):
        X = np.random.default_rng(2).normal(size=(150, 2))
        model = warpclust.DensityPeaks(4, cutoff_distance=0.4, halo=True).fit(X)
        distances = metrics.pairwise_distances(X)
        densities = (distances < 0.4).sum(axis=1) - 1
        np.testing.assert_array_equal(model.densities_, densities)
        rank = np.lexsort((np.arange(150), -densities))
        self.assertEqual(model.dependent_points_[rank[0]], -1)
        for i, point in enumerate(rank[1:], 1):
            nearest = rank[:i][np.argmin(distances[point, rank[:i]])]
            self.assertEqual(model.dependent_points_[point], nearest)
            self.assertEqual(model.labels_[point] == model.labels_[nearest],
                             point not in model.peaks_)
        self.assertEqual(model.n_clusters_, 4)
        self.assertEqual(set(np.argsort(-model.gammas_)[:4]), set(model.peaks_))
        self.assertEqual(model.halo_.dtype, bool)

    def test_points_come_and_go(self):
        random = np.random.default_rng(4)
        X = random.normal(size=(300, 3))
        model = warpclust.DensityPeaks(3, cutoff_distance=0.5).fit(X[:200])
        present = list(range(200))
        for step in range(4):
            model.insert(X[200 + 20 * step : 220 + 20 * step])
            present += range(200 + 20 * step, 220 + 20 * step)
            gone = random.choice(present, 15, replace=False)
            model.remove(gone)
            present = [i for i in present if i not in set(gone)]
            np.testing.assert_array_equal(model.ids_, present)
            fresh = warpclust.DensityPeaks(3, cutoff_distance=0.5).fit(X[present])
            for name in ("labels_", "densities_", "dependent_points_", "dependent_distances_",
                         "peaks_", "noise_"):
                np.testing.assert_array_equal(getattr(model, name), getattr(fresh, name), name)
            if step == 1:
                model = pickle.loads(pickle.dumps(model))
        with self.assertRaises(ValueError):
            model.remove([gone[0]])
        with self.assertRaisesRegex(ValueError, "leave a point"):
            model.remove(model.ids_)
        np.testing.assert_array_equal(model.ids_, present)

    def test_significance(self):
        random = np.random.default_rng(3)
        X = np.concatenate([random.normal(center, 1, (200, 2)) for center in (0, 8, 16)])
        model = warpclust.DensityPeaks(rule="significance").fit(X)
        self.assertEqual(model.n_clusters_, 3)
        np.testing.assert_array_equal(model.labels_, warpclust.DensityPeaks().fit(X).labels_)
        for first in (0, 200, 400):
            self.assertEqual(len(set(model.labels_[first + 50 : first + 150])), 1)
        self.assertEqual(model.sigmas_.shape, (3,))
        self.assertTrue((model.sigmas_ > model.least_sigma_).all())
        self.assertTrue((model.saddles_ < model.densities_[model.peaks_]).all())
        self.assertLess(model.cutoff_distance_, warpclust.DensityPeaks(3, cutoff_quantile=0.1)
                        .fit(X).cutoff_distance_)
        for change in (lambda: model.insert(X[:1]), lambda: model.remove([3])):
            with self.assertRaisesRegex(ValueError, "keep no saddles"):
                change()
        model.choose_peaks(2)
        self.assertEqual((model.n_clusters_, model.rule), (2, "drop"))
        self.assertIsNone(model.sigmas_)
        for wrong in (
            {"rule": "gap"}, {"rule": "significance", "n_clusters": 2}, {"cutoff_quantile": 0}
        ):
            with self.assertRaises(ValueError):
                warpclust.DensityPeaks(**wrong).fit(X)

    def test_other_densities(self):
        X = np.random.default_rng(5).normal(size=(120, 2))
        distances = metrics.pairwise_distances(X)
        by_nearest = np.sort(distances, axis=1)[:, 9]  # The first is the point itself.
        terms = np.rint(32 * np.exp(-((distances / 0.4) ** 2)))
        for model, density in (
            (warpclust.DensityPeaks(density="knn", n_neighbors=9), -by_nearest),
            (warpclust.DensityPeaks(density="gaussian", cutoff_distance=0.4), terms.sum(axis=1)),
        ):
            model.fit(X)
            places = np.empty(120, dtype=int)
            places[np.lexsort((np.arange(120), -density))] = np.arange(120, 0, -1)
            np.testing.assert_array_equal(model.densities_, places)
        self.assertEqual((model.n_neighbors_, model.cutoff_distance_), (None, 0.4))
        model = warpclust.DensityPeaks(density="pak").fit(X)
        self.assertEqual((model.n_neighbors_, model.cutoff_distance_), (7, 0))
        self.assertIsNone(model.gammas_)
        self.assertEqual(model.fit_predict([[1.0, 2.0]]).tolist(), [0])

    def test_other_densities_refuse_what_needs_counts(self):
        X = np.random.default_rng(5).normal(size=(60, 2))
        for density in ("knn", "gaussian", "pak"):
            model = warpclust.DensityPeaks(density=density).fit(X)
            for change in (
                lambda: model.insert(X[:1]),
                lambda: model.remove([3]),
                lambda: model.choose_peaks(2),
            ):
                with self.assertRaisesRegex(ValueError, 'density="count", found .*' + density):
                    change()
            # What was fitted counts, not the parameters for the next time.
            model.set_params(density="count")
            self.assertIsNone(model.gammas_)
            with self.assertRaisesRegex(ValueError, 'density="count", found .*' + density):
                model.choose_peaks(2)
        for wrong, message in (
            ({"density": "kde"}, "count, knn, gaussian, pak"),
            ({"density": "knn", "n_neighbors": 0}, "n_neighbors: expected"),
            ({"density": "knn", "n_clusters": 2}, "n_clusters exclude"),
            ({"density": "knn", "cutoff_distance": 1}, "cutoff_distance exclude"),
            ({"density": "pak", "cutoff_quantile": 0.1}, "cutoff_quantile exclude"),
            ({"density": "gaussian", "n_neighbors": 4}, "n_neighbors exclude"),
            ({"density": "gaussian", "density_min": 4}, "density_min exclude"),
            ({"density": "gaussian", "halo": True}, "halo exclude"),
            ({"density": "gaussian", "rule": "drop"}, 'density="count"'),
            ({"n_neighbors": 4}, "n_neighbors exclude"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                warpclust.DensityPeaks(**wrong).fit(X)

    def check_sweep(self, sweep, X, parameter, **fixed):
        """Compares a sweep with labels with a fit for each value."""
        values = getattr(sweep, parameter)
        models = [warpclust.DensityPeaks(**{parameter: value}, **fixed).fit(X) for value in values]
        np.testing.assert_array_equal(sweep.labels, [model.labels_ for model in models])
        np.testing.assert_array_equal(sweep.noise, [model.noise_.sum() for model in models])
        agreement = [
            metrics.adjusted_rand_score(one.labels_, other.labels_)
            for one, other in zip(models, models[1:])
        ]
        np.testing.assert_allclose(sweep.agreement, agreement + [np.nan], rtol=1e-12, atol=1e-12)
        runs = [0]  # How many values in a row agree up to each one.
        for k, model in enumerate(models):
            self.assertEqual(sweep.n_clusters[k], model.n_clusters_)
            self.assertEqual(sweep.largest[k], np.bincount(model.labels_).max())
            if sweep.cutoff_distance is not None:
                self.assertEqual(sweep.cutoff_distance[k], model.cutoff_distance_)
            if model.sigmas_ is None:
                self.assertEqual((sweep.candidates[k], sweep.least_sigma[k]), (0, 0))
            else:
                self.assertEqual(sweep.least_sigma[k], model.least_sigma_)
                self.assertGreaterEqual(sweep.candidates[k], model.n_clusters_)
            weakest = np.nan
            if model.sigmas_ is not None and model.n_clusters_ > 1:
                weakest = model.sigmas_[model.dependent_points_[model.peaks_] != -1].min()
            np.testing.assert_equal(sweep.weakest_sigma[k], weakest)
            if k > 0:
                same = min(sweep.n_clusters[k - 1 : k + 1]) > 1 and agreement[k - 1] >= 0.9
                runs.append(runs[-1] + 1 if same else 0)
        longest = max(runs)
        last = runs.index(longest)
        stable = np.zeros(len(models), dtype=bool)
        stable[last - longest : last + 1] = longest > 0
        np.testing.assert_array_equal(sweep.stable, stable)

    def test_sweep(self):
        random = np.random.default_rng(7)
        X = np.concatenate([random.normal(center, 1, (60, 2)) for center in (0, 6, 15)])
        sweep = warpclust.DensityPeaks(cutoff_distance=7).sweep(X, 0.005, 0.5, 8, labels=True)
        self.assertEqual((sweep.cutoff_quantile[0], sweep.cutoff_quantile[-1]), (0.005, 0.5))
        self.assertGreater(sweep.stable.sum(), 1)
        self.assertGreater(len(set(sweep.n_clusters)), 2)
        self.check_sweep(sweep, X, "cutoff_quantile")
        for fixed in (
            {"metric": "manhattan", "density_min": 3},
            {"rule": "drop"},
            {"n_clusters": 3},
        ):
            model = warpclust.DensityPeaks(halo=True, **fixed)
            sweep = model.sweep(X, 0.005, 0.5, 5, labels=True)
            self.check_sweep(sweep, X, "cutoff_quantile", **fixed)
            self.assertFalse(hasattr(model, "labels_"))
        for density in ("knn", "pak"):
            model = warpclust.DensityPeaks(density=density, n_neighbors=9)
            sweep = model.sweep(X, 2, 1000, 9, labels=True)
            self.assertEqual(sweep.n_neighbors[-1], 179)
            self.assertIsNone(sweep.cutoff_quantile)
            self.check_sweep(sweep, X, "n_neighbors", density=density)
        sweep = warpclust.DensityPeaks().sweep(X, 0.01, 0.02)
        self.assertEqual(sweep.stable.shape, (16,))
        self.assertIsNone(sweep.labels)

    def test_sweep_refuses(self):
        X = np.random.default_rng(7).normal(size=(30, 2))
        model = warpclust.DensityPeaks()
        for start, stop, num in (
            (0, 0.1, 5), (0.2, 0.1, 5), (0.1, 1.5, 5), (0.1, np.nan, 5), (0.1, 0.2, 1),
            (0.1, 0.2, 1001),
        ):
            with self.assertRaisesRegex(ValueError, "sweep: expected"):
                model.sweep(X, start, stop, num)
        with self.assertRaisesRegex(ValueError, "sweep: expected"):
            warpclust.DensityPeaks(density="knn").sweep(X, 1.5, 8)
        with self.assertRaisesRegex(ValueError, 'found density="gaussian"'):
            warpclust.DensityPeaks(density="gaussian").sweep(X, 0.1, 0.2)
        with self.assertRaisesRegex(ValueError, "n_neighbors: expected at most"):
            warpclust.DensityPeaks(density="knn", n_neighbors=2**32 + 9).fit(X)
        with self.assertRaises(warpclust.Canceled):
            model.sweep(np.repeat(X, 2000, axis=0), 0.1, 0.9, progress=lambda share: True)

    def test_other_peaks(self):
        X = np.random.default_rng(6).normal(size=(100, 2))
        model = warpclust.DensityPeaks(rule="drop").fit(X).choose_peaks(7)
        np.testing.assert_array_equal(
            model.labels_, warpclust.DensityPeaks(7).fit(X).labels_
        )
        with self.assertRaisesRegex(ValueError, "give one"):
            warpclust.DensityPeaks(3, gamma_min=1).fit(X)


class SeveralGpusTest(unittest.TestCase):
    def test_refused(self):
        X = np.random.default_rng(1).random((30, 2), dtype=np.float32)
        ones = np.ones((30, 30))
        for model, given in (
            (warpclust.OClustR(0.9, device="cpu", num_gpus=2), X),
            (warpclust.OClustR(metric="precomputed", num_gpus=2), ones),
            (warpclust.DensityPeaks(device="cpu", num_gpus=2), X),
            (warpclust.DensityPeaks(num_gpus=-1), X),
            (warpclust.CorrelationClustering(device="cpu", num_gpus=2), ones),
        ):
            with self.assertRaisesRegex(ValueError, "num_gpus: expected"):
                model.fit(given)
        # More than any computer has.
        for model in (
            warpclust.OClustR(0.9, num_gpus=1000),
            warpclust.OClustR("auto", num_gpus=1000),
            warpclust.DensityPeaks(num_gpus=1000),
        ):
            with self.assertRaises(warpclust.UnavailableError):
                model.fit(X)


class EvaluateTest(unittest.TestCase):
    def test_agrees_with_scikit_learn(self):
        random = np.random.default_rng(8)
        truth, found = random.integers(0, 4, 200), random.integers(0, 5, 200)
        measures = warpclust.evaluate(truth, found)
        for name, expected in (
            ("ari", metrics.adjusted_rand_score(truth, found)),
            ("nmi", metrics.normalized_mutual_info_score(truth, found)),
            ("homogeneity", metrics.homogeneity_score(truth, found)),
            ("completeness", metrics.completeness_score(truth, found)),
        ):
            self.assertAlmostEqual(measures[name], expected, places=12)
        names = np.array(["a", "b", "c", "d"])[truth]
        one_hot = np.eye(5, dtype=bool)[found]
        for other in (one_hot, scipy.sparse.csr_matrix(one_hot)):
            self.assertEqual(warpclust.evaluate(names, other), measures)

    def test_overlaps_and_items_without_cluster(self):
        cover = np.array([[1, 0], [1, 1], [0, 1]])
        self.assertNotIn("ari", warpclust.evaluate(cover, cover))
        self.assertEqual(warpclust.evaluate(cover, cover)["fbcubed"], 1)
        self.assertLess(warpclust.evaluate([0, 0, 0], [0, 0, -1])["bcubed_recall"], 1)
        with self.assertRaisesRegex(ValueError, "as many items"):
            warpclust.evaluate([0, 1], [0])


if __name__ == "__main__":
    unittest.main(verbosity=1)
