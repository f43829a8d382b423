// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/nearest_neighbors.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force_k_nearest.h"
#include "vptree/choose_index.h"
#include "vptree/k_nearest_cuda.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

// The sample that shows how far k neighbors are.
constexpr int32_t kSampledQueries = 32;
constexpr int32_t kSampledPoints = 1024;

// The median over sampled points of the key of the k-th nearest point.
double TypicalKey(const PointMatrix& points, Norm norm, int32_t k) {
  const int32_t n = points.num_points;
  const int32_t sampled = std::min(n, kSampledPoints);
  const int32_t queries = std::min(n, kSampledQueries);
  const int64_t rank = std::min<int64_t>(sampled - 1, int64_t{k} * sampled / n);
  std::vector<double> keys(sampled);
  std::vector<double> of_queries;
  const auto row = [&](int32_t i, int32_t count) {
    return points.Row(static_cast<int32_t>(int64_t{n} * i / count));
  };
  for (int32_t q = 0; q < queries; ++q) {
    for (int32_t i = 0; i < sampled; ++i) {
      keys[i] = DistanceKey(norm, row(q, queries), row(i, sampled),
                            points.num_dimensions);
    }
    std::nth_element(keys.begin(), keys.begin() + rank, keys.end());
    of_queries.push_back(keys[rank]);
  }
  const auto middle = of_queries.begin() + queries / 2;
  std::nth_element(of_queries.begin(), middle, of_queries.end());
  return *middle;
}

// The `width` nearest points of each query, from element q * width on. There
// are that many.
template <class TreeIndex>
absl::Status SearchTree(const PointMatrix& points, const PointMatrix& queries,
                        Norm norm, int32_t width, int num_threads,
                        absl::Span<NearestPoint> nearest) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TreeIndex> tree,
                   TreeIndex::Build(points, norm, num_threads));
  const int64_t count = queries.num_points;
  const int threads = ResolveThreads(num_threads);
  bool failed = false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) \
    reduction(||                                                    \
              : failed)
  for (int64_t q = 0; q < count; ++q) {
    const absl::StatusOr<std::vector<NearestPoint>> found =
        tree->KNearest(absl::MakeConstSpan(queries.Row(static_cast<int32_t>(q)),
                                           queries.num_dimensions),
                       width);
    failed = failed || !found.ok();
    if (found.ok()) {
      std::copy(found->begin(), found->end(), nearest.begin() + q * width);
    }
  }
  return failed ? absl::InternalError("k nearest: a checked query was refused")
                : absl::OkStatus();
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
  ASSIGN_OR_RETURN(const Device device, ResolveDevice(options.device));
  NearestNeighbors result;
  result.k =
      std::min(k, std::max(0, points.num_points - (among_others ? 1 : 0)));
  if (result.k == 0 || queries.num_points == 0) return result;
  // Among the others: one more, of which the point itself is left out.
  const int32_t width = result.k + (among_others ? 1 : 0);
  const Norm norm = NormOfMetric(options.metric);
  if (options.index.has_value()) {
    result.index = *options.index;
  } else if (device == Device::kCuda) {
    result.index = ChooseKNearestIndexOnGpu(
        points.num_points, queries.num_points, points.num_dimensions);
  } else {
    ASSIGN_OR_RETURN(
        result.index,
        ChooseIndexKind(points, norm, TypicalKey(points, norm, width)));
  }
  const IndexKind kind = result.index;
  std::vector<NearestPoint> nearest(int64_t{queries.num_points} * width);
  const absl::Span<NearestPoint> answers = absl::MakeSpan(nearest);
  if (device == Device::kCuda) {
    RETURN_IF_ERROR(KNearestCuda(points, queries, norm, kind, width, answers));
  } else {
    switch (kind) {
      case IndexKind::kBoxTree:
        RETURN_IF_ERROR(SearchTree<BoxTree>(points, queries, norm, width,
                                            options.num_threads, answers));
        break;
      case IndexKind::kVpTree:
        RETURN_IF_ERROR(SearchTree<VpTree>(points, queries, norm, width,
                                           options.num_threads, answers));
        break;
      case IndexKind::kBruteForce:
        // It numbers queries and points together.
        if (const int64_t both =
                int64_t{points.num_points} + queries.num_points;
            !among_others && both > std::numeric_limits<int32_t>::max()) {
          return absl::InvalidArgumentError(
              absl::StrCat("k nearest by brute force: expected fewer than 2^31 "
                           "points and queries together, found ",
                           both));
        }
        KNearestByBruteForce(points, among_others ? nullptr : &queries, norm,
                             width, ResolveThreads(options.num_threads),
                             answers);
        break;
    }
  }
  const int64_t size = int64_t{queries.num_points} * result.k;
  result.ids.reserve(size);
  result.distances.reserve(size);
  for (int32_t q = 0; q < queries.num_points; ++q) {
    int32_t left = result.k;
    for (int32_t j = 0; left > 0; ++j) {
      const NearestPoint& point = nearest[int64_t{q} * width + j];
      // Many equal points may leave no room for the point itself.
      if (among_others && point.id == q) continue;
      result.ids.push_back(point.id);
      result.distances.push_back(DistanceOfKey(options.metric, point.key));
      --left;
    }
  }
  return result;
}

}  // namespace

absl::StatusOr<NearestNeighbors> FindNearestNeighbors(
    PointMatrix points, int32_t k, const NearestNeighborsOptions& options) {
  RETURN_IF_ERROR(
      PrepareForMetric(options.metric, &points, options.num_threads));
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
