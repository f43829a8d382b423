// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/start_portfolio.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace warpclust {
namespace {

// The first rounds, of 1, 4 and 16 chains, try all arms.
constexpr int kFirstArms[] = {
    0,                                               // round 0
    1, 2, 4, 0,                                      // round 1
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 4, 0, 2,  // round 2
};
constexpr size_t kFirstArm[] = {0, 1, 5};  // of each round
constexpr int64_t kFirstRounds = 3;
// Later, chain i gets the arm of rank kRanks[i % 8]; the eighth one goes round
// the better half. Not round all: the hottest chains take many times as long as
// others, and on a GPU all of a round wait for them.
constexpr size_t kRanks[] = {0, 1, 0, 2, 0, 1, 3};
constexpr int64_t kPeriod = 8;

}  // namespace

AnnealingArms::AnnealingArms()
    : arms_{
          {AnnealingStart::kSingle, 1, 0.15},
          {AnnealingStart::kSingle, 0.2, 0.03, /*by_degree=*/true},
          {AnnealingStart::kSingle, 0.8, 0.4},
          {AnnealingStart::kGreedy, 0.1, 0.02},
          {AnnealingStart::kSingle, 0.5, 0.25},
          {AnnealingStart::kElite, 0.5, 0.15},
          {AnnealingStart::kDescent, 0.7, 0.15},
          {AnnealingStart::kFixation, 0.1, 0.02},
          {AnnealingStart::kGreedy, 0.5, 0.15},
          {AnnealingStart::kElite, 1, 0.25},
      },
      best_(arms_.size(), std::numeric_limits<int64_t>::max()) {}

std::vector<int> AnnealingArms::Choose(int64_t round,
                                       int64_t num_chains) const {
  std::vector<int> chosen(num_chains);
  if (round < kFirstRounds) {
    const int* const first = kFirstArms + kFirstArm[round];
    for (int64_t i = 0; i < num_chains; ++i) chosen[i] = first[i];
    return chosen;
  }
  std::vector<int> ranked(arms_.size());
  std::iota(ranked.begin(), ranked.end(), 0);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](int a, int b) { return best_[a] < best_[b]; });
  const auto better_half = static_cast<int64_t>(arms_.size() / 2);
  for (int64_t i = 0; i < num_chains; ++i) {
    chosen[i] =
        ranked[i % kPeriod == kPeriod - 1 ? (round + i / kPeriod) % better_half
                                          : kRanks[i % kPeriod]];
  }
  return chosen;
}

void AnnealingArms::Learn(int index, int64_t imbalance) {
  best_[index] = std::min(best_[index], imbalance);
}

}  // namespace warpclust
