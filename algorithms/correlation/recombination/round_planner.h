// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RoundPlanner: decides how many chains a round has and how many sweeps each
// makes, by the kind of graph, the results of earlier rounds and the time left.
// All ranks plan the same rounds; a time limit counts by the clock of rank 0.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ROUND_PLANNER_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ROUND_PLANNER_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/recombination/search_context.h"
#include "algorithms/correlation/recombination/start_portfolio.h"

namespace warpclust {

// The search of a core starts with this round and repeats its chains, which
// have all starts and temperatures.
inline constexpr int64_t kFirstCoreRound = 2;

struct RoundSize {
  int64_t num_chains = 0;
  int32_t sweeps = 0;     // 0: there is no time for the round.
  int32_t shortened = 0;  // 1: the clock shortened this round or one before.
};

// The chains of a round, which all make the same number of sweeps.
struct RoundChains {
  std::vector<int> strategies;  // by chain
  int32_t sweeps = 0;
  // The chains are in populations of this size. Survivors (survivor.h) replace
  // the members between two of num_segments segments of the sweeps.
  int64_t population_size = 1;
  int32_t num_segments = 1;
};

class RoundPlanner {
 public:
  // `plan` must outlive this object. It must be filled before the first round.
  RoundPlanner(const SearchContext& context, const AnnealingPlan& plan)
      : context_(context), plan_(plan) {}

  // The size of round r; all ranks call it, once per round.
  absl::StatusOr<RoundSize> SizeOf(int64_t r);
  // The chains of round r, which has this size. `reheats_elite`: one of several
  // populations starts from the elite.
  RoundChains ChainsOf(int64_t r, const RoundSize& size,
                       const StartPortfolio& portfolio,
                       bool reheats_elite) const;

  // The chains of a round of this size took this many seconds.
  void RecordTime(const RoundSize& size, double seconds);
  // The least imbalance that populations reached, except from the elite.
  void RecordBest(int64_t best) {
    best_of_length_ = std::min(best_of_length_, best);
  }
  // Whether the core of the last round was worth a search.
  void set_has_core(bool has_core) { has_core_ = has_core; }

  // Whether the clock shortened a round, here or in the search of a core.
  bool shortened() const { return shortened_; }
  void set_shortened() { shortened_ = true; }

 private:
  int64_t MostChains() const;
  int64_t ChainsAtOnce() const;
  int64_t WantedSweeps(int64_t r) const;
  int32_t SweepsOf(int64_t r, int64_t num_chains);
  int64_t ChainsInTime(int64_t r) const;
  void LengthenIfItPays();

  const SearchContext context_;
  const AnnealingPlan& plan_;
  bool has_core_ = false;
  bool shortened_ = false;
  // In the last round, of one chain, or of all that run side by side.
  double seconds_per_sweep_ = 0;
  // Dense graphs: how often populations have made twice as many sweeps since
  // they started over.
  int64_t lengthenings_ = 0;
  // The least imbalance of the rounds of the present length, and of those of
  // the length before.
  int64_t best_of_length_ = std::numeric_limits<int64_t>::max();
  int64_t best_of_length_before_ = std::numeric_limits<int64_t>::max();
  // This is the second round of this length, since the first was no better.
  bool repeated_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ROUND_PLANNER_H_
