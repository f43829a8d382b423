// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AnnealingArms: which starts and temperatures the chains of a round get.
// Social networks want a descent's result and hot chains, region graphs with
// real weights want greedy joins and cold ones; nothing says so beforehand, so
// the first rounds try all and later ones give most chains to what did best.
//
// Thread-safety: one thread. Determinism: a function of what was learnt.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_START_PORTFOLIO_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_START_PORTFOLIO_H_

#include <cstdint>
#include <vector>

namespace warpclust {

enum class AnnealingStart {
  kSingle,    // single vertices
  kDescent,   // one-opt descent from single vertices, joins
  kGreedy,    // randomised greedy joins of single vertices
  kFixation,  // the same with greedy fixation
  kElite,     // the best partitions so far
};

// Noise of kGreedy and kFixation, see greedy_joins.h.
inline constexpr int kGreedyNoise = 307;

struct AnnealingArm {
  AnnealingStart start;
  // In mean magnitudes of a weight; times the root of the mean degree if
  // `by_degree`.
  double first_temperature;
  double last_temperature;
  bool by_degree = false;
};

class AnnealingArms {
 public:
  AnnealingArms();

  const AnnealingArm& arm(int index) const { return arms_[index]; }
  // The arms of the chains of round `round`.
  std::vector<int> Choose(int64_t round, int64_t num_chains) const;
  // A chain of that arm came to this imbalance.
  void Learn(int index, int64_t imbalance);

 private:
  std::vector<AnnealingArm> arms_;
  std::vector<int64_t> best_;  // by arm
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_START_PORTFOLIO_H_
