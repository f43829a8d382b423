// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/basins.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/peaks/candidate_basins.h"
#include "base/machine/keep_where.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/points/label_forest.h"

namespace warpclust {
namespace {

// Threads do not pay for fewer points.
constexpr size_t kLeastThreaded = 4096;
constexpr int64_t kPointsPerThread = 1 << 14;
// At least as many as an index keeps.
constexpr int32_t kFewNeighbors = 8;

// A pair of points by their ranks, larger first: smaller numbers come first.
using Pair = uint64_t;
constexpr Pair kNoPair = std::numeric_limits<Pair>::max();

Pair MakePair(int32_t rank, int32_t other) {
  return static_cast<Pair>(std::max(rank, other)) << 32 |
         static_cast<Pair>(std::min(rank, other));
}
int32_t PassOf(Pair pair) { return static_cast<int32_t>(pair >> 32); }
int32_t OtherOf(Pair pair) { return static_cast<int32_t>(pair & 0xffffffffu); }

// The pairs that join groups.
class PairFinder {
 public:
  PairFinder(const std::vector<int32_t>& densities, const Basins& basins,
             const DensityRanks& ranks, const OtherLabelSearch& search,
             int num_threads)
      : basins_(basins),
        ranks_(ranks),
        search_(search),
        num_threads_(num_threads),
        groups_(static_cast<int32_t>(basins.candidates.size())),
        first_pairs_(basins.candidates.size()) {
    const auto n = static_cast<int32_t>(basins.basins.size());
    for (std::vector<int32_t>* const by_point :
         {&labels_, &found_, &bounds_, &best_}) {
      ResizeVector(n, num_threads, by_point);
    }
    ResizeVector(n, num_threads, &is_exact_);
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int32_t i = 0; i < n; ++i) labels_[i] = basins.basins[i];
    active_ = NumbersWhere(n, num_threads,
                           [&](int32_t i) { return densities[i] > 0; });
    no_rank_ = static_cast<int32_t>(active_.size());
  }

  absl::StatusOr<std::vector<Pair>> Find() {
    std::vector<Pair> pairs;
    while (basins_.candidates.size() > 1) {
      std::fill(first_pairs_.begin(), first_pairs_.end(), kNoPair);
      TakeFound();
      RETURN_IF_ERROR(Search());
      const size_t before = pairs.size();
      for (const Pair pair : first_pairs_) {
        if (pair == kNoPair) continue;
        if (groups_.Join(BasinOf(PassOf(pair)), BasinOf(OtherOf(pair)))) {
          pairs.push_back(pair);
        }
      }
      if (pairs.size() == before) break;
      UpdateLabels();
    }
    return pairs;
  }

 private:
  int32_t num_points() const { return static_cast<int32_t>(found_.size()); }
  // Points with nothing within d_c are in no pair: no rank is from here on.
  int32_t no_rank() const { return no_rank_; }
  int32_t BasinOf(int32_t rank) const {
    return basins_.basins[ranks_.order[rank]];
  }

  // Whether found_[i] is the highest rank of another group near i now.
  bool IsPair(int32_t i) const {
    return is_exact_[i] != 0 && found_[i] < no_rank() &&
           labels_[ranks_.order[found_[i]]] != labels_[i];
  }

  void Take(int32_t i) {
    internal::Lower(MakePair(ranks_.ranks[i], found_[i]),
                    &first_pairs_[labels_[i]]);
  }

  // Pairs of earlier rounds bound the searches of this one.
  void TakeFound() {
    const int64_t count = static_cast<int64_t>(active_.size());
#pragma omp parallel for num_threads(num_threads_) schedule(static)
    for (int64_t a = 0; a < count; ++a) {
      if (IsPair(active_[a])) Take(active_[a]);
    }
  }

  absl::Status Search() {
    const int64_t count = static_cast<int64_t>(active_.size());
    const int32_t n = num_points();
#pragma omp parallel for num_threads(num_threads_) schedule(static)
    for (int32_t i = 0; i < n; ++i) bounds_[i] = best_[i] = 0;
    bool any = false;
#pragma omp parallel for num_threads(num_threads_) schedule(static) \
    reduction(||                                                    \
              : any)
    for (int64_t a = 0; a < count; ++a) {
      const int32_t i = active_[a];
      if (IsPair(i)) continue;
      // A pair of this point has a pass of at least both ranks.
      const int32_t pass = std::max(ranks_.ranks[i], found_[i]);
      const int32_t bound = BoundOf(i);
      if (pass >= bound) continue;
      bounds_[i] = best_[i] = bound;
      any = true;
    }
    if (!any) return absl::OkStatus();
    RETURN_IF_ERROR(search_(ranks_.ranks, labels_, absl::MakeSpan(best_)));
    // All bounds were read before the first pair is taken.
#pragma omp parallel for num_threads(num_threads_) schedule(static)
    for (int64_t a = 0; a < count; ++a) {
      const int32_t i = active_[a];
      if (bounds_[i] == 0) continue;
      found_[i] = best_[i];
      is_exact_[i] = best_[i] < bounds_[i] || bounds_[i] == no_rank() ? 1 : 0;
      if (IsPair(i)) Take(i);
    }
    return absl::OkStatus();
  }

  // Only ranks below this can make a pair that its group has not surpassed.
  int32_t BoundOf(int32_t i) const {
    const Pair first = first_pairs_[labels_[i]];
    return first == kNoPair ? no_rank() : PassOf(first) + 1;
  }

  void UpdateLabels() {
    std::vector<int32_t> roots(basins_.candidates.size());
    for (size_t basin = 0; basin < roots.size(); ++basin) {
      roots[basin] = groups_.Root(static_cast<int32_t>(basin));
    }
    const int32_t n = num_points();
#pragma omp parallel for num_threads(num_threads_) schedule(static)
    for (int32_t i = 0; i < n; ++i) labels_[i] = roots[basins_.basins[i]];
    // Points near no other group never make a pair; found ranks of other points
    // that are of the same group now are lower bounds.
    KeepWhere(
        num_threads_,
        [&](int32_t i) { return is_exact_[i] == 0 || found_[i] != no_rank(); },
        &active_);
  }

  const Basins& basins_;
  const DensityRanks& ranks_;
  const OtherLabelSearch& search_;
  const int num_threads_;
  internal::BasinGroups groups_;
  // By point: the root of its group.
  std::vector<int32_t> labels_;
  // By point: the highest rank of another group within d_c, or no_rank()
  // without one.
  // Where it is not exact, it is a bound: the rank is not higher.
  std::vector<int32_t> found_;
  std::vector<uint8_t> is_exact_;
  // Of the last search, by point: the ranks below which it searched, 0 where it
  // did not; and what it found.
  std::vector<int32_t> bounds_;
  std::vector<int32_t> best_;
  // The points that may make a pair. At first all with a density above 0, whose
  // ranks come first.
  std::vector<int32_t> active_;
  int32_t no_rank_ = 0;
  // By root: the first pair of its group with another.
  std::vector<Pair> first_pairs_;
};

// Keeps those of the pairs, which are sorted, that join basins, and sets
// `forest` to them.
void KeepJoining(const DensityRanks& ranks, const Basins& basins,
                 std::vector<Pair>* pairs, LabelForest* forest) {
  forest->Separate();
  size_t kept = 0;
  for (const Pair pair : *pairs) {
    const int32_t pass = PassOf(pair);
    if (forest->Join(basins.basins[ranks.order[pass]],
                     basins.basins[ranks.order[OtherOf(pair)]], pass)) {
      (*pairs)[kept++] = pair;
    }
  }
  pairs->resize(kept);
}

// The same pairs by a search for pairs that join. Labels are basins. `pairs`
// are any within the radius.
//
// A pair is not needed if better ones join the basins of its points. What one
// search finds makes most pairs of the next one superfluous, so the first ones
// are for few points. With many basins most are single points far from
// others: there are few pairs, and one search finds all.
absl::StatusOr<std::vector<Pair>> FindJoiningPairs(JoiningPairSearch& search,
                                                   const DensityRanks& ranks,
                                                   const Basins& basins,
                                                   std::vector<Pair> pairs) {
  constexpr size_t kPointsPerBasin = 32;
  const int first_part =
      basins.candidates.size() * kPointsPerBasin < basins.basins.size() ? 3 : 0;
  LabelForest forest(static_cast<int32_t>(basins.candidates.size()));
  std::sort(pairs.begin(), pairs.end());
  KeepJoining(ranks, basins, &pairs, &forest);
  for (int part = first_part; part >= 0; --part) {
    std::vector<RankPair> found;
    RETURN_IF_ERROR(search.Search(forest, part,
                                  /*without_next=*/part < first_part, &found));
    const size_t before = pairs.size();
    for (const RankPair& pair : found) {
      pairs.push_back(MakePair(pair.rank, pair.other_rank));
    }
    std::sort(pairs.begin() + before, pairs.end());
    std::inplace_merge(pairs.begin(), pairs.begin() + before, pairs.end());
    KeepJoining(ranks, basins, &pairs, &forest);
  }
  return pairs;
}

// The candidates and their basins, without saddles.
Basins BasinsOfCandidates(const std::vector<uint8_t>& is_candidate,
                          const std::vector<int32_t>& dependents,
                          const DensityRanks& ranks, int num_threads) {
  const auto n = static_cast<int32_t>(is_candidate.size());
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  Basins result;
  internal::SetCandidateBasins(is_candidate, dependents, ranks, num_threads,
                               &result.candidates, &result.basins);
  const auto count = static_cast<int32_t>(result.candidates.size());
  ResizeVector(count, threads, &result.neighbors);
  ResizeVector(count, threads, &result.saddles);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t candidate = 0; candidate < count; ++candidate) {
    const int32_t dependent = dependents[result.candidates[candidate]];
    result.neighbors[candidate] = dependent < 0 ? -1 : result.basins[dependent];
  }
  return result;
}

// `pairs` are those that join groups, in their order.
void JoinBasinsByRanks(const std::vector<Pair>& pairs,
                       const std::vector<int32_t>& densities,
                       const DensityRanks& ranks, Basins* basins) {
  std::vector<internal::BasinPair> joins;
  joins.reserve(pairs.size());
  for (const Pair pair : pairs) {
    const int32_t pass = ranks.order[PassOf(pair)];
    joins.push_back({densities[pass], basins->basins[pass],
                     basins->basins[ranks.order[OtherOf(pair)]]});
  }
  internal::JoinBasins(joins, basins);
}

std::vector<uint8_t> CandidatesOf(const DecisionGraph& graph, int num_threads) {
  const int32_t n = graph.num_points();
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads);
  std::vector<uint8_t> is_candidate;
  ResizeVector(n, threads, &is_candidate);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) {
    is_candidate[i] = internal::IsCandidate(graph, i) ? 1 : 0;
  }
  return is_candidate;
}

}  // namespace

absl::StatusOr<Basins> FindBasins(const DecisionGraph& graph,
                                  const DensityRanks& ranks,
                                  const OtherLabelSearch& search,
                                  int num_threads) {
  return FindBasinsOf(CandidatesOf(graph, num_threads), graph.dependent_points,
                      graph.densities, ranks, search, num_threads);
}

absl::StatusOr<Basins> FindBasins(const DecisionGraph& graph,
                                  const DensityRanks& ranks,
                                  const NeighborIndex& index, double radius_key,
                                  int num_threads, JoinedPairs* joined,
                                  absl::Span<const int32_t> slot_ranks) {
  Basins result =
      BasinsOfCandidates(CandidatesOf(graph, num_threads),
                         graph.dependent_points, ranks, num_threads);
  // By density k: the points above it. Densities fall with rank.
  int32_t num_above[kFewNeighbors + 1];
  for (int32_t k = 0; k <= kFewNeighbors; ++k) {
    num_above[k] = static_cast<int32_t>(
        std::partition_point(
            ranks.order.begin(), ranks.order.end(),
            [&](int32_t point) { return graph.densities[point] > k; }) -
        ranks.order.begin());
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<JoiningPairSearch> search,
                   index.JoiningPairs(radius_key, ranks.ranks, slot_ranks,
                                      result.basins, num_above));
  if (search == nullptr) {
    return FindBasins(
        graph, ranks,
        [&](absl::Span<const int32_t> of_ranks,
            absl::Span<const int32_t> labels, absl::Span<int32_t> best) {
          return index.HighestRankOfOtherLabel(radius_key, of_ranks, labels,
                                               best);
        },
        num_threads);
  }
  std::vector<Pair> known;
  if (joined != nullptr && joined->radius_key <= radius_key) {
    for (const auto& [point, other] : joined->pairs) {
      known.push_back(MakePair(ranks.ranks[point], ranks.ranks[other]));
    }
  }
  ASSIGN_OR_RETURN(const std::vector<Pair> pairs,
                   FindJoiningPairs(*search, ranks, result, std::move(known)));
  if (joined != nullptr) {
    joined->radius_key = radius_key;
    joined->pairs.clear();
    for (const Pair pair : pairs) {
      joined->pairs.emplace_back(ranks.order[PassOf(pair)],
                                 ranks.order[OtherOf(pair)]);
    }
  }
  JoinBasinsByRanks(pairs, graph.densities, ranks, &result);
  return result;
}

absl::StatusOr<Basins> FindBasinsOf(const std::vector<uint8_t>& is_candidate,
                                    const std::vector<int32_t>& dependents,
                                    const std::vector<int32_t>& densities,
                                    const DensityRanks& ranks,
                                    const OtherLabelSearch& search,
                                    int num_threads) {
  Basins result =
      BasinsOfCandidates(is_candidate, dependents, ranks, num_threads);
  const bool is_small = result.basins.size() < kLeastThreaded;
  PairFinder finder(densities, result, ranks, search,
                    is_small ? 1 : ResolveThreads(num_threads));
  ASSIGN_OR_RETURN(std::vector<Pair> pairs, finder.Find());
  std::sort(pairs.begin(), pairs.end());
  JoinBasinsByRanks(pairs, densities, ranks, &result);
  return result;
}

void internal::JoinBasins(absl::Span<const BasinPair> pairs, Basins* basins) {
  BasinGroups groups(static_cast<int32_t>(basins->candidates.size()));
  for (const BasinPair& pair : pairs) {
    int32_t ends = pair.pass;
    int32_t neighbor = pair.other;
    if (groups.Root(ends) < groups.Root(neighbor)) std::swap(ends, neighbor);
    const int32_t candidate = groups.Root(ends);
    basins->saddles[candidate] = pair.density;
    basins->neighbors[candidate] = neighbor;
    groups.Join(ends, neighbor);
  }
}

}  // namespace warpclust
