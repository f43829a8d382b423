// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Elite: the best partitions that a search has found, all different, the best
// first.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ELITE_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ELITE_H_

#include <cstddef>
#include <vector>

#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust {

// The most partitions of an elite.
inline constexpr size_t kNumElite = 4;

// Keeps the best `count` candidates; of equals, the first ones.
void KeepBest(size_t count, std::vector<Candidate>* candidates);

class Elite {
 public:
  // `control` gets a report of the best after each addition.
  explicit Elite(SearchControl& control) : control_(control) {}

  // Drops the candidate if it is in the elite already, and the last one if
  // there are more than kNumElite.
  void Add(Candidate candidate);

  // Only after the first addition.
  const Candidate& best() const { return candidates_.front(); }
  const std::vector<Candidate>& candidates() const { return candidates_; }

 private:
  SearchControl& control_;
  std::vector<Candidate> candidates_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ELITE_H_
