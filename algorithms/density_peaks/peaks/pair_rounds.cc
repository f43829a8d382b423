// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/pair_rounds.h"

#include <algorithm>
#include <cstddef>

#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

using internal::BasinGroups;
using internal::BasinPair;

// The pass first: smaller numbers come first.
using Pair = unsigned __int128;
constexpr Pair kNoPair = ~Pair{0};

PointStanding PassOf(Pair pair) {
  return static_cast<PointStanding>(pair >> 64);
}
PointStanding OtherOf(Pair pair) { return static_cast<PointStanding>(pair); }

class PairFinder {
 public:
  PairFinder(PairRounds& rounds, int32_t num_basins, Communicator& ranks,
             absl::FunctionRef<absl::Status(int64_t)> search_others)
      : rounds_(rounds),
        ranks_(ranks),
        search_others_(search_others),
        passes_(num_basins),
        others_(num_basins),
        basins_(num_basins) {}

  absl::StatusOr<std::vector<BasinPair>> Find() {
    struct JoiningPair {
      Pair pair;
      BasinPair basins;
    };
    const auto num_basins = static_cast<int32_t>(passes_.size());
    BasinGroups groups(num_basins);
    std::vector<int32_t> roots(num_basins);
    std::vector<JoiningPair> pairs;
    for (bool knows_pairs = false; num_basins > 1; knows_pairs = true) {
      Stopwatch stopwatch;
      RETURN_IF_ERROR(FindFirst(knows_pairs));
      const size_t before = pairs.size();
      for (int32_t g = 0; g < num_basins; ++g) {
        if (first_[g] == kNoPair) continue;
        const auto pass = static_cast<int32_t>(basins_[g] >> 32);
        const auto other = static_cast<int32_t>(basins_[g] & 0xffffffffu);
        if (!groups.Join(pass, other)) continue;
        pairs.push_back(
            {first_[g], {DensityOf(PassOf(first_[g])), pass, other}});
      }
      if (pairs.size() == before) break;
      for (int32_t b = 0; b < num_basins; ++b) roots[b] = groups.Root(b);
      RETURN_IF_ERROR(rounds_.SetGroups(roots));
      stopwatch.Lap("round of saddles");
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const JoiningPair& a, const JoiningPair& b) {
                return a.pair < b.pair;
              });
    std::vector<BasinPair> joins;
    joins.reserve(pairs.size());
    for (const JoiningPair& pair : pairs) joins.push_back(pair.basins);
    return joins;
  }

 private:
  // Sets first_ and basins_, by group.
  absl::Status FindFirst(bool knows_pairs) {
    first_.assign(passes_.size(), kNoPair);
    // Pairs of earlier rounds bound the searches of this one.
    if (knows_pairs) RETURN_IF_ERROR(TakePairs());
    RETURN_IF_ERROR(Search());
    RETURN_IF_ERROR(TakePairs());
    for (size_t g = 0; g < first_.size(); ++g) {
      passes_[g] = PassOf(first_[g]);
      others_[g] = OtherOf(first_[g]);
    }
    RETURN_IF_ERROR(
        rounds_.PairBasins(passes_, others_, absl::MakeSpan(basins_)));
    return ranks_.AllReduce(Reduction::kMin, absl::MakeSpan(basins_));
  }

  // Lowers first_ by the pairs that all ranks know.
  absl::Status TakePairs() {
    RETURN_IF_ERROR(
        rounds_.FirstPairs(absl::MakeSpan(passes_), absl::MakeSpan(others_)));
    for (size_t g = 0; g < first_.size(); ++g) {
      first_[g] = std::min(first_[g], Pair{passes_[g]} << 64 | others_[g]);
    }
    return ranks_.AllReduce(Reduction::kMin, absl::MakeSpan(first_));
  }

  absl::Status Search() {
    // Only points of higher rank than this can make a pair that a group has not
    // surpassed.
    for (size_t g = 0; g < first_.size(); ++g) {
      passes_[g] = first_[g] == kNoPair ? kNoStanding : PassOf(first_[g]) + 1;
    }
    ASSIGN_OR_RETURN(const int64_t searching, rounds_.BeginSearch(passes_));
    ASSIGN_OR_RETURN(const int64_t of_all,
                     ranks_.AllReduce(Reduction::kSum, searching));
    if (of_all == 0) return absl::OkStatus();
    RETURN_IF_ERROR(rounds_.SearchOwn());
    RETURN_IF_ERROR(search_others_(of_all));
    return rounds_.EndSearch();
  }

  PairRounds& rounds_;
  Communicator& ranks_;
  const absl::FunctionRef<absl::Status(int64_t)> search_others_;
  // By group: the first pair with another.
  std::vector<Pair> first_;
  // To and from rounds_.
  std::vector<PointStanding> passes_;
  std::vector<PointStanding> others_;
  std::vector<uint64_t> basins_;
};

}  // namespace

absl::StatusOr<std::vector<internal::BasinPair>> FindPairsInRounds(
    PairRounds& rounds, int32_t num_basins, Communicator& ranks,
    absl::FunctionRef<absl::Status(int64_t searching)> search_others) {
  return PairFinder(rounds, num_basins, ranks, search_others).Find();
}

}  // namespace warpclust
