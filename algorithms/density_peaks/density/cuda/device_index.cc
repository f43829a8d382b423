// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cuda/device_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/cuda_index.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/status/status_macros.h"
#include "kernels/device_buffer.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/device_points.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace {

using Int32Buffer = DeviceBuffer<int32_t>;

// A pair of a query and a point in a tree is taken to cost as much as this many
// of brute force, which has tensor cores.
constexpr double kTreePairs = 15;

class DeviceIndex final : public NeighborIndex {
 public:
  absl::Status Build(const PointMatrix& points, Norm norm,
                     DensityPeaksIndex kind, double radius_key,
                     int num_threads) {
    ASSIGN_OR_RETURN(points_, DevicePoints::FromHost(points, norm));
    return BuildCudaIndex(points, points_, kind, radius_key, num_threads,
                          index_);
  }

  absl::string_view name() const override { return index_.name(); }
  int32_t num_points() const override { return points_.num_points; }

  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override {
    RETURN_IF_ERROR(NotStopped());
    RETURN_IF_ERROR(CheckLength("counts", counts.size(), num_points()));
    Int32Buffer found;
    RETURN_IF_ERROR(is_tree()
                        ? index_.tree->CountWithin(radius_key, found)
                        : index_.brute_force->CountWithin(radius_key, found));
    return found.CopyToHost(counts);
  }

  absl::Status CountWithinEach(absl::Span<const double> radius_keys,
                               absl::Span<int32_t> counts) const override {
    RETURN_IF_ERROR(CheckRadiusKeys(radius_keys));
    const int64_t n = num_points();
    RETURN_IF_ERROR(CheckLength("counts", counts.size(),
                                n * static_cast<int64_t>(radius_keys.size())));
    for (size_t r = 0; r < radius_keys.size(); ++r) {
      RETURN_IF_ERROR(CountWithin(radius_keys[r], counts.subspan(r * n, n)));
    }
    return absl::OkStatus();
  }

  // What is known of other ranks is not used.
  absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const override {
    RETURN_IF_ERROR(NotStopped());
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("nearest", nearest.size(), num_points()));
    ASSIGN_OR_RETURN(const auto device_ranks, Int32Buffer::FromHost(ranks));
    Int32Buffer ids;
    DeviceBuffer<double> keys;
    RETURN_IF_ERROR(
        is_tree()
            ? index_.tree->NearestOfHigherRank(device_ranks, ids, keys)
            : index_.brute_force->NearestOfHigherRank(device_ranks, ids, keys));
    return Take(ids, keys, nearest);
  }

  absl::Status HighestRankOfOtherLabel(
      double radius_key, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> labels,
      absl::Span<int32_t> best) const override {
    RETURN_IF_ERROR(NeedTree());
    ASSIGN_OR_RETURN(const auto device_ranks, Int32Buffer::FromHost(ranks));
    ASSIGN_OR_RETURN(const auto device_labels, Int32Buffer::FromHost(labels));
    ASSIGN_OR_RETURN(auto device_best, Int32Buffer::FromHost(best));
    RETURN_IF_ERROR(index_.tree->HighestRankOfOtherLabel(
        radius_key, device_ranks, device_labels, device_best));
    return device_best.CopyToHost(best);
  }

  absl::Status CountWithinOf(const PointMatrix& queries, double radius_key,
                             absl::Span<int32_t> query_counts) const override {
    RETURN_IF_ERROR(
        CheckLength("query_counts", query_counts.size(), queries.num_points));
    if (queries.num_points == 0) return absl::OkStatus();
    if (ComparesAll(queries)) {
      const absl::Status status =
          CountAmongAll(queries, radius_key, query_counts);
      if (!absl::IsResourceExhausted(status)) return status;
    }
    RETURN_IF_ERROR(NeedTree());
    ASSIGN_OR_RETURN(const DevicePoints device,
                     DevicePoints::FromHost(queries, points_.norm));
    Int32Buffer found;
    RETURN_IF_ERROR(index_.tree->CountWithinOf(device, radius_key, found));
    return found.CopyToHost(query_counts);
  }

  absl::Status NearestOfHigherRankOf(
      const PointMatrix& queries, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> query_ranks,
      absl::Span<NearestPoint> query_nearest) const override {
    const size_t count = queries.num_points;
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("query_ranks", query_ranks.size(), count));
    RETURN_IF_ERROR(CheckLength("query_nearest", query_nearest.size(), count));
    if (count == 0) return absl::OkStatus();
    if (ComparesAll(queries)) {
      const absl::Status status =
          NearestAmongAll(queries, ranks, query_ranks, query_nearest);
      if (!absl::IsResourceExhausted(status)) return status;
    }
    return NearestInTree(queries, ranks, query_ranks, query_nearest);
  }

  absl::Status HighestRankOfOtherLabelOf(
      const PointMatrix& queries, double radius_key,
      absl::Span<const int32_t> ranks, absl::Span<const int32_t> labels,
      absl::Span<const int32_t> query_labels,
      absl::Span<int32_t> query_best) const override {
    if (queries.num_points == 0) return absl::OkStatus();
    RETURN_IF_ERROR(NeedTree());
    ASSIGN_OR_RETURN(const DevicePoints device,
                     DevicePoints::FromHost(queries, points_.norm));
    ASSIGN_OR_RETURN(const auto device_ranks, Int32Buffer::FromHost(ranks));
    ASSIGN_OR_RETURN(const auto device_labels, Int32Buffer::FromHost(labels));
    ASSIGN_OR_RETURN(const auto device_query_labels,
                     Int32Buffer::FromHost(query_labels));
    ASSIGN_OR_RETURN(auto best, Int32Buffer::FromHost(query_best));
    RETURN_IF_ERROR(index_.tree->HighestRankOfOtherLabelOf(
        device, radius_key, device_ranks, device_labels, device_query_labels,
        best));
    return best.CopyToHost(query_best);
  }

  absl::StatusOr<double> EstimateSeconds(double radius_key) const override {
    return is_tree() ? index_.tree->EstimateSeconds(radius_key)
                     : index_.brute_force->EstimateSeconds(radius_key);
  }

  // 0 if the GPU does not say.
  int64_t distance_evaluations() const override {
    if (!index_.tree.has_value()) return 0;
    const absl::StatusOr<int64_t> count = index_.tree->DistanceEvaluations();
    return count.ok() ? *count : 0;
  }

 private:
  // Brute force is faster where it was chosen, even if there is a tree too.
  bool is_tree() const { return !index_.brute_force.has_value(); }

  absl::Status NeedTree() const {
    RETURN_IF_ERROR(NotStopped());
    if (index_.tree.has_value()) return absl::OkStatus();
    return BuildCudaTree(points_, CudaLeafTree::Kind::kBox, index_);
  }

  absl::Status NearestInTree(const PointMatrix& queries,
                             absl::Span<const int32_t> ranks,
                             absl::Span<const int32_t> query_ranks,
                             absl::Span<NearestPoint> query_nearest) const {
    RETURN_IF_ERROR(NeedTree());
    const size_t count = queries.num_points;
    std::vector<int32_t> known_ids(count);
    std::vector<double> known_keys(count);
    for (size_t q = 0; q < count; ++q) {
      known_ids[q] = query_nearest[q].id;
      known_keys[q] = query_nearest[q].key;
    }
    ASSIGN_OR_RETURN(const DevicePoints device,
                     DevicePoints::FromHost(queries, points_.norm));
    ASSIGN_OR_RETURN(const auto device_ranks, Int32Buffer::FromHost(ranks));
    ASSIGN_OR_RETURN(const auto device_query_ranks,
                     Int32Buffer::FromHost(query_ranks));
    ASSIGN_OR_RETURN(auto ids, Int32Buffer::FromHost(known_ids));
    ASSIGN_OR_RETURN(auto keys, DeviceBuffer<double>::FromHost(known_keys));
    RETURN_IF_ERROR(index_.tree->NearestOfHigherRankOf(
        device, device_ranks, device_query_ranks, ids, keys));
    return Take(ids, keys, query_nearest);
  }

  // Whether brute force over points and queries together is expected to be
  // faster than a tree: all pairs of these and of the queries.
  bool ComparesAll(const PointMatrix& queries) const {
    if (is_tree()) return false;
    const double n = num_points();
    const double m = queries.num_points;
    return (n + m) * (n + m) / 2 + m * m / 2 < kTreePairs * n * m;
  }

  // The points, then the queries.
  absl::StatusOr<DevicePoints> WithQueries(const PointMatrix& queries) const {
    DevicePoints all;
    all.num_points = num_points() + queries.num_points;
    all.num_dimensions = points_.num_dimensions;
    all.norm = points_.norm;
    const int64_t own = points_.values.size();
    RETURN_IF_ERROR(AllocateInto(
        own + static_cast<int64_t>(queries.values.size()), all.values));
    RETURN_IF_ERROR(internal::CopyWithinDevice(
        points_.values.data(), all.values.data(), points_.values.bytes()));
    RETURN_IF_ERROR(all.values.CopyFromHost(queries.values, own));
    return all;
  }

  // What is near a query among all, less what is among the queries.
  absl::Status CountAmongAll(const PointMatrix& queries, double radius_key,
                             absl::Span<int32_t> query_counts) const {
    RETURN_IF_ERROR(NotStopped());
    std::vector<int32_t> among_queries;
    {
      ASSIGN_OR_RETURN(const DevicePoints device,
                       DevicePoints::FromHost(queries, points_.norm));
      ASSIGN_OR_RETURN(CudaBruteForce search, CudaBruteForce::Create(device));
      Int32Buffer found;
      RETURN_IF_ERROR(search.CountWithin(radius_key, found));
      ASSIGN_OR_RETURN(among_queries, found.ToHost());
    }
    ASSIGN_OR_RETURN(const DevicePoints all, WithQueries(queries));
    ASSIGN_OR_RETURN(CudaBruteForce search, CudaBruteForce::Create(all));
    Int32Buffer found;
    RETURN_IF_ERROR(search.CountWithin(radius_key, found));
    RETURN_IF_ERROR(found.CopyToHost(query_counts, num_points()));
    for (size_t q = 0; q < query_counts.size(); ++q) {
      query_counts[q] -= among_queries[q];
    }
    return absl::OkStatus();
  }

  // Queries get ranks among the points, so that those above a query are its
  // points and some of the queries. If the nearest of these is a query, all of
  // its points are farther away than that, since points come first and so win
  // ties. They are of no use if the query knows something as near; else a tree
  // decides.
  //
  // It decides none if the queries have a density order and know their nearest
  // ones above in it, as those of a rank do: a query u among those above q is
  // above it in that order, so q knows something as near; or it is not, but
  // then what u knows is at most as far as q, and at least as far as what q
  // knows, since queries of one rank are ordered by that.
  absl::Status NearestAmongAll(const PointMatrix& queries,
                               absl::Span<const int32_t> ranks,
                               absl::Span<const int32_t> query_ranks,
                               absl::Span<NearestPoint> query_nearest) const {
    RETURN_IF_ERROR(NotStopped());
    const int32_t n = num_points();
    const int32_t m = queries.num_points;
    std::vector<int32_t> order(m);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return query_ranks[a] != query_ranks[b]
                 ? query_ranks[a] < query_ranks[b]
                 : query_nearest[a].key > query_nearest[b].key;
    });
    // After the sum, above[r]: the queries whose rank is at most r.
    std::vector<int32_t> above(static_cast<size_t>(n) + 1, 0);
    std::vector<int32_t> all_ranks(static_cast<size_t>(n) + m);
    for (int32_t k = 0; k < m; ++k) {
      // A rank beyond n is below all points, as n is.
      const int32_t rank = std::clamp(query_ranks[order[k]], 0, n);
      all_ranks[n + order[k]] = rank + k;
      ++above[rank];
    }
    std::partial_sum(above.begin(), above.end(), above.begin());
    for (int32_t j = 0; j < n; ++j) all_ranks[j] = ranks[j] + above[ranks[j]];

    std::vector<NearestPoint> found(all_ranks.size());
    {
      ASSIGN_OR_RETURN(const DevicePoints all, WithQueries(queries));
      ASSIGN_OR_RETURN(CudaBruteForce search, CudaBruteForce::Create(all));
      ASSIGN_OR_RETURN(const auto device_ranks,
                       Int32Buffer::FromHost(all_ranks));
      Int32Buffer ids;
      DeviceBuffer<double> keys;
      RETURN_IF_ERROR(search.NearestOfHigherRank(device_ranks, ids, keys));
      RETURN_IF_ERROR(Take(ids, keys, absl::MakeSpan(found)));
    }
    // Queries that a tree decides.
    PointMatrix open;
    open.num_dimensions = queries.num_dimensions;
    std::vector<int32_t> open_queries, open_ranks;
    std::vector<NearestPoint> open_nearest;
    std::vector<NearestPoint> results(query_nearest.begin(),
                                      query_nearest.end());
    for (int32_t q = 0; q < m; ++q) {
      const NearestPoint& nearest = found[n + q];
      NearestPoint& known = results[q];
      if (nearest.id < 0) continue;
      if (nearest.id < n) {
        if (Preferred(nearest.key, nearest.id, known.key, known.id)) {
          known = nearest;
        }
      } else if (nearest.key < known.key) {
        open_queries.push_back(q);
        open_ranks.push_back(query_ranks[q]);
        open_nearest.push_back(known);
        open.values.insert(open.values.end(), queries.Row(q),
                           queries.Row(q) + queries.num_dimensions);
      }
    }
    open.num_points = static_cast<int32_t>(open_queries.size());
    if (open.num_points > 0) {
      RETURN_IF_ERROR(
          NearestInTree(open, ranks, open_ranks, absl::MakeSpan(open_nearest)));
    }
    for (size_t k = 0; k < open_queries.size(); ++k) {
      results[open_queries[k]] = open_nearest[k];
    }
    std::copy(results.begin(), results.end(), query_nearest.begin());
    return absl::OkStatus();
  }

  static absl::Status Take(const Int32Buffer& ids,
                           const DeviceBuffer<double>& keys,
                           absl::Span<NearestPoint> nearest) {
    ASSIGN_OR_RETURN(const std::vector<int32_t> host_ids, ids.ToHost());
    ASSIGN_OR_RETURN(const std::vector<double> host_keys, keys.ToHost());
    for (size_t i = 0; i < nearest.size(); ++i) {
      nearest[i] = {host_keys[i], host_ids[i]};
    }
    return absl::OkStatus();
  }

  DevicePoints points_;
  // Searches of brute force keep statistics in it, and NeedTree adds a tree.
  mutable CudaIndex index_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<NeighborIndex>> MakeDeviceIndex(
    const PointMatrix& points, Metric metric, DensityPeaksIndex index,
    double cutoff_distance, int num_threads) {
  auto made = std::make_unique<DeviceIndex>();
  const absl::Status status =
      made->Build(points, NormOfMetric(metric), index,
                  internal::RadiusKey(metric, cutoff_distance), num_threads);
  if (status.ok()) return made;
  return NameWhatDidNotFit(
      status,
      absl::StrCat("density peaks of ", points.num_points, " points of ",
                   points.num_dimensions, " dimensions on the GPU"));
}

}  // namespace warpclust
