// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/start_portfolio.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

namespace warpclust {
namespace {

// The first rounds, of 1, 4 and 16 chains, try all strategies.
constexpr int kFirstStrategies[] = {
    0,                                               // round 0
    1, 2, 4, 0,                                      // round 1
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 4, 0, 2,  // round 2
};
constexpr int kFirstFromInitial[] = {
    5,                                               // round 0
    6, 5, 9, 5,                                      // round 1
    5, 6, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 6, 9,  // round 2
};
constexpr size_t kFirstOfRound[] = {0, 1, 5};
constexpr int64_t kFirstRounds = 3;
// Later, chain i gets the strategy of rank kRanks[i % 8]; every eighth chain
// takes turns with the better half. Not with all: the hottest chains take many
// times as long as others, and on a GPU the whole round waits for them.
constexpr size_t kRanks[] = {0, 1, 0, 2, 0, 1, 3};
constexpr int64_t kPeriod = 8;
// Or one chain of this many gets the best strategy, and the others explore:
// from single vertices, so hot that they end far apart.
constexpr int64_t kExploringPeriod = 4;
constexpr int kExploring = 10;

constexpr ChainStrategy kStrategies[] = {
    {ChainStart::kSingle, 1, 0.15},
    {ChainStart::kSingle, 0.2, 0.03, TemperatureUnit::kRootOfDegree},
    {ChainStart::kSingle, 0.8, 0.4},
    {ChainStart::kGreedy, 0.1, 0.02},
    {ChainStart::kSingle, 0.5, 0.25},
    {ChainStart::kElite, 0.5, 0.15},
    {ChainStart::kDescent, 0.7, 0.15},
    {ChainStart::kFixation, 0.1, 0.02},
    {ChainStart::kGreedy, 0.5, 0.15},
    {ChainStart::kElite, 1, 0.25},
    {ChainStart::kSingle, 3, 0.3},
    {ChainStart::kSingle, 0.2, 0.05, TemperatureUnit::kRootOfPositiveDegree},
    {ChainStart::kElite, 0.12, 0.05, TemperatureUnit::kRootOfPositiveDegree},
};
static_assert(kPopulationStrategy == std::size(kStrategies) - 2);
static_assert(kElitePopulationStrategy == std::size(kStrategies) - 1);
static_assert(kStrategies[kElitePopulationStrategy].start ==
              ChainStart::kElite);

}  // namespace

StartPortfolio::StartPortfolio(bool has_initial, bool explores)
    : has_initial_(has_initial),
      explores_(explores),
      strategies_(std::begin(kStrategies), std::end(kStrategies)),
      best_(strategies_.size(), std::numeric_limits<int64_t>::max()) {}

std::vector<int> StartPortfolio::Choose(int64_t round,
                                        int64_t num_chains) const {
  std::vector<int> chosen(num_chains);
  if (round < kFirstRounds) {
    const int* const first =
        (has_initial_ ? kFirstFromInitial : kFirstStrategies) +
        kFirstOfRound[round];
    for (int64_t i = 0; i < num_chains; ++i) chosen[i] = first[i];
    return chosen;
  }
  std::vector<int> ranked(kPopulationStrategy);  // all before it
  std::iota(ranked.begin(), ranked.end(), 0);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](int a, int b) { return best_[a] < best_[b]; });
  const auto better_half = static_cast<int64_t>(ranked.size() / 2);
  if (explores_) {
    for (int64_t i = 0; i < num_chains; ++i) {
      chosen[i] = i % kExploringPeriod == 0 ? ranked[0] : kExploring;
    }
    return chosen;
  }
  for (int64_t i = 0; i < num_chains; ++i) {
    chosen[i] =
        ranked[i % kPeriod == kPeriod - 1 ? (round + i / kPeriod) % better_half
                                          : kRanks[i % kPeriod]];
  }
  return chosen;
}

void StartPortfolio::Learn(int index, int64_t imbalance) {
  best_[index] = std::min(best_[index], imbalance);
}

}  // namespace warpclust
