// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/nearest_neighbors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force_k_nearest.h"
#include "vptree/choose_index.h"
#include "vptree/choose_k_nearest_index.h"
#include "vptree/k_nearest_cuda.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

// Sets the neighbors of query q.
void SetNeighbors(Metric metric, int32_t q, absl::Span<const double> keys,
                  absl::Span<const int32_t> ids, NearestNeighbors* result) {
  const int64_t begin = int64_t{q} * result->k;
  std::copy(ids.begin(), ids.end(), result->ids.begin() + begin);
  double* const distances = result->distances.data() + begin;
  if (metric == Metric::kEuclidean) {
    // As DistanceOfKey, in vectors.
    for (size_t j = 0; j < keys.size(); ++j) distances[j] = std::sqrt(keys[j]);
    return;
  }
  for (size_t j = 0; j < keys.size(); ++j) {
    distances[j] = DistanceOfKey(metric, keys[j]);
  }
}

template <class TreeIndex>
absl::Status SearchTree(const PointMatrix& points, const PointMatrix& queries,
                        bool among_others,
                        const NearestNeighborsOptions& options,
                        NearestNeighbors* result) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TreeIndex> tree,
                   TreeIndex::Build(points, NormOfMetric(options.metric),
                                    options.num_threads));
  tree->StopWith(options.work);
  const auto take = [&](int32_t q, absl::Span<const double> keys,
                        absl::Span<const int32_t> ids) {
    SetNeighbors(options.metric, q, keys, ids, result);
  };
  return among_others ? tree->KNearestOfEach(result->k, take)
                      : tree->KNearestOf(queries, result->k, take);
}

// By brute force or on the GPU.
absl::Status SearchLists(const PointMatrix& points, const PointMatrix& queries,
                         bool among_others, Device device,
                         const NearestNeighborsOptions& options,
                         NearestNeighbors* result) {
  const Norm norm = NormOfMetric(options.metric);
  const int threads = ResolveThreads(options.num_threads);
  // Among the others: one more, of which the point itself is left out.
  const int32_t width = result->k + (among_others ? 1 : 0);
  const int64_t size = int64_t{queries.num_points} * width;
  std::vector<NearestPoint> nearest(size);
  const absl::Span<NearestPoint> answers = absl::MakeSpan(nearest);
  if (device == Device::kCuda) {
    RETURN_IF_ERROR(KNearestCuda(points, queries, norm, result->index, width,
                                 options.work, answers));
  } else {
    KNearestByBruteForce(points, among_others ? nullptr : &queries, norm, width,
                         threads, options.work, answers);
  }
  if (StopRequested(options.work)) {
    return absl::CancelledError("the search of points was stopped");
  }
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t q = 0; q < queries.num_points; ++q) {
    int64_t at = int64_t{q} * result->k;
    const int64_t end = at + result->k;
    for (const NearestPoint* next = &answers[int64_t{q} * width]; at < end;
         ++next) {
      // Many equal points may leave no room for the point itself.
      if (among_others && next->id == q) continue;
      result->ids[at] = next->id;
      result->distances[at] = DistanceOfKey(options.metric, next->key);
      ++at;
    }
  }
  return absl::OkStatus();
}

// `points` and `queries` are prepared. Without others, the queries are the
// points, and a point is no neighbor of itself.
absl::StatusOr<NearestNeighbors> Find(const PointMatrix& points,
                                      const PointMatrix& queries,
                                      bool among_others, int32_t k,
                                      const NearestNeighborsOptions& options) {
  if (k < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("k nearest: expected k of at least 0, found ", k));
  }
  RETURN_IF_ERROR(ValidateNumThreads(options.num_threads));
  ASSIGN_OR_RETURN(const Device device,
                   ResolveDevice(DeviceForKNearest(
                       options.device, options.index, points.num_points,
                       queries.num_points, points.num_dimensions)));
  NearestNeighbors result;
  result.k =
      std::min(k, std::max(0, points.num_points - (among_others ? 1 : 0)));
  if (result.k == 0 || queries.num_points == 0) return result;
  if (options.index.has_value()) {
    result.index = *options.index;
  } else if (device == Device::kCuda) {
    result.index = ChooseKNearestIndexOnGpu(
        points.num_points, queries.num_points, points.num_dimensions);
  } else {
    ASSIGN_OR_RETURN(
        result.index,
        ChooseKNearestIndex(points, NormOfMetric(options.metric),
                            queries.num_points, result.k, options.num_threads));
  }
  // Brute force numbers queries and points together.
  if (const int64_t both = int64_t{points.num_points} + queries.num_points;
      device == Device::kCpu && result.index == IndexKind::kBruteForce &&
      !among_others && both > std::numeric_limits<int32_t>::max()) {
    if (options.index.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("k nearest by brute force: expected fewer than 2^31 "
                       "points and queries together, found ",
                       both));
    }
    result.index = IndexKind::kBoxTree;
  }
  const int64_t size = int64_t{queries.num_points} * result.k;
  ResizeVector(size, options.num_threads, &result.ids);
  ResizeVector(size, options.num_threads, &result.distances);
  if (device == Device::kCpu && result.index == IndexKind::kBoxTree) {
    RETURN_IF_ERROR(
        SearchTree<BoxTree>(points, queries, among_others, options, &result));
  } else if (device == Device::kCpu && result.index == IndexKind::kVpTree) {
    RETURN_IF_ERROR(
        SearchTree<VpTree>(points, queries, among_others, options, &result));
  } else {
    RETURN_IF_ERROR(
        SearchLists(points, queries, among_others, device, options, &result));
  }
  return result;
}

}  // namespace

absl::StatusOr<NearestNeighbors> FindNearestNeighbors(
    PointMatrix points, int32_t k, const NearestNeighborsOptions& options) {
  RETURN_IF_ERROR(
      PrepareForMetric(options.metric, &points, options.num_threads));
  return FindNearestOfPrepared(points, k, options);
}

absl::StatusOr<NearestNeighbors> FindNearestOfPrepared(
    const PointMatrix& points, int32_t k,
    const NearestNeighborsOptions& options) {
  return Find(points, points, /*among_others=*/true, k, options);
}

absl::StatusOr<NearestNeighbors> FindNearestNeighbors(
    PointMatrix points, PointMatrix queries, int32_t k,
    const NearestNeighborsOptions& options) {
  RETURN_IF_ERROR(
      PrepareForMetric(options.metric, &points, options.num_threads));
  RETURN_IF_ERROR(
      PrepareForMetric(options.metric, &queries, options.num_threads));
  if (points.num_points > 0 && queries.num_points > 0 &&
      points.num_dimensions != queries.num_dimensions) {
    return absl::InvalidArgumentError(
        absl::StrCat("k nearest: expected queries of ", points.num_dimensions,
                     " dimensions, found ", queries.num_dimensions));
  }
  return Find(points, queries, /*among_others=*/false, k, options);
}

}  // namespace warpclust
