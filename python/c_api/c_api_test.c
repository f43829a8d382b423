/* Copyright 2026 The warpclust authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The C interface, called from C through the shared library. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "python/c_api/warpclust.h"

static int failures = 0;

#define EXPECT(condition)                                                    \
  do {                                                                       \
    if (!(condition)) {                                                      \
      printf("%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, \
             warpclust_last_error());                                        \
      ++failures;                                                            \
    }                                                                        \
  } while (0)
#define EXPECT_OK(call) EXPECT((call) == WARPCLUST_OK)

/* Documents 0 and 1 share both terms, 1 and 2 one of two; 3 is alone. */
static const int64_t kOffsets[] = {0, 2, 4, 6, 7};
static const int32_t kTerms[] = {0, 1, 0, 1, 1, 2, 3};
static const float kWeights[] = {1, 1, 1, 1, 1, 1, 5};

static warpclust_documents Documents(void) {
  warpclust_documents documents = {4, 4, kOffsets, kTerms, kWeights};
  return documents;
}

static void TestVersionAndDevice(void) {
  const char* device = NULL;
  EXPECT(strchr(warpclust_version(), '.') != NULL);
  EXPECT(warpclust_abi_version() == WARPCLUST_ABI_VERSION);
  EXPECT_OK(warpclust_resolve_device(NULL, &device));
  EXPECT(device != NULL && (!strcmp(device, "cpu") || !strcmp(device, "cuda")));
  EXPECT_OK(warpclust_resolve_device("cpu", &device));
  EXPECT(!strcmp(device, "cpu"));
  EXPECT(warpclust_resolve_device("abacus", &device) ==
         WARPCLUST_INVALID_ARGUMENT);
  EXPECT(strstr(warpclust_last_error(), "abacus") != NULL);
  warpclust_free(NULL);
}

static void TestCosineGraph(void) {
  const warpclust_documents documents = Documents();
  /* The same documents as dense rows. */
  const float rows[] = {1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 5};
  const warpclust_dense_documents dense = {4, 4, rows, 0};
  warpclust_graph graph;
  warpclust_graph same;
  EXPECT_OK(warpclust_cosine_graph(&documents, "0.5", NULL, &graph));
  EXPECT(graph.num_vertices == 4);
  EXPECT(graph.offsets[4] == 6); /* All pairs of 0, 1, 2: 0.5 is not below. */
  EXPECT(graph.neighbors[0] == 1 && graph.weights[0] == 1);
  EXPECT(graph.neighbors[1] == 2 && graph.weights[1] == 0.5f);
  EXPECT_OK(warpclust_dense_cosine_graph(&dense, "1/2", NULL, &same));
  EXPECT(!memcmp(graph.offsets, same.offsets, 5 * sizeof(int64_t)));
  EXPECT(!memcmp(graph.neighbors, same.neighbors, 6 * sizeof(int32_t)));
  EXPECT(!memcmp(graph.weights, same.weights, 6 * sizeof(float)));
  warpclust_free(same.storage);

  warpclust_star_cover clusters;
  warpclust_star_cover of_documents;
  EXPECT_OK(warpclust_oclustr(&graph, NULL, &clusters));
  EXPECT(clusters.num_items == 4 && clusters.num_edges == 3);
  EXPECT(clusters.cover.num_clusters == 2);
  EXPECT(clusters.cover.offsets[1] == 3 && clusters.cover.offsets[2] == 4);
  EXPECT(clusters.num_satellites[0] == 2 && clusters.centers[1] == 3);
  EXPECT(clusters.ids == NULL);
  EXPECT_OK(
      warpclust_oclustr_documents(&documents, "0.5", NULL, &of_documents));
  EXPECT(!memcmp(clusters.cover.members, of_documents.cover.members,
                 4 * sizeof(int32_t)));
  warpclust_free(of_documents.storage);
  EXPECT_OK(
      warpclust_dense_oclustr_documents(&dense, "0.5", NULL, &of_documents));
  EXPECT(!memcmp(clusters.cover.members, of_documents.cover.members,
                 4 * sizeof(int32_t)));
  warpclust_free(of_documents.storage);
  warpclust_free(clusters.storage);
  warpclust_free(graph.storage);
}

static void TestBadArguments(void) {
  warpclust_documents documents = Documents();
  const int64_t falling[] = {0, 3, 2, 6, 7};
  const int32_t twice[] = {0, 0, 0, 1, 1, 2, 3};
  const warpclust_dense_documents dense = {-1, 2, NULL, 0};
  const warpclust_dense_documents nothing = {0, 0, NULL, 0};
  warpclust_graph graph = {0};
  EXPECT(warpclust_cosine_graph(&documents, "two", NULL, &graph) ==
         WARPCLUST_INVALID_ARGUMENT);
  EXPECT(strstr(warpclust_last_error(), "beta") != NULL);
  EXPECT(warpclust_cosine_graph(&documents, "2", NULL, &graph) ==
         WARPCLUST_INVALID_ARGUMENT);
  documents.offsets = falling;
  EXPECT(warpclust_cosine_graph(&documents, NULL, NULL, &graph) ==
         WARPCLUST_INVALID_ARGUMENT);
  EXPECT(strstr(warpclust_last_error(), "never fall") != NULL);
  documents = Documents();
  documents.terms = twice;
  EXPECT(warpclust_cosine_graph(&documents, NULL, NULL, &graph) ==
         WARPCLUST_INVALID_ARGUMENT);
  documents.terms = NULL;
  EXPECT(warpclust_cosine_graph(&documents, NULL, NULL, &graph) ==
         WARPCLUST_INVALID_ARGUMENT);
  EXPECT(warpclust_dense_cosine_graph(&dense, NULL, NULL, &graph) ==
         WARPCLUST_INVALID_ARGUMENT);
  const warpclust_run bad_threads = {NULL, -1, NULL, NULL, 0};
  EXPECT(warpclust_dense_cosine_graph(&nothing, NULL, &bad_threads, &graph) ==
         WARPCLUST_INVALID_ARGUMENT);
  EXPECT(graph.storage == NULL); /* Nothing is set by a call that fails. */
  EXPECT_OK(warpclust_dense_cosine_graph(&nothing, NULL, NULL, &graph));
  EXPECT(graph.num_vertices == 0 && graph.offsets[0] == 0);
  warpclust_free(graph.storage);
  /* These values are not in the memory of a GPU, if there is one. */
  const float row[] = {1};
  const warpclust_dense_documents on_gpu = {1, 1, row, 1};
  const warpclust_run on_cpu = {"cpu", 0, NULL, NULL, 0};
  const warpclust_run* runs[] = {NULL, &on_cpu};
  for (int i = 0; i < 2; ++i) {
    const warpclust_status status =
        warpclust_dense_cosine_graph(&on_gpu, NULL, runs[i], &graph);
    EXPECT(status == WARPCLUST_UNAVAILABLE ||
           status == WARPCLUST_INVALID_ARGUMENT);
    EXPECT(strstr(warpclust_last_error(), "GPU") != NULL ||
           strstr(warpclust_last_error(), "CUDA") != NULL);
  }
  /* 2^31 - 1 rows of 2^31 - 1 values are more than any memory. */
  const double none[] = {0};
  const warpclust_points huge = {INT32_MAX, INT32_MAX, none};
  warpclust_density_peaks_result result;
  EXPECT(warpclust_density_peaks(&huge, NULL, NULL, &result) ==
         WARPCLUST_RESOURCE_EXHAUSTED);
}

static void TestDClustR(void) {
  char directory[1024];
  warpclust_dclustr* store = NULL;
  warpclust_dclustr_options options = {"1/2", NULL, NULL};
  warpclust_dclustr_update update;
  warpclust_star_cover clusters;
  const warpclust_documents documents = Documents();
  const char* const ids[] = {"a", "b", "c", "d"};
  const warpclust_names names = {4, ids};
  const warpclust_names gone = {1, ids};
  const warpclust_names unknown = {1, (const char* const[]){"e"}};
  snprintf(directory, sizeof(directory), "%s/store", getenv("TEST_TMPDIR"));
  EXPECT(warpclust_dclustr_open(directory, 0, &store) == WARPCLUST_NOT_FOUND);
  EXPECT_OK(warpclust_dclustr_create(directory, &options, &store));
  EXPECT_OK(warpclust_dclustr_get_options(store, &options));
  EXPECT(!strcmp(options.beta, "0.5") && !strcmp(options.weighting, "tf") &&
         !strcmp(options.mode, "exact"));
  EXPECT_OK(
      warpclust_dclustr_change(store, &documents, &names, NULL, NULL, &update));
  EXPECT(update.added == 4 && update.documents == 4 && update.edges == 3);
  EXPECT(warpclust_dclustr_change(store, NULL, NULL, &unknown, NULL, &update) ==
         WARPCLUST_INVALID_ARGUMENT);
  EXPECT_OK(warpclust_dclustr_change(store, NULL, NULL, &gone, NULL, &update));
  EXPECT(update.removed == 1 && update.documents == 3 && update.edges == 1);
  EXPECT_OK(warpclust_dclustr_verify(store, NULL));
  EXPECT(warpclust_dclustr_reweight(store, NULL, &update) ==
         WARPCLUST_FAILED_PRECONDITION);
  EXPECT_OK(warpclust_dclustr_compact(store));
  warpclust_dclustr_destroy(store);

  EXPECT_OK(warpclust_dclustr_open(directory, 1, &store));
  EXPECT_OK(warpclust_dclustr_describe(store, &update));
  EXPECT(update.documents == 3);
  EXPECT_OK(warpclust_dclustr_read(store, NULL, &clusters));
  EXPECT(clusters.num_items == 3 && clusters.id_offsets[3] == 3);
  EXPECT(!memcmp(clusters.ids, "bcd", 3));
  EXPECT(clusters.cover.num_clusters == 2);
  warpclust_free(clusters.storage);
  warpclust_dclustr_destroy(store);
  warpclust_dclustr_destroy(NULL);
}

static void TestOnline(void) {
  warpclust_online* clusterer = NULL;
  warpclust_online* next = NULL;
  warpclust_online_options options;
  warpclust_online_state state;
  const warpclust_documents documents = Documents();
  int32_t clusters[4];
  int32_t decided = -1;
  warpclust_online_options_init(&options);
  options.threshold = "0.6";
  EXPECT_OK(warpclust_online_create(&options, NULL, NULL, &clusterer));
  EXPECT_OK(warpclust_online_add(clusterer, &documents, NULL, NULL, clusters,
                                 &decided));
  EXPECT(decided == 4);
  EXPECT(clusters[0] == 0 && clusters[1] == 0 && clusters[2] == 1 &&
         clusters[3] == 2);
  EXPECT(warpclust_online_num_clusters(clusterer) == 3);
  EXPECT(warpclust_online_merges(clusterer, 0, NULL, NULL) == 0);
  EXPECT_OK(warpclust_online_get_state(clusterer, &state));
  EXPECT(state.num_clusters == 3 && state.num_documents == 4);
  EXPECT_OK(warpclust_online_create(&options, &state, NULL, &next));
  warpclust_free(state.storage);
  EXPECT_OK(
      warpclust_online_add(next, &documents, NULL, NULL, clusters, &decided));
  EXPECT(clusters[0] == 0 && clusters[2] == 1 && clusters[3] == 2);
  warpclust_online_destroy(next);
  warpclust_online_destroy(clusterer);
  warpclust_online_destroy(NULL);
  options.threshold = "7";
  EXPECT(warpclust_online_create(&options, NULL, NULL, &clusterer) ==
         WARPCLUST_INVALID_ARGUMENT);
}

static void TestCorrelation(void) {
  /* Two friends and their enemy. */
  const int32_t u[] = {0, 1, 0};
  const int32_t v[] = {1, 2, 2};
  const int64_t weights[] = {1, -1, -1};
  const warpclust_signed_edges edges = {3, 3, u, v, weights, 1};
  const int32_t beyond[] = {0, 1, 3};
  const warpclust_signed_edges bad = {3, 3, beyond, v, weights, 1};
  warpclust_correlation_result result;
  EXPECT_OK(warpclust_correlation(&edges, NULL, NULL, &result));
  EXPECT(result.num_clusters == 2 && result.imbalance == 0);
  EXPECT(result.labels[0] == 0 && result.labels[1] == 0 &&
         result.labels[2] == 1);
  EXPECT(result.proven_optimal == 1);
  warpclust_free(result.storage);
  EXPECT(warpclust_correlation(&bad, NULL, NULL, &result) ==
         WARPCLUST_INVALID_ARGUMENT);
}

static void TestDensityPeaks(void) {
  const double values[] = {0, 1, 2, 10, 11, 12, 13};
  const warpclust_points points = {7, 1, values};
  const int32_t gone[] = {0, 1, 2};
  warpclust_density_peaks_options options;
  warpclust_density_peaks_result result;
  warpclust_density_peaks_result other;
  int32_t live[7];
  warpclust_density_peaks_options_init(&options);
  EXPECT(options.peaks.significance == 1);
  options.peaks.significance = 0;
  options.cutoff_distance = 1.5;
  options.halo = 1;
  EXPECT_OK(warpclust_density_peaks(&points, &options, NULL, &result));
  EXPECT(result.num_points == 7 && result.num_clusters == 2);
  EXPECT(result.labels[0] == 0 && result.labels[6] == 1);
  EXPECT(result.densities[1] == 2 && result.halo != NULL);
  EXPECT(result.sigmas == NULL && result.num_candidates == 0);
  const warpclust_peaks one = {1, 0, 0, 0, 0};
  EXPECT_OK(warpclust_cluster_by_peaks(&result, &one, &other));
  EXPECT(other.num_clusters == 1 && other.halo == NULL);
  warpclust_free(other.storage);
  const warpclust_peaks significant = {0, 0, 0, 0, 1};
  EXPECT(warpclust_cluster_by_peaks(&result, &significant, &other) ==
         WARPCLUST_INVALID_ARGUMENT);
  options.peaks = significant;
  EXPECT_OK(warpclust_density_peaks(&points, &options, NULL, &other));
  EXPECT(other.num_clusters == 1 && other.num_candidates == 2);
  EXPECT(other.saddles[0] == 0 && other.sigmas[0] > 1);
  /* 2 sqrt(ln 7): gaps of the line with one point each. */
  EXPECT(other.least_sigma > 2.7 && other.least_sigma < 2.8);
  warpclust_free(other.storage);
  options.peaks.significance = 0;
  options.cutoff_distance = 0;
  options.cutoff_quantile = -1;
  EXPECT(warpclust_density_peaks(&points, &options, NULL, &other) ==
         WARPCLUST_INVALID_ARGUMENT);
  options.cutoff_distance = 1.5;
  options.metric = "taxicab";
  EXPECT(warpclust_density_peaks(&points, &options, NULL, &other) ==
         WARPCLUST_INVALID_ARGUMENT);

  warpclust_incremental_density_peaks* peaks = NULL;
  const warpclust_incremental_density_peaks_options fixed = {NULL, 1.5, NULL,
                                                             NULL};
  EXPECT_OK(
      warpclust_incremental_density_peaks_create(1, &fixed, NULL, &peaks));
  EXPECT_OK(warpclust_incremental_density_peaks_insert(peaks, &points, NULL));
  EXPECT_OK(warpclust_incremental_density_peaks_cluster(peaks, NULL, &other));
  EXPECT(!memcmp(result.labels, other.labels, 7 * sizeof(int32_t)));
  EXPECT(!memcmp(result.dependent_distances, other.dependent_distances,
                 7 * sizeof(double)));
  warpclust_free(other.storage);
  EXPECT_OK(warpclust_incremental_density_peaks_remove(peaks, 3, gone, NULL));
  EXPECT(warpclust_incremental_density_peaks_remove(peaks, 3, gone, NULL) ==
         WARPCLUST_INVALID_ARGUMENT);
  EXPECT(warpclust_incremental_density_peaks_num_ids(peaks) == 7);
  EXPECT(warpclust_incremental_density_peaks_num_points(peaks) == 4);
  EXPECT_OK(warpclust_incremental_density_peaks_live_ids(peaks, live));
  EXPECT(live[0] == 3 && live[3] == 6);
  warpclust_incremental_density_peaks_destroy(peaks);
  warpclust_free(result.storage);
}

static void TestOtherDensities(void) {
  const double values[] = {0, 1, 2, 10, 11, 12, 13};
  const warpclust_points points = {7, 1, values};
  /* The second nearest points are at 1 for 1, 4 and 5, else at 2. */
  const int32_t by_second[] = {4, 7, 3, 2, 6, 5, 1};
  warpclust_density_peaks_options options;
  warpclust_density_peaks_result result;
  warpclust_density_peaks_options_init(&options);
  options.density = "knn";
  options.neighbors = 2;
  EXPECT_OK(warpclust_density_peaks(&points, &options, NULL, &result));
  EXPECT(result.neighbors == 2 && result.cutoff_distance == 0);
  EXPECT(!memcmp(result.densities, by_second, sizeof(by_second)));
  EXPECT(result.sigmas != NULL && result.halo == NULL);
  warpclust_free(result.storage);
  options.density = "pak";
  options.neighbors = 0;
  EXPECT_OK(warpclust_density_peaks(&points, &options, NULL, &result));
  EXPECT(result.neighbors == 4 && result.cutoff_distance == 0);
  warpclust_free(result.storage);
  options.density = "gaussian";
  options.cutoff_distance = 1.5;
  EXPECT_OK(warpclust_density_peaks(&points, &options, NULL, &result));
  EXPECT(result.neighbors == 0 && result.cutoff_distance == 1.5);
  EXPECT(result.densities[4] == 7); /* As dense as point 5. */
  warpclust_free(result.storage);

  options.halo = 1;
  EXPECT(warpclust_density_peaks(&points, &options, NULL, &result) ==
         WARPCLUST_INVALID_ARGUMENT);
  options.halo = 0;
  options.peaks.count = 2;
  EXPECT(warpclust_density_peaks(&points, &options, NULL, &result) ==
         WARPCLUST_INVALID_ARGUMENT);
  options.peaks.count = 0;
  options.density = "kde";
  EXPECT(warpclust_density_peaks(&points, &options, NULL, &result) ==
         WARPCLUST_INVALID_ARGUMENT);
  EXPECT(!strcmp(warpclust_last_error(),
                 "density: expected count, knn, gaussian, pak, found \"kde\""));
}

/* Every value of a sweep is a run of its own. */
static void TestSweep(const char* density, double first, double last) {
  double values[60];
  const warpclust_points points = {60, 1, values};
  warpclust_density_peaks_range range = {first, last, 5, 1};
  warpclust_density_peaks_options options;
  warpclust_density_peaks_sweep_result sweep;
  warpclust_density_peaks_result result;
  for (int32_t i = 0; i < 60; ++i) values[i] = i * i % 60 + i / 20 * 100;
  warpclust_density_peaks_options_init(&options);
  options.density = density;
  EXPECT_OK(
      warpclust_density_peaks_sweep(&points, &options, &range, NULL, &sweep));
  EXPECT(sweep.num_values == 5 && sweep.num_points == 60);
  EXPECT((sweep.cutoff_quantiles == NULL) == (density != NULL));
  EXPECT((sweep.cutoff_distances == NULL) == (density != NULL));
  EXPECT((sweep.neighbors == NULL) == (density == NULL));
  for (int32_t k = 0; k < 5; ++k) {
    int32_t sizes[60] = {0};
    int32_t largest = 0;
    if (density == NULL) {
      options.cutoff_quantile = sweep.cutoff_quantiles[k];
    } else {
      options.neighbors = sweep.neighbors[k];
    }
    EXPECT_OK(warpclust_density_peaks(&points, &options, NULL, &result));
    EXPECT(!memcmp(sweep.labels + 60 * k, result.labels, sizeof(sizes)));
    EXPECT(sweep.num_clusters[k] == result.num_clusters);
    EXPECT(density != NULL ||
           sweep.cutoff_distances[k] == result.cutoff_distance);
    EXPECT(sweep.num_candidates[k] == result.num_candidates);
    EXPECT(sweep.least_sigmas[k] == result.least_sigma);
    EXPECT(isnan(sweep.weakest_sigmas[k]) == (result.num_clusters == 1));
    for (int32_t i = 0; i < 60; ++i) ++sizes[result.labels[i]];
    for (int32_t c = 0; c < result.num_clusters; ++c) {
      if (sizes[c] > largest) largest = sizes[c];
    }
    EXPECT(sweep.largest[k] == largest && sweep.noise[k] == 0);
    EXPECT(isnan(sweep.agreements[k]) == (k == 4));
    warpclust_free(result.storage);
  }
  warpclust_free(sweep.storage);
  range.keep_labels = 0;
  EXPECT_OK(
      warpclust_density_peaks_sweep(&points, &options, &range, NULL, &sweep));
  EXPECT(sweep.labels == NULL);
  warpclust_free(sweep.storage);

  range.last = range.first;
  EXPECT(warpclust_density_peaks_sweep(&points, &options, &range, NULL,
                                       &sweep) == WARPCLUST_INVALID_ARGUMENT);
  options.density = "gaussian";
  range.last = 1;
  range.first = 0.5;
  EXPECT(warpclust_density_peaks_sweep(&points, &options, &range, NULL,
                                       &sweep) == WARPCLUST_INVALID_ARGUMENT);
}

static void TestEvaluate(void) {
  const int64_t offsets[] = {0, 2, 4};
  const int32_t members[] = {0, 1, 2, 3};
  const int32_t unsorted[] = {1, 0, 2, 3};
  const warpclust_cover cover = {2, offsets, members};
  const warpclust_cover bad = {2, offsets, unsorted};
  warpclust_measures measures;
  EXPECT_OK(warpclust_evaluate(&cover, &cover, 4, NULL, &measures));
  EXPECT(measures.num_measures > 10);
  for (int32_t i = 0; i < measures.num_measures; ++i) {
    EXPECT(fabs(measures.values[i] - 1) < 1e-12);
  }
  EXPECT(!strcmp(measures.names[2], "fbcubed"));
  warpclust_free(measures.storage);
  EXPECT(warpclust_evaluate(&cover, &bad, 4, NULL, &measures) ==
         WARPCLUST_INVALID_ARGUMENT);
}

typedef struct Progress {
  int32_t calls;
  int32_t stops_after; /* Calls. */
  double largest_share;
} Progress;

static int32_t Follow(double share, void* data) {
  Progress* progress = data;
  ++progress->calls;
  if (share > progress->largest_share) progress->largest_share = share;
  return progress->calls > progress->stops_after;
}

/* A search without an end of its own is stopped by the progress function. */
static void TestProgressStopsSearch(void) {
  const int32_t u[] = {0, 1, 0, 2};
  const int32_t v[] = {1, 2, 2, 3};
  const int64_t weights[] = {1, 1, -1, 1}; /* No clustering costs nothing. */
  const warpclust_signed_edges edges = {4, 4, u, v, weights, 1};
  warpclust_correlation_options options;
  warpclust_correlation_result result;
  Progress progress = {0, 1, -1};
  const warpclust_run run = {"cpu", 1, Follow, &progress, 0};
  warpclust_correlation_options_init(&options);
  options.method = "seq_grasp";
  options.no_improvement = INT64_MAX;
  options.time_limit = 1e6;
  EXPECT_OK(warpclust_correlation(&edges, &options, &run, &result));
  EXPECT(progress.calls >= 2 && progress.largest_share >= 0);
  EXPECT(result.stopped == 1 && result.imbalance == 1);
  warpclust_free(result.storage);
}

/* Random rows, of which no two are similar, with `run`. */
static warpclust_status GraphOfRandomRows(int32_t num_rows,
                                          const warpclust_run* run) {
  enum { kDimensions = 256 };
  const size_t num_values = (size_t)num_rows * kDimensions;
  float* rows = malloc(sizeof(float) * num_values);
  uint32_t random = 1;
  for (size_t i = 0; i < num_values; ++i) {
    random = random * 1664525u + 1013904223u;
    rows[i] = (float)(random >> 8) - 8388608.0f;
  }
  const warpclust_dense_documents dense = {num_rows, kDimensions, rows, 0};
  warpclust_graph graph = {0};
  const warpclust_status status =
      warpclust_dense_cosine_graph(&dense, "0.9", run, &graph);
  warpclust_free(graph.storage);
  free(rows);
  return status;
}

/* A call that ends within the first 0.05 s is never told to stop, and one told
 * in its last moments may end well. So the work grows, to 4.6 * 10^9 pairs of
 * rows in one thread, which no machine compares in that time. */
static void TestProgressStopsGraph(void) {
  Progress progress = {0, 0, -1};
  const warpclust_run run = {"cpu", 1, Follow, &progress, 0};
  warpclust_status status = WARPCLUST_OK;
  for (int32_t rows = 6000; status == WARPCLUST_OK && rows <= 96000;
       rows *= 4) {
    status = GraphOfRandomRows(rows, &run);
  }
  EXPECT(status == WARPCLUST_CANCELLED && progress.calls > 0);
  /* The next call is a new one. */
  progress.stops_after = INT32_MAX;
  const warpclust_documents documents = Documents();
  warpclust_graph graph = {0};
  EXPECT_OK(warpclust_cosine_graph(&documents, NULL, &run, &graph));
  warpclust_free(graph.storage);
}

int main(void) {
  TestVersionAndDevice();
  TestCosineGraph();
  TestBadArguments();
  TestDClustR();
  TestOnline();
  TestCorrelation();
  TestDensityPeaks();
  TestOtherDensities();
  TestSweep(NULL, 0.02, 0.32);
  TestSweep("knn", 3, 48);
  TestSweep("pak", 3, 48);
  TestEvaluate();
  TestProgressStopsSearch();
  TestProgressStopsGraph();
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
