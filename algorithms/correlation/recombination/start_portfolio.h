// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StartPortfolio: which starts and temperatures the chains of a round get.
// Social networks want the result of a descent and hot chains, region graphs
// with real weights want greedy joins and cold ones. Nothing tells beforehand,
// so the first rounds try all strategies and later ones give chains to those
// that did best.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_START_PORTFOLIO_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_START_PORTFOLIO_H_

#include <cstdint>
#include <vector>

namespace warpclust {

enum class ChainStart {
  kSingle,    // single vertices
  kDescent,   // one-opt descent from single vertices, joins
  kGreedy,    // randomized greedy joins of single vertices
  kFixation,  // the same with greedy fixation
  kElite,     // the best partitions so far
};

// The noise of kGreedy and kFixation, see greedy_joins.h.
inline constexpr int kGreedyNoise = 307;

// What temperatures are proportional to: the mean magnitude of a weight, alone
// or times a root.
enum class TemperatureUnit {
  kWeight,
  kRootOfDegree,          // of the mean number of neighbors
  kRootOfPositiveDegree,  // of the mean number of positive neighbors
};

struct ChainStrategy {
  ChainStart start;
  double first_temperature;
  double last_temperature;
  TemperatureUnit unit = TemperatureUnit::kWeight;
};

// The strategies of populations (survivor.h), which Choose does not choose: the
// last two.
inline constexpr int kPopulationStrategy = 11;
inline constexpr int kElitePopulationStrategy = 12;

class StartPortfolio {
 public:
  // `has_initial`: the elite starts from a partition that is good already. Then
  // the first rounds mostly go on from the elite. `explores`: after the first
  // rounds, most chains look for partitions that differ instead of good ones.
  explicit StartPortfolio(bool has_initial = false, bool explores = false);

  const ChainStrategy& strategy(int index) const { return strategies_[index]; }
  // The strategies of the chains of round `round`, by index.
  std::vector<int> Choose(int64_t round, int64_t num_chains) const;
  // A chain of that strategy reached this imbalance.
  void Learn(int index, int64_t imbalance);

 private:
  const bool has_initial_;
  const bool explores_;
  std::vector<ChainStrategy> strategies_;
  std::vector<int64_t> best_;  // by strategy
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_START_PORTFOLIO_H_
