// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/annealing_recombination.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/contraction/greedy_joins.h"
#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/recombination/recombination.h"
#include "algorithms/correlation/recombination/shared_candidates.h"
#include "algorithms/correlation/recombination/start_portfolio.h"
#include "algorithms/correlation/search/ranked_search.h"
#include "base/communicator/communicator.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device.h"
#include "kernels/device_choice.h"

namespace warpclust {
namespace {

constexpr int64_t kDefaultRounds = 5;
constexpr int64_t kDefaultNoImprovement = 3;
constexpr int64_t kMostChains = 128;
// The sweeps of the first round make this many visits, within these bounds.
constexpr int64_t kFirstVisits = 20000;
constexpr int64_t kLeastFirstSweeps = 100;
constexpr int64_t kMostFirstSweeps = 400;
constexpr int32_t kLeastSweeps = 50;
// Bounds the memory of temperatures, too.
constexpr int32_t kMostSweeps = 1 << 17;
constexpr int32_t kLeastRecombiningSweeps = 200;
constexpr size_t kNumElite = 4;
// Starts of randomized greedy joins per kind; they take longer than chains.
constexpr int kNumGreedy = 2;
// The share of the remaining time that a round may be expected to take.
constexpr double kShareOfTime = 0.7;

// Keeps the best `count` candidates; of equals, the first ones.
void KeepBest(size_t count, std::vector<Candidate>* candidates) {
  std::stable_sort(candidates->begin(), candidates->end(), IsBetter);
  if (candidates->size() > count) candidates->resize(count);
}

// The initial partition in the reduced graph, at no loss: clusters of the
// representatives, without those that span positive components.
Labels ReducedInitial(const ReducedGraph& reduced, const Labels& initial) {
  Labels labels;
  if (initial.empty()) return labels;
  const Labels components = PositiveComponents(reduced.graph);
  Labels name(initial.size(), -1);
  for (size_t g = 0; g < components.size(); ++g) {
    int32_t& first = name[initial[reduced.representative[g]]];
    if (first < 0) first = static_cast<int32_t>(g);
    labels.push_back(first);
  }
  Intersect(components, &labels);
  return labels;
}

// One run on a reduced graph.
class Search {
 public:
  // `initial` is a partition to start from, in [0, n), or empty.
  Search(const SignedGraph& graph, Labels initial,
         const CorrelationOptions& options, Device device,
         SearchControl& control, Communicator& ranks)
      : graph_(graph),
        initial_(std::move(initial)),
        options_(options),
        device_(device),
        threads_(ResolveThreads(options.num_threads)),
        control_(control),
        ranks_(ranks),
        plan_(MakeAnnealingPlan(graph)),
        portfolio_(/*has_initial=*/!initial_.empty()) {}

  absl::Status Run() {
    RETURN_IF_ERROR(MakeFirst());
    const bool timed = control_.HasTimeLimit();
    const int64_t most = std::numeric_limits<int64_t>::max();
    const int64_t rounds = options_.iterations > 0 ? options_.iterations
                           : timed                 ? most
                                                   : kDefaultRounds;
    const int64_t patience = options_.no_improvement > 0
                                 ? options_.no_improvement
                             : timed ? most
                                     : kDefaultNoImprovement;
    int64_t without_improvement = 0;
    for (int64_t r = 0; r < rounds && without_improvement < patience; ++r) {
      if (optimal() || plan_.num_positions() == 0) break;
      const int64_t before = best().imbalance;
      ASSIGN_OR_RETURN(const bool had_time, Round(r));
      stopped_ = !had_time;
      if (had_time) {
        ASSIGN_OR_RETURN(stopped_, ShouldStopOnAnyRank(ranks_, control_));
      }
      if (stopped_) break;
      without_improvement =
          best().imbalance < before ? 0 : without_improvement + 1;
    }
    return absl::OkStatus();
  }

  const Candidate& best() const { return elite_.front(); }
  // The best partitions, all different, the best first.
  const std::vector<Candidate>& elite() const { return elite_; }
  // No partition costs less.
  bool optimal() const { return best().imbalance == graph_.constant_cost; }
  // The caller or the clock stopped the run, or the clock shortened a round.
  bool stopped() const { return stopped_ || shortened_; }
  int64_t starts() const { return starts_; }

 private:
  // The first elite partitions: descent, joins and chains from the initial
  // partition or, without one, from single vertices; and one cluster per
  // positive component, which is the optimum of many dense graphs with few
  // negative edges.
  absl::Status MakeFirst() {
    first_.labels = initial_.empty() ? SingleVertices() : initial_;
    ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(ranks_, control_));
    PolishSparse(stop, &first_.labels);
    first_.imbalance = Imbalance(graph_, first_.labels);
    AddElite(first_);
    Candidate components;
    components.labels = PositiveComponents(graph_);
    components.imbalance = Imbalance(graph_, components.labels);
    AddElite(std::move(components));
    return absl::OkStatus();
  }

  // Chains of moves along borders help in sparse graphs and are slow in dense
  // ones; nor are they made after a stop.
  int64_t PolishSparse(bool stop, Labels* labels) const {
    const int64_t change = Polish(graph_, labels);
    if (internal::PrefersTable(plan_) || stop) return change;
    return change + PolishBorders(graph_, labels);
  }

  void AddElite(Candidate candidate) {
    const auto place =
        std::upper_bound(elite_.begin(), elite_.end(), candidate, IsBetter);
    for (auto it = elite_.begin(); it != place; ++it) {
      if (it->labels == candidate.labels) return;
    }
    elite_.insert(place, std::move(candidate));
    if (elite_.size() > kNumElite) elite_.pop_back();
    control_.Report(best().imbalance);
  }

  // Makes the randomized greedy starts that these strategies need.
  absl::Status MakeGreedyStarts(const std::vector<int>& strategies) {
    std::vector<std::pair<bool, int>> missing;  // fixation, variant
    for (size_t i = 0; i < strategies.size(); ++i) {
      const ChainStart start = portfolio_.strategy(strategies[i]).start;
      const bool fixation = start == ChainStart::kFixation;
      if (!fixation && start != ChainStart::kGreedy) continue;
      const std::pair<bool, int> wanted = {fixation,
                                           static_cast<int>(i % kNumGreedy)};
      if (greedy_[wanted.first][wanted.second].empty() &&
          std::count(missing.begin(), missing.end(), wanted) == 0) {
        missing.push_back(wanted);
      }
    }
    if (missing.empty()) return absl::OkStatus();
    const ItemRange mine =
        ItemsOfRank(ranks_, static_cast<int64_t>(missing.size()));
    std::vector<Candidate> made(mine.size());
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      const auto [fixation, variant] = missing[i];
      GreedyJoinsOptions greedy;
      greedy.noise = kGreedyNoise;
      greedy.fixation = fixation;
      greedy.seed = internal::MixBits(options_.seed + variant);
      Labels& labels = made[i - mine.begin].labels;
      labels = SingleVertices();
      GreedyJoins(graph_, greedy, &labels);
      PolishSparse(control_.ShouldStop(), &labels);
    }
    ASSIGN_OR_RETURN(made, GatherCandidates(ranks_, std::move(made)));
    for (size_t i = 0; i < missing.size(); ++i) {
      const auto [fixation, variant] = missing[i];
      greedy_[fixation][variant] = std::move(made[i].labels);
    }
    return absl::OkStatus();
  }

  // The partition with which chain `index` of a round begins.
  Labels StartOf(const ChainStrategy& strategy, int64_t index) const {
    switch (strategy.start) {
      case ChainStart::kSingle:
        break;
      case ChainStart::kDescent:
        return first_.labels;
      case ChainStart::kElite:
        return elite_[index % elite_.size()].labels;
      case ChainStart::kGreedy:
        return greedy_[false][index % kNumGreedy];
      case ChainStart::kFixation:
        return greedy_[true][index % kNumGreedy];
    }
    return SingleVertices();
  }

  Labels SingleVertices() const {
    Labels labels(graph_.num_vertices());
    std::iota(labels.begin(), labels.end(), 0);
    return labels;
  }

  // After a stop: keeps the best of the finished chains of this rank.
  absl::Status SaveFinished(std::vector<AnnealingChain>* chains) {
    std::vector<Candidate> finished;
    for (AnnealingChain& chain : *chains) {
      if (!chain.finished) continue;
      Candidate candidate;
      candidate.imbalance = Imbalance(graph_, chain.labels);
      candidate.labels = std::move(chain.labels);
      finished.push_back(std::move(candidate));
    }
    KeepBest(threads_, &finished);
    PolishAll(graph_, threads_, control_, absl::MakeSpan(finished));
    ASSIGN_OR_RETURN(finished, GatherCandidates(ranks_, std::move(finished)));
    for (Candidate& candidate : finished) AddElite(std::move(candidate));
    return absl::OkStatus();
  }

  // The unit of the temperatures of a strategy.
  double Scale(const ChainStrategy& strategy) const {
    return plan_.mean_weight *
           (strategy.by_degree ? std::sqrt(plan_.mean_degree) : 1);
  }

  // The chains that the ranks run side by side.
  int64_t ChainsAtOnce() const {
    return ranks_.size() * (device_ == Device::kCuda ? kMostChains : threads_);
  }

  // The sweeps of round r: fewer if time is short, 0 if it is up.
  int32_t SweepsOf(int64_t r, int64_t num_chains) {
    const int64_t first = std::clamp(kFirstVisits / plan_.num_positions(),
                                     kLeastFirstSweeps, kMostFirstSweeps);
    const int64_t wanted =
        std::min<int64_t>(kMostSweeps, first << std::min<int64_t>(r, 17));
    const double left = control_.SecondsLeft() * kShareOfTime;
    const int64_t parallel = ChainsAtOnce();
    const double seconds =
        seconds_per_sweep_ * static_cast<double>(wanted) *
        static_cast<double>((num_chains + parallel - 1) / parallel);
    if (seconds <= left) return static_cast<int32_t>(wanted);
    shortened_ = true;
    const double fitting = static_cast<double>(wanted) * left / seconds;
    return fitting < kLeastSweeps ? 0 : static_cast<int32_t>(fitting);
  }

  struct RoundSize {
    int64_t num_chains = 0;
    int32_t sweeps = 0;  // 0: there is no time for the round.
    int32_t shortened = 0;
  };

  // By the clock of rank 0, if there is a limit.
  absl::StatusOr<RoundSize> SizeOf(int64_t r) {
    RoundSize size;
    size.num_chains = std::min<int64_t>(
        kMostChains, int64_t{1} << std::min<int64_t>(2 * r, 30));
    size.sweeps = SweepsOf(r, size.num_chains);
    if (size.sweeps == 0 && size.num_chains > ChainsAtOnce()) {
      size.num_chains = ChainsAtOnce();
      size.sweeps = SweepsOf(r, size.num_chains);
    }
    size.shortened = shortened_ ? 1 : 0;
    RETURN_IF_ERROR(ranks_.Broadcast(absl::MakeSpan(&size, 1), 0));
    shortened_ = size.shortened != 0;
    return size;
  }

  // Returns false if there is no time for another round.
  absl::StatusOr<bool> Round(int64_t r) {
    ASSIGN_OR_RETURN(const RoundSize size, SizeOf(r));
    const int64_t num_chains = size.num_chains;
    const int32_t sweeps = size.sweeps;
    if (sweeps == 0) return false;
    const uint64_t round_key =
        internal::MixBits(options_.seed * 0x9E3779B97F4A7C15u + r + 1);
    const std::vector<int> strategies = portfolio_.Choose(r, num_chains);
    ASSIGN_OR_RETURN(std::vector<Candidate> candidates,
                     Anneal(strategies, sweeps, round_key));
    if (candidates.empty()) return true;
    int best_strategy = strategies[0];
    int64_t best_imbalance = std::numeric_limits<int64_t>::max();
    for (int64_t i = 0; i < num_chains; ++i) {
      control_.Report(candidates[i].imbalance);
      portfolio_.Learn(strategies[i], candidates[i].imbalance);
      if (candidates[i].imbalance < best_imbalance) {
        best_imbalance = candidates[i].imbalance;
        best_strategy = strategies[i];
      }
    }
    RETURN_IF_ERROR(RecombineAll(portfolio_.strategy(best_strategy), sweeps,
                                 round_key, &candidates));
    return true;
  }

  // Runs a chain of each of these strategies and polishes the results. After a
  // stop the candidates are empty.
  absl::StatusOr<std::vector<Candidate>> Anneal(
      const std::vector<int>& strategies, int32_t sweeps, uint64_t round_key) {
    const double begin = control_.seconds();
    RETURN_IF_ERROR(MakeGreedyStarts(strategies));
    const auto count = static_cast<int64_t>(strategies.size());
    const ItemRange mine = ItemsOfRank(ranks_, count);
    std::vector<AnnealingChain> chains(mine.size());
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      const ChainStrategy& strategy = portfolio_.strategy(strategies[i]);
      AnnealingChain& chain = chains[i - mine.begin];
      chain.key = internal::MixBits(round_key + i);
      chain.num_sweeps = sweeps;
      chain.first_temperature = strategy.first_temperature * Scale(strategy);
      chain.last_temperature = strategy.last_temperature * Scale(strategy);
      chain.labels = StartOf(strategy, i);
    }
    RETURN_IF_ERROR(RunAnnealingChains(plan_, device_, threads_, control_,
                                       absl::MakeSpan(chains)));
    const int64_t my_finished =
        std::count_if(chains.begin(), chains.end(),
                      [](const AnnealingChain& c) { return c.finished; });
    ASSIGN_OR_RETURN(const int64_t finished,
                     ranks_.AllReduce(Reduction::kSum, my_finished));
    for (int64_t i = 0; i < finished; ++i) control_.CountStart();
    starts_ += finished;
    ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(ranks_, control_));
    if (stop) {
      RETURN_IF_ERROR(SaveFinished(&chains));
      return std::vector<Candidate>();
    }

    std::vector<Candidate> candidates(chains.size());
    for (size_t i = 0; i < chains.size(); ++i) {
      candidates[i].labels = std::move(chains[i].labels);
    }
    PolishAll(graph_, threads_, control_, absl::MakeSpan(candidates));
    ASSIGN_OR_RETURN(candidates,
                     GatherCandidates(ranks_, std::move(candidates)));
    seconds_per_sweep_ = (control_.seconds() - begin) / sweeps;
    if (device_ != Device::kCuda) {
      seconds_per_sweep_ /=
          static_cast<double>((count + ChainsAtOnce() - 1) / ChainsAtOnce());
    }
    return candidates;
  }

  // `strategy` is the best one of this round.
  absl::Status RecombineAll(const ChainStrategy& strategy, int32_t sweeps,
                            uint64_t round_key,
                            std::vector<Candidate>* candidates) {
    RecombinationOptions options;
    options.key = internal::MixBits(round_key - 1);
    options.num_sweeps = std::max(sweeps / 2, kLeastRecombiningSweeps);
    options.first_temperature =
        strategy.first_temperature * Scale(strategy) / 2;
    options.last_temperature = strategy.last_temperature * Scale(strategy);
    options.ranks = &ranks_;
    options.device = device_;
    options.num_threads = threads_;
    // First among themselves: the elite would pull all candidates to itself.
    if (candidates->size() > 1) {
      RETURN_IF_ERROR(Recombine(graph_, options, control_, candidates));
      KeepBest(kNumElite, candidates);
    }
    for (const Candidate& elite : elite_) candidates->push_back(elite);
    options.key = internal::MixBits(round_key - 2);
    RETURN_IF_ERROR(Recombine(graph_, options, control_, candidates));
    for (Candidate& candidate : *candidates) AddElite(std::move(candidate));
    Candidate thorough = best();
    ASSIGN_OR_RETURN(const bool stop, ShouldStopOnAnyRank(ranks_, control_));
    const int64_t change = PolishSparse(stop, &thorough.labels);
    thorough.imbalance += change;
    if (change < 0) AddElite(std::move(thorough));
    return absl::OkStatus();
  }

  const SignedGraph& graph_;
  const Labels initial_;
  const CorrelationOptions& options_;
  const Device device_;
  const int threads_;
  SearchControl& control_;
  Communicator& ranks_;
  const AnnealingPlan plan_;
  StartPortfolio portfolio_;
  Candidate first_;
  Labels greedy_[2][kNumGreedy];  // by fixation; empty until made
  // The best partitions so far, all different, the best first.
  std::vector<Candidate> elite_;
  // In the last round, of one chain, or of all that run side by side.
  double seconds_per_sweep_ = 0;
  int64_t starts_ = 0;
  bool stopped_ = false;
  bool shortened_ = false;
};

}  // namespace

absl::StatusOr<CorrelationResult> AnnealAndRecombine(
    const SignedGraph& graph, const CorrelationOptions& options,
    SearchControl* control, Communicator* ranks) {
  const SignedJob job = {graph.num_vertices(), graph.num_edges(),
                         options.iterations};
  ASSIGN_OR_RETURN(
      const Device device,
      ResolveDevice(options.device, Expect(job, options.num_threads)));
  SearchControl no_limit;
  SingleRank single;
  const ReducedGraph reduced = Reduce(graph);
  Search search(reduced.graph, ReducedInitial(reduced, options.initial),
                options, device, control != nullptr ? *control : no_limit,
                ranks != nullptr ? *ranks : single);
  RETURN_IF_ERROR(search.Run());

  CorrelationResult result;
  result.labels = Expand(reduced.group, search.best().labels);
  result.num_clusters = MakeCanonical(&result.labels);
  result.imbalance = search.best().imbalance;
  result.proven_optimal = search.optimal();
  result.starts = search.starts();
  result.stopped = search.stopped();
  for (size_t i = 1; i < search.elite().size(); ++i) {
    const Candidate& candidate = search.elite()[i];
    if (candidate.imbalance - result.imbalance > result.imbalance / 100) break;
    Labels labels = Expand(reduced.group, candidate.labels);
    MakeCanonical(&labels);
    // After a stop, labels of the elite that differ may be one partition.
    bool is_new = labels != result.labels;
    for (const auto& other : result.alternatives) {
      is_new = is_new && labels != other.labels;
    }
    if (is_new) {
      result.alternatives.push_back({std::move(labels), candidate.imbalance});
    }
  }
  return result;
}

}  // namespace warpclust
