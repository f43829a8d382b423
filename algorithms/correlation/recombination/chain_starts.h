// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ChainStarts: the partitions that the chains of a search start from. A first
// partition is made before all rounds; randomized greedy joins are made when a
// round first needs them, since they take longer than chains.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_CHAIN_STARTS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_CHAIN_STARTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/elite.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/recombination/search_context.h"
#include "algorithms/correlation/recombination/start_portfolio.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust {

class ChainStarts {
 public:
  explicit ChainStarts(const SearchContext& context) : context_(context) {}

  // Makes the first partition and adds it to the elite: descent and joins from
  // `start` or, if that is empty, from single vertices. Chains of moves follow,
  // except if the start is good (see Run of annealing_search.h). Also adds one
  // cluster per positive component, which is the optimum of many dense graphs
  // with few negative edges.
  absl::Status MakeFirst(const Labels& start, bool start_is_good,
                         const StepOptions& step, Elite* elite);

  // Makes the randomized greedy starts that chains with these strategies need
  // and that are missing. Index i is that of the chain in its round.
  absl::Status MakeGreedy(const StartPortfolio& portfolio,
                          const std::vector<int>& strategies);

  const Candidate& first() const { return first_; }
  // The partition with which chain `index` of a round begins.
  Candidate StartOf(const ChainStrategy& strategy, int64_t index,
                    const Elite& elite) const;

 private:
  // Randomized greedy starts of each kind.
  static constexpr int kNumGreedy = 2;

  const SearchContext context_;
  Candidate first_;
  Candidate greedy_[2][kNumGreedy];  // by fixation; empty until made
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_CHAIN_STARTS_H_
