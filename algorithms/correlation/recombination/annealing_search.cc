// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/annealing_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/recombination/core.h"
#include "algorithms/correlation/recombination/recombination.h"
#include "algorithms/correlation/recombination/shared_candidates.h"
#include "algorithms/correlation/recombination/simple_partitions.h"
#include "algorithms/correlation/recombination/survivor.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int64_t kDefaultRounds = 5;
constexpr int64_t kDefaultNoImprovement = 3;
// A chain of the recombination makes at most as many visits, and reads at most
// as many entries of rows, as 1 / kRecombiningShare of the sweeps of a chain of
// the round, or as kLeastRecombiningSweeps sweeps if these are more.
constexpr int32_t kRecombiningShare = 5;
constexpr int64_t kLeastRecombiningSweeps = 40;
// Its first temperature is that of the best strategy times one of these.
constexpr double kDenseHeat = 0.5;
constexpr double kSparseHeat = 2;
// A search of the core (core.h) pays if the core has at most 1 / kCoreShare of
// the entries of the graph. It ends after kCorePatience rounds without
// improvement.
constexpr size_t kCoreShare = 4;
constexpr int64_t kCorePatience = 1;
// The best partitions of the last kMostFound such searches are recombined with
// the elite.
constexpr size_t kMostFound = 16;
// Rounds in a row without improvement after which a search of the core also
// improves its best partitions by regions. That takes time, and rounds that
// still find something better are worth more.
constexpr int64_t kStagnation = 2;
// The number of best partitions that are improved by regions (regions.h), and
// of regions for each: what they lack often takes several steps in a row.
constexpr size_t kWalks = 8;
constexpr int64_t kRegionsOfWalk = 64;
// The temperatures there, in mean magnitudes of a weight: those of the first
// strategy (start_portfolio.h).
constexpr double kFirstRegionTemperature = 1;
constexpr double kLastRegionTemperature = 0.15;

// The members of a population come from few chains and differ little.
void KeepBestOfEach(int64_t population_size,
                    std::vector<Candidate>* candidates) {
  std::vector<Candidate> best;
  for (auto it = candidates->begin(); it != candidates->end();
       it += population_size) {
    best.push_back(
        std::move(*std::min_element(it, it + population_size, IsBetter)));
  }
  *candidates = std::move(best);
}

}  // namespace

AnnealingSearch::AnnealingSearch(const SearchContext& context, Labels start,
                                 bool start_is_good,
                                 const CorrelationOptions& options,
                                 const StepOptions& step)
    : context_(context),
      start_(std::move(start)),
      start_is_good_(start_is_good),
      options_(options),
      step_(step),
      portfolio_(/*has_initial=*/start_is_good,
                 /*explores=*/!context.prefers_table),
      planner_(context, plan_),
      chain_starts_(context),
      elite_(context.control) {}

absl::Status AnnealingSearch::Run() {
  RETURN_IF_ERROR(
      chain_starts_.MakeFirst(start_, start_is_good_, step_, &elite_));
  if (optimal()) return absl::OkStatus();
  if (start_is_good_) RETURN_IF_ERROR(ImproveInitial());
  plan_ = MakeAnnealingPlan(context_.graph, step_);
  ASSIGN_OR_RETURN(stopped_,
                   ShouldStopOnAnyRank(context_.ranks, context_.control));
  if (stopped_) return absl::OkStatus();
  const bool timed = context_.control.HasTimeLimit();
  const int64_t most = std::numeric_limits<int64_t>::max();
  const int64_t begin = context_.is_core ? kFirstCoreRound : 0;
  const int64_t end = context_.is_core          ? most
                      : options_.iterations > 0 ? options_.iterations
                      : timed                   ? most
                                                : kDefaultRounds;
  const int64_t patience = context_.is_core ? kCorePatience
                           : options_.no_improvement > 0
                               ? options_.no_improvement
                           : timed ? most
                                   : kDefaultNoImprovement;
  for (int64_t r = begin; r < end && without_improvement_ < patience; ++r) {
    if (optimal() || plan_.num_positions() == 0) break;
    const int64_t before = best().imbalance;
    ASSIGN_OR_RETURN(const bool had_time, Round(r));
    stopped_ = !had_time;
    if (had_time) {
      ASSIGN_OR_RETURN(stopped_,
                       ShouldStopOnAnyRank(context_.ranks, context_.control));
    }
    if (stopped_) break;
    without_improvement_ =
        best().imbalance < before ? 0 : without_improvement_ + 1;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> AnnealingSearch::Round(int64_t r) {
  ASSIGN_OR_RETURN(const RoundSize size, planner_.SizeOf(r));
  if (size.sweeps == 0) return false;
  const uint64_t round_key =
      internal::MixBits(context_.seed * 0x9E3779B97F4A7C15u + r + 1);
  // To heat the same elite again would gain little.
  const RoundChains chains =
      planner_.ChainsOf(r, size, portfolio_,
                        /*reheats_elite=*/without_improvement_ == 0);
  const std::vector<int>& strategies = chains.strategies;
  RETURN_IF_ERROR(chain_starts_.MakeGreedy(portfolio_, strategies));
  const double begin = context_.control.seconds();
  ASSIGN_OR_RETURN(std::vector<Candidate> candidates,
                   Anneal(chains, round_key));
  if (candidates.empty()) return true;
  planner_.RecordTime(size, context_.control.seconds() - begin);
  int best_strategy = strategies[0];
  int64_t best_imbalance = std::numeric_limits<int64_t>::max();
  int64_t best_of_fresh = best_imbalance;  // Not from the elite.
  for (size_t i = 0; i < strategies.size(); ++i) {
    const int64_t imbalance = candidates[i].imbalance;
    context_.control.Report(imbalance);
    portfolio_.Learn(strategies[i], imbalance);
    if (imbalance < best_imbalance) {
      best_imbalance = imbalance;
      best_strategy = strategies[i];
    }
    if (portfolio_.strategy(strategies[i]).start != ChainStart::kElite) {
      best_of_fresh = std::min(best_of_fresh, imbalance);
    }
  }
  if (chains.population_size > 1) {
    planner_.RecordBest(best_of_fresh);
    KeepBestOfEach(chains.population_size, &candidates);
  }
  RETURN_IF_ERROR(RecombineAll(portfolio_.strategy(best_strategy), size.sweeps,
                               round_key, &candidates));
  return true;
}

absl::StatusOr<std::vector<Candidate>> AnnealingSearch::Anneal(
    const RoundChains& round, uint64_t round_key) {
  const ItemRange mine = ItemsOfRank(
      context_.ranks, static_cast<int64_t>(round.strategies.size()));
  std::vector<Candidate> candidates(mine.size());
  // Chain i goes from temperatures[i][s] to [s + 1] in segment s.
  std::vector<std::vector<double>> temperatures(round.strategies.size());
  for (int64_t i = mine.begin; i < mine.end; ++i) {
    const ChainStrategy& strategy = portfolio_.strategy(round.strategies[i]);
    candidates[i - mine.begin] = chain_starts_.StartOf(strategy, i, elite_);
    temperatures[i] = internal::GeometricSequence(
        strategy.first_temperature * Scale(strategy),
        strategy.last_temperature * Scale(strategy), round.num_segments + 1);
  }
  std::vector<AnnealingChain> chains(mine.size());
  bool stop = false;
  for (int32_t s = 0; s < round.num_segments && !stop; ++s) {
    const uint64_t key = round_key + (static_cast<uint64_t>(s) << 32);
    if (s > 0) {
      ASSIGN_OR_RETURN(const std::vector<Candidate> all,
                       GatherCandidates(context_.ranks, std::move(candidates)));
      candidates.assign(mine.size(), Candidate());
      for (int64_t i = mine.begin; i < mine.end; ++i) {
        candidates[i - mine.begin] =
            all[Survivor(all, i, round.population_size, temperatures[i][s - 1],
                         temperatures[i][s],
                         internal::VisitRandom(internal::MixBits(key - 1),
                                               static_cast<int32_t>(i)))];
      }
    }
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      AnnealingChain& chain = chains[i - mine.begin];
      chain.key = internal::MixBits(key + i);
      chain.num_sweeps = round.sweeps / round.num_segments;
      chain.first_temperature = temperatures[i][s];
      chain.last_temperature = temperatures[i][s + 1];
      // After a stop, a chain may not run at all.
      chain.change = 0;
      chain.finished = false;
      chain.labels = std::move(candidates[i - mine.begin].labels);
    }
    RETURN_IF_ERROR(RunAnnealingChains(plan_, context_.device, context_.threads,
                                       context_.control,
                                       absl::MakeSpan(chains)));
    for (size_t j = 0; j < chains.size(); ++j) {
      candidates[j].labels = std::move(chains[j].labels);
      candidates[j].imbalance += chains[j].change;
    }
    ASSIGN_OR_RETURN(stop,
                     ShouldStopOnAnyRank(context_.ranks, context_.control));
  }
  const int64_t my_finished =
      std::count_if(chains.begin(), chains.end(),
                    [](const AnnealingChain& c) { return c.finished; });
  ASSIGN_OR_RETURN(const int64_t finished,
                   context_.ranks.AllReduce(Reduction::kSum, my_finished));
  for (int64_t i = 0; i < finished; ++i) context_.control.CountStart();
  starts_ += finished;
  if (stop) {
    // The best of the finished chains are results, too.
    std::vector<Candidate> of_finished;
    for (size_t j = 0; j < chains.size(); ++j) {
      if (chains[j].finished) of_finished.push_back(std::move(candidates[j]));
    }
    KeepBest(kNumElite, &of_finished);
    ASSIGN_OR_RETURN(of_finished,
                     GatherCandidates(context_.ranks, std::move(of_finished)));
    for (Candidate& candidate : of_finished) elite_.Add(std::move(candidate));
    return std::vector<Candidate>();
  }
  PolishAll(context_.graph, context_.step(), absl::MakeSpan(candidates));
  ASSIGN_OR_RETURN(candidates,
                   GatherCandidates(context_.ranks, std::move(candidates)));
  return candidates;
}

absl::Status AnnealingSearch::RecombineAll(const ChainStrategy& strategy,
                                           int32_t sweeps, uint64_t round_key,
                                           std::vector<Candidate>* candidates) {
  RecombinationOptions options;
  options.key = internal::MixBits(round_key - 1);
  const int64_t equal_sweeps =
      std::max<int64_t>(kLeastRecombiningSweeps, sweeps / kRecombiningShare);
  options.visits = plan_.num_positions() * equal_sweeps;
  options.entries = plan_.offsets.back() * equal_sweeps;
  options.first_temperature =
      strategy.first_temperature * Scale(strategy) *
      (context_.prefers_table ? kDenseHeat : kSparseHeat);
  options.last_temperature = strategy.last_temperature * Scale(strategy);
  options.ranks = &context_.ranks;
  options.device = context_.device;
  options.num_threads = context_.threads;
  options.large_entries = context_.large_entries;
  // First among themselves: the elite would pull all candidates to itself.
  ASSIGN_OR_RETURN(const bool searched,
                   SearchCore(internal::MixBits(round_key - 3), candidates));
  if (!searched && candidates->size() > 1) {
    RETURN_IF_ERROR(
        Recombine(context_.graph, options, context_.control, candidates));
    if (!context_.improves_regions) KeepBest(kNumElite, candidates);
  }
  if (context_.improves_regions) {
    RETURN_IF_ERROR(ImproveBest(internal::MixBits(round_key - 4), candidates));
  }
  // After a few rounds, the elite consists of variants of one partition. The
  // results of the searches of cores differ more.
  if (searched) {
    found_.push_back(candidates->front());
    if (found_.size() > kMostFound) found_.erase(found_.begin());
    candidates->insert(candidates->end(), found_.begin(), found_.end());
  }
  candidates->insert(candidates->end(), elite().begin(), elite().end());
  options.key = internal::MixBits(round_key - 2);
  RETURN_IF_ERROR(
      Recombine(context_.graph, options, context_.control, candidates));
  for (Candidate& candidate : *candidates) elite_.Add(std::move(candidate));
  Candidate thorough = best();
  PolishSparse(context_, context_.step(), &thorough);
  RETURN_IF_ERROR(
      AgreeAfterStop(context_.ranks, context_.control, &thorough).status());
  if (IsBetter(thorough, best())) elite_.Add(std::move(thorough));
  return absl::OkStatus();
}

absl::Status AnnealingSearch::ImproveBest(uint64_t key,
                                          std::vector<Candidate>* candidates) {
  candidates->insert(candidates->end(), elite().begin(), elite().end());
  KeepBest(kWalks, candidates);
  return ImproveRegions(context_.graph, OptionsOfRegions(key), context_.control,
                        candidates);
}

RegionOptions AnnealingSearch::OptionsOfRegions(uint64_t key) const {
  RegionOptions options;
  options.key = key;
  options.num_regions = kRegionsOfWalk;
  options.first_temperature = kFirstRegionTemperature * MeanWeight();
  options.last_temperature = kLastRegionTemperature * MeanWeight();
  options.ranks = &context_.ranks;
  options.num_threads = context_.threads;
  options.large_entries = context_.large_entries;
  return options;
}

absl::Status AnnealingSearch::ImproveInitial() {
  const Labels& first = chain_starts_.first().labels;
  ASSIGN_OR_RETURN(const ReducedGraph core, CoreOf(first));
  if (core.graph.num_vertices() == 0) return absl::OkStatus();
  Candidate start;
  start.labels = ReducedInitial(core, first, context_.threads);
  start.imbalance = Imbalance(core.graph, start.labels, context_.threads);
  std::vector<Candidate> candidates = {std::move(start)};
  RETURN_IF_ERROR(ImproveRegions(
      core.graph, OptionsOfRegions(internal::MixBits(context_.seed)),
      context_.control, &candidates));
  elite_.Add(
      {Expand(core.group, candidates[0].labels), candidates[0].imbalance});
  return absl::OkStatus();
}

absl::StatusOr<ReducedGraph> AnnealingSearch::CoreOf(const Labels& agreed) {
  if (context_.prefers_table || !HasLargeGroup(agreed)) return ReducedGraph();
  ReducedGraph core =
      MakeCore(context_.graph, agreed, MeanWeight(), context_.step());
  ASSIGN_OR_RETURN(const bool stop,
                   ShouldStopOnAnyRank(context_.ranks, context_.control));
  if (stop || core.graph.neighbors.size() * kCoreShare >
                  context_.graph.neighbors.size()) {
    return ReducedGraph();
  }
  return core;
}

absl::StatusOr<bool> AnnealingSearch::SearchCore(
    uint64_t seed, std::vector<Candidate>* candidates) {
  if (context_.is_core) return false;
  planner_.set_has_core(false);
  Labels agreed = chain_starts_.first().labels;
  for (const Candidate& candidate : *candidates) {
    Intersect(candidate.labels, &agreed);
  }
  ASSIGN_OR_RETURN(const ReducedGraph core, CoreOf(agreed));
  if (core.graph.num_vertices() == 0) return false;
  planner_.set_has_core(true);
  KeepBest(kNumElite, candidates);
  const SearchContext core_context = {
      core.graph,
      /*is_core=*/true,
      /*improves_regions=*/without_improvement_ >= kStagnation,
      PrefersTable(core.graph),
      seed,
      context_.device,
      context_.threads,
      context_.large_entries,
      context_.control,
      context_.ranks};
  AnnealingSearch search(
      core_context,
      ReducedInitial(core, candidates->front().labels, context_.threads),
      /*start_is_good=*/false, options_, context_.step());
  RETURN_IF_ERROR(search.Run());
  starts_ += search.starts();
  if (search.stopped()) planner_.set_shortened();
  for (const Candidate& found : search.elite()) {
    candidates->push_back({Expand(core.group, found.labels), found.imbalance});
  }
  KeepBest(kNumElite, candidates);
  return true;
}

double AnnealingSearch::MeanWeight() const {
  const SignedGraph& graph = context_.graph;
  return static_cast<double>(graph.positive_weight + graph.negative_weight) /
         static_cast<double>(graph.num_edges());
}

double AnnealingSearch::Scale(const ChainStrategy& strategy) const {
  double degree = 1;
  if (strategy.unit == TemperatureUnit::kRootOfDegree) {
    degree = plan_.mean_degree;
  } else if (strategy.unit == TemperatureUnit::kRootOfPositiveDegree) {
    degree = plan_.mean_positive_degree;
  }
  return plan_.mean_weight * std::sqrt(degree);
}

}  // namespace warpclust
