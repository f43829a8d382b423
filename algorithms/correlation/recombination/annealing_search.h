// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// AnnealingSearch: searches a reduced graph, or the core of one, by rounds of
// annealing chains and their recombination. All ranks make the same calls and
// have the same elite after each round.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ANNEALING_SEARCH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ANNEALING_SEARCH_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/chain_starts.h"
#include "algorithms/correlation/recombination/elite.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/recombination/regions.h"
#include "algorithms/correlation/recombination/round_planner.h"
#include "algorithms/correlation/recombination/search_context.h"
#include "algorithms/correlation/recombination/start_portfolio.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust {

class AnnealingSearch {
 public:
  // `start` is a partition to start from, in [0, n), or empty. `start_is_good`:
  // it is the initial partition that the caller of the method gave. `step` is
  // for the steps before the first chain.
  AnnealingSearch(const SearchContext& context, Labels start,
                  bool start_is_good, const CorrelationOptions& options,
                  const StepOptions& step);

  // Call it once. Errors of the device and the communicator.
  absl::Status Run();

  // After Run. The best partitions, all different, the best first.
  const std::vector<Candidate>& elite() const { return elite_.candidates(); }
  const Candidate& best() const { return elite_.best(); }
  // No partition costs less.
  bool optimal() const {
    return best().imbalance == context_.graph.constant_cost;
  }
  // The caller or the clock stopped the run, or the clock shortened a round.
  bool stopped() const { return stopped_ || planner_.shortened(); }
  int64_t starts() const { return starts_; }

 private:
  // Returns false if there is no time for another round.
  absl::StatusOr<bool> Round(int64_t r);
  // Runs the chains and polishes the results. After a stop the candidates are
  // empty.
  absl::StatusOr<std::vector<Candidate>> Anneal(const RoundChains& round,
                                                uint64_t round_key);
  // `strategy` is the best one of this round.
  absl::Status RecombineAll(const ChainStrategy& strategy, int32_t sweeps,
                            uint64_t round_key,
                            std::vector<Candidate>* candidates);
  // The core of the graph (core.h), if it is much smaller, else without
  // vertices, as after a stop.
  absl::StatusOr<ReducedGraph> CoreOf(const Labels& agreed);
  // Improves the first partition, made from an initial one, region by region in
  // the core of its clusters. If the initial one is good, what it lacks is
  // mostly of that kind, and no chain through the graph finds it as soon.
  absl::Status ImproveInitial();
  // Of all steps that improve region by region.
  RegionOptions OptionsOfRegions(uint64_t key) const;
  // Replaces the candidates by the best of them and the elite, improved region
  // by region.
  absl::Status ImproveBest(uint64_t key, std::vector<Candidate>* candidates);
  // Searches the core of the candidates, if it is much smaller than the graph,
  // and replaces them by the best of all. Returns whether it did.
  absl::StatusOr<bool> SearchCore(uint64_t seed,
                                  std::vector<Candidate>* candidates);
  // The mean magnitude of a weight; plan_.mean_weight, once there is a plan.
  double MeanWeight() const;
  // The unit of the temperatures of a strategy.
  double Scale(const ChainStrategy& strategy) const;

  const SearchContext context_;
  const Labels start_;
  const bool start_is_good_;
  const CorrelationOptions& options_;
  const StepOptions step_;
  AnnealingPlan plan_;  // Made after the steps before the first chain.
  StartPortfolio portfolio_;
  RoundPlanner planner_;
  ChainStarts chain_starts_;
  Elite elite_;
  // The best partition of each of the last searches of a core, oldest first.
  std::vector<Candidate> found_;
  int64_t without_improvement_ = 0;  // Rounds in a row.
  int64_t starts_ = 0;
  bool stopped_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_ANNEALING_SEARCH_H_
