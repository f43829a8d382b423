// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_basins.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/distributed/meetings.h"
#include "algorithms/density_peaks/distributed/met_blocks.h"
#include "algorithms/density_peaks/distributed/rank_candidates.h"
#include "algorithms/density_peaks/distributed/rank_joins.h"
#include "algorithms/density_peaks/distributed/visits.h"
#include "algorithms/density_peaks/peaks/cpu_pair_rounds.h"
#include "algorithms/density_peaks/peaks/cuda/pair_rounds_cuda.h"
#include "algorithms/density_peaks/peaks/pair_rounds.h"
#include "algorithms/density_peaks/peaks/point_standing.h"
#include "base/machine/keep_where.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "vptree/points/block_search.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace {

// Searches among the points of other ranks.
class OtherRanks {
 public:
  OtherRanks(const RankSearch& search, const RankBoxes& boxes,
             double radius_key, PairRounds& rounds)
      : mine_(search.mine),
        rows_(search.rows),
        boxes_(boxes),
        index_(search.index),
        radius_key_(radius_key),
        blocks_(search.blocks),
        threads_(search.threads),
        ranks_(search.ranks),
        rounds_(rounds) {}

  // `searching` of `num_points` points of all ranks search.
  absl::Status Search(int64_t searching, int64_t num_points) {
    // Few visitors cost less than the exchange of all points, unless these have
    // stayed from the only meeting.
    constexpr int64_t kFewVisitors = 16;
    const bool by_blocks =
        blocks_ != nullptr &&
        (NumMeetings(ranks_) == 1 || searching * kFewVisitors > num_points);
    if (by_blocks) return MeetBlocks();
    // Visitors need room.
    if (blocks_ != nullptr) blocks_->Drop();
    return Visit();
  }

 private:
  absl::Status Visit() {
    KeyLimits limits;
    // Keys below the radius.
    limits.same = std::nextafter(radius_key_, -1.0);
    const SearchingPoints searching = rounds_.searching();
    limits.asked = searching.on_host;
    limits.asked_on_device = searching.on_device;
    return VisitOtherRanks<FoundPoint>(
        ranks_, mine_.points.num_dimensions, threads_,
        [&](int step) { return rows_.NearRanks(ranks_, step, boxes_, limits); },
        [&](int, const std::vector<int32_t>* visitors) {
          return rows_.Rows(*visitors);
        },
        [&](absl::Span<const int32_t> visitors)
            -> absl::StatusOr<std::vector<FoundQuery>> {
          std::vector<FoundQuery> queries(visitors.size());
          RETURN_IF_ERROR(rounds_.Ask(visitors, absl::MakeSpan(queries)));
          return queries;
        },
        [&](const PointMatrix& visitors, absl::Span<const FoundQuery> queries,
            absl::Span<FoundPoint> found) {
          return rounds_.SearchFor(visitors, queries, found);
        },
        [&](int, absl::Span<const int32_t> visitors,
            absl::Span<const FoundPoint> found) {
          return rounds_.Take(visitors, found);
        });
  }

  absl::Status MeetBlocks() {
    const int32_t n = mine_.points.num_points;
    std::vector<MetPoint> all_mine(n);
    RETURN_IF_ERROR(rounds_.AskAll(absl::MakeSpan(all_mine)));
    std::vector<FoundPoint> found(n);
    const auto take = [&](int32_t i, const FoundPoint& answer) {
      if (answer.basin < 0 || answer.standing >= all_mine[i].bound) return;
      found[i] = answer;
      all_mine[i].bound = answer.standing;
    };
    // Back and forth: each begins with the block that was there last.
    const MeetingOrder order =
        std::exchange(next_order_, next_order_ == MeetingOrder::kAscending
                                       ? MeetingOrder::kDescending
                                       : MeetingOrder::kAscending);
    const absl::Status met = MeetOtherBlocks<FoundPoint>(
        ranks_, n, threads_, order, [&](int32_t i) { return all_mine[i]; },
        [&](const BlockMeeting& meeting, absl::Span<const MetPoint> others,
            absl::Span<FoundPoint> answers) -> absl::Status {
          std::vector<MetPoint> all(meeting.num_rows());
#pragma omp parallel for num_threads(threads_) schedule(static)
          for (int32_t i = meeting.begin; i < n; ++i) {
            all[meeting.RowOfMine(i)] = all_mine[i];
          }
#pragma omp parallel for num_threads(threads_) schedule(static)
          for (int32_t q = 0; q < meeting.num_others; ++q) {
            all[meeting.RowOfOther(q)] = others[q];
          }
          ASSIGN_OR_RETURN(const std::vector<FoundPoint> by_row,
                           FindBetweenBlocks(meeting, all));
#pragma omp parallel for num_threads(threads_) schedule(static)
          for (int32_t i = meeting.begin; i < n; ++i) {
            take(i, by_row[meeting.RowOfMine(i)]);
          }
          std::copy_n(by_row.begin() + meeting.RowOfOther(0), others.size(),
                      answers.begin());
          return absl::OkStatus();
        },
        [&](int, absl::Span<const FoundPoint> answers) {
#pragma omp parallel for num_threads(threads_) schedule(static)
          for (size_t i = 0; i < answers.size(); ++i) {
            take(static_cast<int32_t>(i), answers[i]);
          }
        });
    RETURN_IF_ERROR(met);
    const std::vector<int32_t> places = FewNumbersWhere(
        n, threads_, [&](int32_t i) { return found[i].basin >= 0; });
    for (size_t k = 0; k < places.size(); ++k) found[k] = found[places[k]];
    found.resize(places.size());
    return rounds_.Take(places, found);
  }

  // By row.
  absl::StatusOr<std::vector<FoundPoint>> FindBetweenBlocks(
      const BlockMeeting& meeting, const std::vector<MetPoint>& all) {
    ASSIGN_OR_RETURN(const BlockSearch* const search,
                     blocks_->Search(index_, meeting));
    const auto size = static_cast<int32_t>(all.size());
    std::vector<int32_t> densities(size), labels(size), best(size);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t row = 0; row < size; ++row) {
      densities[row] = DensityOf(all[row].standing);
    }
    // By standing: numbers ascend over the rows.
    const DensityRanks by_density = RanksOfDensities(densities, threads_);
    const std::vector<int32_t>& order = by_density.order;
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t row = 0; row < size; ++row) {
      const PointStanding bound = all[row].bound;
      labels[row] = all[row].label;
      // Mostly there is no bound, or no search.
      if (bound == kNoStanding || bound == 0) {
        best[row] = bound == 0 ? 0 : size;
        continue;
      }
      const auto above = std::partition_point(
          order.begin(), order.end(),
          [&](int32_t other) { return all[other].standing < bound; });
      best[row] = static_cast<int32_t>(above - order.begin());
    }
    const std::vector<int32_t> before = best;
    Stopwatch stopwatch;
    RETURN_IF_ERROR(search->HighestRankOfOtherLabel(
        radius_key_, by_density.ranks, labels, absl::MakeSpan(best)));
    stopwatch.Lap("saddles between blocks");
    std::vector<FoundPoint> found(size);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t row = 0; row < size; ++row) {
      found[row] = {all[row].bound};
      if (best[row] == before[row]) continue;
      const MetPoint& other = all[order[best[row]]];
      found[row] = {other.standing, other.basin};
    }
    return found;
  }

  const RankPoints& mine_;
  const RankRows& rows_;
  const RankBoxes& boxes_;
  const NeighborIndex& index_;
  const double radius_key_;
  MetBlocks* const blocks_;  // null: points visit in all rounds
  // The search for dependent points ended with the first meeting.
  MeetingOrder next_order_ = MeetingOrder::kAscending;
  const int threads_;
  Communicator& ranks_;
  PairRounds& rounds_;
};

// A search for joining pairs, or null if this rank has none.
absl::StatusOr<std::unique_ptr<JoiningPairSearch>> MakeJoiningSearch(
    const PointsInBasins& points, const DensityRanks& order,
    const NeighborIndex& index, double radius_key) {
  // Only the GPU has the ranks by density.
  if (order.order.size() != points.basins.size()) return nullptr;
  // A point with nothing within d_c is in no pair.
  const int32_t in_pairs =
      CountAboveStanding(order.order, points.densities, points.numbers,
                         StandingOf(/*density=*/0, /*number=*/0));
  return index.JoiningPairs(radius_key, order.ranks, /*slot_ranks=*/{},
                            points.basins, absl::MakeConstSpan(&in_pairs, 1));
}

// `copied` gets the density ranks if the host needs them.
absl::StatusOr<std::unique_ptr<PairRounds>> MakeRounds(
    const PointsInBasins& points, const DensityRanks& order,
    const NeighborIndex& index, DeviceSearches* on_device, double radius_key,
    int32_t num_basins, int threads, DensityRanks* copied) {
  if (on_device != nullptr) {
    absl::StatusOr<std::unique_ptr<PairRounds>> made =
        MakePairRoundsCuda(points, *on_device, &index, radius_key, num_basins);
    // Rounds of the host need less of its memory.
    if (!absl::IsResourceExhausted(made.status())) return made;
  }
  const int32_t n = index.num_points();
  const bool are_elsewhere = n > 0 && order.order.empty();
  if (are_elsewhere) {
    ResizeVector(n, threads, &copied->ranks);
    ResizeVector(n, threads, &copied->order);
    RETURN_IF_ERROR(index.CopyDensityRanks(absl::MakeSpan(copied->ranks),
                                           absl::MakeSpan(copied->order)));
  }
  return std::make_unique<CpuPairRounds>(
      points, are_elsewhere ? *copied : order,
      [&index, radius_key](auto... arguments) {
        return index.HighestRankOfOtherLabel(radius_key, arguments...);
      },
      [&index, radius_key](const PointMatrix& visitors, auto... arguments) {
        return index.HighestRankOfOtherLabelOf(visitors, radius_key,
                                               arguments...);
      },
      num_basins, threads);
}

// The pairs that join groups of basins, in their order.
absl::StatusOr<std::vector<internal::BasinPair>> FindJoins(
    const RankSearch& search, const PointsInBasins& points,
    const RankGraph& graph, DeviceSearches* on_device, int32_t num_basins) {
  if (num_basins <= 1) return std::vector<internal::BasinPair>();
  const double radius_key =
      internal::RadiusKey(search.metric, graph.graph.cutoff_distance);
  Stopwatch stopwatch;
  std::unique_ptr<JoiningPairSearch> joining;
  if (!points.basins.empty()) {
    ASSIGN_OR_RETURN(joining, MakeJoiningSearch(points, graph.order,
                                                search.index, radius_key));
  }
  ASSIGN_OR_RETURN(
      const bool all_have_it,
      search.ranks.OnAll(joining != nullptr || points.basins.empty()));
  stopwatch.Lap("start of saddles");
  if (all_have_it) {
    return FindJoinsOnRanks(search, points, graph.order, graph.boxes,
                            radius_key, num_basins, joining.get());
  }
  joining = nullptr;
  DensityRanks copied;
  ASSIGN_OR_RETURN(const std::unique_ptr<PairRounds> rounds,
                   MakeRounds(points, graph.order, search.index, on_device,
                              radius_key, num_basins, search.threads, &copied));
  ASSIGN_OR_RETURN(
      const int64_t num_points,
      search.ranks.AllReduce(Reduction::kSum,
                             int64_t{search.mine.points.num_points}));
  OtherRanks others(search, graph.boxes, radius_key, *rounds);
  return FindPairsInRounds(
      *rounds, num_basins, search.ranks,
      [&](int64_t searching) { return others.Search(searching, num_points); });
}

}  // namespace

absl::StatusOr<RankBasins> FindRankBasins(const RankSearch& search,
                                          const RankGraph& graph,
                                          DeviceSearches* on_device,
                                          Device device) {
  ASSIGN_OR_RETURN(RankBasins result,
                   FindRankCandidates(search.mine, graph, device,
                                      search.threads, search.ranks));
  Basins& basins = result.basins;
  ASSIGN_OR_RETURN(
      const std::vector<internal::BasinPair> joins,
      FindJoins(
          search, {graph.graph.densities, search.mine.numbers, basins.basins},
          graph, on_device, static_cast<int32_t>(basins.candidates.size())));
  internal::JoinBasins(joins, &basins);
  return result;
}

}  // namespace warpclust
