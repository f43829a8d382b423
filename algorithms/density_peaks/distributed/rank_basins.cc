// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_basins.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/distributed/meetings.h"
#include "algorithms/density_peaks/distributed/met_blocks.h"
#include "algorithms/density_peaks/distributed/rank_candidates.h"
#include "algorithms/density_peaks/distributed/visits.h"
#include "base/machine/keep_where.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "vptree/points/block_search.h"

namespace warpclust {
namespace {

using internal::BasinGroups;
using internal::BasinPair;
using internal::Lower;

using Standing = PointStanding;
constexpr Standing kNone = std::numeric_limits<Standing>::max();

// A pair of points, that of lower rank (the pass) first: smaller numbers come
// first.
using Pair = unsigned __int128;
constexpr Pair kNoPair = ~Pair{0};

Pair MakePair(Standing a, Standing b) {
  return Pair{std::max(a, b)} << 64 | std::min(a, b);
}
Standing PassOf(Pair pair) { return static_cast<Standing>(pair >> 64); }

struct FoundQuery {
  Standing bound;
  int32_t label;
};
// The same of any point of a block; with a bound of 0 it searches nothing.
struct BlockQuery {
  Standing bound;
  Standing standing;
  int32_t label;
  int32_t basin;
};
struct FoundAnswer {
  Standing standing;  // The bound if nothing was found.
  int32_t basin;
};

class BasinSearch {
 public:
  BasinSearch(const RankPoints& mine, const RankRows& rows,
              const RankGraph& graph, const NeighborIndex& index, Metric metric,
              MetBlocks* blocks, int num_threads, Communicator& ranks,
              RankBasins candidates)
      : mine_(mine),
        rows_(rows),
        graph_(graph),
        index_(index),
        blocks_(blocks),
        radius_key_(internal::RadiusKey(metric, graph.graph.cutoff_distance)),
        threads_(ResolveThreads(num_threads)),
        ranks_(ranks),
        n_(mine.points.num_points),
        result_(std::move(candidates)) {}

  absl::StatusOr<RankBasins> Find() {
    ASSIGN_OR_RETURN(std::vector<JoiningPair> pairs, FindPairs());
    std::sort(pairs.begin(), pairs.end(),
              [](const JoiningPair& a, const JoiningPair& b) {
                return a.pair < b.pair;
              });
    std::vector<BasinPair> joins;
    for (const JoiningPair& pair : pairs) {
      joins.push_back({DensityOf(PassOf(pair.pair)), pair.pass, pair.other});
    }
    internal::JoinBasins(joins, &basins());
    return std::move(result_);
  }

 private:
  struct JoiningPair {
    Pair pair;
    int32_t pass;
    int32_t other;
  };

  Basins& basins() { return result_.basins; }
  int32_t num_candidates() const {
    return static_cast<int32_t>(result_.basins.candidates.size());
  }
  Standing StandingAt(int32_t i) const { return StandingOf(mine_, graph_, i); }
  // The number of this rank's points of higher rank: a bound of their ranks.
  int32_t CountAbove(Standing bound) const {
    const std::vector<int32_t>& order = graph_.order.order;
    return static_cast<int32_t>(
        std::partition_point(order.begin(), order.end(),
                             [&](int32_t i) { return StandingAt(i) < bound; }) -
        order.begin());
  }

  absl::StatusOr<std::vector<JoiningPair>> FindPairs() {
    for (std::vector<int32_t>* const by_place :
         {&labels_, &found_basins_, &best_}) {
      ResizeVector(n_, threads_, by_place);
    }
    ResizeVector(n_, threads_, &found_);
    ResizeVector(n_, threads_, &is_exact_);
    ResizeVector(n_, threads_, &searches_);
    SetLabels();
    // A point with nothing within d_c is in no pair.
    active_ = NumbersWhere(n_, threads_, [this](int32_t i) {
      return graph_.graph.densities[i] > 0;
    });
    BasinGroups groups(num_candidates());
    std::vector<JoiningPair> pairs;
    while (num_candidates() > 1) {
      RETURN_IF_ERROR(FindFirstPairs());
      const size_t before = pairs.size();
      for (size_t g = 0; g < first_pairs_.size(); ++g) {
        if (first_pairs_[g] == kNoPair) continue;
        const auto pass = static_cast<int32_t>(pair_basins_[g] >> 32);
        const auto other = static_cast<int32_t>(pair_basins_[g] & 0xffffffffu);
        if (groups.Join(pass, other)) {
          pairs.push_back({first_pairs_[g], pass, other});
        }
      }
      if (pairs.size() == before) break;
      roots_.resize(num_candidates());
      for (int32_t b = 0; b < num_candidates(); ++b) roots_[b] = groups.Root(b);
      SetLabels();
    }
    return pairs;
  }

  // Sets first_pairs_ and pair_basins_, by label.
  absl::Status FindFirstPairs() {
    first_pairs_.assign(num_candidates(), kNoPair);
    if (!roots_.empty()) {
      // Pairs of earlier rounds bound the searches of this one.
      TakePairs();
      RETURN_IF_ERROR(
          ranks_.AllReduce(Reduction::kMin, absl::MakeSpan(first_pairs_)));
    }
    RETURN_IF_ERROR(Search());
    // Points near no other group never make a pair.
    KeepWhere(
        threads_,
        [this](int32_t i) { return is_exact_[i] == 0 || found_[i] != kNone; },
        &active_);
    TakePairs();
    RETURN_IF_ERROR(
        ranks_.AllReduce(Reduction::kMin, absl::MakeSpan(first_pairs_)));
    pair_basins_.assign(num_candidates(), std::numeric_limits<uint64_t>::max());
    ForEachPair([this](int32_t i) {
      const Standing standing = StandingAt(i);
      if (MakePair(standing, found_[i]) != first_pairs_[labels_[i]]) return;
      const auto own = static_cast<uint64_t>(basins().basins[i]);
      const auto other = static_cast<uint64_t>(found_basins_[i]);
      Lower(standing > found_[i] ? own << 32 | other : other << 32 | own,
            &pair_basins_[labels_[i]]);
    });
    return ranks_.AllReduce(Reduction::kMin, absl::MakeSpan(pair_basins_));
  }

  // By group, or by basin before the first pairs.
  void SetLabels() {
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t i = 0; i < n_; ++i) labels_[i] = LabelOf(basins().basins[i]);
  }

  // Calls visit(i), on several threads, for the active points with IsPair(i).
  template <typename Visit>
  void ForEachPair(const Visit& visit) const {
    const auto count = static_cast<int64_t>(active_.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int64_t a = 0; a < count; ++a) {
      if (IsPair(active_[a])) visit(active_[a]);
    }
  }

  // Whether found_[i] is the point of highest rank of another group near i.
  bool IsPair(int32_t i) const {
    return is_exact_[i] != 0 && found_[i] != kNone &&
           LabelOf(found_basins_[i]) != labels_[i];
  }
  int32_t LabelOf(int32_t basin) const {
    return roots_.empty() ? basin : roots_[basin];
  }

  // Lowers first_pairs_ by all pairs: first the pass, then the other point.
  void TakePairs() {
    std::vector<Standing> passes(num_candidates(), kNone);
    std::vector<Standing> others(num_candidates(), kNone);
    ForEachPair([&](int32_t i) {
      Lower(std::max(StandingAt(i), found_[i]), &passes[labels_[i]]);
    });
    ForEachPair([&](int32_t i) {
      const Standing standing = StandingAt(i);
      if (std::max(standing, found_[i]) == passes[labels_[i]]) {
        Lower(std::min(standing, found_[i]), &others[labels_[i]]);
      }
    });
    for (int32_t g = 0; g < num_candidates(); ++g) {
      if (passes[g] == kNone) continue;
      first_pairs_[g] =
          std::min(first_pairs_[g], MakePair(passes[g], others[g]));
    }
  }

  // Only points of higher standing than this can make a pair that a group has
  // not surpassed.
  Standing BoundOf(int32_t group) const {
    const Pair first = first_pairs_[group];
    return first == kNoPair ? kNone : PassOf(first) + 1;
  }

  absl::Status Search() {
    std::vector<Standing> bounds(num_candidates());
    std::vector<int32_t> above(num_candidates());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t g = 0; g < num_candidates(); ++g) {
      bounds[g] = BoundOf(g);
      above[g] = bounds[g] == kNone ? n_ : CountAbove(bounds[g]);
    }
    const auto count = static_cast<int64_t>(active_.size());
    int64_t searching = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) \
    reduction(+ : searching)
    for (int64_t a = 0; a < count; ++a) {
      const int32_t i = active_[a];
      if (IsPair(i)) continue;
      // A pair of this point has a pass of at least both.
      if (std::max(StandingAt(i), found_[i]) >= bounds[labels_[i]]) continue;
      searches_[i] = 1;
      best_[i] = above[labels_[i]];
      ++searching;
    }
    int64_t sums[] = {searching, n_};
    RETURN_IF_ERROR(ranks_.AllReduce(Reduction::kSum, absl::MakeSpan(sums)));
    if (sums[0] == 0) return absl::OkStatus();
    // Few visitors cost less than the exchange of all points, unless these have
    // stayed from the only meeting.
    constexpr int64_t kFewVisitors = 16;
    const bool by_blocks =
        blocks_ != nullptr &&
        (NumMeetings(ranks_) == 1 || sums[0] * kFewVisitors > sums[1]);
    // Visitors need room.
    if (blocks_ != nullptr && !by_blocks) blocks_->Drop();
    Stopwatch stopwatch;
    RETURN_IF_ERROR(index_.HighestRankOfOtherLabel(
        radius_key_, graph_.order.ranks, labels_, absl::MakeSpan(best_)));
    stopwatch.Lap("saddles among own points");
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int64_t a = 0; a < count; ++a) {
      const int32_t i = active_[a];
      if (searches_[i] == 0) continue;
      found_[i] = bounds[labels_[i]];
      found_basins_[i] = -1;
      if (best_[i] == above[labels_[i]]) continue;
      const int32_t j = graph_.order.order[best_[i]];
      found_[i] = StandingAt(j);
      found_basins_[i] = basins().basins[j];
    }
    RETURN_IF_ERROR(by_blocks ? MeetBlocks() : Visit());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int64_t a = 0; a < count; ++a) {
      const int32_t i = active_[a];
      if (searches_[i] == 0) continue;
      const Standing bound = bounds[labels_[i]];
      is_exact_[i] = found_[i] < bound || bound == kNone ? 1 : 0;
      searches_[i] = 0;
      best_[i] = 0;
    }
    return absl::OkStatus();
  }

  absl::Status Visit() {
    // Keys below the radius, and none of points that search nothing.
    const double below = std::nextafter(radius_key_, -1.0);
    ResizeVector(n_, threads_, &limits_);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t i = 0; i < n_; ++i) {
      limits_[i] = searches_[i] != 0 ? below : -1;
    }
    return VisitOtherRanks<FoundAnswer>(
        ranks_, mine_.points.num_dimensions, threads_,
        [&](int step) {
          return rows_.NearRanks(ranks_, step, graph_.boxes, {limits_});
        },
        [&](int, const std::vector<int32_t>* visitors) {
          return rows_.Rows(*visitors);
        },
        [&](int32_t i) {
          return FoundQuery{found_[i], labels_[i]};
        },
        [&](const PointMatrix& visitors, absl::Span<const FoundQuery> queries,
            absl::Span<FoundAnswer> answers) {
          return FindForVisitors(visitors, queries, answers);
        },
        [&](int, absl::Span<const int32_t> visitors,
            absl::Span<const FoundAnswer> answers) {
          for (size_t v = 0; v < visitors.size(); ++v) {
            TakeFound(visitors[v], answers[v]);
          }
        });
  }

  absl::Status MeetBlocks() {
    const auto query = [&](int32_t i) {
      return BlockQuery{searches_[i] == 0 ? 0 : found_[i], StandingAt(i),
                        labels_[i], basins().basins[i]};
    };
    // Back and forth: each begins with the block that was there last.
    const MeetingOrder order =
        std::exchange(next_order_, next_order_ == MeetingOrder::kAscending
                                       ? MeetingOrder::kDescending
                                       : MeetingOrder::kAscending);
    return MeetOtherBlocks<FoundAnswer>(
        ranks_, n_, threads_, order, query,
        [&](const BlockMeeting& meeting, absl::Span<const BlockQuery> queries,
            absl::Span<FoundAnswer> answers) -> absl::Status {
          std::vector<BlockQuery> all(meeting.num_rows());
#pragma omp parallel for num_threads(threads_) schedule(static)
          for (int32_t i = meeting.begin; i < n_; ++i) {
            all[meeting.RowOfMine(i)] = query(i);
          }
          std::copy(queries.begin(), queries.end(),
                    all.begin() + meeting.RowOfOther(0));
          ASSIGN_OR_RETURN(const std::vector<FoundAnswer> found,
                           FindBetweenBlocks(meeting, all));
          for (int32_t i = meeting.begin; i < n_; ++i) {
            TakeFound(i, found[meeting.RowOfMine(i)]);
          }
          std::copy_n(found.begin() + meeting.RowOfOther(0), queries.size(),
                      answers.begin());
          return absl::OkStatus();
        },
        [&](int, int32_t i, const FoundAnswer& answer) {
          TakeFound(i, answer);
        });
  }

  // By row.
  absl::StatusOr<std::vector<FoundAnswer>> FindBetweenBlocks(
      const BlockMeeting& meeting, const std::vector<BlockQuery>& all) {
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
      const Standing bound = all[row].bound;
      labels[row] = all[row].label;
      // Mostly there is no bound, or no search.
      if (bound == kNone || bound == 0) {
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
    std::vector<FoundAnswer> found(size);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int32_t row = 0; row < size; ++row) {
      found[row] = {all[row].bound, -1};
      if (best[row] == before[row]) continue;
      const BlockQuery& other = all[order[best[row]]];
      found[row] = {other.standing, other.basin};
    }
    return found;
  }

  void TakeFound(int32_t i, const FoundAnswer& answer) {
    if (answer.basin < 0 || answer.standing >= found_[i]) return;
    found_[i] = answer.standing;
    found_basins_[i] = answer.basin;
  }

  absl::Status FindForVisitors(const PointMatrix& visitors,
                               absl::Span<const FoundQuery> queries,
                               absl::Span<FoundAnswer> answers) {
    const auto count = static_cast<int64_t>(queries.size());
    std::vector<int32_t> labels(count);
    std::vector<int32_t> best(count);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int64_t q = 0; q < count; ++q) {
      labels[q] = queries[q].label;
      best[q] = CountAbove(queries[q].bound);
    }
    const std::vector<int32_t> before = best;
    RETURN_IF_ERROR(index_.HighestRankOfOtherLabelOf(
        visitors, radius_key_, graph_.order.ranks, labels_, labels,
        absl::MakeSpan(best)));
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int64_t q = 0; q < count; ++q) {
      answers[q] = {queries[q].bound, -1};
      if (best[q] == before[q]) continue;
      const int32_t j = graph_.order.order[best[q]];
      answers[q] = {StandingAt(j), basins().basins[j]};
    }
    return absl::OkStatus();
  }

  const RankPoints& mine_;
  const RankRows& rows_;
  const RankGraph& graph_;
  const NeighborIndex& index_;
  MetBlocks* const blocks_;  // null: points visit in all rounds
  // The search for dependent points ended with the first meeting.
  MeetingOrder next_order_ = MeetingOrder::kAscending;
  const double radius_key_;
  const int threads_;
  Communicator& ranks_;
  const int32_t n_;
  RankBasins result_;
  // By place: the root of the point's group.
  std::vector<int32_t> labels_;
  // By place: of the points of other groups near it, the one of highest rank,
  // and its basin. Unless that is exact, it is only known that none has a
  // higher rank.
  std::vector<Standing> found_;
  std::vector<int32_t> found_basins_;
  std::vector<uint8_t> is_exact_;
  // By place: whether the point searches in this round, and what it found on
  // this rank; 0 between rounds.
  std::vector<uint8_t> searches_;
  std::vector<int32_t> best_;
  // Of visits, kept from round to round.
  std::vector<double> limits_;
  // The points that may make a pair.
  std::vector<int32_t> active_;
  // By basin; empty in the first round.
  std::vector<int32_t> roots_;
  // By root: the first pair of its group with another, and the basins of its
  // pass and of the other point.
  std::vector<Pair> first_pairs_;
  std::vector<uint64_t> pair_basins_;
};

}  // namespace

absl::StatusOr<RankBasins> FindRankBasins(
    const RankPoints& mine, const RankRows& rows, const RankGraph& graph,
    const NeighborIndex& index, Metric metric, Device device, MetBlocks* blocks,
    int num_threads, Communicator& ranks) {
  ASSIGN_OR_RETURN(RankBasins candidates,
                   FindRankCandidates(mine, graph, device, num_threads, ranks));
  return BasinSearch(mine, rows, graph, index, metric, blocks, num_threads,
                     ranks, std::move(candidates))
      .Find();
}

}  // namespace warpclust
