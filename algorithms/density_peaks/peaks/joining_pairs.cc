// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/joining_pairs.h"

#include <algorithm>
#include <cstddef>

#include "base/status/status_macros.h"
#include "vptree/points/label_forest.h"

namespace warpclust {
namespace internal {
namespace {

// Keeps those of the pairs, which are sorted, that join basins, and sets
// `forest` to them.
void KeepJoining(const DensityRanks& ranks, absl::Span<const int32_t> basins,
                 std::vector<PairOfRanks>* pairs, LabelForest* forest) {
  forest->Separate();
  size_t kept = 0;
  for (const PairOfRanks pair : *pairs) {
    const int32_t pass = PassOf(pair);
    if (forest->Join(basins[ranks.order[pass]],
                     basins[ranks.order[OtherOf(pair)]], pass)) {
      (*pairs)[kept++] = pair;
    }
  }
  pairs->resize(kept);
}

// The number of different basins; with ranks, other points may have others.
int64_t CountBasins(absl::Span<const int32_t> basins, int32_t num_basins) {
  std::vector<uint8_t> has(num_basins);
  for (const int32_t basin : basins) has[basin] = 1;
  return std::count(has.begin(), has.end(), 1);
}

}  // namespace

// A pair is not needed if better ones join the basins of its points. What one
// search finds makes most pairs of the next one superfluous, so the first ones
// are for few points. With many basins most are single points far from
// others: there are few pairs, and one search finds all.
absl::StatusOr<std::vector<PairOfRanks>> FindJoiningPairs(
    JoiningPairSearch& search, const DensityRanks& ranks,
    absl::Span<const int32_t> basins, int32_t num_basins,
    std::vector<PairOfRanks> pairs) {
  constexpr int64_t kPointsPerBasin = 32;
  const auto are_few = [&](int64_t count) {
    return count * kPointsPerBasin < static_cast<int64_t>(basins.size());
  };
  const int first_part =
      are_few(num_basins) || are_few(CountBasins(basins, num_basins)) ? 3 : 0;
  LabelForest forest(num_basins);
  std::sort(pairs.begin(), pairs.end());
  KeepJoining(ranks, basins, &pairs, &forest);
  for (int part = first_part; part >= 0; --part) {
    std::vector<RankPair> found;
    RETURN_IF_ERROR(search.Search(forest, part,
                                  /*without_next=*/part < first_part, &found));
    const size_t before = pairs.size();
    for (const RankPair& pair : found) {
      pairs.push_back(MakePairOfRanks(pair.rank, pair.other_rank));
    }
    std::sort(pairs.begin() + before, pairs.end());
    std::inplace_merge(pairs.begin(), pairs.begin() + before, pairs.end());
    KeepJoining(ranks, basins, &pairs, &forest);
  }
  return pairs;
}

}  // namespace internal
}  // namespace warpclust
