// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cuda/device_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/cuda_index.h"
#include "algorithms/density_peaks/density/cuda/device_block_search.h"
#include "algorithms/density_peaks/density/cuda/device_labels.h"
#include "algorithms/density_peaks/density/cuda/device_nearest.h"
#include "algorithms/density_peaks/density/cuda/device_searches.h"
#include "algorithms/density_peaks/density/cuda/largest_key_cuda.h"
#include "algorithms/density_peaks/density/cuda/legal_coordinates_cuda.h"
#include "algorithms/density_peaks/density/cuda/ranks_cuda.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/block_search.h"
#include "vptree/points/device_points.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/packed_points.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace {

using Int32Buffer = DeviceBuffer<int32_t>;

// Up to this many dimensions a tree is built in little time, and walked in
// little time by few queries. In more, a walk may visit all of it.
constexpr int32_t kMostCheapDimensions = 16;
// A pair of a query and a point in a tree is taken to cost as much as this many
// of brute force, which has tensor cores.
constexpr double kTreePairs = 15;
// What tiles for brute force cost per point, in pairs. An estimate.
constexpr double kSetUpPairs = 5000;

class CudaNeighborIndex final : public DeviceIndex {
 public:
  absl::Status Build(const PointMatrix& on_host, Norm norm,
                     DensityPeaksIndex kind, double radius_key, int num_threads,
                     BegunIndex begun) {
    searches_.points = std::move(begun.points);
    if (begun.brute_force != nullptr) {
      searches_.index.brute_force = std::move(*begun.brute_force);
    }
    if (searches_.points == nullptr) {
      ASSIGN_OR_RETURN(DevicePoints made,
                       DevicePoints::FromHost(on_host, norm));
      searches_.points = std::make_shared<DevicePoints>(std::move(made));
    }
    return BuildCudaIndex(on_host, points(), kind, radius_key, num_threads,
                          searches_.index);
  }

  DeviceSearches& searches() override { return searches_; }

  absl::string_view name() const override { return searches_.index.name(); }
  int32_t num_points() const override { return points().num_points; }

  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override {
    RETURN_IF_ERROR(NotStopped());
    RETURN_IF_ERROR(CheckLength("counts", counts.size(), num_points()));
    Int32Buffer found;
    RETURN_IF_ERROR(
        is_tree()
            ? searches_.index.tree->CountWithin(radius_key, found)
            : searches_.index.brute_force->CountWithin(radius_key, found));
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
    RETURN_IF_ERROR(CheckLength("nearest", nearest.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
    ASSIGN_OR_RETURN(const auto device_ranks, Int32Buffer::FromHost(ranks));
    DeviceNearest found;
    RETURN_IF_ERROR(FindNearest(device_ranks, found));
    return found.CopyToHost(nearest);
  }

  absl::StatusOr<bool> NearestOfHigherDensity(
      absl::Span<const int32_t> densities, absl::Span<int32_t> ids,
      absl::Span<double> keys) const override {
    RETURN_IF_ERROR(CheckLength("densities", densities.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("ids", ids.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("keys", keys.size(), num_points()));
    const absl::Status ranked = [&]() -> absl::Status {
      ASSIGN_OR_RETURN(const auto device, Int32Buffer::FromHost(densities));
      return DensityRanksCuda(device.data(), device.size(),
                              searches_.by_density);
    }();
    if (absl::IsResourceExhausted(ranked)) {
      searches_.by_density = DeviceRanks();
      return false;
    }
    RETURN_IF_ERROR(ranked);
    DeviceNearest found;
    RETURN_IF_ERROR(FindNearest(searches_.by_density.ranks, found));
    RETURN_IF_ERROR(found.ids.CopyToHost(ids));
    RETURN_IF_ERROR(found.keys.CopyToHost(keys));
    return true;
  }

  absl::Status CopyDensityRanks(absl::Span<int32_t> ranks,
                                absl::Span<int32_t> order) const override {
    if (searches_.by_density.ranks.size() != num_points()) return NoRanksYet();
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("order", order.size(), num_points()));
    return searches_.by_density.CopyToHost(ranks, order);
  }

  absl::Status HighestRankOfOtherLabel(
      double radius_key, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> labels,
      absl::Span<int32_t> best) const override {
    RETURN_IF_ERROR(NotStopped());
    return SearchOtherLabels(searches_, radius_key, ranks, labels, best);
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
                     DevicePoints::FromHost(queries, points().norm));
    Int32Buffer found;
    RETURN_IF_ERROR(
        searches_.index.tree->CountWithinOf(device, radius_key, found));
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
    ASSIGN_OR_RETURN(const auto device_ranks, Int32Buffer::FromHost(ranks));
    ASSIGN_OR_RETURN(const auto device_query_ranks,
                     Int32Buffer::FromHost(query_ranks));
    return NearestInTree(queries, device_ranks, device_query_ranks,
                         query_nearest);
  }

  absl::Status NearestOfHigherDensityOf(
      const PointMatrix& queries, absl::Span<const int32_t> query_densities,
      absl::Span<const int32_t> query_places,
      absl::Span<NearestPoint> query_nearest) const override {
    const size_t count = queries.num_points;
    if (searches_.by_density.ranks.size() != num_points()) return NoRanksYet();
    RETURN_IF_ERROR(
        CheckLength("query_densities", query_densities.size(), count));
    RETURN_IF_ERROR(CheckLength("query_places", query_places.size(), count));
    RETURN_IF_ERROR(CheckLength("query_nearest", query_nearest.size(), count));
    if (count == 0) return absl::OkStatus();
    Int32Buffer query_ranks;
    {
      ASSIGN_OR_RETURN(const auto densities,
                       Int32Buffer::FromHost(query_densities));
      ASSIGN_OR_RETURN(const auto places, Int32Buffer::FromHost(query_places));
      RETURN_IF_ERROR(
          RanksAmongCuda(searches_.by_density, densities, places, query_ranks));
    }
    if (!ComparesAll(queries)) {
      return NearestInTree(queries, searches_.by_density.ranks, query_ranks,
                           query_nearest);
    }
    ASSIGN_OR_RETURN(const std::vector<int32_t> ranks,
                     searches_.by_density.ranks.ToHost());
    ASSIGN_OR_RETURN(const std::vector<int32_t> host_query_ranks,
                     query_ranks.ToHost());
    return NearestOfHigherRankOf(queries, ranks, host_query_ranks,
                                 query_nearest);
  }

  absl::Status HighestRankOfOtherLabelOf(
      const PointMatrix& queries, double radius_key,
      absl::Span<const int32_t> ranks, absl::Span<const int32_t> labels,
      absl::Span<const int32_t> query_labels,
      absl::Span<int32_t> query_best) const override {
    const size_t count = queries.num_points;
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("labels", labels.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("query_labels", query_labels.size(), count));
    RETURN_IF_ERROR(CheckLength("query_best", query_best.size(), count));
    if (count == 0) return absl::OkStatus();
    if (ComparesAll(queries)) {
      const absl::Status status = LabelsAmongAll(
          queries, radius_key, ranks, labels, query_labels, query_best);
      if (!absl::IsResourceExhausted(status)) return status;
    }
    RETURN_IF_ERROR(NeedTree());
    ASSIGN_OR_RETURN(const DevicePoints device,
                     DevicePoints::FromHost(queries, points().norm));
    ASSIGN_OR_RETURN(const auto device_ranks, Int32Buffer::FromHost(ranks));
    ASSIGN_OR_RETURN(const auto device_labels, Int32Buffer::FromHost(labels));
    ASSIGN_OR_RETURN(const auto device_query_labels,
                     Int32Buffer::FromHost(query_labels));
    ASSIGN_OR_RETURN(auto best, Int32Buffer::FromHost(query_best));
    RETURN_IF_ERROR(searches_.index.tree->HighestRankOfOtherLabelOf(
        device, radius_key, device_ranks, device_labels, device_query_labels,
        best));
    return best.CopyToHost(query_best);
  }

  absl::StatusOr<std::optional<double>> LargestKeyOf(
      absl::Span<const double> row) const override {
    ASSIGN_OR_RETURN(const double largest, LargestKeyCuda(points(), row));
    return largest;
  }

  absl::StatusOr<std::unique_ptr<BlockSearch>> Meet(
      int32_t begin, const PackedRows& others,
      bool others_first) const override {
    RETURN_IF_ERROR(NotStopped());
    return DeviceBlockSearch::Make(points(), begin, others, others_first);
  }

  absl::StatusOr<double> EstimateSeconds(double radius_key) const override {
    return is_tree() ? searches_.index.tree->EstimateSeconds(radius_key)
                     : searches_.index.brute_force->EstimateSeconds(radius_key);
  }

  // 0 if the GPU does not say.
  int64_t distance_evaluations() const override {
    if (!searches_.index.tree.has_value()) return 0;
    const absl::StatusOr<int64_t> count =
        searches_.index.tree->DistanceEvaluations();
    return count.ok() ? *count : 0;
  }

 private:
  const DevicePoints& points() const { return *searches_.points; }

  // Brute force is faster where it was chosen, even if there is a tree too.
  bool is_tree() const { return !searches_.index.brute_force.has_value(); }

  absl::Status FindNearest(const Int32Buffer& ranks,
                           DeviceNearest& found) const {
    RETURN_IF_ERROR(NotStopped());
    return is_tree() ? searches_.index.tree->NearestOfHigherRank(
                           ranks, found.ids, found.keys)
                     : searches_.index.brute_force->NearestOfHigherRank(
                           ranks, found.ids, found.keys);
  }

  absl::Status NeedTree() const {
    RETURN_IF_ERROR(NotStopped());
    if (searches_.index.tree.has_value()) return absl::OkStatus();
    return BuildCudaTree(points(), CudaLeafTree::Kind::kBox, searches_.index);
  }

  absl::Status NearestInTree(const PointMatrix& queries,
                             const Int32Buffer& ranks,
                             const Int32Buffer& query_ranks,
                             absl::Span<NearestPoint> query_nearest) const {
    RETURN_IF_ERROR(NeedTree());
    ASSIGN_OR_RETURN(const DevicePoints device,
                     DevicePoints::FromHost(queries, points().norm));
    DeviceNearest found;
    RETURN_IF_ERROR(found.CopyFromHost(query_nearest));
    RETURN_IF_ERROR(searches_.index.tree->NearestOfHigherRankOf(
        device, ranks, query_ranks, found.ids, found.keys));
    return found.CopyToHost(query_nearest);
  }

  // Whether queries and points are compared by brute force.
  bool ComparesAll(const PointMatrix& queries) const {
    if (is_tree()) return false;
    const double n = num_points();
    const double m = queries.num_points;
    return queries.num_dimensions > kMostCheapDimensions ||
           n * m + kSetUpPairs * (n + m) < kTreePairs * n * m;
  }

  absl::StatusOr<std::unique_ptr<DeviceBlockSearch>> MeetQueries(
      const PointMatrix& queries) const {
    RETURN_IF_ERROR(NotStopped());
    return DeviceBlockSearch::Make(points(), 0,
                                   {queries.num_points, {}, queries.values},
                                   /*others_first=*/false);
  }

  absl::Status CountAmongAll(const PointMatrix& queries, double radius_key,
                             absl::Span<int32_t> query_counts) const {
    ASSIGN_OR_RETURN(const auto search, MeetQueries(queries));
    std::vector<int32_t> counts(static_cast<size_t>(num_points()) +
                                queries.num_points);
    RETURN_IF_ERROR(search->CountWithin(radius_key, absl::MakeSpan(counts)));
    std::copy_n(counts.begin() + num_points(), queries.num_points,
                query_counts.begin());
    return absl::OkStatus();
  }

  // Queries get ranks among the points, so that those above a query are its
  // points and some of the queries, which it does not meet.
  absl::Status NearestAmongAll(const PointMatrix& queries,
                               absl::Span<const int32_t> ranks,
                               absl::Span<const int32_t> query_ranks,
                               absl::Span<NearestPoint> query_nearest) const {
    const int32_t n = num_points();
    const int32_t m = queries.num_points;
    std::vector<int32_t> order(m);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return query_ranks[a] < query_ranks[b];
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

    // Points ask for nothing: no key is below 0, and no id.
    std::vector<NearestPoint> nearest(n, {0, 0});
    nearest.insert(nearest.end(), query_nearest.begin(), query_nearest.end());
    ASSIGN_OR_RETURN(const auto search, MeetQueries(queries));
    RETURN_IF_ERROR(
        search->NearestOfHigherRank(all_ranks, absl::MakeSpan(nearest)));
    std::copy_n(nearest.begin() + n, m, query_nearest.begin());
    return absl::OkStatus();
  }

  absl::Status LabelsAmongAll(const PointMatrix& queries, double radius_key,
                              absl::Span<const int32_t> ranks,
                              absl::Span<const int32_t> labels,
                              absl::Span<const int32_t> query_labels,
                              absl::Span<int32_t> query_best) const {
    // Queries rank behind all points. Points search nothing.
    const int32_t n = num_points();
    const int32_t m = queries.num_points;
    std::vector<int32_t> all_ranks(ranks.begin(), ranks.end());
    all_ranks.resize(static_cast<size_t>(n) + m);
    std::iota(all_ranks.begin() + n, all_ranks.end(), n);
    std::vector<int32_t> all_labels(labels.begin(), labels.end());
    all_labels.insert(all_labels.end(), query_labels.begin(),
                      query_labels.end());
    std::vector<int32_t> best(n);
    best.insert(best.end(), query_best.begin(), query_best.end());
    ASSIGN_OR_RETURN(const auto search, MeetQueries(queries));
    RETURN_IF_ERROR(search->HighestRankOfOtherLabel(
        radius_key, all_ranks, all_labels, absl::MakeSpan(best)));
    std::copy_n(best.begin() + n, m, query_best.begin());
    return absl::OkStatus();
  }

  // Searches of brute force keep statistics in it, and NeedTree adds a tree.
  mutable DeviceSearches searches_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<DevicePoints>> CopyPointsToDevice(
    const PointMatrix& points, Metric metric, EarlyUpload<double>* upload) {
  ASSIGN_OR_RETURN(
      DevicePoints copied,
      DevicePoints::FromHostApart(points, NormOfMetric(metric), upload));
  return std::make_shared<DevicePoints>(std::move(copied));
}

bool HasLegalCoordinates(const DevicePoints& points) {
  const absl::StatusOr<bool> are_legal = HasLegalCoordinatesCuda(points);
  return are_legal.ok() && *are_legal;
}

std::shared_ptr<ComingPoints> ExpectPoints(const DevicePoints& points) {
  auto coming = std::make_shared<ComingPoints>();
  return coming->Start(points).ok() ? coming : nullptr;
}

bool AddPiece(const DevicePoints& points, int64_t first, int64_t count,
              ComingPoints& coming) {
  return coming
      .Add(points, static_cast<int32_t>(first), static_cast<int32_t>(count))
      .ok();
}

bool HasLegalCoordinates(ComingPoints& coming) {
  const absl::StatusOr<bool> are_legal = coming.AreLegal();
  return are_legal.ok() && *are_legal;
}

std::shared_ptr<CudaBruteForce> BeginBruteForce(const DevicePoints& points,
                                                PairShare* share,
                                                ComingPoints* coming) {
  CudaBruteForceOptions options;
  options.share = share;
  absl::StatusOr<CudaBruteForce> made =
      CudaBruteForce::Create(points, options, coming);
  return made.ok() ? std::make_shared<CudaBruteForce>(*std::move(made))
                   : nullptr;
}

absl::StatusOr<bool> IsSurelyBruteForce(const BegunIndex& begun,
                                        const PointMatrix& some, Metric metric,
                                        double cutoff_distance,
                                        int num_threads) {
  ASSIGN_OR_RETURN(
      const BruteForceForecast forecast,
      ForecastBruteForce(some, *begun.points,
                         internal::RadiusKey(metric, cutoff_distance),
                         num_threads, *begun.brute_force));
  return !forecast.may_lose;
}

absl::StatusOr<std::unique_ptr<DeviceIndex>> MakeDeviceIndex(
    const PointMatrix& points, Metric metric, DensityPeaksIndex index,
    double cutoff_distance, int num_threads, BegunIndex begun) {
  auto made = std::make_unique<CudaNeighborIndex>();
  const absl::Status status =
      made->Build(points, NormOfMetric(metric), index,
                  internal::RadiusKey(metric, cutoff_distance), num_threads,
                  std::move(begun));
  if (status.ok()) return made;
  return NameWhatDidNotFit(
      status,
      absl::StrCat("density peaks of ", points.num_points, " points of ",
                   points.num_dimensions, " dimensions on the GPU"));
}

}  // namespace warpclust
