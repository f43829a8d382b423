// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/brute_force.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/machine/cpu_features.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/brute_force/block_pairs.h"
#include "vptree/brute_force/brute_force_nearest.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/brute_force_rankings.h"
#include "vptree/brute_force/brute_force_within.h"
#include "vptree/brute_force/count_sink.h"
#include "vptree/brute_force/each_count_sink.h"
#include "vptree/brute_force/label_sink.h"
#include "vptree/brute_force/pair_parts.h"
#include "vptree/brute_force/parts_within.h"
#include "vptree/brute_force/tile_boxes.h"
#include "vptree/points/point_rows.h"
#include "vptree/points/search_arguments.h"
#include "vptree/points/tile_keys.h"

namespace warpclust {
namespace {

class BruteForceIndex : public NeighborIndex {
 public:
  BruteForceIndex(const PointMatrix& points, Norm norm, int num_threads,
                  int most_threads)
      : points_(points),
        norm_(norm),
        most_threads_(most_threads),
        num_threads_(num_threads),
        pairs_(PointRows(points), norm, own_threads()) {}

  absl::string_view name() const override { return "brute force"; }
  int32_t num_points() const override { return points_.num_points; }
  int64_t distance_evaluations() const override { return evaluations_; }
  void SetNumThreads(int num_threads) override { num_threads_ = num_threads; }

  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override {
    RETURN_IF_ERROR(CheckLength("counts", counts.size(), num_points()));
    RETURN_IF_ERROR(CheckRadiusKey(radius_key));
    std::fill(counts.begin(), counts.end(), 0);
    if (counts.empty() || radius_key == 0) return absl::OkStatus();
    std::vector<std::vector<int32_t>> by_thread(
        own_threads(), std::vector<int32_t>(num_positions()));
    std::vector<CountSink> sinks;
    for (std::vector<int32_t>& of_thread : by_thread) {
      sinks.emplace_back(of_thread.data());
    }
    VisitWithin(radius_key, &sinks);
    RETURN_IF_ERROR(NotStopped());
    for (const std::vector<int32_t>& of_thread : by_thread) {
      for (int32_t i = 0; i < num_points(); ++i) {
        counts[order()[i]] += of_thread[i];
      }
    }
    return absl::OkStatus();
  }

  absl::Status CountWithinEach(absl::Span<const double> radius_keys,
                               absl::Span<int32_t> counts) const override {
    const int64_t n = num_points();
    RETURN_IF_ERROR(CheckRadiusKeys(radius_keys));
    RETURN_IF_ERROR(
        CheckLength("counts", counts.size(), n * radius_keys.size()));
    if (points_.num_dimensions <= kMostDimensionsForKeys) {
      constexpr size_t kMost = EachCountSink::kMostRadii;
      for (size_t r = 0; r < radius_keys.size(); r += kMost) {
        RETURN_IF_ERROR(CountByKeys(radius_keys.subspan(r, kMost),
                                    counts.subspan(r * n, kMost * n)));
      }
      return absl::OkStatus();
    }
    for (size_t r = 0; r < radius_keys.size(); ++r) {
      RETURN_IF_ERROR(CountWithin(radius_keys[r], counts.subspan(r * n, n)));
    }
    return absl::OkStatus();
  }

  absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const override {
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("nearest", nearest.size(), num_points()));
    evaluations_ +=
        FindNearestOfHigherRank(pairs_, ranks, own_threads(), work(), nearest);
    return NotStopped();
  }

  absl::Status NearestOfHigherRanks(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const override {
    const size_t n = num_points();
    RETURN_IF_ERROR(CheckLength("nearest", nearest.size(), ranks.size()));
    if (n == 0) return CheckLength("ranks", ranks.size(), 0);
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), ranks.size() / n * n));
    const size_t most = n * kMostRankings;
    for (size_t first = 0; first < ranks.size(); first += most) {
      evaluations_ += FindNearestOfHigherRanks(
          pairs_, ranks.subspan(first, most), own_threads(), work(),
          nearest.subspan(first, most));
      RETURN_IF_ERROR(NotStopped());
    }
    return absl::OkStatus();
  }

  bool searches_rankings_together() const override { return true; }

  absl::Status HighestRankOfOtherLabel(
      double radius_key, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> labels,
      absl::Span<int32_t> best) const override {
    const int32_t n = num_points();
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), n));
    RETURN_IF_ERROR(CheckLength("labels", labels.size(), n));
    RETURN_IF_ERROR(CheckLength("best", best.size(), n));
    RETURN_IF_ERROR(CheckRadiusKey(radius_key));
    if (best.empty() || radius_key == 0) return absl::OkStatus();
    const LabelState start =
        StartOfLabels(pairs_.filter(), ranks, labels, best);
    std::vector<std::vector<int32_t>> by_thread(own_threads(), start.best);
    std::vector<LabelSink> sinks;
    for (std::vector<int32_t>& of_thread : by_thread) {
      sinks.emplace_back(start, of_thread.data());
    }
    VisitWithin(radius_key, &sinks);
    RETURN_IF_ERROR(NotStopped());
    for (const std::vector<int32_t>& of_thread : by_thread) {
      for (int32_t i = 0; i < n; ++i) {
        best[order()[i]] = std::min(best[order()[i]], of_thread[i]);
      }
    }
    return absl::OkStatus();
  }

  absl::Status CountWithinOf(const PointMatrix& queries, double radius_key,
                             absl::Span<int32_t> query_counts) const override {
    RETURN_IF_ERROR(
        CheckLength("query counts", query_counts.size(), queries.num_points));
    RETURN_IF_ERROR(CheckRadiusKey(radius_key));
    std::fill(query_counts.begin(), query_counts.end(), 0);
    return VisitKeysOf(queries, [&](int32_t q, int32_t, double key) {
      query_counts[q] += key < radius_key ? 1 : 0;
    });
  }

  absl::Status NearestOfHigherRankOf(
      const PointMatrix& queries, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> query_ranks,
      absl::Span<NearestPoint> query_nearest) const override {
    const int32_t count = queries.num_points;
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("query ranks", query_ranks.size(), count));
    RETURN_IF_ERROR(CheckLength("query nearest", query_nearest.size(), count));
    return VisitKeysOf(queries, [&](int32_t q, int32_t j, double key) {
      NearestPoint& nearest = query_nearest[q];
      if (key > nearest.key || ranks[j] >= query_ranks[q]) return;
      if (Preferred(key, j, nearest.key, nearest.id)) nearest = {key, j};
    });
  }

  absl::Status HighestRankOfOtherLabelOf(
      const PointMatrix& queries, double radius_key,
      absl::Span<const int32_t> ranks, absl::Span<const int32_t> labels,
      absl::Span<const int32_t> query_labels,
      absl::Span<int32_t> query_best) const override {
    const int32_t count = queries.num_points;
    RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("labels", labels.size(), num_points()));
    RETURN_IF_ERROR(CheckLength("query labels", query_labels.size(), count));
    RETURN_IF_ERROR(CheckLength("query best", query_best.size(), count));
    RETURN_IF_ERROR(CheckRadiusKey(radius_key));
    return VisitKeysOf(queries, [&](int32_t q, int32_t j, double key) {
      if (!(key < radius_key) || labels[j] == query_labels[q]) return;
      query_best[q] = std::min(query_best[q], ranks[j]);
    });
  }

  absl::StatusOr<std::unique_ptr<BlockSearch>> Meet(
      int32_t begin, const PackedRows& others,
      bool others_first) const override {
    return MeetOnCpu(points_, begin, others, others_first, norm_, num_threads_,
                     &pairs_.filter());
  }

  absl::StatusOr<double> EstimateSeconds(double radius_key) const override {
    RETURN_IF_ERROR(CheckRadiusKey(radius_key));
    if (num_points() == 0 || radius_key == 0) return 0.0;
    return Sample(radius_key);
  }

 private:
  // In more dimensions the filter decides pairs for each radius faster than
  // their keys are computed.
  static constexpr int32_t kMostDimensionsForKeys = 16;

  // CountWithinEach for a few keys. 64 bytes per point and thread.
  absl::Status CountByKeys(absl::Span<const double> radius_keys,
                           absl::Span<int32_t> counts) const {
    std::fill(counts.begin(), counts.end(), 0);
    if (counts.empty() || radius_keys.back() == 0) return absl::OkStatus();
    const PairTileKernels& kernels = PairTileKernelsFor(CpuSimdLevel());
    std::vector<EachCountSink> sinks;
    for (PairScratch& scratch : MakeScratch(own_threads())) {
      sinks.emplace_back(pairs_, radius_keys, kernels, std::move(scratch));
    }
    VisitWithin(radius_keys.back(), &sinks);
    RETURN_IF_ERROR(NotStopped());
    const int32_t n = num_points();
    for (int32_t i = 0; i < n; ++i) {
      int32_t count = 0;
      for (size_t r = 0; r < radius_keys.size(); ++r) {
        for (const EachCountSink& sink : sinks) {
          count += sink.Count(i, static_cast<int>(r));
        }
        counts[int64_t{n} * r + order()[i]] = count;
      }
    }
    return absl::OkStatus();
  }

  // Its own points have work for few threads, if they are few.
  int own_threads() const { return std::min(num_threads_, most_threads_); }
  const std::vector<int32_t>& order() const { return pairs_.filter().order(); }
  int32_t num_positions() const {
    return pairs_.filter().num_panels() * kPanelPoints;
  }

  std::vector<PairScratch> MakeScratch(int count) const {
    std::vector<PairScratch> scratch;
    for (int i = 0; i < count; ++i) {
      scratch.emplace_back(points_.num_dimensions, pairs_.num_tiles());
    }
    return scratch;
  }

  // Visits each pair of tiles once, with the sink of its thread.
  template <class Sink>
  void VisitWithin(double radius_key, std::vector<Sink>* sinks) const {
    evaluations_ += VisitPartsWithin(pairs_, PairParts::All(), radius_key,
                                     own_threads(), work(), sinks);
  }

  // Calls visit(q, j, key) for all queries q and points j. Each query is one
  // thread's.
  template <class Visit>
  absl::Status VisitKeysOf(const PointMatrix& queries,
                           const Visit& visit) const {
    constexpr int32_t kQueriesAtOnce = 64;
    if (queries.num_points == 0 || num_points() == 0) return absl::OkStatus();
    RETURN_IF_ERROR(queries.Validate());
    const int32_t dimensions = points_.num_dimensions;
    RETURN_IF_ERROR(
        CheckLength("query coordinates", queries.num_dimensions, dimensions));
#pragma omp parallel num_threads(own_threads())
    {
      std::vector<double> tile(int64_t{dimensions} * kKeyTilePoints);
      double keys[kKeyTilePoints];
      int32_t ids[kKeyTilePoints];
#pragma omp for schedule(dynamic, 1)
      for (int32_t first = 0; first < queries.num_points;
           first += kQueriesAtOnce) {
        const int32_t last =
            std::min(queries.num_points - first, kQueriesAtOnce) + first;
        for (int32_t begin = 0; begin < num_points(); begin += kKeyTilePoints) {
          const int32_t count = std::min(num_points() - begin, kKeyTilePoints);
          std::iota(ids, ids + count, begin);
          PackTile(points_, absl::MakeConstSpan(ids, count), tile.data());
          for (int32_t q = first; q < last; ++q) {
            TileKeys(norm_, queries.Row(q), tile.data(), dimensions, keys);
            for (int32_t j = 0; j < count; ++j) visit(q, begin + j, keys[j]);
          }
        }
      }
    }
    evaluations_ += int64_t{queries.num_points} * num_points();
    return absl::OkStatus();
  }

  // Times a spread sample of tile pairs on one thread.
  double Sample(double radius_key) const {
    constexpr double kLeastSeconds = 0.003;
    constexpr double kMostSeconds = 0.05;
    constexpr int64_t kShare = 50;
    constexpr int64_t kRun = 8;
    // Steps of the golden ratio spread well for any count.
    constexpr double kStep = 0.6180339887498949;
    using Clock = std::chrono::steady_clock;
    std::vector<int32_t> counts(num_positions());
    CountSink sink(counts.data());
    std::vector<PairScratch> scratch = MakeScratch(1);
    const PairTileKernels& kernels = PairTileKernelsFor(CpuSimdLevel());
    const int64_t tiles = pairs_.num_tiles();
    const int64_t total = tiles * (tiles + 1) / 2;
    const Clock::time_point start = Clock::now();
    const BruteForcePairs::Radius radius = pairs_.MakeRadius(radius_key);
    const Clock::time_point begin = Clock::now();
    double seconds = 0;
    int64_t done = 0;
    double at = 0.5;
    while (done < total) {
      const int64_t pair =
          std::min(static_cast<int64_t>(at * total), total - 1);
      at += kStep;
      if (at >= 1) at -= 1;
      // Pair (i, j), i <= j, is number j (j + 1) / 2 + i. It is timed together
      // with the next ones of the row, with warm caches as in a full search.
      int64_t column =
          static_cast<int64_t>((std::sqrt(8.0 * pair + 1) - 1) / 2);
      while (column * (column + 1) / 2 > pair) --column;
      while ((column + 1) * (column + 2) / 2 <= pair) ++column;
      const int64_t end = std::min(tiles, column + kRun);
      VisitTilesWithin(pairs_, radius, kernels,
                       static_cast<int32_t>(pair - column * (column + 1) / 2),
                       static_cast<int32_t>(column), static_cast<int32_t>(end),
                       &scratch[0], &sink);
      done += end - column;
      seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      if (seconds >= kLeastSeconds &&
          (done * kShare >= total || seconds >= kMostSeconds)) {
        break;
      }
    }
    evaluations_ += scratch[0].evaluations;
    const double planning =
        std::chrono::duration<double>(begin - start).count();
    return planning + seconds * static_cast<double>(total) /
                          static_cast<double>(done) / own_threads();
  }

  const PointMatrix& points_;
  const Norm norm_;
  const int most_threads_;
  int num_threads_;
  const BruteForcePairs pairs_;
  mutable std::atomic<int64_t> evaluations_{0};
};

}  // namespace

absl::StatusOr<std::unique_ptr<NeighborIndex>> BuildBruteForceIndex(
    const PointMatrix& points, Norm norm, int num_threads) {
  RETURN_IF_ERROR(points.Validate());
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  // Each thread has at least a row of tiles.
  const int most_threads = std::max(
      1, (points.num_points + kFilterTilePoints - 1) / kFilterTilePoints);
  return std::unique_ptr<NeighborIndex>(std::make_unique<BruteForceIndex>(
      points, norm, ResolveThreads(num_threads), most_threads));
}

}  // namespace warpclust
