// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_cutoff.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/device_cutoff.h"
#include "algorithms/density_peaks/density/key_selection.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

// On all ranks, which hold the points in blocks. `numbers` ascend.
absl::StatusOr<PointMatrix> GatherPoints(const std::vector<int32_t>& numbers,
                                         const PointMatrix& block,
                                         absl::Span<const int64_t> firsts,
                                         int threads, DeviceLinks* links,
                                         Communicator& ranks) {
  const int64_t d = block.num_dimensions;
  Stopwatch stopwatch;
  PointMatrix points;
  points.num_points = static_cast<int32_t>(numbers.size());
  points.num_dimensions = block.num_dimensions;
  ResizeVector(points.num_points * d, threads, &points.values);
  // The coordinates of the points of rank r.
  const auto of_rank = [&](int r) {
    const auto place_of = [&](int64_t number) {
      return std::lower_bound(numbers.begin(), numbers.end(), number) -
             numbers.begin();
    };
    const int64_t begin = place_of(firsts[r]);
    return absl::MakeSpan(points.values)
        .subspan(begin * d, (place_of(firsts[r + 1]) - begin) * d);
  };
  const int rank = ranks.rank();
  const absl::Span<double> mine = of_rank(rank);
  const int64_t before = mine.data() - points.values.data();
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t at = 0; at < static_cast<int64_t>(mine.size()); at += d) {
    const int64_t place = numbers[(before + at) / d] - firsts[rank];
    std::copy_n(block.Row(static_cast<int32_t>(place)), d, mine.data() + at);
  }
  stopwatch.Lap("own points of pairs");
  for (int step = 1; step < ranks.size(); ++step) {
    const int to = ranks.After(step);
    const int from = ranks.Before(step);
    RETURN_IF_ERROR(SendReceiveValues(absl::Span<const double>(mine), to,
                                      of_rank(from), from, links, ranks));
  }
  stopwatch.Lap("points of pairs of others");
  return points;
}

absl::Status AddKeysOfOthers(Communicator& ranks, KeysBetween* keys) {
  ASSIGN_OR_RETURN(const int64_t num_below,
                   ranks.AllReduce(Reduction::kSum, keys->num_below()));
  ASSIGN_OR_RETURN(RankLists<double> all,
                   ranks.AllGather(absl::Span<const double>(keys->kept())));
  keys->Replace(num_below, std::move(all.values));
  return absl::OkStatus();
}

// `points`: CutoffDistancesOfPairs.
absl::StatusOr<CutoffDistance> FindCutoff(
    const PointMatrix* points, const internal::PairsToCount& pairs,
    std::shared_ptr<internal::PairKeys> keys, const PointMatrix& block,
    absl::Span<const int64_t> firsts, const DensityPeaksOptions& options,
    Communicator& ranks) {
  Stopwatch stopwatch;
  const internal::SampleShare share = {
      ranks.rank(), ranks.size(),
      [&](KeysBetween* found) { return AddKeysOfOthers(ranks, found); },
      std::move(keys)};
  ASSIGN_OR_RETURN(
      const std::vector<CutoffDistance> cutoffs,
      internal::CutoffDistancesOfPairs(
          points, pairs, options.metric,
          {CutoffQuantile(options, static_cast<int32_t>(firsts.back()),
                          block.num_dimensions)},
          options.num_threads,
          [&]() -> absl::StatusOr<double> {
            ASSIGN_OR_RETURN(const PointMatrix point,
                             GatherPoints({0}, block, firsts,
                                          ResolveThreads(options.num_threads),
                                          /*links=*/nullptr, ranks));
            const double smallest = internal::SmallestPositiveKey(
                block, NormOfMetric(options.metric), point.Row(0));
            ASSIGN_OR_RETURN(
                const RankLists<double> all,
                ranks.AllGather(absl::MakeConstSpan(&smallest, 1)));
            return *std::min_element(all.values.begin(), all.values.end());
          },
          share));
  stopwatch.Lap("keys of pairs");
  return cutoffs[0];
}

}  // namespace

absl::StatusOr<DrawnPairs> DrawPairs(const PointMatrix& block,
                                     absl::Span<const int64_t> firsts,
                                     const DensityPeaksOptions& options,
                                     DeviceLinks* links, Communicator& ranks) {
  DrawnPairs drawn;
  drawn.pairs = internal::ChoosePairsToCount(firsts.back(), options.seed);
  const std::vector<int32_t> numbers = internal::NumberPoints(&drawn.pairs);
  ASSIGN_OR_RETURN(
      drawn.points,
      GatherPoints(numbers, block, firsts, ResolveThreads(options.num_threads),
                   links, ranks));
  return drawn;
}

absl::StatusOr<CutoffDistance> FindRankCutoff(
    const DrawnPairs& drawn, const PointMatrix& block,
    absl::Span<const int64_t> firsts, const DensityPeaksOptions& options,
    Device device, Communicator& ranks) {
  Stopwatch stopwatch;
  std::shared_ptr<internal::PairKeys> keys = internal::PairKeysOn(
      device, drawn.points, drawn.pairs, NormOfMetric(options.metric));
  stopwatch.Lap("points of pairs to the GPU");
  return FindCutoff(&drawn.points, drawn.pairs, std::move(keys), block, firsts,
                    options, ranks);
}

PairsOnGpu BeginRankCutoff(std::shared_ptr<const DevicePoints> all,
                           int64_t num_points,
                           const DensityPeaksOptions& options) {
  PairsOnGpu begun;
  begun.pairs = internal::ChoosePairsToCount(num_points, options.seed);
  begun.keys = internal::PairKeysOn(std::move(all), begun.pairs);
  return begun;
}

absl::StatusOr<CutoffDistance> FindRankCutoff(
    const PairsOnGpu& begun, const PointMatrix& block,
    absl::Span<const int64_t> firsts, const DensityPeaksOptions& options,
    Communicator& ranks) {
  RETURN_IF_ERROR(begun.keys.status());
  return FindCutoff(/*points=*/nullptr, begun.pairs, *begun.keys, block, firsts,
                    options, ranks);
}

}  // namespace warpclust
