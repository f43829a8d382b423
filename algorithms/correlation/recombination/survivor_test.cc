// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/survivor.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/polish.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr int kTrials = 200000;

std::vector<Candidate> Population(const std::vector<int64_t>& imbalances) {
  std::vector<Candidate> candidates;
  for (const int64_t imbalance : imbalances) {
    candidates.push_back({Labels(), imbalance});
  }
  return candidates;
}

TEST(SurvivorTest, IsABetterMemberOfItsPopulationOrItself) {
  const std::vector<Candidate> candidates =
      Population({50, 40, 40, 90, 10, 10, 20, 0});
  for (uint64_t trial = 0; trial < 1000; ++trial) {
    for (int64_t i = 0; i < 8; ++i) {
      const int64_t survivor = Survivor(candidates, i, /*population_size=*/4, 1,
                                        0.5, internal::MixBits(8 * trial + i));
      ASSERT_EQ(survivor / 4, i / 4);
      if (survivor != i) {
        ASSERT_LT(candidates[survivor].imbalance, candidates[i].imbalance);
      }
    }
  }
}

TEST(SurvivorTest, TakesThePlaceWithTheProbabilityOfTheStep) {
  const std::vector<Candidate> candidates = Population({103, 100});
  const double b = 1 / 0.9 - 1 / 1.0;
  int64_t replaced = 0;
  for (uint64_t trial = 0; trial < kTrials; ++trial) {
    replaced +=
        Survivor(candidates, 0, 2, 1.0, 0.9, internal::MixBits(trial)) == 1;
  }
  // The other member is drawn in half of the trials.
  EXPECT_NEAR(static_cast<double>(replaced) / kTrials,
              0.5 * (1 - std::exp(-3 * b)), 0.003);
}

// Population annealing changes the shares in proportion to exp(-b I).
TEST(SurvivorTest, SmallStepsChangeSharesAsBoltzmannWeightsDo) {
  const std::vector<int64_t> imbalances = {0, 1, 2, 5};
  const std::vector<Candidate> candidates = Population(imbalances);
  const double b = 0.02;
  std::vector<double> share(4);
  for (uint64_t trial = 0; trial < kTrials; ++trial) {
    for (int64_t i = 0; i < 4; ++i) {
      // 1 / to - 1 / from = b.
      ++share[Survivor(candidates, i, 4, 1.0, 1 / (1 + b),
                       internal::MixBits(4 * trial + i))];
    }
  }
  std::vector<double> expected;
  for (const int64_t imbalance : imbalances) {
    expected.push_back(std::exp(-b * static_cast<double>(imbalance)));
  }
  const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(share[i] / (4.0 * kTrials), expected[i] / sum, 0.003) << i;
  }
}

}  // namespace
}  // namespace warpclust
