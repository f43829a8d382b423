// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/chain_starts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/contraction/greedy_joins.h"
#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/shared_candidates.h"
#include "algorithms/correlation/recombination/simple_partitions.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::Status ChainStarts::MakeFirst(const Labels& start, bool start_is_good,
                                    const StepOptions& step, Elite* elite) {
  if (start.empty()) {
    first_ = SingleVertices(context_.graph);
  } else {
    first_ = {start, Imbalance(context_.graph, start, context_.threads)};
  }
  first_.imbalance += Polish(context_.graph, &first_.labels, step);
  // A good initial partition is close to the best now. What it lacks, regions
  // find sooner than chains of moves.
  context_.control.Report(first_.imbalance);
  if (!start_is_good) {
    PolishBordersOfSparse(context_, step, &first_);
  }
  ASSIGN_OR_RETURN(const bool stop,
                   AgreeAfterStop(context_.ranks, context_.control, &first_));
  elite->Add(first_);
  Candidate components;
  components.labels = PositiveComponents(
      context_.graph, {/*control=*/nullptr, context_.threads});
  // The graph lacks negative edges between components.
  components.imbalance =
      context_.graph.constant_cost + context_.graph.negative_weight;
  if (stop) {
    // The descent may have been cut short. No cluster spans components.
    Candidate almost_one;
    almost_one.labels = AlmostOneCluster(context_.graph, context_.threads);
    Intersect(components.labels, &almost_one.labels);
    almost_one.imbalance =
        Imbalance(context_.graph, almost_one.labels, context_.threads);
    elite->Add(std::move(almost_one));
  }
  elite->Add(std::move(components));
  return absl::OkStatus();
}

absl::Status ChainStarts::MakeGreedy(const StartPortfolio& portfolio,
                                     const std::vector<int>& strategies) {
  std::vector<std::pair<bool, int>> missing;  // fixation, variant
  for (size_t i = 0; i < strategies.size(); ++i) {
    const ChainStart start = portfolio.strategy(strategies[i]).start;
    const bool fixation = start == ChainStart::kFixation;
    if (!fixation && start != ChainStart::kGreedy) continue;
    const std::pair<bool, int> wanted = {fixation,
                                         static_cast<int>(i % kNumGreedy)};
    if (greedy_[wanted.first][wanted.second].labels.empty() &&
        std::count(missing.begin(), missing.end(), wanted) == 0) {
      missing.push_back(wanted);
    }
  }
  if (missing.empty()) return absl::OkStatus();
  const ItemRange mine =
      ItemsOfRank(context_.ranks, static_cast<int64_t>(missing.size()));
  std::vector<Candidate> made(mine.size());
#pragma omp parallel for num_threads(context_.threads) schedule(dynamic, 1)
  for (int64_t i = mine.begin; i < mine.end; ++i) {
    const auto [fixation, variant] = missing[i];
    GreedyJoinsOptions greedy;
    greedy.noise = kGreedyNoise;
    greedy.fixation = fixation;
    greedy.seed = internal::MixBits(context_.seed + variant);
    Candidate& candidate = made[i - mine.begin];
    candidate = SingleVertices(context_.graph);
    StepOptions step = context_.step();
    step.num_threads = 1;
    candidate.imbalance +=
        GreedyJoins(context_.graph, greedy, &candidate.labels, step);
    PolishSparse(context_, step, &candidate);
  }
  ASSIGN_OR_RETURN(made, GatherCandidates(context_.ranks, std::move(made)));
  for (size_t i = 0; i < missing.size(); ++i) {
    const auto [fixation, variant] = missing[i];
    greedy_[fixation][variant] = std::move(made[i]);
  }
  return absl::OkStatus();
}

Candidate ChainStarts::StartOf(const ChainStrategy& strategy, int64_t index,
                               const Elite& elite) const {
  switch (strategy.start) {
    case ChainStart::kSingle:
      break;
    case ChainStart::kDescent:
      return first_;
    case ChainStart::kElite:
      return elite.candidates()[index % elite.candidates().size()];
    case ChainStart::kGreedy:
      return greedy_[false][index % kNumGreedy];
    case ChainStart::kFixation:
      return greedy_[true][index % kNumGreedy];
  }
  return SingleVertices(context_.graph);
}

}  // namespace warpclust
